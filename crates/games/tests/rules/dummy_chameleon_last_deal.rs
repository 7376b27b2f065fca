//! Tests of the last deal of Dummy Chameleon, rules DC20 to DC25, each named after the rule that it shows.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Describe, Game, Infer, Standing, View};
use overtrick_games::chameleon::{Chameleon, DUMMY, DUMMY_TOP, Phase, TALON_NEXT, TALON_TOP, discards};

use crate::fixtures::chameleon::{Deal, any, chameleon, contracted, deal, last_deal, refuse, say, sights, tricks, win};
use crate::fixtures::rules::{play_out, rng};

const HANDS: [Place; 2] = [Place::Hand0, Place::Hand1];
const ALL_PASS: &str = "pass, pass, pass, pass";

fn two(rules: &str) -> Chameleon {
    chameleon(&format!("players = 2\nlast-deal-variant = true\n{rules}"))
}

/// Makes a last deal that both have passed twice.
fn passed(game: &Chameleon, dealer: usize, number: u64) -> Deal {
    let mut state = last_deal(game, dealer, number);
    say(game, &mut state, ALL_PASS);
    state
}

/// Makes the same deal at the start of play.
fn playing(game: &Chameleon, dealer: usize, number: u64) -> Deal {
    let mut state = passed(game, dealer, number);
    any(game, &mut state, 2);
    state
}

#[test]
fn dc20_a_last_deal_that_both_pass_twice_is_played() {
    let game = two("");
    let mut state = last_deal(&game, 0, 0);
    say(&game, &mut state, "pass, pass");
    assert_eq!(state.public.phase(), Phase::SixInDummy);
    say(&game, &mut state, "pass, pass");
    assert_eq!((state.public.phase(), game.is_over(&state)), (Phase::LastDiscard, false));
    // The card turned up may have come from the talon or from a hand, so the past cannot be undone.
    assert!(game.opening(&state, &mut rng("dc20", 0)).is_none());
    // Earlier deals are thrown in, and so is a last deal without the variant.
    let mut state = deal(&game, 0, 0);
    say(&game, &mut state, ALL_PASS);
    assert!(game.is_over(&state));
    let game = chameleon("players = 2");
    let mut state = last_deal(&game, 0, 0);
    say(&game, &mut state, ALL_PASS);
    assert!(game.is_over(&state));
}

#[test]
fn dc20_a_last_deal_with_a_bid_or_six_in_dummy_is_like_any_other() {
    let game = two("");
    for number in 0..10 {
        let dealt = last_deal(&game, 0, number);
        let dummy = game.dealt_hand(&dealt, DUMMY);
        assert_eq!((dummy.len(), dealt.table.at(DUMMY_TOP).len()), (10, 1));
        let mut state = dealt;
        contracted(&game, &mut state, "bid 6 S, pass", "6 S");
        // Dummy has ten cards, including its top card.
        assert_eq!((state.table.at(DUMMY), sights(&game, &state, DUMMY)), (dummy, vec![10; 2]));
        assert_eq!((state.public.up_card(), state.table.hands_in_trick()), (None, 3));
        let mut state = dealt;
        say(&game, &mut state, "pass, pass, six-in-dummy");
        assert_eq!((state.table.at(HANDS[1]), state.table.at(DUMMY)), (dummy, dealt.table.at(HANDS[1])));
        say(&game, &mut state, "name S");
        any(&game, &mut state, 2);
        say(&game, &mut state, "contract 6 S");
        play_out(&game, &mut state, &mut rng("dc20", number), |_| {});
        assert_eq!((state.table.plays().len(), game.contract(&state).unwrap().kind), (30, "suit"));
    }
}

#[test]
fn dc21_the_top_card_of_dummy_is_exposed_and_its_suit_is_trump() {
    let game = two("");
    let mut suits = [0; 4];
    for number in 0..60 {
        let dealt = last_deal(&game, 1, number);
        let dummy = game.dealt_hand(&dealt, DUMMY);
        let state = passed(&game, 1, number);
        let top = state.public.up_card().unwrap();
        assert!(dummy.contains(top));
        assert_eq!(state.public.trump(), top.suit());
        suits[top.suit().unwrap() as usize] += 1;
        // Both see one card of the ten.
        assert_eq!((sights(&game, &state, DUMMY_TOP), sights(&game, &state, DUMMY)), (vec![1; 2], vec![0; 2]));
        assert_eq!(state.table.at(DUMMY_TOP), CardSet::of(top));
        let asides = game.asides(&dealt, &state);
        assert_eq!((asides[0].name, asides[1].name, &asides[1].cards), ("talon", "up-card", &vec![top]));
    }
    assert!(suits.iter().all(|&times| times > 3), "{suits:?}");
}

