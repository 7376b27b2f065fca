//! Tests of Double Dummy, rule by rule (docs/rules/dummy-whist.md).
//!
//! Each test is named after the rule that it shows. The tests of Dummy Whist cover the shared rules.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{CardSet, Deck};
use overtrick_game::{Describe, Game, Standing, View};
use overtrick_games::Variant;
use overtrick_games::whist::{DummyWhist, Phase, second_hand};

use crate::fixtures;
use crate::fixtures::rules;
use crate::fixtures::rules::{
    HANDS, assert_deals_follow, assert_ends_at_target, by_totals, cards, deal, dictate, game, legal_texts, matches,
    play, play_out, refused, refused_move, rng, say, seen, variant,
};
use crate::fixtures::whist::{bare, by_the_book, contract, declarations, win};

const SEATS: [Seat; 2] = [Seat::Seat0, Seat::Seat1];
const DUMMIES: [Place; 2] = [Place::Hand2, Place::Hand3];
const NOTHING: [CardSet; 2] = [CardSet::EMPTY; 2];

/// The hands in the order of play, from seat 0 on, when seat 1 deals.
const ROUND: [Place; 4] = [HANDS[0], HANDS[3], HANDS[2], HANDS[1]];

fn double_dummy(rules: &str) -> DummyWhist {
    game(&format!("form = \"double-dummy\"\n{rules}"))
}

/// Returns auctions of two players who each speak once.
///
/// An item has the dealer, the calls, and the number of steps from the dealer left to the declarer.
fn auctions() -> impl Iterator<Item = (Seat, &'static str, usize)> {
    let said = [
        ("bid 1 uptown, pass", 1),
        ("pass, bid 1 downtown", 2),
        ("bid 1 uptown, bid 1 no-trump", 2),
        ("bid 7 no-trump, pass", 1),
    ];
    SEATS.into_iter().flat_map(move |dealer| said.map(|(texts, steps)| (dealer, texts, steps)))
}

#[test]
fn dd1_two_players_with_a_dummy_each() {
    let game = double_dummy("");
    assert_eq!((game.layout().seats, game.layout().deck), (2, Deck::Full52));
    assert_eq!(game.layout().hands, ["p0", "p1", "dummy0", "dummy1"]);
    assert_eq!(SEATS.map(second_hand), DUMMIES);
    for number in 0..20 {
        let state = deal(&game, Seat::Seat0, number);
        assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [13; 4]);
        assert_eq!(state.table.cards(), Deck::Full52.cards());
    }
    assert_eq!(Variant::preset("double-dummy").unwrap().game.rules()["form"].as_str(), Some("double-dummy"));
}

#[test]
fn dd1_tricks_fall_as_in_dummy_whist() {
    let game = double_dummy("");
    for downtown in [false, true] {
        for (trump, bid, name) in declarations(downtown) {
            let empty = bare(&game, &format!("1 {bid}"), name);
            for number in 0..1500 {
                let (mut rng, mut rest) = (rng("tricks", number), Deck::Full52.cards());
                let plays = ROUND.map(|hand| {
                    let chosen = rng.card(rest);
                    rest -= CardSet::of(chosen);
                    (hand, chosen)
                });
                let mut state = empty;
                dictate(&game, &mut state, &plays);
                let wins = by_the_book(&plays.map(|(_, card)| card), trump, downtown);
                assert_eq!(state.table.hand_to_move(), ROUND[wins], "{plays:?}, trumps {trump:?}, {downtown}");
            }
        }
    }
}

#[test]
fn dd3_the_two_players_play_before_their_dummies() {
    let game = double_dummy("");
    for (dealer, texts, steps) in auctions() {
        let mut state = deal(&game, dealer, 1);
        say(&game, &mut state, texts);
        play_out(&game, &mut state, &mut rng("dd3", 0), |_| {});
        // Partners sit opposite, and the opponent sits to the dealer's left. X deals, then Y, X's dummy and
        // Y's dummy follow.
        let other = dealer.left(1, 2);
        let round = [Place::hand(dealer), Place::hand(other), second_hand(dealer), second_hand(other)];
        let mut leader = Place::hand(dealer.left(steps, 2));
        for trick in state.table.tricks() {
            let first = round.iter().position(|&hand| hand == leader).unwrap();
            assert!(trick.plays.iter().map(|play| play.hand).eq((0..4).map(|step| round[(first + step) % 4])));
            leader = trick.winner.unwrap();
        }
    }
}

