//! Dealing is uniform: where cards lie, how suits fall, and how deals follow one another. Every test rejects a dealer that is
//! deliberately a little wrong.

use std::collections::BTreeMap;

use overtrick::arena::{Seeds, Unit};
use overtrick::cards::{Card, CardSet, Deck, Suit};
use overtrick::game::{Game, Standing};
use overtrick::games::colour_blind::{ColourBlind, ColourBlindRules};
use overtrick::games::dumbo::{Dumbo, DumboRules};
use overtrick::table::Place;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const DEALS: u64 = 60_000;
const HANDS: [Place; 4] = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];

/// How likely a chi-squared statistic at least as large is, if all is well.
fn tail(statistic: f64, degrees_of_freedom: f64) -> f64 {
    1.0 - ChiSquared::new(degrees_of_freedom).unwrap().cdf(statistic)
}

/// Pearson's statistic of counts against expectations.
fn pearson(counts: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    counts.into_iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum()
}

/// The four hands of the first deals, as a tournament with this seed deals them.
fn hands(seed: u64) -> impl Iterator<Item = [CardSet; 4]> {
    let game = Dumbo::new(DumboRules::default()).unwrap();
    let seeds = Seeds::new(seed, "dumbo", &game, Unit::Deal);
    (0..DEALS).map(move |number| {
        let setup = seeds.setup(&game, number, &Standing::default());
        let state = seeds.deal(&game, number, setup);
        HANDS.map(|hand| state.table.at(hand))
    })
}

/// A dealer that puts the ace of spades into hand 0 in one deal of twenty, where it belongs in one of four.
fn biased(hands: impl Iterator<Item = [CardSet; 4]>) -> impl Iterator<Item = [CardSet; 4]> {
    let ace = CardSet::of("AS".parse().unwrap());
    hands.enumerate().map(move |(number, mut hands)| {
        if number % 20 == 0 && (hands[0] & ace).is_empty() {
            let given = CardSet::of(hands[0].first().unwrap());
            for hand in &mut hands[1..] {
                if !(*hand & ace).is_empty() {
                    *hand = (*hand - ace) | given;
                }
            }
            hands[0] = (hands[0] - given) | ace;
        }
        hands
    })
}

/// By card: in which hand it lies. Given the hands' sizes, 51 x 3 counts are free.
fn positions(hands: impl Iterator<Item = [CardSet; 4]>) -> f64 {
    let mut counts: BTreeMap<Card, [f64; 4]> = BTreeMap::new();
    for deal in hands {
        for (number, hand) in deal.iter().enumerate() {
            for card in hand.iter() {
                counts.entry(card).or_default()[number] += 1.0;
            }
        }
    }
    assert_eq!(counts.len(), 52);
    let expected = DEALS as f64 / 4.0;
    // Cards of one deal keep each other out of a hand, so the counts spread 52/51 as much as independent ones.
    let statistic = pearson(counts.values().flatten().map(|&seen| (seen, expected))) * 51.0 / 52.0;
    tail(statistic, 153.0)
}

#[test]
fn every_card_lies_in_every_hand_equally_often() {
    for seed in [1, 2, 3] {
        let chance = positions(hands(seed));
        assert!(chance > 1e-4 && chance < 1.0 - 1e-4, "seed {seed}: {chance}");
    }
    assert!(positions(biased(hands(1))) < 1e-6, "a biased dealer passed");
}

fn choose(n: u64, k: u64) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// By suit lengths in descending order: how likely a hand of 13 has them.
fn pattern_chances() -> BTreeMap<[u64; 4], f64> {
    let mut chances = BTreeMap::new();
    for a in 0..=13 {
        for b in 0..=13 - a {
            for c in 0..=13 - a - b {
                let lengths = [a, b, c, 13 - a - b - c];
                let ways: f64 = lengths.iter().map(|&length| choose(13, length)).product();
                let mut sorted = lengths;
                sorted.sort_unstable_by(|x, y| y.cmp(x));
                *chances.entry(sorted).or_insert(0.0) += ways / choose(52, 13);
            }
        }
    }
    chances
}

fn pattern(hand: CardSet) -> [u64; 4] {
    let mut lengths = Suit::ALL.map(|suit| u64::from((hand & CardSet::suit(suit)).len()));
    lengths.sort_unstable_by(|x, y| y.cmp(x));
    lengths
}

