//! Tests of the deal, the auction and the declaration of Dummy Whist, rule by rule
//! (docs/rules/dummy-whist.md).
//!
//! Each test is named after the rule that it shows. The play and the score have separate files.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{CardSet, Deck, Suit};
use overtrick_game::{Describe, Game, State};
use overtrick_games::Variant;
use overtrick_games::whist::{Contracting, DISCARDED, DUMMY, DummyWhist, Phase};

use crate::fixtures::rules::{
    HANDS, assert_deals_follow, deal, game, last_call, legal_texts, matches, play_out, refused_move, rng, say, seen,
    variant,
};

const KINDS: [&str; 3] = ["uptown", "downtown", "no-trump"];
const NOTHING: [CardSet; 3] = [CardSet::EMPTY; 3];

fn whist(rules: &str) -> DummyWhist {
    game(rules)
}

/// Returns auctions with every winner and dealer: forced, unopposed and outbid.
fn auctions() -> impl Iterator<Item = (Seat, &'static str, usize)> {
    let said = [
        ("bid 1 uptown, pass, pass", 1),
        ("pass, bid 2 no-trump, pass", 2),
        ("pass, pass, bid 1 downtown", 3),
        ("bid 1 uptown, bid 1 no-trump, bid 3 downtown", 3),
        ("bid 1 uptown, bid 7 no-trump, pass", 2),
    ];
    Seat::THREE.into_iter().flat_map(move |dealer| said.map(|(texts, steps)| (dealer, texts, steps)))
}

/// Makes the first legal discards and naming calls, until cards are played.
fn declare(game: &DummyWhist, state: &mut State<Contracting>) {
    while state.public.phase() != Phase::Play {
        let first = game.legal(state).iter().next().unwrap();
        game.play(state, first).unwrap();
    }
}

#[test]
fn wh1_thirteen_each_and_a_dummy_that_nobody_sees_before_the_auction_ends() {
    let game = whist("");
    assert_eq!((game.layout().seats, game.layout().deck), (3, Deck::Full52));
    for (dealer, texts, _) in auctions() {
        let mut state = deal(&game, dealer, 0);
        assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [13; 4]);
        assert_eq!(state.table.cards(), Deck::Full52.cards());
        for text in texts.split(", ") {
            assert_eq!(seen(&game, &state, DUMMY), NOTHING);
            for (number, seat) in Seat::THREE.into_iter().enumerate() {
                let own = seen(&game, &state, Place::hand(seat));
                assert!((0..3).all(|other| own[other].len() == if other == number { 13 } else { 0 }));
            }
            say(&game, &mut state, text);
        }
        assert_eq!(seen(&game, &state, DUMMY), [state.table.at(DUMMY); 3]);
    }
}

#[test]
fn wh2_with_jokers_the_dummy_is_dealt_fifteen() {
    let game = whist("jokers = true");
    assert_eq!((game.layout().deck, game.layout().deck.cards().len()), (Deck::Jokers54, 54));
    let mut jokers_in_dummy = 0;
    for number in 0..60 {
        let state = deal(&game, Seat::Seat0, number);
        assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [13, 13, 13, 15]);
        assert_eq!(state.table.cards(), Deck::Jokers54.cards());
        jokers_in_dummy += (state.table.at(DUMMY) & CardSet::JOKERS).len();
    }
    // 33 expected. A number outside 15 to 52 occurs less than once in ten thousand.
    assert!((15..=52).contains(&jokers_in_dummy), "{jokers_in_dummy}");
    let deck = |name: &str| Variant::preset(name).unwrap().game.layout().deck;
    assert_eq!(deck("dummy-whist"), Deck::Full52);
    assert_eq!(deck("dummy-whist-jokers"), Deck::Jokers54);
}

