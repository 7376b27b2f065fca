//! Tests of the deal and the making of trumps in three-handed Euchre, rule by rule (docs/rules/euchre.md).
//!
//! Each test is named after the rule that it shows. The play, and the score and the match, have separate
//! files.

use std::collections::BTreeSet;

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{CardSet, Deck, Pack, Strain, Suit};
use overtrick_game::{Describe, Game, Standing, View};
use overtrick_games::euchre::{DISCARD, Euchre, EuchreDealer, EuchreRules, Phase, STOCK, UP_CARD};

use crate::fixtures::rules::{
    assert_deals_follow, cards, deal, game, last_call, legal_texts, matches, play_out, refused_move, rng, say, seen,
};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;
const HANDS: [Place; 3] = [P0, P1, P2];

fn euchre() -> Euchre {
    game("")
}

#[test]
fn eu1_three_players_take_part_in_every_trick() {
    let game = euchre();
    let state = deal(&game, Seat::Seat0, 0);
    assert_eq!((game.layout().seats, state.table.hands_in_trick()), (3, 3));
    assert_eq!(HANDS.map(|hand| state.table.decider(hand)), Seat::THREE);
}

#[test]
fn eu2_there_is_no_call_but_these() {
    let (game, mut calls) = (euchre(), BTreeSet::new());
    for number in 0..60 {
        let mut state = deal(&game, Seat::new(number as usize % 3), number);
        play_out(&game, &mut state, &mut rng("eu2", number), |state| {
            // With any maker, all three hands play, and no fourth hand does.
            assert_eq!(state.table.hands_in_trick(), 3);
            if !matches!(state.public.phase(), Phase::Play | Phase::Discard) {
                calls.extend(legal_texts(&game, state));
            }
        });
    }
    assert_eq!(Vec::from_iter(calls), ["name C", "name D", "name H", "name S", "order-up", "pass"]);
}

#[test]
fn eu3_the_pack_is_32_cards_or_24() {
    let clubs = |deck: Deck| (deck.cards() & CardSet::suit(Suit::Clubs)).to_string();
    let [more, less] = ["", "deck = 24"].map(game::<Euchre>);
    assert_eq!((more.layout().deck, more.layout().deck.cards().len()), (Deck::Short32, 32));
    assert_eq!((less.layout().deck, less.layout().deck.cards().len()), (Deck::Short24, 24));
    assert_eq!(clubs(more.layout().deck), "AC KC QC JC TC 9C 8C 7C");
    assert_eq!(clubs(less.layout().deck), "AC KC QC JC TC 9C");
    for deck in [0, 23, 25, 28, 31, 33, 52] {
        let error = Euchre::new(EuchreRules { deck, ..EuchreRules::default() }).err().unwrap();
        assert!(error.key == "deck" && error.problem.contains("EU3"), "{error}");
    }
}

#[test]
fn eu4_whoever_is_dealt_the_first_black_jack_deals_first() {
    const DRAWS: u64 = 60_000;
    for rules in ["", "deck = 24"] {
        let game: Euchre = game(rules);
        let size = game.layout().deck.cards().len() as usize;
        // Exact numbers: the two jacks lie at any two places of the pack, and the first player gets places 0,
        // 3, 6...
        let mut pairs = [0; 3];
        (0..size).for_each(|first| pairs[first % 3] += size - 1 - first);
        let (mut drawn, mut dealt) = ([0; 3], [0; 3]);
        for number in 0..DRAWS {
            drawn[game.first_dealer(|| rng("black jack", number)).index()] += 1;
            // A shuffled pack that is dealt out.
            let mut rng = rng("dealt out", number);
            let mut pack = Pack::new(game.layout().deck.cards(), &mut rng);
            let first = (0..).find(|_| cards("JC JS").contains(pack.take_one().unwrap())).unwrap();
            dealt[first % 3] += 1;
        }
        for seat in 0..3 {
            let wanted = DRAWS as usize * pairs[seat] / (size * (size - 1) / 2);
            // Five standard errors are 580. Equal chances for all seats would be 1240 off.
            assert!(wanted.abs_diff(drawn[seat]) < 580, "{drawn:?}: seat {seat} should have {wanted}");
            assert!(wanted.abs_diff(dealt[seat]) < 580, "{dealt:?}: seat {seat} should have {wanted}");
        }
    }
}

