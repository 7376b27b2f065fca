//! Tests of the play of Dummy Whist, rule by rule (docs/rules/dummy-whist.md).
//!
//! Each test is named after the rule that it shows.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Game, Move, State};
use overtrick_games::whist::{Contracting, DUMMY, DummyWhist, Phase};

use crate::fixtures::rules::{cards, deal, dictate, game, matches, play, play_out, refused, refused_move, rng, say};
use crate::fixtures::whist::{CIRCLE, bare, by_the_book, declarations, hands};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;

fn whist(rules: &str) -> DummyWhist {
    game(rules)
}

/// Plays these cards, and returns the hand that won the last trick.
fn winner(game: &DummyWhist, mut state: State<Contracting>, texts: &str) -> Place {
    play(game, &mut state, texts);
    assert_eq!(state.table.trick_length(), 0);
    state.table.hand_to_move()
}

#[test]
fn wh20_wh21_wh22_wh23_wh25_wh27_every_kind_of_trick_falls_as_the_book_says() {
    let mut number = 0;
    for rules in ["", "jokers = true"] {
        let game = whist(rules);
        for downtown in [false, true] {
            for (trump, bid, name) in declarations(downtown) {
                let empty = bare(&game, &format!("1 {bid}"), name);
                for _ in 0..6000 {
                    number += 1;
                    let (mut rng, mut rest) = (rng("tricks", number), game.layout().deck.cards());
                    let plays = CIRCLE.map(|hand| {
                        let mut chosen = rng.card(rest);
                        // Jokers come more often than in random tricks.
                        let jokers = rest & CardSet::JOKERS;
                        if !jokers.is_empty() && rng.random_below(4) == 0 {
                            chosen = rng.card(jokers);
                        }
                        rest -= CardSet::of(chosen);
                        (hand, chosen)
                    });
                    let mut state = empty;
                    dictate(&game, &mut state, &plays);
                    let wins = by_the_book(&plays.map(|(_, card)| card), trump, downtown);
                    assert_eq!(state.table.hand_to_move(), CIRCLE[wins], "{plays:?}, trumps {trump:?}, {downtown}");
                }
            }
        }
    }
}

#[test]
fn wh20_the_ace_is_best_in_both_directions_and_downtown_the_two_comes_next() {
    let tricks = |game: &DummyWhist, bid: &str, name: &str| {
        let empty = bare(game, bid, name);
        ["KH AH 2H 3H", "KH 4H 2H 3H", "KH QH JH TH"].map(|texts| {
            let plays: Vec<(Place, Card)> =
                CIRCLE.into_iter().zip(texts.split(' ').map(|t| t.parse().unwrap())).collect();
            let mut state = empty;
            dictate(game, &mut state, &plays);
            CIRCLE.iter().position(|&hand| hand == state.table.hand_to_move()).unwrap()
        })
    };
    let game = whist("");
    // Hearts as trumps, as a plain suit, and without trumps.
    for (up, down, name) in [("1 uptown", "1 downtown", "H"), ("1 uptown", "1 downtown", "S")] {
        assert_eq!((tricks(&game, up, name), tricks(&game, down, name)), ([1, 0, 0], [1, 2, 3]));
    }
    assert_eq!(tricks(&game, "1 no-trump", "uptown"), [1, 0, 0]);
    assert_eq!(tricks(&game, "1 no-trump", "downtown"), [1, 2, 3]);
}

