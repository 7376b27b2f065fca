//! Tests of Humbug, rule by rule (docs/rules/dummy-whist.md).
//!
//! Each test is named after the rule that it shows. The tests of Dummy Whist cover the shared rules.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Deck, Strain, Suit};
use overtrick_game::{Describe, Game, Move, Standing, State, View, World};
use overtrick_games::Variant;
use overtrick_games::whist::{Contracting, DummyWhist, EXCHANGE, KEEP, Phase, WhistRules, second_hand};
use overtrick_search::worlds;

use crate::fixtures::rules::{
    HANDS, arrange, assert_deals_follow, assert_ends_at_target, by_totals, cards, deal, dictate, game, last_call,
    legal_texts, matches, play, play_out, refused, refused_move, rng, say, seen, variant,
};
use crate::fixtures::whist::{ASIDE, bare, by_the_book, declarations, win};

const SEATS: [Seat; 2] = [Seat::Seat0, Seat::Seat1];
const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const DEAD: [Place; 2] = [Place::Hand2, Place::Hand3];
const NOTHING: [CardSet; 2] = [CardSet::EMPTY; 2];
/// The choices of the non-dealer and the dealer, and the number of players who then keep their hands.
const CHOICES: [(&str, u8); 4] =
    [("keep, keep", 2), ("keep, exchange", 1), ("exchange, keep", 1), ("exchange, exchange", 0)];

fn humbug(rules: &str) -> DummyWhist {
    game(&format!("form = \"humbug\"\n{rules}"))
}

fn all_kinds() -> [DummyWhist; 4] {
    let (simultaneous, turn_up) = ("humbug-choice = \"simultaneous\"", "trump-method = \"turn-up\"");
    ["", simultaneous, turn_up, &format!("{simultaneous}\n{turn_up}")].map(humbug)
}

/// Returns the card turned up, which is the only open card before the first call.
fn up_card(state: &State<Contracting>) -> Card {
    assert_eq!(state.table.open().len(), 1);
    state.table.open().first().unwrap()
}

#[test]
fn hb1_two_players_and_two_dead_hands_that_nobody_sees() {
    for game in all_kinds() {
        assert_eq!((game.layout().seats, game.layout().deck), (2, Deck::Full52));
        assert_eq!(game.layout().hands, ["p0", "p1", "dead0", "dead1"]);
        let state = deal(&game, Seat::Seat0, 0);
        assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [13; 4]);
        assert_eq!(state.table.cards(), Deck::Full52.cards());
        assert!(DEAD.iter().all(|&dead| seen(&game, &state, dead) == NOTHING));
    }
    assert_eq!(Variant::preset("humbug").unwrap().game.rules()["form"].as_str(), Some("humbug"));
}

#[test]
fn hb2_each_keeps_his_hand_or_takes_his_dead_hand() {
    for game in all_kinds() {
        for dealer in SEATS {
            let mut state = deal(&game, dealer, 1);
            for steps in [1, 2] {
                assert_eq!(state.public.phase(), Phase::Choice);
                assert_eq!(state.table.seat_to_move(), dealer.left(steps, 2));
                assert_eq!(legal_texts(&game, &state), ["keep", "exchange"]);
                for text in ["pass", "bid 1 uptown", "name S", "name uptown", "AS"] {
                    assert_eq!(refused_move(&game, &state, text), "HB2");
                }
                say(&game, &mut state, "keep");
            }
        }
    }
}

#[test]
fn hb2_hb3_both_may_exchange_for_dead_hands_of_their_own() {
    assert_eq!(SEATS.map(second_hand), DEAD);
    for (game, dealer) in all_kinds().iter().flat_map(|game| SEATS.map(|dealer| (game, dealer))) {
        for (texts, kept) in CHOICES {
            let mut state = deal(game, dealer, 2);
            let before = HANDS.map(|hand| state.table.at(hand));
            say(game, &mut state, texts);
            let mut wanted = before;
            for (steps, text) in [1, 2].into_iter().zip(texts.split(", ")) {
                let seat = dealer.left(steps, 2).index();
                if text == "exchange" {
                    (wanted[seat], wanted[seat + 2]) = (before[seat + 2], before[seat]);
                }
            }
            assert_eq!(HANDS.map(|hand| state.table.at(hand)), wanted, "{texts}, dealer {dealer:?}");
            assert_eq!(state.public.kept(), kept);
        }
    }
}

