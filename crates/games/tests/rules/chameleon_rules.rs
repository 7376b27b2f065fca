//! Tests of Chameleon's deal, talon, play and exposure, rules CH1 to CH3, CH13 to CH22 and CH30.
//!
//! Each test is named after the rule that it shows. The auction, the score and the match have separate files.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Deck};
use overtrick_game::{Describe, Game, Standing, View};
use overtrick_games::chameleon::{Chameleon, Phase, TALON_NEXT, TALON_TOP, discards};

use crate::fixtures::chameleon::{
    Deal, any, chameleon, contracted, contracts, deal, last_deal, lay_out, number, refuse, say, sights,
};
use crate::fixtures::rules::{card, cards, dictate, play_out, rng};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;
const HANDS: [Place; 3] = [P0, P1, P2];

/// Makes a deal of seat 0 with long suits: seat 1 clubs, seat 2 hearts, seat 0 spades. Diamonds are shared
/// out.
fn long_suits() -> Deal {
    let mut state = deal(&chameleon(""), 0, 0);
    lay_out(&mut state, ["SAKQJT987 DKQ", "CAKQJT987 DAJ", "HAKQJT987 DT9"], ["8D", "7D"]);
    state
}

/// Returns the auction in which `seat` gets the talon for `bid` after seat 0 has dealt.
fn bought(seat: usize, bid: &str) -> String {
    ["pass, pass, {}", "{}, pass, pass", "pass, {}, pass"][seat].replace("{}", &format!("bid {bid}"))
}

/// Makes deals at the start of play, one for each dealer and each declarer of this contract.
fn all_declarers(game: &Chameleon, contract: &str) -> Vec<Deal> {
    let mut all = Vec::new();
    for (dealer, steps) in (0..3).flat_map(|dealer| (0..3).map(move |steps| (dealer, steps))) {
        let mut state = deal(game, dealer, 10 + steps as u64);
        let bid = if contract.ends_with("NT") { format!("{} C", number(contract)) } else { contract.to_owned() };
        contracted(game, &mut state, &bought(steps, &bid), contract);
        assert_eq!(state.public.declarer(), Some(Seat::new((dealer + steps) % 3)));
        all.push(state);
    }
    all
}

/// Returns the winner of a trick by CH19: the highest trump, otherwise the highest card of the suit led.
fn by_the_book(plays: &[(Place, Card)], trump: Option<&str>) -> Place {
    let of = |suit: String| {
        let in_suit = plays.iter().filter(move |(_, card)| card.to_string().ends_with(&suit));
        in_suit.max_by_key(|(_, card)| "789TJQKA".find(&card.to_string()[..1])).map(|&(hand, _)| hand)
    };
    let trumps = trump.and_then(|trump| of(trump.to_owned()));
    trumps.or_else(|| of(plays[0].1.to_string()[1..].to_owned())).unwrap()
}

#[test]
fn ch1_three_players_and_32_cards_from_the_ace_to_the_seven() {
    let game = chameleon("");
    assert_eq!((game.layout().seats, game.layout().deck), (3, Deck::Short32));
    let pack: CardSet =
        "789TJQKA".chars().flat_map(|rank| "CDHS".chars().map(move |s| card(&format!("{rank}{s}")))).collect();
    assert_eq!(deal(&game, 0, 0).table.cards(), pack);
    // The ten is below the jack.
    let order = game.order_of(None);
    for next in "7 8 9 T J Q K A".split(' ').collect::<Vec<_>>().windows(2) {
        let [low, high] = [0, 1].map(|at| card(&format!("{}H", next[at])));
        assert!(order.strength(low, low) < order.strength(low, high), "{low} {high}");
    }
}

#[test]
fn ch2_ten_cards_each_and_a_talon_of_two_that_nobody_sees() {
    let game = chameleon("");
    let state = deal(&game, 0, 1);
    assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [10; 3]);
    for talon in [TALON_TOP, TALON_NEXT] {
        assert_eq!((state.table.at(talon).len(), sights(&game, &state, talon)), (1, vec![0; 3]));
    }
    let talon = game.asides(&state, &state).remove(0);
    assert_eq!((talon.name, talon.cards.len()), ("talon", 2));
    assert!(state.table.at(TALON_TOP).contains(talon.cards[0]), "the top card comes first");
}

