//! Dealing is uniform. Each statistic follows a chi-squared distribution if every order of the pack is equally likely;
//! here it must not lie in the outer 2 x 1e-4 of that distribution for the seeds that are pinned below (too even is as
//! wrong as too uneven). And each must reject, beyond 1e-9, a dealer who makes a mistake that people make.
//!
//! One of them is quick; for the others: `cargo test --test it uniform_dealing -- --ignored`.

use std::ops::RangeInclusive;

use overtrick::cards::{Card, CardSet, Deck, SeedSource, Stream, Suit};
use overtrick::game::{Game, Standing};
use overtrick::games::colour_blind::{ColourBlind, ColourBlindRules, ROW_LAST};
use overtrick::games::dumbo::{Dumbo, DumboRules};
use overtrick::table::Place;
use overtrick::tournament::{Seeds, Unit};
use statrs::distribution::{ChiSquared, ContinuousCDF, Discrete, Hypergeometric, Normal};

/// The chance that a good dealer fails at either end of a statistic.
const TAIL: f64 = 1e-4;
/// How sure a test must be that a bad dealer is one.
const SURE: f64 = 1e-9;
const HANDS: [Place; 4] = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];

/// A pack as it was dealt: by place, its cards. Places have the same sizes in every deal.
type Dealt = Vec<CardSet>;

/// A statistic and the number of degrees of freedom that it has under uniform dealing.
#[derive(Debug)]
struct Chi {
    statistic: f64,
    freedom: f64,
}

impl Chi {
    /// Pearson's statistic of counts against expectations that no count is fitted to.
    fn pearson(counts: impl IntoIterator<Item = (f64, f64)>, freedom: f64) -> Chi {
        let statistic = counts.into_iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
        Chi { statistic, freedom }
    }

    fn above(&self) -> f64 {
        ChiSquared::new(self.freedom).unwrap().sf(self.statistic)
    }

    fn assert_uniform(&self, what: &str) {
        let above = self.above();
        assert!(above > TAIL && above < 1.0 - TAIL, "{what}: {self:?}, exceeded with chance {above:.2e}");
    }

    fn assert_rejected(&self, what: &str) {
        assert!(self.above() < SURE, "{what} passed: {self:?}");
    }
}

/// The hands of Dumbo's deals, as a tournament with this seed deals them.
fn dumbo(seed: u64, deals: u64) -> impl Iterator<Item = Dealt> {
    let game = Dumbo::new(DumboRules::default()).unwrap();
    let seeds = Seeds::new(seed, "dumbo", &game, Unit::Deal);
    (0..deals).map(move |number| {
        let state = seeds.deal(&game, number, seeds.setup(&game, number, &Standing::default()));
        HANDS.map(|hand| state.table.at(hand)).to_vec()
    })
}

/// Colour-blind's deals: the hands, the thirteen places of the row, and for two players its last card.
fn colour_blind(players: u8, seed: u64, deals: u64) -> impl Iterator<Item = Dealt> {
    let game = ColourBlind::new(ColourBlindRules { players, ..ColourBlindRules::default() }).unwrap();
    let seeds = Seeds::new(seed, "colour-blind", &game, Unit::Deal);
    (0..deals).map(move |number| {
        let state = seeds.deal(&game, number, seeds.setup(&game, number, &Standing::default()));
        let hands = HANDS.into_iter().take(usize::from(players)).map(|hand| state.table.at(hand));
        let row = state.public.cards().iter().map(|&card| CardSet::of(card));
        let last = state.table.at(ROW_LAST);
        hands.chain(row).chain((!last.is_empty()).then_some(last)).collect()
    })
}

/// Bad dealers: each a pack in an order that is not uniform, dealt out in packets of these sizes.
fn dealt_by(order: impl Fn(&mut Stream) -> Vec<Card>, sizes: &[usize], deals: u64) -> Vec<Dealt> {
    let source = SeedSource::new(1, "bad dealer", "52");
    let one = |number| {
        let pack = order(&mut source.stream(number, 0));
        let mut rest = pack.into_iter();
        sizes.iter().map(|&size| rest.by_ref().take(size).collect()).collect()
    };
    (0..deals).map(one).collect()
}

