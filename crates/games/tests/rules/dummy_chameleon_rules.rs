//! Tests of Dummy Chameleon, rules DC1 to DC11 and DC18, each named after the rule that it shows.
//!
//! Six in dummy and the last deal have separate files. The auction (DC3) and the match (DC26) are also tested
//! with the game for three.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Describe, Game};
use overtrick_games::chameleon::{Chameleon, DUMMY, Phase, TALON_NEXT, TALON_TOP, discards};

use crate::fixtures::chameleon::{
    Deal, any, chameleon, check_scores, contracted, contracts, deal, ladder, lay_out, number, open, raises, refuse,
    say, sights,
};
use crate::fixtures::rules::{play_out, rng};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const HANDS: [Place; 2] = [P0, P1];

fn two(rules: &str) -> Chameleon {
    chameleon(&format!("players = 2\n{rules}"))
}

fn other(seat: usize) -> Seat {
    Seat::new(1 - seat)
}

/// Returns the auction in which `declarer` gets the talon for `bid` when `dealer` has dealt (DC3, DC4).
fn bought(dealer: usize, declarer: usize, bid: &str) -> String {
    if dealer == declarer { format!("pass, bid {bid}") } else { format!("bid {bid}, pass") }
}

/// Makes the deals of both dealers with both declarers, at the start of play of this contract.
fn all_declarers(game: &Chameleon, contract: &str) -> Vec<(usize, usize, Deal)> {
    let bid = if contract.ends_with("NT") { format!("{} C", number(contract)) } else { contract.to_owned() };
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let play = |(dealer, declarer): (usize, usize)| {
        let mut state = deal(game, dealer, 5 + dealer as u64);
        contracted(game, &mut state, &bought(dealer, declarer, &bid), contract);
        assert_eq!(state.public.declarer(), Some(Seat::new(declarer)));
        (dealer, declarer, state)
    };
    pairs.into_iter().map(play).collect()
}

#[test]
fn dc1_dc2_dummy_is_dealt_face_down_at_the_dealers_right() {
    let game = two("");
    for dealer in 0..2 {
        let state = deal(&game, dealer, 0);
        assert_eq!([P0, P1, DUMMY].map(|hand| state.table.at(hand).len()), [10; 3]);
        assert_eq!([TALON_TOP, TALON_NEXT].map(|place| state.table.at(place).len()), [1; 2]);
        assert_eq!((sights(&game, &state, DUMMY), sights(&game, &state, TALON_TOP)), (vec![0; 2], vec![0; 2]));
        // Clockwise, the order is the dealer, the other player, Dummy.
        let (own, forehand) = (HANDS[dealer], HANDS[1 - dealer]);
        assert_eq!([own, forehand, DUMMY].map(|hand| state.table.after(hand)), [forehand, DUMMY, own]);
        assert_eq!(game.layout().hands, ["p0", "p1", "dummy"]);
    }
}

#[test]
fn dc3_one_pass_after_a_bid_ends_the_auction() {
    let game = two("");
    for dealer in 0..2 {
        let mut state = deal(&game, dealer, 1);
        for (text, seat) in [("bid 6 S", other(dealer)), ("bid 6 D", Seat::new(dealer)), ("bid 8 D", other(dealer))] {
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Auction, seat));
            say(&game, &mut state, text);
        }
        say(&game, &mut state, "pass");
        assert_eq!((state.public.phase(), state.public.declarer()), (Phase::Discard, Some(other(dealer))));
    }
}

#[test]
fn dc4_the_dealer_may_bid_when_the_other_has_passed() {
    let game = two("");
    let mut state = deal(&game, 0, 2);
    say(&game, &mut state, "pass");
    assert_eq!(open(&game, &state).len(), 23);
    say(&game, &mut state, "bid 6 S");
    assert_eq!((state.public.phase(), state.public.declarer()), (Phase::Discard, Some(Seat::Seat0)));
}

#[test]
fn dc5_the_talon_discards_and_contract_are_as_for_three() {
    let (game, ladder) = (two(""), ladder("mo-higher"));
    for bid in contracts().iter().filter(|bid| !bid.ends_with("NT")) {
        for (dealer, declarer) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut state = deal(&game, dealer, 3);
            let hand = HANDS[declarer];
            let twelve = state.table.at(hand) | state.table.at(TALON_TOP) | state.table.at(TALON_NEXT);
            say(&game, &mut state, &bought(dealer, declarer, bid));
            assert_eq!(game.legal(&state).card_set(), twelve);
            any(&game, &mut state, 1);
            assert_eq!(refuse(&game, &state, "pass").rule, "CH13");
            any(&game, &mut state, 1);
            let place = discards(Seat::new(declarer));
            assert_eq!(state.table.at(hand) | state.table.at(place), twelve);
            let own = |cards| [0, 1].map(|seat| if seat == declarer { cards } else { 0 });
            assert_eq!((sights(&game, &state, hand), sights(&game, &state, place)), (own(10).into(), own(2).into()));
            assert_eq!(open(&game, &state), raises(&ladder, bid));
        }
    }
}