#[test]
fn hb4_a_hand_thrown_in_is_seen_by_its_thrower_alone_and_a_dead_hand_by_nobody() {
    let game = humbug("");
    for dealer in SEATS {
        for (texts, _) in CHOICES {
            let mut state = deal(&game, dealer, 3);
            say(&game, &mut state, texts);
            let said: Vec<&str> = texts.split(", ").collect();
            let exchanged = SEATS.map(|seat| said[usize::from(seat == dealer)] == "exchange");
            play_out(&game, &mut state, &mut rng("hb4", 0), |state| {
                for (owner, dead) in DEAD.into_iter().enumerate() {
                    for (seat, seen) in seen(&game, state, dead).into_iter().enumerate() {
                        let knows = seat == owner && exchanged[owner];
                        assert_eq!(seen, if knows { state.table.at(dead) } else { CardSet::EMPTY }, "{texts}");
                    }
                    // A player does not see the other's live hand, either.
                    assert!(seen(&game, state, Place::hand(SEATS[1 - owner]))[owner].is_empty());
                }
            });
        }
        // A choice is final.
        let mut state = deal(&game, dealer, 3);
        say(&game, &mut state, "exchange, exchange");
        for text in ["exchange", "keep"] {
            assert_eq!(refused_move(&game, &state, text), "WH6");
        }
    }
}

#[test]
fn hb5_by_default_the_non_dealer_chooses_aloud() {
    let game = humbug("");
    for (text, call) in [("keep", KEEP), ("exchange", EXCHANGE)] {
        let mut state = deal(&game, Seat::Seat0, 4);
        say(&game, &mut state, text);
        assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Choice, Seat::Seat0));
        assert_eq!(last_call(&game, &state), [Some(call); 2]);
    }
}

#[test]
fn hb5_a_simultaneous_choice_is_sealed_until_both_have_chosen() {
    for rules in ["", "trump-method = \"turn-up\""] {
        let game = humbug(&format!("humbug-choice = \"simultaneous\"\n{rules}"));
        let standing = Standing::default();
        for number in 0..20 {
            let dealer = SEATS[number as usize % 2];
            let chosen = [KEEP, EXCHANGE].map(|call| {
                let mut state = deal(&game, dealer, number);
                game.play(&mut state, call).unwrap();
                let wanted = SEATS.map(|seat| if seat == dealer { None } else { Some(call) });
                assert_eq!(last_call(&game, &state), wanted);
                state
            });
            // The dealer sees the same facts after either choice, and has the same moves.
            let facts = chosen.each_ref().map(|state| View::new(&game, state, &standing, dealer).facts());
            assert!(facts[0] == facts[1]);
            // The dealer's imagined worlds do not distinguish the choices, either: the choice is drawn again.
            let mut draws = rng("hb5", number);
            let views = chosen.each_ref().map(|state| View::new(&game, state, &standing, dealer));
            let worlds: Vec<World> = (0..40).map(|_| worlds::sample(&views[0], &mut draws)).collect();
            for call in [KEEP, EXCHANGE] {
                assert!(worlds.iter().any(|world| world.sealed() == call));
            }
            for world in &worlds {
                let imagined = views.each_ref().map(|view| view.imagine(world));
                assert!(imagined[0].table.calls() == imagined[1].table.calls());
                assert_eq!(imagined[0].table.calls()[0].1, world.sealed());
                let [one, other] = imagined.map(|mut state| {
                    say(&game, &mut state, "keep");
                    (
                        HANDS.map(|hand| state.table.at(hand)),
                        state.public,
                        View::new(&game, &state, &standing, dealer).facts(),
                    )
                });
                assert!(one == other);
            }
            for mut state in chosen {
                say(&game, &mut state, "keep");
                let view = View::new(&game, &state, &standing, dealer);
                assert!(view.calls().iter().all(|(_, call)| call.is_some()));
                play_out(&game, &mut state, &mut rng("hb5", number), |state| {
                    assert!(last_call(&game, state).iter().all(Option::is_some));
                });
            }
        }
    }
}

