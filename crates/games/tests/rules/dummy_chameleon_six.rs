//! Tests of six in dummy, rules DC12 to DC17 of Dummy Chameleon, each named after the rule that it shows.

use overtrick_cards::CardSet;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Describe, Game, Infer};
use overtrick_games::chameleon::{Chameleon, DUMMY, Phase, TALON_NEXT, TALON_TOP};

use crate::fixtures::chameleon;
use crate::fixtures::chameleon::{
    Deal, any, chameleon, check_scores, contracts, deal, ladder, open, raises, refuse, say, sights,
};
use crate::fixtures::rules::rng;

const HANDS: [Place; 2] = [Place::Hand0, Place::Hand1];
const SIX: &str = "pass, pass, six-in-dummy";

fn two(rules: &str) -> Chameleon {
    chameleon(&format!("players = 2\n{rules}"))
}

fn other(seat: usize) -> Seat {
    Seat::new(1 - seat)
}

#[test]
fn dc12_after_two_passes_each_in_turn_may_take_six_in_dummy() {
    let game = two("");
    for dealer in 0..2 {
        let mut state = deal(&game, dealer, 6);
        say(&game, &mut state, "pass, pass");
        for (seat, pass) in [(other(dealer), "pass"), (Seat::new(dealer), "")] {
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::SixInDummy, seat));
            assert_eq!(open(&game, &state), ["pass", "six-in-dummy"]);
            for text in ["bid 6 S", "concede", "name H", "contract 6 S"] {
                let error = refuse(&game, &state, text);
                assert!(error.rule == "DC12" && error.why.contains("`six-in-dummy` or `pass`"), "{error}");
            }
            // The first player who takes it has it, and the other gets no choice.
            let mut taken = state;
            say(&game, &mut taken, "six-in-dummy");
            assert_eq!((taken.public.declarer(), taken.table.seat_to_move()), (Some(seat), seat));
            assert_eq!(taken.public.phase(), Phase::Naming);
            say(&game, &mut state, pass);
        }
    }
    // It is refused before both have passed.
    let mut state = deal(&game, 0, 6);
    assert_eq!(refuse(&game, &state, "six-in-dummy").rule, "CH7");
    say(&game, &mut state, "pass");
    assert_eq!(refuse(&game, &state, "six-in-dummy").rule, "CH7");
}

/// Makes the deals in which either player has taken six in dummy: the dealer, the taker and the deal.
fn taken(game: &Chameleon) -> Vec<(usize, usize, Deal)> {
    let pairs =
        [(0, 1, SIX), (0, 0, "pass, pass, pass, six-in-dummy"), (1, 0, SIX), (1, 1, "pass, pass, pass, six-in-dummy")];
    let take = |(dealer, taker, texts): (usize, usize, &str)| {
        let mut state = deal(game, dealer, 7);
        say(game, &mut state, texts);
        (dealer, taker, state)
    };
    pairs.into_iter().map(take).collect()
}

#[test]
fn dc13_the_takers_hand_becomes_dummy_and_he_alone_knows_it() {
    let game = two("");
    for (dealer, taker, state) in taken(&game) {
        let dealt = deal(&game, dealer, 7);
        assert_eq!(state.table.at(HANDS[taker]), dealt.table.at(DUMMY));
        assert_eq!(state.table.at(DUMMY), dealt.table.at(HANDS[taker]));
        let own = |cards| [0, 1].map(|seat| if seat == taker { cards } else { 0 });
        assert_eq!(
            (sights(&game, &state, HANDS[taker]), sights(&game, &state, DUMMY)),
            (own(10).into(), own(10).into())
        );
        assert_eq!(state.table.at(HANDS[1 - taker]), dealt.table.at(HANDS[1 - taker]));
        // The exchange cannot be undone, so nothing is inferred from how the deal began.
        assert!(game.opening(&state, &mut rng("dc13", 7)).is_none());
        assert!(game.opening(&dealt, &mut rng("dc13", 7)).is_some_and(|opening| opening == dealt));
    }
}

#[test]
fn dc14_he_names_a_suit_or_concedes_before_he_sees_the_talon() {
    let game = two("");
    for (dealer, taker, state) in taken(&game) {
        assert_eq!(open(&game, &state), ["concede", "name C", "name D", "name H", "name S"]);
        for text in ["pass", "bid 6 S", "contract 6 S", "six-in-dummy", "AS"] {
            assert_eq!(refuse(&game, &state, text).rule, "DC14");
        }
        assert_eq!([TALON_TOP, TALON_NEXT].map(|place| sights(&game, &state, place)), [[0; 2]; 2]);
        let mut after = state;
        say(&game, &mut after, "concede");
        assert!(game.is_over(&after) && after.table.tricks_played() == 0);
        let mut wanted = [0; 3];
        wanted[taker] = -36;
        assert_eq!(game.scores(&after).into_array(), wanted);
        let contract = game.contract(&after).unwrap();
        let said = (contract.kind, contract.declarer, contract.level, contract.trump);
        assert_eq!(said, ("conceded", Some(Seat::new(taker)), Some(6), None), "{dealer} dealt");
        let contract_result = game.contract_result(&after).unwrap();
        assert_eq!(game.contract_kinds()[usize::from(contract_result.kind)].name, "conceded");
        assert_eq!((contract_result.declarer, contract_result.made), (Some(Seat::new(taker)), false));
        let reasons = ["conceded six in dummy (DC14)", "the other conceded six in dummy (DC14)"];
        assert_eq!(game.reasons(&after), [reasons[usize::from(taker != 0)], reasons[usize::from(taker != 1)]]);
        // The cards thrown in stay hidden.
        assert_eq!(sights(&game, &after, HANDS[taker])[1 - taker], 0);
    }
}