#[test]
fn wh3_wh4_the_dummy_sits_opposite_the_declarer_who_plays_it() {
    for game in ["", "jokers = true", "jokers = true\ndummy-discard = \"blind\""].map(whist) {
        for (dealer, texts, steps) in auctions() {
            let declarer = dealer.left(steps, 3);
            let mut state = deal(&game, dealer, 1);
            say(&game, &mut state, texts);
            assert_eq!(state.public.declarer(), Some(declarer));
            declare(&game, &mut state);
            let left = |steps| Place::hand(declarer.left(steps, 3));
            assert_eq!(state.table.hands_in_trick(), 4);
            let mut round = Vec::new();
            play_out(&game, &mut state, &mut rng("wh3", 0), |state| {
                let hand = state.table.hand_to_move();
                round.push(hand);
                let decider = if hand == DUMMY { declarer } else { Seat::new(hand.index()) };
                assert_eq!(state.table.seat_to_move(), decider);
                assert_eq!(seen(&game, state, DUMMY), [state.table.at(DUMMY); 3]);
            });
            assert_eq!(round[..4], [left(0), left(1), DUMMY, left(2)]);
            let circle = [left(0), left(1), DUMMY, left(2)];
            for trick in state.table.tricks() {
                let start = circle.iter().position(|&hand| hand == trick.plays[0].hand).unwrap();
                let order = trick.plays.iter().map(|play| play.hand);
                assert!(order.eq((0..4).map(|step| circle[(start + step) % 4])));
            }
        }
    }
}

#[test]
fn wh5_who_deals_first_is_an_option_and_the_deal_passes_left() {
    for (number, rule) in ["seat-0", "seat-1", "seat-2"].into_iter().enumerate() {
        let rules = format!("first-dealer = {rule:?}\nend-mode = \"deals\"\nn-deals = 5");
        matches("dummy-whist", &rules, 3).iter().for_each(|records| assert_deals_follow(records, number));
    }
    matches("dummy-whist", "", 3).iter().for_each(|records| assert_deals_follow(records, 0));
    let game = whist("first-dealer = \"random\"");
    let mut deals = [0; 3];
    (0..6000).for_each(|number| deals[game.first_dealer(|| rng("random", number)).index()] += 1);
    // Five standard errors are 183.
    assert!(deals.iter().all(|&deals: &u32| deals.abs_diff(2000) < 183), "{deals:?}");
}

#[test]
fn wh6_one_round_from_dealers_left_to_the_dealer() {
    let game = whist("");
    for (dealer, texts, _) in auctions() {
        let mut state = deal(&game, dealer, 2);
        for (steps, text) in [1, 2, 3].into_iter().zip(texts.split(", ")) {
            assert_eq!(state.public.phase(), Phase::Auction);
            assert_eq!(state.table.seat_to_move(), dealer.left(steps, 3));
            for text in ["keep", "exchange", "name S", "name uptown", "AS"] {
                assert_eq!(refused_move(&game, &state, text), "WH6");
            }
            say(&game, &mut state, text);
        }
        assert_eq!(state.public.phase(), Phase::Declaration);
    }
}

#[test]
fn wh7_if_the_others_pass_the_dealer_must_bid() {
    let game = whist("");
    for dealer in Seat::THREE {
        let mut state = deal(&game, dealer, 3);
        say(&game, &mut state, "pass, pass");
        assert_eq!(refused_move(&game, &state, "pass"), "WH7");
        assert_eq!(legal_texts(&game, &state).len(), 21);
        say(&game, &mut state, "bid 1 downtown");
        assert!(state.public.forced());
        assert_eq!(state.public.declarer(), Some(dealer));
        // A player who could have passed was not forced.
        for (texts, kind) in [("pass, bid 1 downtown, pass", ""), ("pass, pass, bid 1 downtown", " (forced)")] {
            let mut state = deal(&game, dealer, 3);
            say(&game, &mut state, texts);
            play_out(&game, &mut state, &mut rng("wh7", 0), |_| {});
            let number = game.contract_result(&state).unwrap().kind;
            assert_eq!(game.contract_kinds()[usize::from(number)].name, format!("1 downtown{kind}"));
        }
        let mut free = deal(&game, dealer, 3);
        say(&game, &mut free, "bid 1 uptown, pass, bid 2 uptown");
        assert!(!free.public.forced());
    }
}

