//! Compares counts with enumerations and a second method, and draws with the counts.

use std::collections::BTreeMap;

use overtrick_cards::{Deck, SeedSource, Suit};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::*;

fn rooms(sizes: &[u8], may: &[CardSet]) -> Vec<Room> {
    sizes.iter().zip(may).map(|(&size, &may)| Room { size, may }).collect()
}

fn free(sizes: &[u8]) -> Vec<Room> {
    rooms(sizes, &[!CardSet::EMPTY; MAX_ROOMS])
}

/// Enumerates all arrangements, card by card.
fn all(cards: CardSet, rooms: &[Room]) -> Vec<[CardSet; MAX_ROOMS]> {
    let mut all = vec![[CardSet::EMPTY; MAX_ROOMS]];
    for card in cards.iter() {
        let mut longer = Vec::new();
        for arrangement in all {
            for (number, room) in rooms.iter().enumerate() {
                if room.may.contains(card) && arrangement[number].len() < u32::from(room.size) {
                    let mut with = arrangement;
                    with[number] |= CardSet::of(card);
                    longer.push(with);
                }
            }
        }
        all = longer;
    }
    all
}

/// Counts the arrangements card by card, by the number of cards in each room so far.
fn counted(cards: CardSet, rooms: &[Room]) -> u128 {
    let mut ways = BTreeMap::from([([0; MAX_ROOMS], 1)]);
    for card in cards.iter() {
        let mut longer = BTreeMap::new();
        for (held, count) in ways {
            for (number, room) in rooms.iter().enumerate() {
                if room.may.contains(card) && held[number] < room.size {
                    let mut with = held;
                    with[number] += 1;
                    *longer.entry(with).or_insert(0) += count;
                }
            }
        }
        ways = longer;
    }
    ways.into_values().sum()
}

/// Draws cards of the full pack for rooms of these sizes, and for each card the rooms where it may lie.
///
/// There are few patterns, so groups of several cards occur. If `have_one` is false, some cards have no room.
fn random(sizes: &[u8], have_one: bool, rng: &mut Stream) -> (CardSet, Vec<Room>) {
    let everywhere = (1 << sizes.len()) - 1;
    let cards = Pack::new(Deck::Full52.cards(), rng).take(sizes.iter().map(|&size| u32::from(size)).sum());
    let mut may = [CardSet::EMPTY; MAX_ROOMS];
    for card in cards.iter() {
        let pattern =
            [everywhere, 0b11110, 0b01101, 0b00111, rng.random_below(32)][rng.random_below(5) as usize] & everywhere;
        let pattern = if have_one && pattern == 0 { everywhere } else { pattern };
        for (_, may) in may.iter_mut().enumerate().filter(|(room, _)| pattern >> room & 1 == 1) {
            *may |= CardSet::of(card);
        }
    }
    (cards, rooms(sizes, &may))
}

#[test]
fn without_restrictions_the_count_is_multinomial_and_takes_no_table() {
    let pack = Deck::Full52.cards();
    let full = Deck::Jokers54.cards();
    let eleven: CardSet = (pack & CardSet::suit(Suit::Spades)).iter().take(11).collect();
    for (cards, sizes, count) in [
        (CardSet::EMPTY, &[][..], 1),
        (eleven, &[11], 1),
        (pack - eleven, &[13, 13, 15], 659_733_718_283_337_600),
        (full, &[11, 10, 11, 11, 11], 25_057_175_605_292_565_313_997_371_538_457_600),
    ] {
        let arrangements = Arrangements::new(cards, &free(sizes));
        assert_eq!(arrangements.count(), count);
        assert!(arrangements.forks.is_empty());
    }
}

#[test]
fn the_count_and_the_list_are_those_of_an_enumeration() {
    let mut rng = SeedSource::new(1, "test", "counting").stream(0, 0);
    let mut possible = 0;
    for sizes in [&[3, 2][..], &[2, 3, 3], &[4, 1, 2], &[2, 2, 1, 3], &[1, 3, 2, 1], &[1, 2, 1, 2, 2]] {
        for _ in 0..300 {
            let (cards, rooms) = random(sizes, false, &mut rng);
            let all = all(cards, &rooms);
            let arrangements = Arrangements::new(cards, &rooms);
            assert_eq!(arrangements.count(), all.len() as u128);
            let key = |rooms: &[CardSet; MAX_ROOMS]| rooms.map(CardSet::bits);
            let [mut listed, mut expected] = [arrangements.all(), all.clone()];
            listed.sort_by_key(key);
            expected.sort_by_key(key);
            assert_eq!(listed, expected);
            possible += usize::from(!all.is_empty());
        }
    }
    assert!(possible > 400, "{possible}");
}

