//! The chance that two hands end level, by pair of hands and winner of a trick.
//!
//! Each hand is assumed to win every remaining trick with the same chance, so a pair's tricks are trinomial.
//! The hand behind by `short` tricks catches up by winning `short` tricks more than the other, which may win
//! any number.
//!
//! Let *x* be the chance of the hand behind, *y* of the other, and *z* of the two remaining hands. Then each
//! way to divide the remaining tricks has the chance *z*^left (*x*/*z*)^short (*xy*/*z*²)^k. All pairs and
//! winners are computed together, so that their instructions overlap.

use overtrick_cards::table::Place;
use wide::{f32x4, f32x8};

const HANDS: usize = Place::HANDS;
/// The maximum number of remaining tricks.
const MOST: usize = 12;
/// One more than the maximum number of tricks that each of two hands can win with `MOST` remaining.
const TERMS: usize = MOST / 2 + 1;
/// The number of pairs of hands: 0-1, 0-2, 1-2, 0-3, 1-3, 2-3.
const PAIRS: usize = 6;
/// The number of bits of a difference of tricks.
const BITS: usize = 4;

/// Values by winner of the trick: neither hand of a pair, the first, the second, unused.
type Cases = [f32; 4];

/// The constants for a pair, for one lead of its first hand before a trick.
struct PairTerms {
    /// All bits set where the first hand is behind after the trick.
    first: Cases,
    /// By bit of the trailing hand's shortfall after the trick: all bits set where it is set.
    short: [Cases; BITS],
    /// The number of ways to divide the remaining tricks so that the two end level.
    ///
    /// Indexed by the remaining tricks, then by the tricks that each of the two wins in addition to the
    /// shortfall.
    ways: [[Cases; TERMS]; MOST + 1],
}

/// By the lead of the first hand, from -`MOST` to `MOST`.
static PAIR_TERMS: [PairTerms; 2 * MOST + 1] = {
    const NONE: PairTerms = PairTerms { first: [0.0; 4], short: [[0.0; 4]; BITS], ways: [[[0.0; 4]; TERMS]; MOST + 1] };
    let mut leads = [NONE; 2 * MOST + 1];
    let mut number = 0;
    while number < 3 * leads.len() {
        let (case, lead) = (number % 3, &mut leads[number / 3]);
        let ahead = (number / 3) as i32 - MOST as i32 + [0, 1, -1][case];
        let short = ahead.unsigned_abs() as usize;
        lead.first[case] = all_bits(ahead < 0);
        let mut bit = 0;
        while bit < BITS {
            lead.short[bit][case] = all_bits(short >> bit & 1 == 1);
            bit += 1;
        }
        let mut term = 0;
        while term < TERMS * (MOST + 1) {
            let (left, both) = (term / TERMS, term % TERMS);
            if short + 2 * both <= left {
                let orders = factorial(both) * factorial(short + both) * factorial(left - short - 2 * both);
                lead.ways[left][both][case] = (factorial(left) / orders) as f32;
            }
            term += 1;
        }
        number += 1;
    }
    leads
};

const fn all_bits(set: bool) -> f32 {
    f32::from_bits(if set { u32::MAX } else { 0 })
}

const fn factorial(number: usize) -> u64 {
    if number == 0 { 1 } else { number as u64 * factorial(number - 1) }
}

/// The constants of a decision.
pub(super) struct Levels {
    /// The number of tricks after this one.
    left: usize,
    /// The leads by pair.
    leads: [&'static PairTerms; PAIRS],
    /// The number of bits of the largest possible shortfall.
    bits: usize,
}

impl Levels {
    /// Returns the levels for a decision with `left` tricks after this one and `won` before it.
    #[inline(always)]
    pub(super) fn new(left: u32, won: [u8; HANDS]) -> Levels {
        let [a, b, c, d] = won.map(i32::from);
        let leads = [a - b, a - c, b - c, a - d, b - d, c - d];
        let [a, b, c, d] = [a.max(b), c.max(d), a.min(b), c.min(d)];
        let most = (a.max(b) - c.min(d)) as u32 + 1;
        Levels {
            left: left as usize % (MOST + 1),
            leads: leads.map(|lead| &PAIR_TERMS[(lead + MOST as i32) as usize % PAIR_TERMS.len()]),
            bits: (u32::BITS - most.leading_zeros()) as usize,
        }
    }