#[test]
fn wh8_a_bid_is_a_number_and_a_direction_or_no_trump() {
    let game = whist("");
    let bids = (1..=7).flat_map(|level| KINDS.map(|kind| format!("bid {level} {kind}")));
    let wanted: Vec<String> = ["pass".to_owned()].into_iter().chain(bids).collect();
    assert_eq!(legal_texts(&game, &deal(&game, Seat::Seat0, 4)), wanted);
    // Results and records name the bid.
    for (level, kind) in (1..=7).flat_map(|level| KINDS.map(|kind| (level, kind))) {
        let mut state = deal(&game, Seat::Seat2, 4);
        say(&game, &mut state, &format!("bid {level} {kind}, pass, pass"));
        assert_eq!(game.contract(&state), None);
        play_out(&game, &mut state, &mut rng("wh8", level), |_| {});
        let number = game.contract_result(&state).unwrap().kind;
        assert_eq!(game.contract_kinds()[usize::from(number)].name, format!("{level} {kind}"));
        let contract = game.contract(&state).unwrap();
        assert_eq!((contract.declarer, contract.level), (Some(Seat::Seat0), Some(level as u8)));
        let direction = if state.public.downtown() { "downtown" } else { "uptown" };
        assert_eq!(contract.kind, direction);
        assert_eq!(contract.trump == Some("NT"), kind == "no-trump");
    }
}

#[test]
fn wh9_the_lowest_bid_is_an_option() {
    for least in 0..=7 {
        let game = whist(&format!("min-bid = {least}"));
        for passes in 0..3 {
            let mut state = deal(&game, Seat::Seat0, 5);
            (0..passes).for_each(|_| say(&game, &mut state, "pass"));
            let legal = legal_texts(&game, &state);
            for (level, kind) in (0..=7).flat_map(|level| KINDS.map(|kind| (level, kind))) {
                let bid = format!("bid {level} {kind}");
                assert_eq!(legal.contains(&bid), level >= least);
                if level < least {
                    assert_eq!(refused_move(&game, &state, &bid), "WH9");
                }
            }
        }
    }
    assert!(variant("dummy-whist", "min-bid = 8").err().unwrap().contains("must be 0 to 7"));
}

/// Returns whether a bid betters another by the words of WH10 to WH12, and the rule that decides.
fn better(bid: (i32, &str), best: (i32, &str), downtown_outranks_uptown: bool) -> (bool, &'static str) {
    match (bid, best) {
        _ if bid.0 != best.0 => (bid.0 > best.0, "WH10"),
        ((_, "no-trump"), (_, kind)) => (kind != "no-trump", "WH11"),
        (_, (_, "no-trump")) => (false, "WH11"),
        ((_, "downtown"), (_, "uptown")) => (downtown_outranks_uptown, "WH12"),
        _ => (false, "WH12"),
    }
}