#[test]
fn ch3_bids_and_plays_go_left_from_the_dealers_left() {
    let game = chameleon("");
    for dealer in 0..3 {
        let mut state = deal(&game, dealer, 2);
        let left = |steps: usize| Seat::new((dealer + steps) % 3);
        for steps in 1..=3 {
            assert_eq!(state.table.seat_to_move(), left(steps));
            say(&game, &mut state, ["bid 6 C", "bid 7 C", "bid 8 C"][steps - 1]);
        }
        say(&game, &mut state, "pass, pass");
        any(&game, &mut state, 3);
        for steps in 1..=3 {
            assert_eq!(state.table.hand_to_move(), Place::hand(left(steps)));
            any(&game, &mut state, 1);
        }
    }
}

#[test]
fn ch13_the_declarer_takes_the_talon_unseen_and_discards_any_two() {
    let game = chameleon("");
    for (bid, declarer) in
        ["6 S", "10 H", "misere", "misere-ouverte"].into_iter().flat_map(|bid| [(bid, 0), (bid, 1), (bid, 2)])
    {
        let mut state = deal(&game, 0, 3);
        let (hand, seat) = (HANDS[declarer], Seat::new(declarer));
        let twelve = state.table.at(hand) | state.table.at(TALON_TOP) | state.table.at(TALON_NEXT);
        let talon = state.table.at(TALON_TOP);
        say(&game, &mut state, &bought(declarer, bid));
        assert_eq!((state.table.at(hand), state.table.seat_to_move()), (twelve, seat));
        assert!(state.table.at(TALON_TOP).is_empty() && state.table.at(TALON_NEXT).is_empty());
        let own = |cards| Seat::THREE.map(|other| if other == seat { cards } else { 0 });
        assert_eq!(sights(&game, &state, hand), own(12));
        // Any of the twelve, including the talon, then any of the eleven.
        assert_eq!(game.legal(&state).card_set(), twelve);
        let first = talon.first().unwrap();
        say(&game, &mut state, &format!("discard {first}"));
        assert_eq!(game.legal(&state).card_set(), twelve - talon);
        let gone = refuse(&game, &state, &format!("discard {first}"));
        let others = state.table.at(HANDS[(declarer + 1) % 3]).first().unwrap();
        let not_his = refuse(&game, &state, &format!("discard {others}"));
        let call = refuse(&game, &state, "pass");
        assert_eq!([gone.rule, not_his.rule, call.rule], ["CH13"; 3]);
        any(&game, &mut state, 1);
        // Only the declarer knows the cards there, now and to the end.
        let place = discards(seat);
        play_after_contract(&game, &mut state, |state| {
            assert_eq!((state.table.at(place).len(), sights(&game, state, place)), (2, own(2).to_vec()));
            for other in Seat::THREE {
                let standing = Standing::default();
                let calls = View::new(&game, state, &standing, other).calls();
                let discarded: Vec<_> =
                    calls.iter().filter(|(_, call)| call.is_none_or(|call| call.as_card().is_some())).collect();
                assert!(discarded.len() == 2 && discarded.iter().all(|(caller, _)| *caller == seat));
                assert!(discarded.iter().all(|(_, call)| call.is_some() == (other == seat)), "{other:?}");
            }
        });
    }
}

/// Confirms the bid and plays at random to the end, and calls `each` with every state.
fn play_after_contract(game: &Chameleon, state: &mut Deal, mut each: impl FnMut(&Deal)) {
    each(state);
    any(game, state, 1);
    play_out(game, state, &mut rng("chameleon play", 0), &mut each);
    each(state);
}

#[test]
fn ch18_forehand_leads_whoever_is_declarer() {
    let game = chameleon("");
    for contract in contracts() {
        for state in all_declarers(&game, &contract) {
            let forehand = state.table.dealer().left(1, 3);
            assert_eq!((state.public.phase(), state.table.hand_to_move()), (Phase::Play, Place::hand(forehand)));
            assert_eq!(game.legal(&state).card_set(), state.table.at(Place::hand(forehand)));
        }
    }
}

#[test]
fn ch18_suit_is_followed_if_possible() {
    let game = chameleon("");
    let mut state = long_suits();
    say(&game, &mut state, "bid 6 C, pass, pass, discard 8D, discard 7D, contract 6 C, AD");
    // Hearts and two diamonds: the diamonds only.
    assert_eq!(game.legal(&state).card_set(), cards("TD 9D"));
    let error = refuse(&game, &state, "AH");
    assert!(error.rule == "CH18" && error.why.contains("follow suit to AD"), "{error}");
    assert_eq!(refuse(&game, &state, "AS").rule, "CH18");
    assert_eq!(refuse(&game, &state, "pass").rule, "CH18");
    say(&game, &mut state, "TD, KD, AC");
    // No clubs: any card, even a discard or a card of a high suit.
    assert_eq!(game.legal(&state).card_set(), state.table.at(P2));
}