#[test]
fn eu5_who_deals_first_is_an_option() {
    assert_eq!(EuchreRules::default().first_dealer, EuchreDealer::BlackJack);
    for (number, rule) in ["seat-0", "seat-1", "seat-2"].into_iter().enumerate() {
        let rules = format!("first-dealer = {rule:?}\nend-mode = \"deals\"\nn-deals = 4");
        matches("euchre-32", &rules, 3).iter().for_each(|records| assert_deals_follow(records, number));
    }
    let game: Euchre = game("first-dealer = \"random\"");
    let mut deals = [0; 3];
    (0..60_000).for_each(|number| deals[game.first_dealer(|| rng("random", number)).index()] += 1);
    // With the jacks seat 0 would have 21300.
    assert!(deals.iter().all(|&deals: &u32| deals.abs_diff(20_000) < 580), "{deals:?}");
}

#[test]
fn eu6_five_each_one_turned_up_and_the_rest_face_down() {
    for (rules, rest) in [("", 16), ("deck = 24", 8)] {
        let game: Euchre = game(rules);
        for number in 0..20 {
            let state = deal(&game, Seat::Seat1, number);
            let places = [P0, P1, P2, UP_CARD, STOCK, DISCARD];
            assert_eq!(places.map(|place| state.table.at(place).len()), [5, 5, 5, 1, rest, 0]);
            assert_eq!(state.table.cards(), game.layout().deck.cards());
            let up_card = state.public.up_card();
            assert_eq!(state.table.at(UP_CARD), CardSet::of(up_card));
            assert_eq!(seen(&game, &state, UP_CARD), [CardSet::of(up_card); 3]);
            assert_eq!(Some(state.public.trump()), up_card.suit());
            assert_eq!(seen(&game, &state, STOCK), [CardSet::EMPTY; 3]);
            for seat in Seat::THREE {
                let standing = Standing::default();
                assert_eq!(View::new(&game, &state, &standing, seat).unseen().len(), 10 + rest);
            }
        }
    }
}

#[test]
fn eu8_dealers_left_speaks_first_and_the_dealer_last() {
    let game = euchre();
    for dealer in Seat::THREE {
        let mut state = deal(&game, dealer, 3);
        for steps in [1, 2, 3] {
            assert_eq!((state.public.phase(), state.public.maker()), (Phase::OrderUp, None));
            assert_eq!(state.table.seat_to_move(), dealer.left(steps, 3));
            assert_eq!(legal_texts(&game, &state), ["pass", "order-up"]);
            for text in ["name C", "name D", "name H", "name S", "AH", &state.public.up_card().to_string()] {
                assert_eq!(refused_move(&game, &state, text), "EU8");
            }
            say(&game, &mut state, "pass");
        }
        assert_eq!(state.public.phase(), Phase::Name);
        let by = state.table.calls().iter().map(|(seat, _)| *seat);
        assert!(by.eq([1, 2, 3].map(|steps| dealer.left(steps, 3))));
    }
}