#[test]
fn suits_fall_as_combinatorics_says() {
    let chances = pattern_chances();
    assert_eq!(chances.len(), 39);
    assert!((chances.values().sum::<f64>() - 1.0).abs() < 1e-12);
    let void: f64 = chances.iter().filter(|(lengths, _)| lengths[3] == 0).map(|(_, chance)| chance).sum();
    assert!((void - 0.051_066).abs() < 1e-6, "a void suit in 13 cards: {void}");
    for seed in [1, 2] {
        // One hand a deal, so that counts are independent.
        let mut counts: BTreeMap<[u64; 4], f64> = BTreeMap::new();
        for (number, deal) in hands(seed).enumerate() {
            *counts.entry(pattern(deal[number % 4])).or_default() += 1.0;
        }
        let (mut rows, mut rare) = (Vec::new(), (0.0, 0.0));
        for (lengths, chance) in &chances {
            let (seen, expected) = (counts.get(lengths).copied().unwrap_or(0.0), chance * DEALS as f64);
            if expected >= 10.0 {
                rows.push((seen, expected));
            } else {
                rare = (rare.0 + seen, rare.1 + expected);
            }
        }
        rows.push(rare);
        let free = rows.len() as f64 - 1.0;
        let chance = tail(pearson(rows), free);
        assert!(chance > 1e-4 && chance < 1.0 - 1e-4, "seed {seed}: {chance}");
        let voids = counts.iter().filter(|(lengths, _)| lengths[3] == 0).map(|(_, seen)| seen).sum::<f64>();
        let error = (void * (1.0 - void) / DEALS as f64).sqrt();
        assert!((voids / DEALS as f64 - void).abs() < 4.0 * error, "seed {seed}: {}", voids / DEALS as f64);
    }
}

#[test]
fn two_cards_lie_together_as_often_as_they_should() {
    let pairs = [("AS", "KS"), ("2C", "AS"), ("7D", "8D"), ("TH", "TC"), ("2C", "3C"), ("KS", "QH")];
    let together = 12.0 / 51.0;
    for seed in [1, 2] {
        let mut counts = [0.0; 6];
        for deal in hands(seed) {
            for (count, (one, other)) in counts.iter_mut().zip(pairs) {
                let both: CardSet = format!("{one} {other}").parse().unwrap();
                *count += f64::from(u8::from(deal.iter().any(|&hand| (both - hand).is_empty())));
            }
        }
        for (count, pair) in counts.iter().zip(pairs) {
            let error = (together * (1.0 - together) / DEALS as f64).sqrt();
            assert!((count / DEALS as f64 - together).abs() < 4.5 * error, "{pair:?}: {}", count / DEALS as f64);
        }
    }
}

#[test]
fn one_deal_says_nothing_of_the_next() {
    // Where the ace of spades lies in a deal, and where in the next: 16 cells, 9 free.
    let ace: Card = "AS".parse().unwrap();
    for seed in [1, 2, 3] {
        let places: Vec<usize> =
            hands(seed).map(|deal| deal.iter().position(|hand| hand.contains(ace)).unwrap()).collect();
        let mut counts = [[0.0; 4]; 4];
        for two in places.windows(2) {
            counts[two[0]][two[1]] += 1.0;
        }
        let expected = (DEALS - 1) as f64 / 16.0;
        let chance = tail(pearson(counts.iter().flatten().map(|&seen| (seen, expected))), 15.0);
        assert!(chance > 1e-4, "seed {seed}: {chance}");
    }
    let all: Vec<[CardSet; 4]> = hands(1).take(5000).collect();
    let mut unique = all.clone();
    unique.sort_by_key(|deal| deal.map(CardSet::bits));
    unique.dedup();
    assert_eq!(unique.len(), all.len(), "a deal came twice");
}

#[test]
fn every_card_lies_at_every_place_of_the_row_equally_often() {
    for (rules, deck) in [
        (ColourBlindRules::default(), Deck::Full52),
        (ColourBlindRules { players: 2, ..ColourBlindRules::default() }, Deck::Without789),
    ] {
        let game = ColourBlind::new(rules).unwrap();
        let seeds = Seeds::new(1, "row", &game, Unit::Deal);
        let mut counts: BTreeMap<Card, [f64; 13]> = BTreeMap::new();
        for number in 0..DEALS {
            let setup = seeds.setup(&game, number, &Standing::default());
            for (place, card) in seeds.deal(&game, number, setup).public.cards().iter().enumerate() {
                counts.entry(*card).or_default()[place] += 1.0;
            }
        }
        let size = f64::from(deck.cards().len());
        assert_eq!(counts.len() as f64, size);
        let expected = DEALS as f64 / size;
        let statistic = pearson(counts.values().flatten().map(|&seen| (seen, expected)));
        let chance = tail(statistic, (size - 1.0) * 13.0);
        assert!(chance > 1e-4 && chance < 1.0 - 1e-4, "{size}: {chance}");
    }
}