#[test]
fn ch18_ten_tricks_and_the_winner_leads() {
    let game = chameleon("");
    for (trial, contract) in contracts().into_iter().enumerate() {
        let trump = contract.split_once(' ').map(|(_, trump)| trump).filter(|&trump| trump != "NT");
        for mut state in all_declarers(&game, &contract) {
            play_out(&game, &mut state, &mut rng("ch18", trial as u64), |_| {});
            let tricks = state.table.tricks();
            assert_eq!(tricks.len(), 10);
            let mut leader = Place::hand(state.table.dealer().left(1, 3));
            for trick in tricks {
                let plays: Vec<(Place, Card)> = trick.plays.iter().map(|play| (play.hand, play.card)).collect();
                let clockwise = [0, 1, 2].map(|steps| HANDS[(leader.index() + steps) % 3]);
                assert_eq!(plays.iter().map(|&(hand, _)| hand).collect::<Vec<_>>(), clockwise);
                leader = by_the_book(&plays, trump);
                assert_eq!(trick.winner, Some(leader));
            }
        }
    }
}

#[test]
fn ch19_highest_trump_else_highest_of_the_suit_led_in_tricks_of_any_three_cards() {
    let (game, mut rng) = (chameleon(""), rng("three cards", 0));
    let (mut trumped, mut overtrumped) = (0, 0);
    for contract in ["7 C", "7 D", "7 H", "7 S", "7 NT", "misere"] {
        let trump = contract.split_once(' ').map(|(_, trump)| trump).filter(|&trump| trump != "NT");
        let mut empty = all_declarers(&game, contract).remove(0);
        HANDS.into_iter().for_each(|hand| empty.table.shift(empty.table.at(hand), hand, TALON_TOP));
        for _ in 0..4000 {
            let mut pack = Deck::Short32.cards();
            let plays = [P1, P2, P0].map(|hand| {
                let next = rng.card(pack);
                pack -= CardSet::of(next);
                (hand, next)
            });
            let mut state = empty;
            dictate(&game, &mut state, &plays);
            assert_eq!(state.table.hand_to_move(), by_the_book(&plays, trump), "{plays:?} {contract}");
            let trumps =
                plays[1..].iter().filter(|(_, card)| trump.is_some_and(|trump| card.to_string().ends_with(trump)));
            match trumps.count() {
                1 => trumped += 1,
                2 => overtrumped += 1,
                _ => {}
            }
        }
    }
    assert!(trumped > 1000 && overtrumped > 200, "{trumped} {overtrumped}");
}

#[test]
fn ch20_a_slam_is_played_with_all_hands_face_up_but_not_the_discards() {
    let game = chameleon("");
    for contract in contracts() {
        for mut state in all_declarers(&game, &contract) {
            let declarer = state.public.declarer().unwrap();
            let slam = number(&contract) == "10";
            let standing = Standing::default();
            for plays in 0..30 {
                for hand in HANDS.into_iter().filter(|_| contract != "misere-ouverte") {
                    let left = state.table.at(hand).len();
                    let wanted = Seat::THREE.map(|seat| if slam || Place::hand(seat) == hand { left } else { 0 });
                    assert_eq!(sights(&game, &state, hand), wanted, "{contract} after {plays} cards");
                }
                let unseen = View::new(&game, &state, &standing, declarer.left(1, 3)).unseen();
                if slam {
                    // Their names follow from the visible cards, but they are not shown.
                    assert_eq!(unseen, state.table.at(discards(declarer)));
                }
                any(&game, &mut state, 1);
            }
        }
    }
}

#[test]
fn ch20_the_hands_stay_covered_until_the_slam_is_announced() {
    let game = chameleon("");
    let mut state = deal(&game, 0, 20);
    say(&game, &mut state, "bid 10 S, pass, pass");
    any(&game, &mut state, 2);
    assert_eq!(HANDS.map(|hand| sights(&game, &state, hand)), [[10, 0, 0], [0, 10, 0], [0, 0, 10]]);
    say(&game, &mut state, "contract misere-ouverte");
    // The slam bid has become another contract, so only the declarer's hand lies open.
    assert_eq!(HANDS.map(|hand| sights(&game, &state, hand)), [[10, 0, 0], [10; 3], [0, 0, 10]]);
}

#[test]
fn ch21_both_miseres_are_played_at_no_trump() {
    let game = chameleon("");
    for contract in ["misere", "misere-ouverte"] {
        let mut state = long_suits();
        contracted(&game, &mut state, &bought(1, contract), contract);
        assert_eq!((state.public.trump(), game.contract(&state).unwrap().trump), (None, Some("NT")));
        assert_eq!(game.contract(&state).unwrap().level, None);
        // Aces of other suits win nothing.
        HANDS.into_iter().for_each(|hand| state.table.shift(state.table.at(hand), hand, TALON_TOP));
        dictate(&game, &mut state, &[(P1, card("7H")), (P2, card("AS")), (P0, card("AD"))]);
        assert_eq!(state.table.hand_to_move(), P1);
    }
}

