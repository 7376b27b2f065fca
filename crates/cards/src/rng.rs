//! Streams of random numbers, and the function that seeds them.
//!
//! Every random choice of a run comes from a [`Stream`]. Its generator is rand_pcg's `Lcg64Xsh32` (PCG XSH-RR
//! 64/32, O'Neill 2014). [`SeedSource::stream`] seeds it from the master seed and a description of the
//! purpose of the numbers. Two streams never share numbers, so drawing more numbers from one stream does not
//! change another.
//!
//! # Seeding, version 1
//! A *purpose* is a text (`"cards"`, `"strategy"`...) and a *subject* is another (the deck or the variant).
//! `mix` is the finaliser of SplitMix64 (Steele, Lea & Flood 2014). `fnv` is the 64-bit FNV-1a hash of the
//! bytes `"overtrick 1\0" purpose "\0" subject`:
//!
//! ```text
//! key  = mix(master ^ fnv)              lane = mix(key + 0x9E3779B97F4A7C15 * (seat + 1))
//! high = mix(lane + 0xD1B54A32D192ED03 * (number + 1))
//! state = high                          stream = (rotate high by 32) ^ lane
//! ```
//! `number` is the number of the deal or match. `seat` is 0 where no seat is meant. A change to this text
//! changes every result, so it needs a new version number and an entry in the change log.
//!
//! # Secret cards
//! A bot that sees enough of a generator's numbers can compute the others. Where that would help a bot, cards
//! come from [`ChaCha`] (ChaCha8, Bernstein 2008). Without the key, its output reveals nothing about the
//! rest.

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Lcg64Xsh32;

use super::select::{Portable, Select};
use super::{Card, CardSet};

/// The version of the seeding function, which every summary contains.
pub const SEEDING_VERSION: u32 = 1;

/// The seeded source of all streams for one purpose and one subject.
#[derive(Clone, Copy, Debug)]
pub struct SeedSource {
    /// By seat, the word `lane` of the seeding text above.
    lanes: [u64; 4],
}

impl SeedSource {
    /// Makes the source for `purpose` (the kind of choice) and `subject` (the deck or variant).
    pub fn new(master: u64, purpose: &str, subject: &str) -> SeedSource {
        let name = [b"overtrick 1\0", purpose.as_bytes(), b"\0", subject.as_bytes()].concat();
        let fnv = name.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let key = mix(master ^ fnv);
        let lane = |seat: u64| mix(key.wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(seat + 1)));
        SeedSource { lanes: [0, 1, 2, 3].map(lane) }
    }

    /// Returns the stream of the deal or match `number` and of `seat` (0 where no seat is meant).
    #[inline]
    pub fn stream(&self, number: u64, seat: usize) -> Stream {
        let lane = self.lanes[seat];
        let high = mix(lane.wrapping_add(0xD1B5_4A32_D192_ED03u64.wrapping_mul(number.wrapping_add(1))));
        Stream(Pcg(Lcg64Xsh32::new(high, high.rotate_left(32) ^ lane)))
    }
}

/// A generator of the random words of a stream.
///
/// [`Pcg`] is fast. The words of [`ChaCha`] reveal nothing about each other.
pub trait Generator {
    /// Returns the next 32 random bits.
    fn next_u32(&mut self) -> u32;

    /// Returns the next 64 random bits.
    fn next_u64(&mut self) -> u64;
}

impl<R: Generator + ?Sized> Generator for &mut R {
    fn next_u32(&mut self) -> u32 {
        R::next_u32(self)
    }

    fn next_u64(&mut self) -> u64 {
        R::next_u64(self)
    }
}

/// PCG XSH-RR 64/32, the default generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg(Lcg64Xsh32);