fn new_pack() -> Vec<Card> {
    Deck::Full52.cards().iter().collect()
}

/// The shuffle that swaps every card with any other, not only with those not yet reached.
fn naive_swaps(rng: &mut Stream) -> Vec<Card> {
    let mut pack = new_pack();
    for at in 0..52 {
        pack.swap(at, rng.random_below(52) as usize);
    }
    pack
}

/// Riffles of a pack by the model of Gilbert, Shannon and Reeds: run backwards, each sends every card to one of two
/// heaps by lot.
fn riffles(times: usize, mut pack: Vec<Card>, rng: &mut Stream) -> Vec<Card> {
    for _ in 0..times {
        let (top, bottom): (Vec<Card>, Vec<Card>) = pack.into_iter().partition(|_| rng.random_below(2) == 0);
        pack = top.into_iter().chain(bottom).collect();
    }
    pack
}

/// How often each card lies in each place. A card's place is a draw from places weighted by size; two cards of a deal
/// keep each other out, which spreads the counts n/(n-1) times as much as independent cards would.
fn cards_by_place(deck: Deck, deals: impl Iterator<Item = Dealt>) -> Chi {
    let (mut counts, mut total, mut sizes) = (Vec::<[f64; 64]>::new(), 0.0, Vec::new());
    for dealt in deals {
        if counts.is_empty() {
            counts = vec![[0.0; 64]; dealt.len()];
            sizes = dealt.iter().map(|place| f64::from(place.len())).collect();
        }
        for (count, place) in counts.iter_mut().zip(&dealt) {
            place.iter().for_each(|card| count[card.index()] += 1.0);
        }
        total += 1.0;
    }
    let n = f64::from(deck.cards().len());
    let cells = counts
        .iter()
        .zip(&sizes)
        .flat_map(|(count, size)| deck.cards().iter().map(move |card| (count[card.index()], total * size / n)));
    let all = Chi::pearson(cells, (n - 1.0) * (counts.len() as f64 - 1.0));
    Chi { statistic: all.statistic * (n - 1.0) / n, ..all }
}

/// Checks the deals of these seeds, and a dealer with the naive shuffle.
fn check_cards_by_hand(seeds: RangeInclusive<u64>) {
    for seed in seeds {
        cards_by_place(Deck::Full52, dumbo(seed, 200_000)).assert_uniform("cards by hand");
    }
    let naive = dealt_by(naive_swaps, &[13; 4], 20_000);
    cards_by_place(Deck::Full52, naive.into_iter()).assert_rejected("the naive shuffle");
}

#[test]
fn every_card_lies_in_every_hand_equally_often_with_one_seed() {
    check_cards_by_hand(1..=1);
}