#[test]
fn dd4_the_non_dealer_speaks_first_and_the_dealer_must_bid_if_he_passes() {
    let game = double_dummy("");
    for dealer in SEATS {
        let mut state = deal(&game, dealer, 2);
        assert_eq!(state.table.seat_to_move(), dealer.left(1, 2));
        assert_eq!(legal_texts(&game, &state).len(), 22);
        say(&game, &mut state, "pass");
        assert_eq!(state.table.seat_to_move(), dealer);
        assert_eq!(refused_move(&game, &state, "pass"), "WH7");
        assert_eq!(legal_texts(&game, &state).len(), 21);
        say(&game, &mut state, "bid 2 uptown");
        assert_eq!((state.public.declarer(), state.public.forced()), (Some(dealer), true));

        let mut state = deal(&game, dealer, 2);
        say(&game, &mut state, "bid 2 uptown");
        for (text, rule) in [("bid 1 no-trump", "WH10"), ("bid 2 downtown", "WH12"), ("bid 0 uptown", "WH9")] {
            assert_eq!(refused_move(&game, &state, text), rule);
        }
        say(&game, &mut state, "bid 2 no-trump");
        assert_eq!((state.public.declarer(), state.public.forced()), (Some(dealer), false));
        assert_eq!(state.public.phase(), Phase::Declaration);
    }
}

#[test]
fn dd5_the_dummies_are_turned_up_after_the_auction_the_defenders_perhaps_later() {
    for (rules, at_once) in [
        ("", true),
        ("defender-dummy-exposed = \"before-declaration\"", true),
        ("defender-dummy-exposed = \"after-declaration\"", false),
    ] {
        let game = double_dummy(rules);
        for (dealer, texts, steps) in auctions() {
            let mut state = deal(&game, dealer, 3);
            for text in texts.split(", ") {
                // Even its owner does not see a dummy.
                assert!(DUMMIES.iter().all(|&dummy| seen(&game, &state, dummy) == NOTHING));
                say(&game, &mut state, text);
            }
            let declarer = dealer.left(steps, 2);
            let [own, other] = [declarer, declarer.left(1, 2)].map(second_hand);
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Declaration, declarer));
            assert_eq!(seen(&game, &state, own), [state.table.at(own); 2]);
            assert_eq!(seen(&game, &state, other), if at_once { [state.table.at(other); 2] } else { NOTHING });
            let first = game.legal(&state).iter().next().unwrap();
            game.play(&mut state, first).unwrap();
            play_out(&game, &mut state, &mut rng("dd5", 0), |state| {
                assert!(DUMMIES.iter().all(|&dummy| seen(&game, state, dummy) == [state.table.at(dummy); 2]));
            });
        }
    }
}

#[test]
fn dd6_in_the_play_each_sees_all_but_the_other_hand() {
    let (game, standing) = (double_dummy(""), Standing::default());
    for (dealer, texts, _) in auctions() {
        let mut state = deal(&game, dealer, 4);
        for seat in SEATS {
            assert_eq!(View::new(&game, &state, &standing, seat).unseen().len(), 39);
        }
        say(&game, &mut state, texts);
        play_out(&game, &mut state, &mut rng("dd6", 0), |state| {
            for seat in SEATS {
                let view = View::new(&game, state, &standing, seat);
                assert_eq!(view.unseen(), state.table.at(Place::hand(seat.left(1, 2))));
                assert_eq!(view.own(), state.table.at(Place::hand(seat)));
            }
        });
    }
}

#[test]
fn dd7_each_plays_his_own_hand_and_his_dummy_and_the_declarer_leads_from_his_own() {
    let game = double_dummy("");
    for (dealer, texts, steps) in auctions() {
        let declarer = dealer.left(steps, 2);
        let mut state = deal(&game, dealer, 5);
        say(&game, &mut state, texts);
        let first = game.legal(&state).iter().next().unwrap();
        game.play(&mut state, first).unwrap();
        assert_eq!(state.table.hand_to_move(), Place::hand(declarer));
        let of_dummy = state.table.at(second_hand(declarer)).first().unwrap().to_string();
        assert_eq!(refused(&game, &mut state, &of_dummy).rule, "WH28");
        let mut turns = [0; 4];
        play_out(&game, &mut state, &mut rng("dd7", 0), |state| {
            let hand = state.table.hand_to_move();
            assert_eq!(state.table.seat_to_move().index(), hand.index() % 2);
            turns[hand.index()] += 1;
        });
        assert_eq!(turns, [13; 4]);
        let tricks = state.table.tricks();
        assert!(tricks.windows(2).all(|pair| pair[1].plays[0].hand == pair[0].winner.unwrap()));
    }
}