#[test]
fn eu9_eu10_whoever_orders_is_the_maker_and_the_dealer_takes_the_card() {
    let game = euchre();
    for (dealer, steps) in Seat::THREE.into_iter().flat_map(|dealer| [1, 2, 3].map(|steps| (dealer, steps))) {
        let mut state = deal(&game, dealer, 4);
        say(&game, &mut state, &format!("{}order-up", "pass, ".repeat(steps - 1)));
        // After three steps the maker is the dealer.
        assert_eq!(state.public.maker(), Some(dealer.left(steps, 3)));
        assert_eq!(Some(state.public.trump()), state.public.up_card().suit());
        assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Discard, dealer));
        assert!(state.table.at(Place::hand(dealer)).contains(state.public.up_card()));
        assert!(state.table.at(UP_CARD).is_empty());
        play_out(&game, &mut state, &mut rng("eu10", 0), |_| {});
        let contract = game.contract(&state).unwrap();
        assert_eq!((contract.kind, contract.declarer), ("euchre", Some(dealer.left(steps, 3))));
    }
}

#[test]
fn eu11_the_dealer_discards_another_card_which_he_alone_knows() {
    let game = euchre();
    for dealer in Seat::THREE {
        let mut state = deal(&game, dealer, 5);
        let (dealt, up_card) = (state.table.at(Place::hand(dealer)), state.public.up_card());
        say(&game, &mut state, "pass, order-up");
        assert_eq!(game.legal(&state).card_set(), dealt);
        let of_other = state.table.at(Place::hand(dealer.left(1, 3))).first().unwrap();
        for text in ["pass", "order-up", "name H", &format!("discard {of_other}")] {
            assert_eq!(refused_move(&game, &state, text), "EU11");
        }
        let gone = dealt.first().unwrap();
        say(&game, &mut state, &format!("discard {gone}"));
        assert_eq!(state.table.at(Place::hand(dealer)), dealt.without(gone).with(up_card));
        assert_eq!(state.table.at(DISCARD), CardSet::of(gone));
        for seat in Seat::THREE {
            let known = if seat == dealer { CardSet::of(gone) } else { CardSet::EMPTY };
            assert_eq!(seen(&game, &state, DISCARD)[seat.index()], known);
            assert_eq!(last_call(&game, &state)[seat.index()].is_some(), seat == dealer);
        }
    }
}

#[test]
fn eu11_the_card_taken_up_is_known_in_the_dealers_hand_until_he_plays_it() {
    let game = euchre();
    for number in 0..60 {
        let dealer = Seat::new(number as usize % 3);
        let mut state = deal(&game, dealer, number);
        let (hand, up_card) = (Place::hand(dealer), state.public.up_card());
        say(&game, &mut state, "order-up");
        play_out(&game, &mut state, &mut rng("eu11", number), |state| {
            let known = state.table.at(hand) & CardSet::of(up_card);
            assert_eq!(known.is_empty(), state.table.plays().contains(&up_card));
            for other in [1, 2].map(|steps| dealer.left(steps, 3)) {
                assert_eq!(seen(&game, state, hand)[other.index()], known);
            }
        });
    }
}

#[test]
fn eu12_the_card_taken_up_may_not_be_discarded_unless_the_option_allows_it() {
    let strict = euchre();
    let mut state = deal(&strict, Seat::Seat1, 6);
    let up_card = state.public.up_card();
    say(&strict, &mut state, "order-up");
    assert_eq!(refused_move(&strict, &state, &format!("discard {up_card}")), "EU12");

    let lenient: Euchre = game("may-discard-upcard = true");
    let (dealer, standing) = (Seat::Seat1, Standing::default());
    let mut state = deal(&lenient, dealer, 6);
    let kept = state.table.at(P1);
    say(&lenient, &mut state, "order-up");
    assert_eq!(lenient.legal(&state).card_set(), kept.with(up_card));
    assert_eq!(seen(&lenient, &state, P1)[0], CardSet::of(up_card));
    // No other seat knows whether the dealer has kept the card.
    let after = |text: String| {
        let mut state = state;
        say(&lenient, &mut state, &text);
        for seat in [Seat::Seat0, Seat::Seat2] {
            assert!([P1, DISCARD].iter().all(|&place| seen(&lenient, &state, place)[seat.index()].is_empty()));
            assert!(View::new(&lenient, &state, &standing, seat).unseen().contains(up_card));
        }
        Seat::THREE.map(|seat| View::new(&lenient, &state, &standing, seat).facts())
    };
    let (back, other) = (after(format!("discard {up_card}")), after(format!("discard {}", kept.first().unwrap())));
    assert!(back[0] == other[0] && back[2] == other[2] && back[1] != other[1]);
}