#[test]
#[ignore = "long: the test above with three seeds"]
fn every_card_lies_in_every_hand_equally_often() {
    check_cards_by_hand(1..=3);
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn a_card_that_comes_to_one_hand_a_little_too_often_is_noticed() {
    // One deal in a hundred brings the ace of spades to hand 0 when it lay elsewhere: 25.75% instead of 25%.
    let ace: CardSet = "AS".parse().unwrap();
    let helped = dumbo(1, 200_000).enumerate().map(|(number, mut dealt)| {
        if number % 100 == 0 {
            let from = dealt.iter().position(|hand| !hand.is_disjoint(ace)).unwrap();
            let back = CardSet::of((dealt[0] - ace).first().unwrap());
            if from > 0 {
                dealt[from] = (dealt[from] - ace) | back;
                dealt[0] = (dealt[0] - back) | ace;
            }
        }
        dealt
    });
    let count = |deals: &mut dyn Iterator<Item = Dealt>| {
        let hits = deals.filter(|dealt| !(dealt[0] & ace).is_empty()).count() as f64;
        Chi::pearson([(hits, 50_000.0), (200_000.0 - hits, 150_000.0)], 1.0)
    };
    count(&mut dumbo(1, 200_000)).assert_uniform("the ace of spades");
    count(&mut { helped }).assert_rejected("a helpful dealer");
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn every_card_lies_at_every_place_of_the_row_equally_often() {
    for seed in 1..=2 {
        cards_by_place(Deck::Full52, colour_blind(3, seed, 100_000)).assert_uniform("row for three");
        cards_by_place(Deck::Without789, colour_blind(2, seed, 100_000)).assert_uniform("row for two");
    }
    let sizes: Vec<usize> = [13; 3].into_iter().chain([1; 13]).collect();
    // Seven riffles leave the last card of a new pack at the end of the row more often than elsewhere.
    let seven = dealt_by(|rng| riffles(7, new_pack(), rng), &sizes, 20_000);
    cards_by_place(Deck::Full52, seven.into_iter()).assert_rejected("seven riffles");
}

/// How often each two cards come to the same hand. Under uniform dealing the 1326 counts spread evenly over the 1274
/// dimensions that are left when every card has twelve partners in every deal (the pairs' space splits into one, 51 and
/// 1274 dimensions that no renaming of cards mixes). Also the largest deviation of one pair, as a chance.
fn pairs_together(deals: impl Iterator<Item = Dealt>) -> (Chi, f64) {
    let (mut counts, mut total) = (vec![[0u32; 52]; 52], 0.0);
    let number: Vec<usize> = {
        let mut number = vec![0; 64];
        new_pack().iter().enumerate().for_each(|(at, card)| number[card.index()] = at);
        number
    };
    for dealt in deals {
        for hand in dealt {
            let cards: Vec<usize> = hand.iter().map(|card| number[card.index()]).collect();
            for (at, &low) in cards.iter().enumerate() {
                cards[at + 1..].iter().for_each(|&high| counts[low][high] += 1);
            }
        }
        total += 1.0;
    }
    let together = 12.0 / 51.0;
    let spread = total * together * (1.0 - together);
    let pairs = (0..52).flat_map(|low| (low + 1..52).map(move |high| (low, high)));
    let squares = pairs.map(|(low, high)| (f64::from(counts[low][high]) - total * together).powi(2) / spread);
    let (sum, most) = squares.fold((0.0, 0.0_f64), |(sum, most), square| (sum + square, most.max(square)));
    let normal = Normal::standard();
    (Chi { statistic: sum * 1274.0 / 1326.0, freedom: 1274.0 }, 1326.0 * 2.0 * normal.sf(most.sqrt()))
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn every_two_cards_come_together_equally_often() {
    for seed in 1..=2 {
        let (all, worst_pair) = pairs_together(dumbo(seed, 50_000));
        all.assert_uniform("pairs");
        assert!(worst_pair > TAIL, "one pair deviates with chance {worst_pair:.2e}");
    }
    // Four riffles leave neighbours together that are dealt out thirteen at a time.
    let four = dealt_by(|rng| riffles(4, new_pack(), rng), &[13; 4], 50_000);
    pairs_together(four.into_iter()).0.assert_rejected("four riffles");
    // The king of spades sticks to the ace in one deal of thirty.
    let two: CardSet = "AS KS".parse().unwrap();
    let sticky = dumbo(1, 50_000).enumerate().map(|(number, mut dealt)| {
        let [ace, king] = ["AS", "KS"].map(|text| CardSet::of(text.parse().unwrap()));
        if number % 30 == 0 && dealt.iter().all(|&hand| !two.is_subset(hand)) {
            let at = |card: CardSet| dealt.iter().position(|&hand| card.is_subset(hand)).unwrap();
            let (to, from) = (at(ace), at(king));
            let back = CardSet::of((dealt[to] - ace).first().unwrap());
            dealt[to] = (dealt[to] - back) | king;
            dealt[from] = (dealt[from] - king) | back;
        }
        dealt
    });
    let (_, worst_pair) = pairs_together(sticky);
    assert!(worst_pair < SURE, "cards that stick together passed: {worst_pair:.2e}");
}

/// Which card lies at one place of the row and which at another: 52 x 51 cells, as likely as each other.
fn two_places(deals: impl Iterator<Item = Dealt>, one: usize, other: usize) -> Chi {
    let (mut counts, mut total) = (vec![0.0; 64 * 64], 0.0);
    for dealt in deals {
        let [first, second] = [one, other].map(|at| dealt[3 + at].first().unwrap().index());
        counts[first * 64 + second] += 1.0;
        total += 1.0;
    }
    let pack = new_pack();
    let cells = pack.iter().flat_map(|&first| pack.iter().map(move |&second| (first, second)));
    let cells = cells.filter(|(first, second)| first != second);
    Chi::pearson(cells.map(|(a, b)| (counts[a.index() * 64 + b.index()], total / 2652.0)), 2651.0)
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn two_places_of_the_row_hold_any_two_cards_equally_often() {
    for (one, other) in [(0, 1), (0, 12), (5, 7)] {
        two_places(colour_blind(3, 1, 100_000), one, other).assert_uniform("two places");
    }
    let sizes: Vec<usize> = [13; 3].into_iter().chain([1; 13]).collect();
    let seven = dealt_by(|rng| riffles(7, new_pack(), rng), &sizes, 100_000);
    two_places(seven.into_iter(), 0, 1).assert_rejected("seven riffles");
}

fn choose(n: u32, k: u32) -> f64 {
    (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// The suit lengths of thirteen cards in descending order, and how likely each pattern is.
fn patterns() -> Vec<([u32; 4], f64)> {
    let mut patterns = Vec::new();
    for a in 4..=13 {
        for b in 0..=a.min(13 - a) {
            for c in 0..=b.min(13 - a - b) {
                let lengths = [a, b, c, 13 - a - b - c];
                if lengths[3] > c {
                    continue;
                }
                // In how many ways the lengths fall to the suits: 24, less what equal lengths take away.
                let mut suits = 24.0;
                for length in 0..=13 {
                    suits /= [1.0, 1.0, 2.0, 6.0][lengths.iter().filter(|&&other| other == length).count()];
                }
                let hands: f64 = lengths.iter().map(|&length| choose(13, length)).product();
                patterns.push((lengths, suits * hands / choose(52, 13)));
            }
        }
    }
    patterns
}

/// The patterns of one hand of each deal, in turn, against their chances; those too rare for the approximation go
/// together. And the share of hands with a void.
fn pattern_chi(deals: impl Iterator<Item = Dealt>) -> (Chi, f64) {
    let patterns = patterns();
    let (mut counts, mut total, mut voids) = (vec![0.0; patterns.len()], 0.0, 0.0);
    for (number, dealt) in deals.enumerate() {
        let mut lengths = Suit::ALL.map(|suit| (dealt[number % 4] & CardSet::suit(suit)).len());
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        counts[patterns.iter().position(|(pattern, _)| *pattern == lengths).unwrap()] += 1.0;
        voids += f64::from(u8::from(lengths[3] == 0));
        total += 1.0;
    }
    let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
    for (&seen, (_, chance)) in counts.iter().zip(&patterns) {
        let cell = (seen, chance * total);
        if cell.1 < 10.0 { rare = (rare.0 + cell.0, rare.1 + cell.1) } else { cells.push(cell) }
    }
    cells.push(rare);
    let freedom = cells.len() as f64 - 1.0;
    (Chi::pearson(cells, freedom), voids / total)
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn suits_fall_as_combinatorics_says() {
    let patterns = patterns();
    assert_eq!(patterns.len(), 39);
    assert!((patterns.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
    let chance: f64 = patterns.iter().filter(|(lengths, _)| lengths[3] == 0).map(|(_, chance)| chance).sum();
    assert_eq!(format!("{:.4}%", 100.0 * chance), "5.1066%");
    for seed in 1..=3 {
        let (chi, voids) = pattern_chi(dumbo(seed, 300_000));
        chi.assert_uniform("suit patterns");
        println!("a void suit in {:.4}% of hands (exactly {:.4}%)", 100.0 * voids, 100.0 * chance);
        let deviation = (voids - chance) / (chance * (1.0 - chance) / 300_000.0).sqrt();
        assert!(deviation.abs() < 3.9, "voids are {deviation} standard errors off");
    }
    // A dealer who finds voids suspicious, and shuffles again at every tenth.
    let fussy = dumbo(1, 300_000).enumerate().filter(|(number, dealt)| {
        let void = Suit::ALL.iter().any(|&suit| dealt.iter().any(|&hand| hand.is_disjoint(CardSet::suit(suit))));
        !void || number % 10 != 0
    });
    pattern_chi(fussy.map(|(_, dealt)| dealt)).0.assert_rejected("a dealer who shuns voids");
}

/// How many cards a hand has in common with a hand of another deal, against the hypergeometric chances.
fn in_common(pairs: impl Iterator<Item = (CardSet, CardSet)>) -> Chi {
    let (mut counts, mut total) = ([0.0; 14], 0.0);
    for (one, other) in pairs {
        counts[(one & other).len() as usize] += 1.0;
        total += 1.0;
    }
    let chances = Hypergeometric::new(52, 13, 13).unwrap();
    let cell = |common: usize| (counts[common], total * chances.pmf(common as u64));
    // Eight and more are too rare to stand alone.
    let many = (8..14).map(cell).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    Chi::pearson((0..8).map(cell).chain([many]), 8.0)
}

/// The hands of two deals that are `lag` apart, no deal in two pairs; every hand meets every other in turn.
fn pairs_apart(deals: &[Dealt], lag: usize) -> impl Iterator<Item = (CardSet, CardSet)> {
    let starts = (0..deals.len() - lag).filter(move |start| (start / lag).is_multiple_of(2));
    starts.map(move |start| {
        let turn = start / lag / 2 + start % lag;
        (deals[start][turn % 4], deals[start + lag][turn / 4 % 4])
    })
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn one_deal_says_nothing_of_another() {
    for seed in 1..=2 {
        let deals: Vec<Dealt> = dumbo(seed, 140_000).collect();
        // The next deals, those a group of bots or a power of two later, and the next match's.
        for lag in [1, 2, 3, 4, 6, 12, 64, 256, 4096, 65_536] {
            in_common(pairs_apart(&deals, lag)).assert_uniform(&format!("{lag} deals later"));
        }
        let mut unique = deals.clone();
        unique.sort_by_key(|dealt| dealt.iter().map(|hand| hand.bits()).collect::<Vec<_>>());
        unique.dedup();
        assert_eq!(unique.len(), deals.len(), "a deal came twice");
    }
    // Three riffles of the pack as the last deal left it.
    let mut rng = SeedSource::new(1, "lazy", "52").stream(0, 0);
    let mut pack = riffles(20, new_pack(), &mut rng);
    let lazy: Vec<Dealt> = (0..20_000)
        .map(|_| {
            pack = riffles(3, std::mem::take(&mut pack), &mut rng);
            pack.chunks(13).map(|hand| hand.iter().copied().collect()).collect()
        })
        .collect();
    in_common(pairs_apart(&lazy, 1)).assert_rejected("three riffles between deals");
}

#[test]
#[ignore = "long: deals hundreds of thousands of times"]
fn one_seed_says_nothing_of_another() {
    let deals = |seed| dumbo(seed, 40_000);
    for (one, other) in [(1, 2), (1, 3), (0, 1 << 32), (7, 7 ^ (1 << 63))] {
        let pairs = deals(one).zip(deals(other)).enumerate();
        let hands = pairs.map(|(number, (one, other))| (one[number % 4], other[number / 4 % 4]));
        in_common(hands).assert_uniform(&format!("seeds {one} and {other}"));
    }
    let same = deals(1).zip(deals(1)).enumerate();
    let same = same.map(|(number, (one, other))| (one[number % 4], other[number / 4 % 4]));
    in_common(same).assert_rejected("the same seed twice");
}