#[test]
fn wh10_wh11_wh12_wh13_what_betters_what() {
    let bids = || (0..=7).flat_map(|level| KINDS.map(|kind| (level, kind)));
    for outranks in [false, true] {
        let game = whist(&format!("min-bid = 0\ndowntown-outranks-uptown = {outranks}"));
        for best in bids() {
            // The dealer, who bids last, has no privilege.
            for before in ["", "pass, "] {
                let mut state = deal(&game, Seat::Seat0, 6);
                say(&game, &mut state, &format!("{before}bid {} {}", best.0, best.1));
                let legal = legal_texts(&game, &state);
                assert_eq!(legal[0], "pass");
                for bid in bids() {
                    let ((betters, rule), text) = (better(bid, best, outranks), format!("bid {} {}", bid.0, bid.1));
                    assert_eq!(legal.contains(&text), betters, "{text} over {best:?}");
                    if !betters {
                        assert_eq!(refused_move(&game, &state, &text), rule, "{text} over {best:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn wh12_is_off_but_in_the_variant_named_after_it() {
    let on = |name: &str| Variant::preset(name).unwrap().game.rules()["downtown-outranks-uptown"].as_bool();
    assert_eq!(["dummy-whist", "dummy-whist-downtown"].map(on), [Some(false), Some(true)]);
}

#[test]
fn wh14_wh16_the_declarer_discards_two_cards_of_the_dummy() {
    let game = whist("jokers = true");
    for (dealer, texts, steps) in auctions() {
        let declarer = dealer.left(steps, 3);
        let mut state = deal(&game, dealer, 7);
        say(&game, &mut state, texts);
        let dummy = state.table.at(DUMMY);
        for left in [15, 14] {
            assert_eq!(state.public.phase(), Phase::Discard);
            assert_eq!((state.table.hand_to_move(), state.table.seat_to_move()), (DUMMY, declarer));
            assert_eq!((game.legal(&state).len(), game.legal(&state).card_set()), (left, state.table.at(DUMMY)));
            // A card of the declarer's own hand is refused, and the dummy may not keep all fifteen.
            let own = state.table.at(Place::hand(declarer)).first().unwrap();
            for text in [&format!("discard {own}"), "pass", "keep", "name S", "name uptown", "bid 7 no-trump"] {
                assert_eq!(refused_move(&game, &state, text), "WH15");
            }
            // Any card is legal. Jokers are the last of the set.
            let last = state.table.at(DUMMY).last().unwrap();
            say(&game, &mut state, &format!("discard {last}"));
        }
        assert_eq!(state.public.phase(), Phase::Declaration);
        assert_eq!(state.table.at(DUMMY) | state.table.at(DISCARDED), dummy);
        assert_eq!([DUMMY, DISCARDED].map(|place| state.table.at(place).len()), [13, 2]);
        declare(&game, &mut state);
        let discarded = state.table.at(DISCARDED);
        play_out(&game, &mut state, &mut rng("wh14", 0), |_| {});
        assert_eq!(state.table.cards(), discarded);
    }
}

#[test]
fn wh14_jokers_may_be_discarded() {
    let game = whist("jokers = true");
    let both = |state: &State<Contracting>| CardSet::JOKERS.is_subset(state.table.at(DUMMY));
    let mut state = (0..).map(|number| deal(&game, Seat::Seat2, number)).find(both).unwrap();
    say(&game, &mut state, "bid 1 uptown, pass, pass, discard BJ, discard LJ");
    assert_eq!(state.table.at(DISCARDED), CardSet::JOKERS);
}

#[test]
fn wh15_by_default_the_declarer_looks_at_the_fifteen_and_nobody_else_does() {
    let game = whist("jokers = true");
    for (dealer, texts, steps) in auctions() {
        let declarer = dealer.left(steps, 3);
        let only = |cards: CardSet| Seat::THREE.map(|seat| if seat == declarer { cards } else { CardSet::EMPTY });
        let mut state = deal(&game, dealer, 8);
        for text in texts.split(", ") {
            assert_eq!(seen(&game, &state, DUMMY), NOTHING);
            say(&game, &mut state, text);
        }
        for _ in 0..2 {
            assert_eq!(seen(&game, &state, DUMMY), only(state.table.at(DUMMY)));
            assert_eq!(seen(&game, &state, DISCARDED), only(state.table.at(DISCARDED)));
            let first = game.legal(&state).iter().next().unwrap();
            game.play(&mut state, first).unwrap();
            assert_eq!(last_call(&game, &state), Seat::THREE.map(|seat| (seat == declarer).then_some(first)));
        }
        play_out(&game, &mut state, &mut rng("wh15", 0), |state| {
            assert_eq!(seen(&game, state, DUMMY), [state.table.at(DUMMY); 3]);
            assert_eq!(seen(&game, state, DISCARDED), only(state.table.at(DISCARDED)));
        });
    }
}

#[test]
fn wh15_blind_discards_are_seen_by_nobody() {
    let game = whist("jokers = true\ndummy-discard = \"blind\"");
    let mut discarded = CardSet::EMPTY;
    for number in 0..200 {
        let mut state = deal(&game, Seat::Seat0, number);
        say(&game, &mut state, "pass, pass, bid 1 uptown");
        // There is nothing to discard.
        assert_eq!(state.public.phase(), Phase::Declaration);
        assert_eq!([DUMMY, DISCARDED].map(|place| state.table.at(place).len()), [13, 2]);
        discarded |= state.table.at(DISCARDED);
        play_out(&game, &mut state, &mut rng("wh15", number), |state| {
            assert_eq!(seen(&game, state, DISCARDED), NOTHING);
            assert_eq!(seen(&game, state, DUMMY), [state.table.at(DUMMY); 3]);
        });
        let aside = game.asides(&deal(&game, Seat::Seat0, number), &state);
        let shown: CardSet = aside[0].cards.iter().copied().collect();
        assert_eq!((aside.len(), aside[0].name, shown), (1, "discarded", state.table.at(DISCARDED)));
    }
    // Any card may be among them. 400 draws of 54 leave out more than one card less than once in a hundred
    // thousand.
    assert!(discarded.len() >= 53, "{discarded}");
}

#[test]
fn wh17_wh18_with_the_dummy_face_up_trumps_or_the_direction_are_named() {
    for game in ["", "jokers = true\ndummy-discard = \"blind\""].map(whist) {
        for (dealer, texts, steps) in auctions() {
            let mut state = deal(&game, dealer, 9);
            say(&game, &mut state, texts);
            assert_eq!(seen(&game, &state, DUMMY), [state.table.at(DUMMY); 3]);
            assert_eq!(state.table.seat_to_move(), dealer.left(steps, 3));
            assert_eq!(state.table.hand_to_move(), Place::hand(dealer.left(steps, 3)));
            for text in ["pass", "bid 7 no-trump", "keep", "AS"] {
                assert_eq!(refused_move(&game, &state, text), "WH18");
            }
        }
    }
}

#[test]
fn wh18_wh19_a_trump_bidder_names_a_suit_and_a_no_trump_bidder_the_direction() {
    let game = whist("");
    for (bid, wanted, other) in [
        ("3 uptown", ["C", "D", "H", "S"].as_slice(), ["uptown", "downtown"].as_slice()),
        ("3 downtown", &["C", "D", "H", "S"], &["uptown", "downtown"]),
        ("3 no-trump", &["uptown", "downtown"], &["C", "D", "H", "S"]),
    ] {
        let mut state = deal(&game, Seat::Seat2, 10);
        say(&game, &mut state, &format!("bid {bid}, pass, pass"));
        assert_eq!(legal_texts(&game, &state), Vec::from_iter(wanted.iter().map(|name| format!("name {name}"))));
        for name in other {
            assert_eq!(refused_move(&game, &state, &format!("name {name}")), "WH19");
        }
        for name in wanted {
            let mut state = state;
            say(&game, &mut state, &format!("name {name}"));
            // The bid holds for the whole deal.
            let downtown = if bid == "3 no-trump" { *name == "downtown" } else { bid == "3 downtown" };
            let trump = Suit::ALL.into_iter().find(|suit| suit.letter().to_string() == *name);
            play_out(&game, &mut state, &mut rng("wh19", 0), |state| {
                assert_eq!((state.public.trump(), state.public.downtown()), (trump, downtown));
                assert!(game.order(state).unwrap() == game.order_of(trump, downtown));
            });
        }
    }
}