/// Makes seat 0's contract after these choices, dealt by seat 1, in which seat 0 has won `books` tricks.
fn played(game: &DummyWhist, choices: &str, bid: &str, name: &str, books: usize) -> State<Contracting> {
    let mut state = deal(game, Seat::Seat1, 0);
    say(game, &mut state, &format!("{choices}, bid {bid}, pass, name {name}"));
    arrange(&mut state, ASIDE, &HANDS.map(|hand| (hand, "")));
    let winners = [vec![P1; 13 - books], vec![P0; books]].concat();
    win(game, &mut state, &winners);
    state
}

/// Checks the scores of each choice and number of books for a contract of each kind, with these factors of
/// HB6.
fn assert_scores(rules: &str, factors: [i32; 3]) {
    let game = humbug(rules);
    for ((choices, kept), books) in CHOICES.into_iter().flat_map(|choice| (0..=13).map(move |books| (choice, books))) {
        // The doubles of no trump and of seven multiply the factors for kept hands (HB9).
        for (bid, name, level, doubles) in [
            ("1 uptown", "S", 1, 1),
            ("4 downtown", "H", 4, 1),
            ("2 no-trump", "downtown", 2, 2),
            ("7 uptown", "D", 7, 2),
            ("7 no-trump", "uptown", 7, 4),
        ] {
            let state = played(&game, choices, bid, name, books);
            let factor = doubles * factors[usize::from(kept)];
            let over = books as i32 - 6;
            let wanted = if over >= level { [over * factor, 0] } else { [0, level * factor] };
            assert_eq!(game.scores(&state).of(2), wanted, "{choices}: {bid}, {books} books");
            let notes = ["no one kept their hand (HB6)", "one kept their hand (HB6)", "both kept their hands (HB6)"];
            let note = notes[usize::from(kept)];
            assert!(game.reasons(&state).iter().all(|reason| reason.contains(note)));
        }
    }
    assert_eq!(game.score_range(), 0..=28 * factors.into_iter().max().unwrap());
}

#[test]
fn hb6_hb9_hands_kept_multiply_all_scores() {
    assert_scores("", [1, 2, 4]);
    assert_scores("humbug-choice = \"simultaneous\"", [1, 2, 4]);
    assert_scores("one-keeps-factor = 3\nboth-keep-factor = 7", [1, 3, 7]);
    assert_scores("one-keeps-factor = 5\nboth-keep-factor = 1", [1, 5, 1]);
}

#[test]
fn hb6_a_penalty_is_multiplied_too() {
    let game = humbug("set-penalty = \"both\"");
    for (choices, kept) in CHOICES {
        let state = played(&game, choices, "3 no-trump", "uptown", 8);
        let factor = [1, 2, 4][usize::from(kept)];
        assert_eq!(game.scores(&state).of(2), [-6 * factor, 6 * factor]);
    }
    assert_eq!(game.score_range(), -112..=112);
}

#[test]
fn hb7_by_default_an_auction_follows_and_the_declarer_names_trumps_and_leads() {
    let game = humbug("");
    for dealer in SEATS {
        for (texts, steps, forced) in [
            ("bid 1 uptown, pass", 1, false),
            ("pass, bid 1 uptown", 2, true),
            ("bid 1 uptown, bid 2 uptown", 2, false),
        ] {
            let mut state = deal(&game, dealer, 5);
            say(&game, &mut state, "exchange, keep");
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Auction, dealer.left(1, 2)));
            let mut passed = state;
            say(&game, &mut passed, "pass");
            assert_eq!(refused_move(&game, &passed, "pass"), "WH7");
            say(&game, &mut state, texts);
            let declarer = dealer.left(steps, 2);
            assert_eq!((state.public.declarer(), state.public.forced()), (Some(declarer), forced));
            assert_eq!((state.public.phase(), state.table.seat_to_move()), (Phase::Declaration, declarer));
            assert_eq!(refused_move(&game, &state, "name uptown"), "WH19");
            assert!(state.table.open().is_empty());
            say(&game, &mut state, "name D");
            assert_eq!(state.table.hand_to_move(), Place::hand(declarer));
            assert_eq!(state.public.trump(), Some(Suit::Diamonds));
        }
    }
}