#[test]
fn wh22_wh24_jokers_are_trumps_and_follow_to_them() {
    let game = whist("jokers = true");
    for bid in ["1 uptown", "1 downtown"] {
        // Trumps are led: the joker is the only trump and must be played. It beats the ace.
        let mut state = hands(&game, bid, "S", ["AS 2C", "LJ 3C", "5S 4C", "6S 5C"]);
        play(&game, &mut state, "AS");
        assert_eq!(refused(&game, &mut state, "3C").rule, "WH29");
        assert_eq!(winner(&game, state, "LJ 5S 6S"), P1);
        // Another trump is legal, too.
        let mut state = hands(&game, bid, "S", ["AS 2C", "LJ 3S", "5S 4C", "6S 5C"]);
        play(&game, &mut state, "AS");
        assert_eq!(game.legal(&state).card_set(), cards("LJ 3S"));
        // A joker that is led calls for trumps, and the big joker beats it.
        let mut state = hands(&game, bid, "S", ["LJ 2C", "3S 3C", "BJ 4C", "6H 5C"]);
        play(&game, &mut state, "LJ");
        assert_eq!(refused(&game, &mut state, "3C").rule, "WH29");
        play(&game, &mut state, "3S");
        assert_eq!(game.legal(&state).card_set(), cards("BJ"));
        assert_eq!(winner(&game, state, "BJ 6H"), DUMMY);
        // A plain suit is led: a joker trumps it, but only from a hand that cannot follow.
        let mut state = hands(&game, bid, "S", ["AH 2C", "LJ 3H", "BJ 4C", "AS 5C"]);
        play(&game, &mut state, "AH");
        assert_eq!(refused(&game, &mut state, "LJ").rule, "WH29");
        assert_eq!(winner(&game, state, "3H BJ AS"), DUMMY);
    }
}

#[test]
fn wh26_at_no_trump_a_joker_is_played_by_a_hand_that_cannot_follow_or_at_any_time() {
    let (usual, lenient) = (whist("jokers = true"), whist("jokers = true\nnt-joker-play = \"any-time\""));
    for name in ["uptown", "downtown"] {
        let texts = ["4H 2C", "LJ 3H AC", "BJ 4C", "6H 5C"];
        let mut state = hands(&usual, "1 no-trump", name, texts);
        play(&usual, &mut state, "4H");
        assert_eq!(refused(&usual, &mut state, "LJ").rule, "WH29");
        assert_eq!(usual.legal(&state).card_set(), cards("3H"));
        play(&usual, &mut state, "3H");
        // A void hand may play a joker, and need not.
        assert_eq!(usual.legal(&state).card_set(), cards("BJ 4C"));

        let mut state = hands(&lenient, "1 no-trump", name, texts);
        play(&lenient, &mut state, "4H");
        assert_eq!(refused(&lenient, &mut state, "AC").rule, "WH29");
        assert_eq!(lenient.legal(&state).card_set(), cards("LJ 3H"));
        let last = if name == "uptown" { P2 } else { P0 };
        assert_eq!(winner(&lenient, state, "LJ BJ 6H"), last);
    }
    // With trumps a joker has a suit under either option.
    let mut state = hands(&lenient, "1 uptown", "S", ["4H 2C", "LJ 3H AC", "BJ 4C", "6H 5C"]);
    play(&lenient, &mut state, "4H");
    assert_eq!(refused(&lenient, &mut state, "LJ").rule, "WH29");
}

#[test]
fn wh27_a_led_joker_sets_no_suit() {
    for rules in ["jokers = true", "jokers = true\nnt-joker-play = \"any-time\""] {
        let game = whist(rules);
        let mut state = hands(&game, "1 no-trump", "uptown", ["LJ 2C", "3H AC", "BJ 4C 9H", "AH 5C"]);
        // A joker may be led even if the hand has other cards.
        play(&game, &mut state, "LJ");
        assert_eq!(game.legal(&state).card_set(), cards("3H AC"));
        // The next card sets the suit.
        play(&game, &mut state, "3H");
        assert_eq!(refused(&game, &mut state, "4C").rule, "WH29");
        assert_eq!(game.legal(&state).contains(Move::card(Card::BIG_JOKER)), rules.contains("any-time"));
        play(&game, &mut state, "9H");
        assert_eq!(refused(&game, &mut state, "5C").rule, "WH29");
        assert_eq!(winner(&game, state, "AH"), P2);
        // After two jokers the third card sets the suit.
        let mut state = hands(&game, "1 no-trump", "downtown", ["LJ 2C", "BJ AC", "4C 9H", "AH 5C"]);
        play(&game, &mut state, "LJ BJ");
        assert_eq!(game.legal(&state).card_set(), cards("4C 9H"));
        play(&game, &mut state, "4C");
        assert_eq!(game.legal(&state).card_set(), cards("5C"));
        assert_eq!(winner(&game, state, "5C"), DUMMY);
    }
}