    /// Returns the chances that two hands end level, and that other hands win all remaining tricks.
    ///
    /// The first are by pair, then by winner of this trick; the second by pair. `share` has each hand's
    /// chance to win each of the remaining tricks.
    #[inline(always)]
    pub(super) fn chances(&self, share: [f32; HANDS]) -> ([f32x4; PAIRS], [f32; 8]) {
        let [a, b, c, d] = share;
        let (x, y) = (f32x8::new([a, a, b, a, b, c, 0.0, 0.0]), f32x8::new([b, c, c, d, d, d, 0.0, 0.0]));
        // Kept above zero, because it is a divisor.
        let z = (f32x8::ONE - x - y).fast_max(f32x8::splat(0.02));
        let inverse = f32x8::ONE / z;
        let (x, y) = (x * inverse, y * inverse);
        let (mut others, mut square, mut rest) = (f32x8::ONE, z, self.left);
        while rest > 0 {
            if rest & 1 == 1 {
                others *= square;
            }
            square *= square;
            rest >>= 1;
        }
        let (ratios, others) = ((x * y).to_array(), others.to_array());
        let (x, y) = (x.to_array(), y.to_array());
        let (mut up, mut ratio, mut chance) = ([f32x4::ZERO; PAIRS], [f32x4::ZERO; PAIRS], [f32x4::ZERO; PAIRS]);
        for pair in 0..PAIRS {
            up[pair] = f32x4::from(self.leads[pair].first).bitselect(x[pair].into(), y[pair].into());
            ratio[pair] = ratios[pair].into();
        }
        for both in (0..=self.left / 2).rev() {
            for pair in 0..PAIRS {
                chance[pair] = chance[pair] * ratio[pair] + f32x4::from(self.leads[pair].ways[self.left][both]);
            }
        }
        for pair in 0..PAIRS {
            chance[pair] *= others[pair];
        }
        for bit in 0..self.bits.min(BITS) {
            for pair in 0..PAIRS {
                chance[pair] *= f32x4::from(self.leads[pair].short[bit]).bitselect(up[pair], f32x4::ONE);
                up[pair] *= up[pair];
            }
        }
        // From cases to winners.
        let mut cases = [[0.0; 4]; PAIRS];
        for pair in 0..PAIRS {
            cases[pair] = chance[pair].to_array();
        }
        let [ab, ac, bc, ad, bd, cd] = cases;
        let winners = [
            f32x4::new([ab[1], ab[2], ab[0], ab[0]]),
            f32x4::new([ac[1], ac[0], ac[2], ac[0]]),
            f32x4::new([bc[0], bc[1], bc[2], bc[0]]),
            f32x4::new([ad[1], ad[0], ad[0], ad[2]]),
            f32x4::new([bd[0], bd[1], bd[0], bd[2]]),
            f32x4::new([cd[0], cd[0], cd[1], cd[2]]),
        ];
        (winners, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the chance to end level, from all ways to divide the tricks.
    fn tried(left: u32, one: (u8, f32), other: (u8, f32)) -> f32 {
        if left == 0 {
            return f32::from(u8::from(one.0 == other.0));
        }
        let neither = 1.0 - one.1 - other.1;
        one.1 * tried(left - 1, (one.0 + 1, one.1), other)
            + other.1 * tried(left - 1, one, (other.0 + 1, other.1))
            + neither * tried(left - 1, one, other)
    }

    #[test]
    fn the_chance_to_end_level_counts_every_way() {
        let share = [0.3, 0.25, 0.1, 0.35];
        for (left, won) in [(1, [0; 4]), (3, [2, 2, 5, 0]), (4, [0, 3, 4, 1]), (7, [3, 1, 0, 1]), (9, [0, 0, 3, 0])] {
            let (chances, others) = Levels::new(left, won).chances(share);
            for (pair, (a, b)) in [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)].into_iter().enumerate() {
                for (winner, chance) in chances[pair].to_array().into_iter().enumerate() {
                    let won = |hand: usize| won[hand] + u8::from(hand == winner);
                    let difference = chance - tried(left, (won(a), share[a]), (won(b), share[b]));
                    assert!(difference.abs() < 1e-5, "{left} left, {a} against {b}, {winner} wins");
                }
                let none = (1.0 - share[a] - share[b]).powi(left as i32);
                assert!((others[pair] - none).abs() < 1e-5, "{left} left, neither {a} nor {b}");
            }
        }
    }
}