#[test]
fn hb7_or_a_card_of_the_dealers_is_turned_up_for_trumps() {
    let game = humbug("trump-method = \"turn-up\"");
    let (mut suits, mut places) = ([0; 4], [0; 13]);
    for number in 0..2600 {
        let dealer = SEATS[number as usize % 2];
        let mut state = deal(&game, dealer, number);
        let (turned, hand) = (up_card(&state), state.table.at(Place::hand(dealer)));
        // The last card dealt can be any of the dealer's cards.
        places[hand.iter().position(|card| card == turned).unwrap()] += 1;
        suits[turned.suit().unwrap() as usize] += 1;
        assert_eq!(state.public.trump(), turned.suit());
        assert_eq!(seen(&game, &state, Place::hand(dealer))[dealer.left(1, 2).index()], CardSet::of(turned));
        let dealt = state;
        say(&game, &mut state, CHOICES[number as usize / 2 % 4].0);
        // There is no auction. The non-dealer leads, and high cards win.
        assert_eq!((state.public.phase(), state.public.bid(), state.public.declarer()), (Phase::Play, None, None));
        assert_eq!(state.table.hand_to_move(), Place::hand(dealer.left(1, 2)));
        assert!(game.order(&state).unwrap() == game.order_of(turned.suit(), false));
        let contract = game.contract(&state).unwrap();
        let letter = Strain::from(turned.suit()).name();
        assert_eq!((contract.kind, contract.declarer, contract.level), ("turn-up", None, None));
        assert_eq!(contract.trump, Some(letter));
        let aside = game.asides(&dealt, &state);
        assert_eq!((aside.len(), aside[0].name, aside[0].cards[..].to_vec()), (1, "up-card", vec![turned]));
    }
    // 200 and 650 expected. Five standard errors are 68 and 110.
    assert!(places.iter().all(|&deals: &u32| deals.abs_diff(200) < 68), "{places:?}");
    assert!(suits.iter().all(|&deals: &u32| deals.abs_diff(650) < 110), "{suits:?}");
    assert!(game.asides(&deal(&humbug(""), Seat::Seat0, 0), &deal(&humbug(""), Seat::Seat0, 0)).is_empty());
}

#[test]
fn hb7_the_card_turned_up_is_known_wherever_it_lies() {
    let game = humbug("trump-method = \"turn-up\"");
    for (number, (texts, _)) in (0..24).zip(CHOICES.into_iter().cycle()) {
        let dealer = SEATS[number as usize / 4 % 2];
        let mut state = deal(&game, dealer, number);
        let turned = up_card(&state);
        say(&game, &mut state, texts);
        let thrown_in = texts.ends_with("exchange");
        let place = if thrown_in { second_hand(dealer) } else { Place::hand(dealer) };
        play_out(&game, &mut state, &mut rng("hb7", number), |state| {
            let there = CardSet::of(turned) & state.table.at(place);
            assert_eq!(there.is_empty(), state.table.plays().contains(&turned));
            assert_eq!(seen(&game, state, place)[dealer.left(1, 2).index()], there);
        });
        // The trumps have not changed.
        assert_eq!(state.public.trump(), turned.suit());
        assert_eq!(state.table.plays().contains(&turned), !thrown_in);
    }
}

#[test]
fn hb7_after_a_turn_up_each_trick_over_six_counts() {
    for (rules, point, factors) in [
        ("", 1, [1, 2, 4]),
        ("book-points = 3", 3, [1, 2, 4]),
        ("one-keeps-factor = 3\nboth-keep-factor = 10", 1, [1, 3, 10]),
    ] {
        let game = humbug(&format!("trump-method = \"turn-up\"\n{rules}"));
        for ((choices, kept), books) in CHOICES.into_iter().flat_map(|choice| (0..=13).map(move |n| (choice, n))) {
            let mut state = deal(&game, Seat::Seat1, 6);
            say(&game, &mut state, choices);
            arrange(&mut state, ASIDE, &HANDS.map(|hand| (hand, "")));
            win(&game, &mut state, &[vec![P0; books], vec![P1; 13 - books]].concat());
            let factor = point * factors[usize::from(kept)];
            let over = [books as i32, 13 - books as i32].map(|books| if books > 6 { books - 6 } else { 0 });
            assert_eq!(game.scores(&state).of(2), over.map(|over| over * factor), "{choices}: {books} books");
            assert!(game.reasons(&state).iter().all(|reason| reason.contains("(HB7)")));
            let contract_result = game.contract_result(&state).unwrap();
            assert_eq!((contract_result.declarer, contract_result.made), (None, false));
            assert_eq!(game.contract_kinds()[usize::from(contract_result.kind)].name, "turn-up");
        }
        assert_eq!(game.score_range(), 0..=7 * point * factors[2], "{rules}");
    }
}

