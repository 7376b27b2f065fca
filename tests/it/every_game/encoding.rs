//! The numbers that learned players read: the same facts as messages have, counted from the seat that looks, and none
//! that are hidden from it.

use std::sync::Arc;

use super::contract::random_play;
use crate::fixtures::{battery, stream};
use overtrick::cards::Card;
use overtrick::encoding::{Encoding, Field};
use overtrick::game::{FullGame, Game, Move, Standing, View};
use overtrick::games::Visitor;
use overtrick::protocol::Decision;
use overtrick::table::{BySeat, Seat};

battery!(rows_hide_what_is_hidden, game, name, {
    let (encoding, mut rng) = (Encoding::new(game.as_ref()), stream("hidden rows", 0));
    let mut moved = 0;
    random_play(game.as_ref(), name, 20, |state, _| {
        for seat in Seat::all(game.layout().seats) {
            let row = |state| {
                let mut row = vec![f32::NAN; encoding.len()];
                encoding.write(&View::new(game.as_ref(), state, &Standing::default(), seat), &mut row);
                assert!(row.iter().all(|number| number.is_finite()), "{name}: a number is missing");
                row
            };
            let other = state.redealt(seat, &mut rng);
            moved += usize::from(other != *state);
            assert_eq!(row(state), row(&other), "{name}: seat {} is told of a hidden card", seat.index());
        }
    });
    assert!(moved > 0, "{name}: nothing is ever hidden");
});

/// The labels of the numbers of a field that are not 0, with the numbers; those of several axes are joined by a space.
fn told(field: Option<&Field>, row: &[f32]) -> Vec<(String, f32)> {
    let Some(field) = field else { return Vec::new() };
    let mut names = vec![String::new()];
    for axis in &field.labels {
        names = names.iter().flat_map(|name| axis.iter().map(move |label| format!("{name} {label}"))).collect();
    }
    let numbers = &row[field.start..][..field.size()];
    let named = names.into_iter().zip(numbers).filter(|(_, number)| **number != 0.0);
    named.map(|(name, number)| (name.trim().to_owned(), *number)).collect()
}

/// The names alone, in order.
fn names(told: Vec<(String, f32)>) -> Vec<String> {
    let mut names: Vec<String> = told.into_iter().map(|(name, _)| name).collect();
    names.sort();
    names
}

fn sorted(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names
}