#[test]
fn eu13_when_all_pass_each_in_turn_may_name_a_suit() {
    let game = euchre();
    for (dealer, steps) in Seat::THREE.into_iter().flat_map(|dealer| [1, 2, 3].map(|steps| (dealer, steps))) {
        let mut state = deal(&game, dealer, 7);
        let turned = state.public.trump();
        say(&game, &mut state, "pass, pass, pass");
        for by in 1..steps {
            assert_eq!(state.table.seat_to_move(), dealer.left(by, 3));
            for text in ["order-up", "AH", &state.public.up_card().to_string()] {
                assert_eq!(refused_move(&game, &state, text), "EU13");
            }
            say(&game, &mut state, "pass");
        }
        let suits = Suit::ALL.into_iter().filter(|&suit| suit != turned);
        for (suit, mut state) in suits.map(|suit| (suit, state)) {
            say(&game, &mut state, &format!("name {}", suit.letter()));
            assert_eq!((state.public.trump(), state.public.phase()), (suit, Phase::Play));
            assert_eq!(state.public.maker(), Some(dealer.left(steps, 3)));
            assert_eq!(game.contract(&state).unwrap().trump, Some(Strain::from(suit).name()));
        }
    }
}

#[test]
fn eu14_the_suit_turned_down_may_not_be_named_unless_the_option_allows_it() {
    let (strict, lenient): (Euchre, Euchre) = (euchre(), game("turned-down-allowed = true"));
    for number in 0..12 {
        for passes in 3..6 {
            let mut state = deal(&strict, Seat::Seat0, number);
            say(&strict, &mut state, &vec!["pass"; passes].join(", "));
            let text = format!("name {}", state.public.trump().letter());
            assert_eq!(refused_move(&strict, &state, &text), "EU14");
            let suits = |game: &Euchre| legal_texts(game, &state).iter().filter(|text| *text != "pass").count();
            assert_eq!([suits(&strict), suits(&lenient)], [3, 4]);
            let turned = state.public.trump();
            say(&lenient, &mut state, &text);
            assert_eq!((state.public.phase(), state.public.trump()), (Phase::Play, turned));
        }
    }
}

#[test]
fn eu15_the_dealer_must_name_a_suit() {
    for rules in ["", "turned-down-allowed = true"] {
        let game: Euchre = game(rules);
        for dealer in Seat::THREE {
            let mut state = deal(&game, dealer, 8);
            for _ in 0..5 {
                assert!(legal_texts(&game, &state).contains(&"pass".to_owned()));
                say(&game, &mut state, "pass");
            }
            assert_eq!(state.table.seat_to_move(), dealer);
            assert_eq!(refused_move(&game, &state, "pass"), "EU15");
            assert!(legal_texts(&game, &state).iter().all(|text| text.starts_with("name ")));
        }
    }
}

#[test]
fn eu16_the_card_turned_down_stays_out_of_play() {
    let game = euchre();
    for number in 0..30 {
        let mut state = deal(&game, Seat::Seat0, number);
        say(&game, &mut state, "pass, pass, pass");
        let (up_card, stock) = (CardSet::of(state.public.up_card()), state.table.at(STOCK));
        play_out(&game, &mut state, &mut rng("eu16", number), |state| {
            // All seats have seen the card.
            assert_eq!(seen(&game, state, UP_CARD), [up_card; 3]);
            assert_eq!(seen(&game, state, STOCK), [CardSet::EMPTY; 3]);
        });
        assert_eq!(state.table.cards(), up_card | stock);
    }
}
