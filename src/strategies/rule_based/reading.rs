//! Estimates where the cards lie that a seat has not seen.

use crate::cards::{CardSet, Rank};
use crate::game::{Infer, View};
use crate::table::Place;

/// The cards not seen, and by hand the chance that it holds each of them.
pub struct Reading {
    /// The cards that the seat has not seen.
    pub unseen: CardSet,
    /// By hand, then suit: the chance that an unseen card of the suit lies in the hand. Zero for hands that lie open
    /// and for hands that have shown out of the suit.
    pub share: [[f32; 4]; Place::HANDS],
}

impl Reading {
    /// What `view` shows about the hidden cards. `aside` lists the places that may hide cards and are not hands.
    #[inline(always)]
    pub fn new<G: Infer>(view: &View<'_, G>, aside: &[Place]) -> Reading {
        let out = suits_out(view);
        let hidden = |place: Place| view.count(place) as f32 - view.cards(place).len() as f32;
        let aside: f32 = aside.iter().map(|&place| hidden(place)).sum();
        let hidden: [f32; Place::HANDS] = std::array::from_fn(|hand| hidden(Place::ALL[hand]));
        let mut share = [[0.0; 4]; Place::HANDS];
        for suit in 0..4 {
            let may = |hand: usize| if out[hand] >> suit & 1 == 0 { hidden[hand] } else { 0.0 };
            let room: f32 = aside + may(0) + may(1) + may(2) + may(3);
            if room > 0.0 {
                for (hand, share) in share.iter_mut().enumerate() {
                    share[suit] = may(hand) / room;
                }
            }
        }
        Reading { unseen: view.unseen(), share }
    }
}

/// By hand: the suits that it has shown out of, a bit each.
#[inline]
pub fn suits_out<G: Infer>(view: &View<'_, G>) -> [u8; Place::HANDS] {
    let out = view.shown_out();
    // Under every order an ace follows the suit that is printed on it, so it stands for its suit.
    std::array::from_fn(|hand| out[hand].suits_of(Rank::Ace))
}

/// `base` to the power of a small whole number that is the same, or nearly, in decisions alike; see [`Powers`].
#[inline(always)]
pub fn power(base: f32, exponent: u32) -> f32 {
    let (mut power, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            power *= square;
        }
        square *= square;
        rest >>= 1;
    }
    power
}

/// The powers of a number, from 0 to 15: no suit has more cards than that.
///
/// All are computed at once and one is looked up. That is for exponents that depend on the cards, with which the
/// branches of [`power`] would mispredict; the results are the same to the last bit.
pub struct Powers([f32; 16]);

impl Powers {
    /// The powers of `base`.
    #[inline(always)]
    pub const fn of(base: f32) -> Powers {
        let mut powers = [1.0; 16];
        let (mut square, mut known) = (base, 1);
        while known < powers.len() {
            let mut lower = 0;
            while lower < known {
                powers[known + lower] = powers[lower] * square;
                lower += 1;
            }
            square *= square;
            known *= 2;
        }
        Powers(powers)
    }

    /// The power with this exponent.
    #[inline(always)]
    pub fn at(&self, exponent: u32) -> f32 {
        self.0[exponent as usize]
    }
}

/// A value that rises with `want`: `low` at 0, `middle` at 0.5, `high` at 1.
#[inline(always)]
pub fn lean(low: f32, middle: f32, high: f32, want: f32) -> f32 {
    if want < 0.5 { low + (middle - low) * 2.0 * want } else { middle + (high - middle) * (2.0 * want - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_the_same_computed_or_looked_up() {
        for base in [0.0, 0.1, 1.0 / 3.0, 0.7, 0.999, 1.0, 1.3] {
            let powers = Powers::of(base);
            for exponent in 0..16 {
                assert_eq!(powers.at(exponent).to_bits(), power(base, exponent).to_bits(), "{base} ^ {exponent}");
            }
        }
        assert_eq!((power(0.5, 3), Powers::of(0.5).at(15)), (0.125, 1.0 / 32768.0));
    }
}