#[test]
fn hb8_tricks_of_two_cards_fall_as_the_book_says() {
    let game = humbug("");
    let all: Vec<Card> = Deck::Full52.cards().iter().collect();
    for downtown in [false, true] {
        for (trump, bid, name) in declarations(downtown) {
            let empty = bare(&game, &format!("1 {bid}"), name);
            for (&first, &second) in all.iter().flat_map(|first| all.iter().map(move |second| (first, second))) {
                if first != second {
                    let mut state = empty;
                    dictate(&game, &mut state, &[(P0, first), (P1, second)]);
                    let wins = by_the_book(&[first, second], trump, downtown);
                    assert_eq!(state.table.hand_to_move(), HANDS[wins], "{first} {second}, {trump:?}, {downtown}");
                }
            }
        }
    }
}

#[test]
fn hb8_thirteen_tricks_are_played_following_suit_and_dead_hands_never_are() {
    for (game, (texts, _)) in all_kinds().iter().flat_map(|game| CHOICES.map(|choice| (game, choice))) {
        for number in 0..5 {
            let mut state = deal(game, Seat::Seat0, number);
            say(game, &mut state, texts);
            let dead = DEAD.map(|dead| state.table.at(dead));
            play_out(game, &mut state, &mut rng("hb8", number), |state| {
                assert!(matches!(state.table.hand_to_move(), P0 | P1));
                assert_eq!(state.table.hands_in_trick(), 2);
                if state.public.phase() == Phase::Play {
                    let of_dead = dead[0].first().unwrap();
                    assert!(game.play(&mut state.clone(), Move::card(of_dead)).is_err());
                }
            });
            assert_eq!(DEAD.map(|dead| state.table.at(dead)), dead);
            let tricks = state.table.tricks();
            assert_eq!((tricks.len(), state.table.plays().len()), (13, 26));
            assert!(tricks.windows(2).all(|pair| pair[1].plays[0].hand == pair[0].winner.unwrap()));
        }
    }
    let game = humbug("");
    let mut state = bare(&game, "1 uptown", "S");
    arrange(&mut state, ASIDE, &[(P0, "2H 3H"), (P1, "KH 2S"), (DEAD[0], "AH"), (DEAD[1], "")]);
    assert_eq!(refused(&game, &mut state, "AH").rule, "WH28");
    play(&game, &mut state, "2H");
    assert_eq!(refused(&game, &mut state, "2S").rule, "WH29");
    play(&game, &mut state, "KH");
    assert_eq!(state.table.hand_to_move(), P1);
    play(&game, &mut state, "2S");
    assert_eq!(game.legal(&state).card_set(), cards("3H"));
}

#[test]
fn hb10_there_are_no_jokers() {
    for name in ["humbug", "humbug-turn-up"] {
        let refused = variant(name, "jokers = true").err().unwrap();
        assert!(refused.contains("`rules.jokers`") && refused.contains("HB10"), "{refused}");
    }
}

#[test]
fn hb11_a_match_goes_to_21() {
    assert_eq!(WhistRules::default().target, 21);
    for name in ["humbug", "humbug-turn-up"] {
        for rules in ["", "tie-rule = \"extra-deal\"", "tie-rule = \"left-of-declarer\""] {
            for records in matches(name, rules, 30) {
                // Two players never reach the target together.
                assert_ends_at_target(&records, 21, true);
                assert_deals_follow(&records, 0);
                let last = records.last().unwrap();
                assert_eq!(last.places, Some(by_totals(&last.totals_after)));
            }
        }
        for records in matches(name, "end-mode = \"deals\"\nn-deals = 3\nfirst-dealer = \"seat-1\"", 10) {
            assert_eq!(records.len(), 3);
            assert_deals_follow(&records, 1);
        }
    }
}