#[test]
fn wh28_the_declarer_leads_from_his_own_hand_whoever_dealt() {
    for game in ["", "jokers = true"].map(whist) {
        for (dealer, steps) in Seat::THREE.into_iter().flat_map(|dealer| [1, 2, 3].map(|steps| (dealer, steps))) {
            let mut state = deal(&game, dealer, 11);
            for by in 1..=3 {
                say(&game, &mut state, if by == steps { "bid 2 downtown" } else { "pass" });
            }
            while state.public.phase() != Phase::Play {
                let first = game.legal(&state).iter().next().unwrap();
                game.play(&mut state, first).unwrap();
            }
            let declarer = Place::hand(dealer.left(steps, 3));
            assert_eq!(state.table.hand_to_move(), declarer);
            assert_eq!(game.legal(&state).card_set(), state.table.at(declarer));
            let of_dummy = state.table.at(DUMMY).first().unwrap().to_string();
            assert_eq!(refused(&game, &mut state, &of_dummy).rule, "WH28");
            for text in ["pass", "bid 7 no-trump", "name S", "name uptown", "keep"] {
                assert_eq!(refused_move(&game, &state, text), "WH28");
            }
        }
    }
}

#[test]
fn wh29_follow_suit_or_play_anything_and_the_hand_that_wins_leads() {
    let game = whist("");
    let mut state = hands(&game, "1 uptown", "S", ["2H 3C", "3H 2S AC", "KH 4C", "6S 5C"]);
    play(&game, &mut state, "2H");
    assert_eq!(refused(&game, &mut state, "2S").rule, "WH29");
    assert_eq!(refused(&game, &mut state, "AC").rule, "WH29");
    play(&game, &mut state, "3H KH");
    // Trumping is not a duty.
    assert_eq!(game.legal(&state).card_set(), cards("6S 5C"));
    play(&game, &mut state, "5C");
    // The dummy has won, so the declarer leads from the dummy.
    assert_eq!((state.table.hand_to_move(), state.table.seat_to_move()), (DUMMY, Seat::Seat0));
    assert_eq!(refused(&game, &mut state, "3C").rule, "WH29");
    play(&game, &mut state, "4C 6S 3C AC");
    assert_eq!(state.table.hand_to_move(), P2);
    assert_eq!(CIRCLE.map(|hand| state.table.tricks_won(hand)), [0, 0, 1, 1]);

    let mut whole = deal(&game, Seat::Seat0, 12);
    play_out(&game, &mut whole, &mut rng("wh29", 0), |state| assert!(state.table.tricks_played() < 13));
    let tricks = whole.table.tricks();
    assert_eq!((tricks.len(), whole.table.plays().len()), (13, 52));
    assert!(tricks.windows(2).all(|pair| pair[1].plays[0].hand == pair[0].winner.unwrap()));
    assert_eq!(refused(&game, &mut whole, "AS").rule, "WH29");
}

#[test]
fn records_name_the_hand_whose_call_discard_or_card_it_is() {
    let mut of_dummy = 0;
    for record in matches("dummy-whist-jokers", "", 5).iter().flatten() {
        let contract = record.contract.unwrap();
        for moved in &record.moves {
            let (declarer, own) = (contract.declarer.unwrap(), format!("p{}", moved.seat.index()));
            if moved.hand == "dummy" {
                assert_eq!(moved.seat, declarer);
                of_dummy += 1;
            } else {
                assert_eq!(moved.hand, own);
            }
            // All discards are from the dummy, and all calls are from the caller's hand.
            assert!(!moved.text.starts_with("discard") || moved.hand == "dummy");
            assert!(!moved.text.starts_with(['b', 'p', 'n']) || moved.hand == own);
        }
        let discards = record.moves.iter().filter(|moved| moved.text.starts_with("discard"));
        assert!(discards.map(|moved| moved.legal).eq([15, 14]));
        let won = record.tricks_won.iter().map(|(hand, won)| (*hand, *won)).collect::<Vec<_>>();
        assert_eq!(won.iter().map(|(hand, _)| *hand).collect::<Vec<_>>(), ["p0", "p1", "p2", "dummy"]);
        assert_eq!(won.iter().map(|(_, won)| won).sum::<u8>(), 13);
    }
    assert!(of_dummy > 0);
}