/// Returns how many of Dummy's cards both seats see at four times.
///
/// These are before a bid, with the talon in hand, after the discards, and at the start of play.
fn dummy_seen(rules: &str) -> [Vec<u32>; 4] {
    let game = two(rules);
    let mut state = deal(&game, 0, 4);
    ["", "bid 6 S, pass", "discard", "contract 6 S"].map(|text| {
        if text == "discard" {
            any(&game, &mut state, 2);
        } else {
            say(&game, &mut state, text);
        }
        sights(&game, &state, DUMMY)
    })
}

#[test]
fn dc6_dummy_is_exposed_after_the_contract() {
    assert_eq!(dummy_seen(""), dummy_seen("dummy-exposed = \"after-contract\""));
    assert_eq!(dummy_seen(""), [[0, 0], [0, 0], [0, 0], [10, 10]]);
}

#[test]
fn dc6_or_before_the_talon_is_taken() {
    assert_eq!(dummy_seen("dummy-exposed = \"before-talon\""), [[0, 0], [10, 10], [10, 10], [10, 10]]);
}

#[test]
fn dc8_the_declarers_opponent_plays_dummy() {
    let game = two("");
    for contract in contracts() {
        for (dealer, declarer, mut state) in all_declarers(&game, &contract) {
            let mut turns = 0;
            play_out(&game, &mut state, &mut rng("dc8", dealer as u64), |state| {
                let hand = state.table.hand_to_move();
                let decider = if hand == DUMMY { other(declarer) } else { Seat::new(hand.index()) };
                assert_eq!(state.table.seat_to_move(), decider);
                assert_eq!(state.table.seen_at(hand, decider), state.table.at(hand));
                turns += usize::from(hand == DUMMY);
            });
            assert_eq!(turns, 10);
        }
    }
}

#[test]
fn dc8_dummy_follows_suit() {
    let game = two("");
    let mut state = deal(&game, 0, 0);
    lay_out(&mut state, ["SAKQJT987 DKQ", "CAKQJT987 DAJ", "HAKQJT987 DT9"], ["8D", "7D"]);
    say(&game, &mut state, "bid 6 C, pass, discard 8D, discard 7D, contract 6 C, AD");
    assert_eq!(state.table.hand_to_move(), DUMMY);
    assert_eq!(game.legal(&state).card_set(), "TD 9D".parse().unwrap());
    assert_eq!(refuse(&game, &state, "AH").rule, "CH18");
    // The opponent cannot play cards of their hand as Dummy's.
    assert_eq!(refuse(&game, &state, "KD").rule, "CH18");
}

#[test]
fn dc9_forehand_leads_and_then_the_hand_that_has_won() {
    let game = two("");
    let mut led = [0; 3];
    for contract in contracts() {
        for (dealer, _, mut state) in all_declarers(&game, &contract) {
            let circle = [HANDS[dealer], HANDS[1 - dealer], DUMMY];
            let mut leader = HANDS[1 - dealer];
            play_out(&game, &mut state, &mut rng("dc9", dealer as u64), |_| {});
            for trick in state.table.tricks() {
                let start = circle.iter().position(|&hand| hand == leader).unwrap();
                let hands: Vec<Place> = trick.plays.iter().map(|play| play.hand).collect();
                assert_eq!(hands, [0, 1, 2].map(|step| circle[(start + step) % 3]));
                led[leader.index()] += 1;
                leader = trick.winner.unwrap();
            }
        }
    }
    assert!(led.iter().all(|&times| times > 100), "{led:?}");
}

#[test]
fn dc10_dummys_tricks_score_for_nobody_but_deny_the_declarer() {
    let game = two("");
    for contract in contracts() {
        for (_, declarer, state) in all_declarers(&game, &contract) {
            check_scores(&game, declarer, &state, &contract);
        }
    }
}

#[test]
fn dc11_what_lies_open_in_the_play() {
    let game = two("");
    for contract in contracts() {
        for (_, declarer, state) in all_declarers(&game, &contract) {
            let own = |seat| [0, 1].map(|other| if other == seat { 10 } else { 0 }).to_vec();
            let (slam, ouverte) = (number(&contract) == "10", contract == "misere-ouverte");
            let wanted = if slam || ouverte { vec![10; 2] } else { own(declarer) };
            assert_eq!(sights(&game, &state, HANDS[declarer]), wanted, "{contract}");
            let wanted = if slam { vec![10; 2] } else { own(1 - declarer) };
            assert_eq!(sights(&game, &state, HANDS[1 - declarer]), wanted, "{contract}");
            assert_eq!(sights(&game, &state, DUMMY), [10; 2]);
            let kept = sights(&game, &state, discards(Seat::new(declarer)));
            assert_eq!((kept[declarer], kept[1 - declarer]), (2, 0), "{contract}");
        }
    }
}

#[test]
fn dc18_if_both_refuse_the_hands_are_thrown_in() {
    let game = two("");
    let mut state = deal(&game, 0, 11);
    say(&game, &mut state, "pass, pass, pass, pass");
    assert!(game.is_over(&state));
    assert_eq!((game.scores(&state).into_array(), game.contract(&state).unwrap().kind), ([0; 3], "passed-out"));
    assert!(game.reasons(&state).len() == 2 && game.reasons(&state).iter().all(|reason| reason.contains("DC18")));
    let contract_result = game.contract_result(&state).unwrap();
    assert_eq!(game.contract_kinds()[usize::from(contract_result.kind)].name, "passed-out");
    assert_eq!(sights(&game, &state, DUMMY), [0; 2]);
}