impl Generator for Pcg {
    #[inline(always)]
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// ChaCha8, the generator for secret cards.
#[derive(Debug)]
pub struct ChaCha(ChaCha8Rng);

impl Generator for ChaCha {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

impl Stream<ChaCha> {
    /// Returns stream `number` of a key.
    pub fn keyed(key: [u8; 32], number: u64) -> Stream<ChaCha> {
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        Stream(ChaCha(generator))
    }
}

/// Applies SplitMix64's finaliser: a bijection of 64-bit words that spreads each input bit over all output
/// bits.
#[inline(always)]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The number of bounded draws that are taken from one 64-bit word.
///
/// The product of eight bounds of at most 64 leaves a chance below 2^-16 that the word must be drawn again.
pub(super) const DRAWS_A_WORD: usize = 8;

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream<R = Pcg>(R);

impl<R: Generator> Stream<R> {
    /// Borrows the stream as a stream whose generator has no static type.
    pub fn untyped(&mut self) -> Stream<&mut dyn Generator> {
        Stream(&mut self.0)
    }

    /// Returns the next 64 random bits. [`Pcg`] makes them from two draws, the lower half first.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `bound`, with all numbers equally likely (Lemire 2019).
    ///
    /// The distribution is exact, because words of the uneven remainder are drawn again. `bound` must be
    /// above 0.
    ///
    /// # Panics
    /// If `bound` is 2^32 or more. Use [`Stream::random_below_wide`] for such bounds.
    #[inline(always)]
    pub fn random_below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0, "a draw needs at least one outcome");
        let mut product = u64::from(self.0.next_u32()) * bound;
        if u64::from(product as u32) < bound {
            product = self.redraw(product, bound);
        }
        product >> 32
    }

    #[cold]
    fn redraw(&mut self, mut product: u64, bound: u64) -> u64 {
        // Every bound that is too large gets here, and would loop for ever.
        assert!(bound < 1 << 32, "{bound} is too large for a draw of 32 bits");
        let uneven = (1 << 32) % bound;
        while u64::from(product as u32) < uneven {
            product = u64::from(self.0.next_u32()) * bound;
        }
        product
    }

    /// Returns a number below `bound`, with all numbers equally likely. `bound` may be above 2^64.
    ///
    /// Draws numbers with the bit length of `bound - 1` until one is below `bound`.
    pub fn random_below_wide(&mut self, bound: u128) -> u128 {
        if let Ok(bound) = u32::try_from(bound) {
            return self.random_below(bound.into()).into();
        }
        let spare = (bound - 1).leading_zeros();
        loop {
            let high = if spare < 64 { self.next_u64() } else { 0 };
            let number = (u128::from(high) << 64 | u128::from(self.next_u64())) & (u128::MAX >> spare);
            if number < bound {
                return number;
            }
        }
    }

    /// Returns a card of `cards`, with all cards equally likely.
    ///
    /// # Panics
    /// If `cards` is empty.
    #[inline]
    pub fn card(&mut self, cards: CardSet) -> Card {
        let k = self.random_below(u64::from(cards.len()));
        Card::from_index(Portable.kth_bit(cards.bits(), k).trailing_zeros() as u8)
    }