#[test]
fn dd7_a_dummy_follows_suit_too() {
    let game = double_dummy("");
    let mut state = bare(&game, "1 uptown", "S");
    let texts = ["2H", "3H", "KH 2S", "4D 5S"];
    let hands: Vec<(Place, &str)> = ROUND.into_iter().zip(texts).collect();
    rules::arrange(&mut state, fixtures::whist::ASIDE, &hands);
    play(&game, &mut state, "2H 3H");
    assert_eq!(refused(&game, &mut state, "2S").rule, "WH29");
    play(&game, &mut state, "KH");
    assert_eq!(game.legal(&state).card_set(), cards("4D 5S"));
    // Seat 1 trumps, wins and leads.
    play(&game, &mut state, "5S");
    assert_eq!((state.table.hand_to_move(), state.table.seat_to_move()), (HANDS[1], Seat::Seat1));
}

#[test]
fn dd8_the_tricks_of_hand_and_dummy_count_together() {
    let game = double_dummy("");
    for (own, dummy) in (0..=13).flat_map(|books| (0..=books).map(move |own| (own, books - own))) {
        let books = own + dummy;
        let mut winners = vec![HANDS[0]; own];
        winners.extend(vec![HANDS[2]; dummy]);
        // Hand and dummy share the tricks of the other side.
        winners.extend([HANDS[1], HANDS[3]].into_iter().cycle().take(13 - books));
        for (bid, name, level, factor) in
            [("3 uptown", "S", 3, 1), ("2 no-trump", "downtown", 2, 2), ("7 downtown", "H", 7, 2)]
        {
            let mut state = bare(&game, bid, name);
            win(&game, &mut state, &winners);
            let over = books as i32 - 6;
            let scores = if over >= level { [over * factor, 0] } else { [0, level * factor] };
            assert_eq!(game.scores(&state).of(2), scores, "{bid}: {own} and {dummy}");
            assert_eq!(game.books(&state), [books as i32, 13 - books as i32]);
            assert_eq!(game.reasons(&state).len(), 2);
        }
    }
}

#[test]
fn dd8_whoever_is_declarer_has_the_tricks_of_his_own_side() {
    let game = double_dummy("");
    for number in 0..60 {
        let mut state = deal(&game, SEATS[number as usize % 2], number);
        play_out(&game, &mut state, &mut rng("dd8", number), |_| {});
        let declarer = state.public.declarer().unwrap();
        let won = HANDS.map(|hand| i32::from(state.table.tricks_won(hand)));
        let own = won[declarer.index()] + won[declarer.index() + 2];
        assert_eq!(game.books(&state), [own, 13 - own]);
        let scores = game.scores(&state);
        let made = own >= 6 + i32::from(state.public.bid().unwrap().level);
        assert_eq!((scores[declarer] > 0, scores[declarer.left(1, 2)] > 0), (made, !made));
    }
}

#[test]
fn dd8_a_match_goes_to_21_or_ends_after_its_deals() {
    for records in matches("double-dummy", "", 60) {
        assert_ends_at_target(&records, 21, true);
        assert_deals_follow(&records, 0);
        let last = records.last().unwrap();
        assert_eq!(last.places, Some(by_totals(&last.totals_after)));
    }
    for records in matches("double-dummy", "first-dealer = \"seat-1\"\nend-mode = \"deals\"\nn-deals = 4", 10) {
        assert_eq!(records.len(), 4);
        assert_deals_follow(&records, 1);
    }
}

#[test]
fn dd9_there_are_no_jokers() {
    let refused = variant("double-dummy", "jokers = true").err().unwrap();
    assert!(refused.contains("`rules.jokers`") && refused.contains("DD9"), "{refused}");
    let state = contract(&double_dummy(""), 6, "1 no-trump", "uptown");
    assert!(state.table.cards().is_disjoint(CardSet::JOKERS));
}