battery!(rows_tell_what_messages_tell, game, name, {
    let encoding = Encoding::new(game.as_ref());
    let seats = game.layout().seats;
    let total = |seat: usize| 3 - 2 * seat as i32;
    let standing = Standing { totals: BySeat::from_fn(|seat| total(seat.index())), deals: 4, ..Standing::default() };
    let stake = game.score_range().start().abs().max(game.score_range().end().abs()) as f32;
    let mut turn = 0_u32;
    random_play(game.as_ref(), name, 30, |state, over| {
        // One turn of five: no number of hands divides that, so every seat has its turn.
        turn += 1;
        if over || !turn.is_multiple_of(5) {
            return;
        }
        let (seat, legal) = (state.table.seat_to_move(), game.legal(state));
        let view = View::new(game.as_ref(), state, &standing, seat);
        let decision = Decision::of(&view, legal, 0, 0, 0);
        let (mut row, mut mask) = (vec![0.0; encoding.len()], vec![false; encoding.moves().len()]);
        encoding.write(&view, &mut row);
        encoding.write_legal(legal, &mut mask);
        let of = |field: &str| told(encoding.field(field), &row);

        // Hands and places with a seat's number in their names are counted from the seat to the left.
        let label = |place: &str| {
            let hand = game.layout().hands.iter().position(|other| *other == place);
            match hand.filter(|&hand| hand < seats) {
                Some(hand) if hand == seat.index() => "own".to_owned(),
                Some(hand) => format!("left-{}", (hand + seats - seat.index()) % seats),
                None => match place.char_indices().last() {
                    Some((end, digit)) if digit.is_ascii_digit() => {
                        let owner = digit.to_digit(10).unwrap() as usize;
                        format!("{}{}", &place[..end], (owner + seats - seat.index()) % seats)
                    }
                    _ => place.to_owned(),
                },
            }
        };
        let by_seat = |seat: usize| label(game.layout().hands[seat]);
        let with_cards = |hand: &str, cards: &mut dyn Iterator<Item = Card>| -> Vec<String> {
            cards.map(|card| format!("{} {card}", label(hand))).collect()
        };

        let seen = decision.seen.iter().flat_map(|(place, cards)| with_cards(place, &mut cards.iter()));
        assert_eq!(names(of("seen")), sorted(seen), "{name}");
        let pack = game.layout().deck.cards().len() as f32;
        let counts: Vec<(String, f32)> = of("counts").into_iter().map(|(place, part)| (place, part * pack)).collect();
        assert_eq!(counts.len(), decision.counts.len(), "{name}");
        for (place, count) in decision.counts.iter() {
            let part = counts.iter().find(|(other, _)| *other == label(place)).expect("a place with cards").1;
            assert!((part - *count as f32).abs() < 1e-3, "{name}: {place}");
        }
        assert_eq!(names(of("to-play")), [label(&decision.hand)], "{name}");
        let chooses = decision.circle.iter().filter(|hand| {
            let decider = decision.deciders.iter().find(|(other, _)| *other == &***hand).map(|(_, decider)| *decider);
            let own = game.layout().hands[..seats].iter().position(|other| ***hand == **other);
            decider.or(own) == Some(seat.index())
        });
        let chooses = sorted(chooses.map(|hand| label(hand)));
        assert!(chooses.iter().all(|hand| names(of("chooses")).contains(hand)), "{name}: {chooses:?}");
        assert_eq!(names(of("dealer")), [by_seat(decision.dealer)], "{name}");

        let order: Vec<&str> = decision.circle.iter().map(|hand| &**hand).collect();
        let plays = |trick: &overtrick::protocol::TrickSeen<'_>| -> Vec<String> {
            let first = order.iter().position(|hand| *hand == &*trick.leader).unwrap();
            let hand = |nth: usize| order[(first + nth) % order.len()];
            trick.cards.iter().enumerate().map(|(nth, card)| format!("{} {card}", label(hand(nth)))).collect()
        };
        assert_eq!(names(of("played")), sorted(decision.tricks.iter().flat_map(plays)), "{name}");
        let current = decision.tricks.iter().filter(|trick| trick.winner.is_none());
        assert_eq!(names(of("trick")), sorted(current.flat_map(plays)), "{name}");
        assert_eq!(names(of("led")), sorted(decision.led.map(|card| card.to_string())), "{name}");
        assert_eq!(names(of("winning")), sorted(decision.winning.iter().map(|hand| label(hand))), "{name}");
        let won = decision.won.iter().filter(|(_, won)| **won > 0).map(|(hand, _)| label(hand));
        assert_eq!(names(of("won")), sorted(won), "{name}");
        for (hand, part) in of("won") {
            let won = *decision.won.iter().find(|(other, _)| label(other) == hand).unwrap().1 as f32;
            assert!((part * game.layout().cards_each as f32 - won).abs() < 1e-3, "{name}");
        }

        let is_call = |text: &str| !text.starts_with("discard ");
        let mut calls: Vec<(String, f32)> = Vec::new();
        let mut hidden: Vec<(String, f32)> = Vec::new();
        for (caller, call) in &decision.calls {
            let (list, key, step) = match call {
                Some(call) if is_call(call) => (&mut calls, format!("{} {}", by_seat(*caller), &**call), 1.0),
                Some(_) => continue,
                None => (&mut hidden, by_seat(*caller), 0.1),
            };
            match list.iter_mut().find(|(other, _)| *other == key) {
                Some((_, times)) => *times += step,
                None => list.push((key, step)),
            }
        }
        let by_name = |mut list: Vec<(String, f32)>| {
            list.sort_by(|(one, _), (other, _)| one.cmp(other));
            list
        };
        assert_eq!(by_name(of("calls")), by_name(calls), "{name}");
        assert_eq!(by_name(of("hidden-calls")), by_name(hidden), "{name}");

        let contract = decision.contract.as_ref();
        let declarer = contract.and_then(|contract| contract.declarer).map(by_seat);
        assert_eq!(names(of("declarer")), sorted(declarer), "{name}");
        let trump = contract.and_then(|contract| contract.trump.as_ref()).map(|trump| trump.to_string());
        assert_eq!(names(of("strain")), sorted(trump), "{name}");
        let level = contract.and_then(|contract| contract.level).unwrap_or_default();
        let part = of("level").first().map_or(0.0, |(_, part)| *part);
        assert!((part * game.layout().cards_each as f32 - f32::from(level)).abs() < 1e-3, "{name}");
        assert_eq!(names(of("up-card")), sorted(decision.up_card.map(|card| card.to_string())), "{name}");
        let row_cards = decision.row.iter().zip(1..).map(|(card, nth)| format!("{nth} {card}"));
        assert_eq!(names(of("row")), sorted(row_cards), "{name}");
        assert_eq!(!of("last-deal").is_empty(), decision.last_deal, "{name}");
        let totals = by_name((0..seats).map(|seat| (by_seat(seat), total(seat) as f32 / stake)).collect());
        assert_eq!(by_name(of("totals")), totals, "{name}");
        assert_eq!(of("deals"), [(String::new(), 0.04)], "{name}");

        let masked = mask.iter().zip(encoding.moves()).filter(|(is_legal, _)| **is_legal).map(|(_, &made)| made);
        assert!(masked.eq(legal.iter()), "{name}");
        for (nth, &made) in encoding.moves().iter().enumerate() {
            assert_eq!(encoding.action(made), Some(nth), "{name}");
        }
        assert_eq!(encoding.action(Move::NONE), None);
    });
});

#[test]
fn cards_that_cannot_follow_show_in_the_row() {
    use overtrick::games::dumbo::{Dumbo, DumboRules};
    let game = Arc::new(Dumbo::new(DumboRules::default()).unwrap());
    let encoding = Encoding::new(game.as_ref());
    let standing = Standing::default();
    let mut voids = 0;
    random_play(game.as_ref(), "dumbo", 20, |state, _| {
        for seat in Seat::all(3) {
            let view = View::new(game.as_ref(), state, &standing, seat);
            let mut row = vec![0.0; encoding.len()];
            encoding.write(&view, &mut row);
            let shown: usize =
                view.shown_out().iter().map(|cards| (*cards & game.layout().deck.cards()).len() as usize).sum();
            assert_eq!(told(encoding.field("voids"), &row).len(), shown);
            voids += shown;
        }
    });
    assert!(voids > 1000);
}

#[test]
fn the_page_describes_every_field() {
    let page = include_str!("../../../docs/encoding.md");
    let mut names = std::collections::BTreeSet::new();
    overtrick::games::Variant::all().iter().for_each(|variant| {
        for field in Encoding::of(&variant.game).fields() {
            names.insert(field.name);
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", field.name))).expect(field.name);
            assert!(row.ends_with(&format!("| {} |", field.about)), "{row}");
        }
    });
    assert_eq!(page.lines().filter(|line| line.starts_with("| `")).count(), names.len());
}