/// Returns how many of the declarer's cards each seat sees before the lead, within the first trick and after
/// it.
///
/// The declarer has ten cards at first.
fn ouverte(rules: &str) -> [Vec<u32>; 3] {
    let game = chameleon(rules);
    let mut state = deal(&game, 0, 22);
    contracted(&game, &mut state, "bid misere-ouverte, pass, pass", "misere-ouverte");
    [0, 2, 1].map(|plays| {
        any(&game, &mut state, plays);
        assert_eq!(
            (sights(&game, &state, P0)[1..].to_vec(), sights(&game, &state, P2)[..2].to_vec()),
            (vec![0; 2], vec![0; 2])
        );
        sights(&game, &state, P1)
    })
}

#[test]
fn ch22_the_declarer_of_an_ouverte_lays_his_hand_open_before_the_lead() {
    assert_eq!(ouverte(""), ouverte("ouverte-exposed = \"before-lead\""));
    assert_eq!(ouverte(""), [[10; 3], [9; 3], [9; 3]]);
}

#[test]
fn ch22_or_after_the_first_trick() {
    assert_eq!(ouverte("ouverte-exposed = \"after-first-trick\""), [[0, 10, 0], [0, 9, 0], [9; 3]]);
}

#[test]
fn ch30_the_dealer_takes_the_exposed_card_of_the_talon_and_discards() {
    let game = chameleon("last-deal-variant = true");
    for dealer in 0..3 {
        let mut state = last_deal(&game, dealer, 30);
        let (hand, seat) = (HANDS[dealer], Seat::new(dealer));
        let (up_card, next) = (state.table.at(TALON_TOP), state.table.at(TALON_NEXT));
        let eleven = state.table.at(hand) | up_card;
        say(&game, &mut state, "pass, pass, pass");
        assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::LastDiscard, seat));
        assert_eq!(state.public.up_card(), up_card.first());
        assert_eq!(state.public.trump(), up_card.first().unwrap().suit());
        // All seats see which card the dealer takes, and nothing else.
        assert_eq!(sights(&game, &state, hand), Seat::THREE.map(|other| if other == seat { 11 } else { 1 }));
        assert_eq!(game.legal(&state).card_set(), eleven);
        for text in ["pass", "contract 7 H", &format!("discard {next}")] {
            assert_eq!(refuse(&game, &state, text).rule, "CH30");
        }
        for discarded in eleven.iter() {
            let mut state = state;
            say(&game, &mut state, &format!("discard {discarded}"));
            assert_eq!(state.table.at(hand), eleven.without(discarded));
            // Forehand leads. Only the dealer knows whether the exposed card was kept.
            assert_eq!(state.table.hand_to_move(), HANDS[(dealer + 1) % 3]);
            assert_eq!(sights(&game, &state, hand), Seat::THREE.map(|other| if other == seat { 10 } else { 0 }));
            assert_eq!(sights(&game, &state, discards(seat)), Seat::THREE.map(|other| u32::from(other == seat)));
            assert_eq!((state.table.at(TALON_NEXT), sights(&game, &state, TALON_NEXT)), (next, vec![0; 3]));
            let contract = game.contract(&state).unwrap();
            let suit = up_card.to_string()[1..].to_owned();
            assert_eq!((contract.kind, contract.trump, contract.declarer), ("last-deal", Some(suit.as_str()), None));
        }
    }
}

#[test]
fn ch30_trumps_are_those_of_the_exposed_card() {
    let game = chameleon("last-deal-variant = true");
    let mut state = last_deal(&game, 0, 31);
    lay_out(&mut state, ["SAKQJT987 DKQ", "CAKQJT987 DAJ", "HAKQJT987 DT9"], ["8D", "7D"]);
    say(&game, &mut state, "pass, pass, pass, discard 8D, AC, 9D, KD");
    assert_eq!(state.table.hand_to_move(), P0);
    // Void of hearts, the dealer ruffs with the exposed card itself.
    let mut state = last_deal(&game, 0, 31);
    lay_out(&mut state, ["SAKQJT987 DKQ", "CAKQJT98 HA DAJ", "HKQJT987 DT98"], ["7C", "7D"]);
    say(&game, &mut state, "pass, pass, pass, discard AS, AH, 7H, 7C");
    assert_eq!(state.table.hand_to_move(), P0);
}