#[test]
fn large_counts_are_those_of_another_way_to_count() {
    let mut rng = SeedSource::new(1, "test", "large").stream(0, 0);
    for sizes in [&[13, 13, 15][..], &[13, 13, 13, 2], &[10, 9, 1, 1, 2], &[10, 10, 10, 10, 10]] {
        for _ in 0..5 {
            let (cards, rooms) = random(sizes, true, &mut rng);
            assert_eq!(Arrangements::new(cards, &rooms).count(), counted(cards, &rooms));
        }
    }
    // The largest count: a whole pack in five rooms, each without one suit or without the jokers.
    let full = Deck::Jokers54.cards();
    let lacking = Suit::ALL.map(CardSet::suit).into_iter().chain([CardSet::JOKERS]);
    let may: Vec<CardSet> = lacking.map(|cards| full - cards).collect();
    let rooms = rooms(&[11, 10, 11, 11, 11], &may);
    assert_eq!(Arrangements::new(full, &rooms).count(), counted(full, &rooms));
}

/// A room that takes almost all cards has few arrangements, however many cards these are.
#[test]
fn a_large_room_is_listed_by_its_few_arrangements() {
    let deck = Deck::Full52.cards();
    let arrangements = Arrangements::new(deck, &rooms(&[1, 51], &[deck, deck]));
    assert_eq!((arrangements.count(), arrangements.all().len()), (52, 52));
    assert_eq!(choices(deck, 51).len(), 52);
    assert_eq!(choices(deck, 53).len(), 0);
}

#[test]
fn every_arrangement_is_drawn_equally_often() {
    let mut rng = SeedSource::new(1, "test", "even").stream(0, 0);
    let mut forks = 0;
    for sizes in [&[2, 3, 3][..], &[2, 2, 1, 3], &[1, 3, 2, 2], &[1, 2, 1, 2, 1]] {
        for _ in 0..4 {
            let (cards, rooms) = random(sizes, true, &mut rng);
            let all = all(cards, &rooms);
            if all.len() < 2 {
                continue;
            }
            let arrangements = Arrangements::new(cards, &rooms);
            forks += arrangements.forks.len();
            let mut drawn: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
            let key = |rooms: [CardSet; MAX_ROOMS]| rooms.map(CardSet::bits).to_vec();
            for _ in 0..50 * all.len() {
                *drawn.entry(key(arrangements.draw(&mut rng))).or_default() += 1;
            }
            let seen = all.iter().map(|&rooms| drawn.remove(&key(rooms)).unwrap_or(0) as f64);
            let chi_squared: f64 = seen.map(|seen| (seen - 50.0).powi(2) / 50.0).sum();
            assert!(drawn.is_empty(), "drawn, and fits nowhere");
            let expected = ChiSquared::new((all.len() - 1) as f64).unwrap();
            assert!(expected.sf(chi_squared) > 1e-5, "{chi_squared} for {} arrangements", all.len());
        }
    }
    assert!(forks > 10, "{forks}");
}

#[test]
fn each_card_lies_in_each_room_as_often_as_the_counts_say() {
    const DRAWS: usize = 20_000;
    let mut rng = SeedSource::new(1, "test", "shares").stream(0, 0);
    for sizes in [&[13, 13, 15][..], &[10, 9, 1, 2], &[10, 10, 10, 10, 10]] {
        let (cards, rooms) = random(sizes, true, &mut rng);
        let arrangements = Arrangements::new(cards, &rooms);
        let drawn: Vec<_> = (0..DRAWS).map(|_| arrangements.draw(&mut rng)).collect();
        for card in cards.iter() {
            for room in 0..rooms.len() {
                let mut only = rooms.clone();
                for (_, other) in only.iter_mut().enumerate().filter(|(other, _)| *other != room) {
                    other.may -= CardSet::of(card);
                }
                let share = Arrangements::new(cards, &only).count() as f64 / arrangements.count() as f64;
                let seen = drawn.iter().filter(|drawn| drawn[room].contains(card)).count() as f64;
                let off = (seen - DRAWS as f64 * share).abs();
                // One share in two million is off by five standard deviations, and there are 461 shares here.
                let most = 5.0 * (DRAWS as f64 * share * (1.0 - share)).sqrt();
                assert!(off <= most, "{card} in room {room}: {seen} of {DRAWS}, {share} expected");
            }
        }
    }
}