    /// Folds `count` draws from one word into `start` (Brackett-Rozinsky & Lemire 2024).
    ///
    /// The first draw is below `bound`, the second below `bound - 1`, and so on. All outcomes are equally
    /// likely.
    #[inline(always)]
    pub(super) fn fold_falling<T: Copy>(
        &mut self,
        bound: u64,
        count: usize,
        start: T,
        fold: impl Fn(T, u64) -> T,
    ) -> T {
        debug_assert!(count <= DRAWS_A_WORD && count as u64 <= bound && bound <= 64);
        loop {
            let (mut rest, mut product, mut value) = (self.next_u64(), 1, start);
            for sides in (0..count as u64).map(|step| bound - step) {
                let wide = u128::from(rest) * u128::from(sides);
                value = fold(value, (wide >> 64) as u64);
                rest = wide as u64;
                product *= sides;
            }
            // Only words below the product can belong to the uneven remainder.
            if rest >= product || rest >= product.wrapping_neg() % product {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns Pearson's statistic of `counts` against equal chances.
    fn chi_squared(counts: &[u64]) -> f64 {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum()
    }

    #[test]
    fn bounded_draws_are_even() {
        let mut stream = SeedSource::new(7, "test", "below").stream(0, 0);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[stream.random_below(7) as usize] += 1;
        }
        // 6 degrees of freedom: 22.46 is exceeded once in a thousand seeds.
        assert!(chi_squared(&counts) < 22.46, "{counts:?}");
    }

    #[test]
    #[should_panic(expected = "too large")]
    fn a_bound_beyond_32_bits_is_refused() {
        SeedSource::new(7, "test", "bound").stream(0, 0).random_below(1 << 32);
    }

    #[test]
    fn wide_draws_are_even() {
        let mut stream = SeedSource::new(7, "test", "wide").stream(0, 0);
        // Bounds that take one word and bounds that take two: five equal parts, each split into even and odd
        // numbers.
        for part in [2, 1 << 30, 1 << 62, 1 << 70, 1 << 125] {
            let mut counts = [0; 10];
            for _ in 0..50_000 {
                let number = stream.random_below_wide(5 * part);
                counts[(number / part * 2 + number % 2) as usize] += 1;
            }
            // 9 degrees of freedom: 27.88 is exceeded once in a thousand seeds.
            assert!(chi_squared(&counts) < 27.88, "{part}: {counts:?}");
        }
    }

    #[test]
    fn falling_draws_reach_every_outcome_evenly() {
        let mut stream = SeedSource::new(7, "test", "falling").stream(0, 0);
        let mut counts = [0; 60];
        for _ in 0..60_000 {
            // One number below 60, from draws below 5, 4 and 3.
            let (outcome, _) =
                stream.fold_falling(5, 3, (0, 5), |(code, sides), draw| (code * sides + draw, sides - 1));
            counts[outcome as usize] += 1;
        }
        // 59 degrees of freedom: 98.3 is exceeded once in a thousand seeds.
        assert!(chi_squared(&counts) < 98.3, "{counts:?}");
    }

    #[test]
    fn streams_differ_by_every_ingredient_of_the_seed() {
        let first = |master, purpose, subject, number, seat| {
            SeedSource::new(master, purpose, subject).stream(number, seat).next_u64()
        };
        let words = [
            first(1, "cards", "52", 0, 0),
            first(2, "cards", "52", 0, 0),
            first(1, "strategy", "52", 0, 0),
            first(1, "cards", "40", 0, 0),
            first(1, "cards", "52", 1, 0),
            first(1, "cards", "52", 0, 1),
        ];
        for (i, a) in words.iter().enumerate() {
            assert!(words[..i].iter().all(|b| b != a), "{words:x?}");
        }
    }

    /// The words of ChaCha8 with a key of zeros, from the test vectors of Strombergson (2013), TC1 with 8
    /// rounds.
    #[test]
    fn keyed_streams_are_those_of_chacha8() {
        let mut stream = Stream::keyed([0; 32], 0);
        let bytes: Vec<u8> = (0..2).flat_map(|_| stream.next_u64().to_le_bytes()).collect();
        assert_eq!(
            bytes,
            [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1]
        );
        assert_ne!(Stream::keyed([0; 32], 1).next_u64(), Stream::keyed([0; 32], 0).next_u64());
        assert_ne!(Stream::keyed([1; 32], 0).next_u64(), Stream::keyed([0; 32], 0).next_u64());
    }

    /// Version 1 must not change: all earlier results depend on these words.
    #[test]
    fn seeding_version_1_is_pinned() {
        let mut stream = SeedSource::new(2026, "cards", "52").stream(19, 0);
        let words = [stream.next_u64(), stream.next_u64()];
        // Computed outside this program, from the text above.
        assert_eq!(words, [3066145424339512496, 7584027653349186251]);
    }
}