#[test]
fn dc14_what_a_concession_costs_is_an_option() {
    let game = two("concession = 7");
    let mut state = deal(&game, 0, 8);
    say(&game, &mut state, &format!("{SIX}, concede"));
    assert_eq!(game.scores(&state).into_array(), [0, -7, 0]);
}

#[test]
fn dc15_naming_a_suit_is_a_bid_of_six_which_may_be_raised_after_the_talon() {
    let (game, ladder) = (two(""), ladder("mo-higher"));
    for suit in ["C", "D", "H", "S"] {
        for (_, taker, mut state) in taken(&game) {
            let twelve = state.table.at(HANDS[taker]) | state.table.at(TALON_TOP) | state.table.at(TALON_NEXT);
            say(&game, &mut state, &format!("name {suit}"));
            assert_eq!((state.public.phase(), state.table.at(HANDS[taker])), (Phase::Discard, twelve));
            assert_eq!(sights(&game, &state, HANDS[taker])[1 - taker], 0);
            any(&game, &mut state, 2);
            let options = raises(&ladder, &format!("6 {suit}"));
            assert_eq!((open(&game, &state), options.len()), (options, 24));
            for other in ["C", "D", "H", "S"].iter().filter(|&&other| other != suit) {
                assert_eq!(refuse(&game, &state, &format!("contract 6 {other}")).rule, "CH16");
            }
        }
    }
}

#[test]
fn dc15_whatever_he_raises_to_scores_as_ever() {
    let game = two("");
    for contract in contracts() {
        for (_, taker, mut state) in taken(&game) {
            let suit = contract.split(' ').nth(1).filter(|&trump| trump != "NT").unwrap_or("C");
            say(&game, &mut state, &format!("name {suit}"));
            any(&game, &mut state, 2);
            say(&game, &mut state, &format!("contract {contract}"));
            check_scores(&game, taker, &state, &contract);
        }
    }
}

/// Returns how many cards of the replacement dummy each seat sees at three times.
///
/// These are when it is laid down, with the talon in hand, and at the start of play.
fn replacement_seen(rules: &str) -> [Vec<u32>; 3] {
    let game = two(rules);
    let mut state = deal(&game, 0, 9);
    [SIX, "name S", "contract 6 S"].map(|text| {
        if text.starts_with("contract") {
            any(&game, &mut state, 2);
        }
        say(&game, &mut state, text);
        sights(&game, &state, DUMMY)
    })
}

#[test]
fn dc16_the_replacement_dummy_is_exposed_and_played_by_the_opponent() {
    assert_eq!(replacement_seen(""), [[0, 10], [0, 10], [10, 10]]);
    assert_eq!(replacement_seen("dummy-exposed = \"before-talon\""), [[0, 10], [10, 10], [10, 10]]);
    let game = two("");
    for (dealer, taker, mut state) in taken(&game) {
        let thrown_in: CardSet = deal(&game, dealer, 7).table.at(HANDS[taker]);
        say(&game, &mut state, "name S");
        any(&game, &mut state, 2);
        say(&game, &mut state, "contract 6 S");
        // Forehand leads, and Dummy keeps its seat.
        assert_eq!((state.table.hand_to_move(), state.table.at(DUMMY)), (HANDS[1 - dealer], thrown_in));
        assert_eq!(state.table.after(HANDS[1 - dealer]), DUMMY);
        assert_eq!(state.table.decider(DUMMY), other(taker));
    }
}

#[test]
fn dc17_nobody_looks_at_dummy_before_he_decides() {
    for last in [false, true] {
        let game = if last { two("last-deal-variant = true") } else { two("") };
        let mut state = if last { chameleon::last_deal(&game, 0, 10) } else { deal(&game, 0, 10) };
        for text in ["", "pass", "pass", "pass"] {
            say(&game, &mut state, text);
            for place in [DUMMY, TALON_TOP, TALON_NEXT, Place::Hand3] {
                assert_eq!(sights(&game, &state, place), [0; 2], "{place:?} after {text}");
            }
        }
    }
}