#[test]
fn dc22_forehand_first_each_takes_a_card_of_the_talon_and_discards() {
    let game = two("");
    for dealer in 0..2 {
        let dealt = last_deal(&game, dealer, 2);
        let mut state = passed(&game, dealer, 2);
        for (seat, talon) in [(1 - dealer, TALON_TOP), (dealer, TALON_NEXT)] {
            let (hand, taken) = (HANDS[seat], dealt.table.at(talon));
            let eleven = dealt.table.at(hand) | taken;
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::LastDiscard, Seat::new(seat)));
            assert_eq!(game.legal(&state).card_set(), eleven);
            let own = |cards| [0, 1].map(|other| if other == seat { cards } else { 0 });
            assert_eq!(sights(&game, &state, hand), own(11));
            for text in ["pass", "concede", "contract 6 S"] {
                assert_eq!(refuse(&game, &state, text).rule, "DC22");
            }
            let others = state.table.at(HANDS[1 - seat]).first().unwrap();
            assert_eq!(refuse(&game, &state, &format!("discard {others}")).rule, "DC22");
            // Any card, including the card of the talon.
            say(&game, &mut state, &format!("discard {taken}"));
            assert_eq!(state.table.at(hand), dealt.table.at(hand));
            assert_eq!(sights(&game, &state, discards(Seat::new(seat))), own(1));
        }
        assert_eq!(state.public.phase(), Phase::Play);
        let standing = Standing::default();
        for seat in 0..2 {
            let calls = View::new(&game, &state, &standing, Seat::new(seat)).calls();
            let known = calls[4..].iter().map(|(caller, call)| (caller.index(), call.is_some()));
            let wanted = [(1 - dealer, seat != dealer), (dealer, seat == dealer)];
            assert_eq!(known.collect::<Vec<_>>(), wanted);
        }
    }
}

#[test]
fn dc23_dc24_dummy_and_the_exposed_card_are_not_played() {
    let game = two("");
    for number in 0..20 {
        let mut state = playing(&game, number as usize % 2, number);
        let stack = state.table.at(DUMMY) | state.table.at(DUMMY_TOP);
        let top = state.public.up_card().unwrap();
        play_out(&game, &mut state, &mut rng("dc23", number), |state| {
            assert_ne!(state.table.hand_to_move(), DUMMY);
            assert_eq!(sights(&game, state, DUMMY_TOP), [1; 2]);
            assert_eq!(sights(&game, state, DUMMY), [0; 2]);
        });
        let tricks = state.table.tricks();
        assert!(tricks.len() == 10 && tricks.iter().all(|trick| trick.plays.len() == 2));
        assert_eq!(state.table.at(DUMMY) | state.table.at(DUMMY_TOP), stack);
        assert!(!state.table.plays().contains(&top));
        // The higher card wins, trumps rank above other suits, and the winner leads.
        let height = |card: Card, led: Card| {
            let suit = if card.suit() == top.suit() { 2 } else { u8::from(card.suit() == led.suit()) };
            (suit, card.rank())
        };
        let mut leader = HANDS[1 - number as usize % 2];
        for trick in tricks {
            let [first, second] = [0, 1].map(|at| trick.plays[at]);
            assert_eq!(first.hand, leader);
            leader =
                if height(second.card, first.card) > height(first.card, first.card) { second.hand } else { first.hand };
            assert_eq!(trick.winner, Some(leader));
        }
    }
}

#[test]
fn dc25_forehand_leads_and_tricks_above_five_count_five_points_each() {
    for (rules, par, points) in [("", 5, 5), ("last-deal-points = 4\nlast-deal-two-par = 2", 2, 4)] {
        let game = two(rules);
        for (dealer, own) in (0..2).flat_map(|dealer| (0..=10).map(move |own| (dealer, own))) {
            let mut state = playing(&game, dealer, 3);
            assert_eq!(state.table.hand_to_move(), HANDS[1 - dealer]);
            win(&game, &mut state, &tricks(&[(HANDS[0], own), (HANDS[1], 10 - own)]));
            let above = |won: usize| if won > par { points * (won - par) as i32 } else { 0 };
            assert_eq!(game.scores(&state).into_array(), [above(own), above(10 - own), 0]);
            let contract = game.contract(&state).unwrap();
            assert_eq!((contract.kind, contract.declarer, contract.level), ("last-deal", None, None));
            assert_eq!(
                contract.trump.map(str::to_owned),
                state.public.up_card().map(|card| card.to_string()[1..].to_owned())
            );
            assert!(game.reasons(&state).iter().all(|reason| reason.contains("DC25")));
            let contract_result = game.contract_result(&state).unwrap();
            assert_eq!(game.contract_kinds()[usize::from(contract_result.kind)].name, "last-deal");
        }
    }
}
