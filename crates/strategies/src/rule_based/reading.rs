//! Estimates the places of the cards that a seat has not seen.

use std::ops::{Add, Mul, MulAssign, Sub};

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet, Rank, Suit};
use overtrick_game::{Infer, View};
use wide::f32x4;

/// The cards not seen, and the chance of each hand to hold each of them.
pub struct Reading {
    /// The cards that the seat has not seen.
    pub unseen: CardSet,
    /// By hand, then suit: the chance that the hand holds an unseen card of the suit.
    ///
    /// It is zero for open hands and for hands that have shown out of the suit.
    pub share: [[f32; 4]; Place::HANDS],
}

/// Four bits as numbers, the lowest first.
pub const BITS: [[f32; 4]; 16] = {
    let mut all = [[0.0; 4]; 16];
    let mut bit = 0;
    while bit < 64 {
        all[bit / 4][bit % 4] = ((bit / 4) >> (bit % 4) & 1) as f32;
        bit += 1;
    }
    all
};

impl Reading {
    /// Returns the reading of `view`. `aside` lists the places that may hide cards and are not hands.
    #[inline(always)]
    pub fn new<G: Infer>(view: &View<'_, G>, aside: &[Place]) -> Reading {
        Reading::with(view, aside, suits_out(view))
    }

    /// Returns the same for a game with printed suits in which hands must follow suit.
    #[inline(always)]
    pub fn of_plain<G: Infer>(view: &View<'_, G>, aside: &[Place]) -> Reading {
        Reading::with(view, aside, plain_suits_out(view))
    }

    #[inline(always)]
    fn with<G: Infer>(view: &View<'_, G>, aside: &[Place], out: [u8; Place::HANDS]) -> Reading {
        let hidden = |place: Place| view.count(place) as f32 - view.cards(place).len() as f32;
        let mut room = f32x4::ZERO;
        for &place in aside {
            room += hidden(place);
        }
        // By hand, then suit: the number of unseen cards that it can hold.
        let mut may = [f32x4::ZERO; Place::HANDS];
        for hand in 0..Place::HANDS {
            may[hand] = f32x4::from(BITS[usize::from(!out[hand] % 16)]) * hidden(Place::ALL[hand]);
            room += may[hand];
        }
        // Avoids a division by zero if there is no room at all.
        room = room.fast_max(f32x4::ONE);
        let mut share = [[0.0; 4]; Place::HANDS];
        for hand in 0..Place::HANDS {
            share[hand] = (may[hand] / room).to_array();
        }
        Reading { unseen: view.unseen(), share }
    }
}

/// Returns, by hand, the suits of which it has shown out, one bit each.
#[inline]
pub fn suits_out<G: Infer>(view: &View<'_, G>) -> [u8; Place::HANDS] {
    let out = view.shown_out();
    // Under every order an ace follows its printed suit, so it represents the suit.
    std::array::from_fn(|hand| out[hand].suits_with(Card::new(Rank::Ace, Suit::Clubs)) as u8)
}

/// Returns the same for a game with printed suits in which hands must follow suit.
#[inline(always)]
pub fn plain_suits_out<G: Infer>(view: &View<'_, G>) -> [u8; Place::HANDS] {
    // The bit offset of a hand that does not play.
    const NOWHERE: usize = 56;
    let (hands, plays) = (view.hands_in_trick(), view.plays());
    // By hand: its bit offset in a word with one byte per hand, in playing order.
    let (mut start, mut hand) = ([NOWHERE; Place::HANDS], Place::Hand0);
    for position in 0..hands {
        start[hand.index() % Place::HANDS] = 8 * position;
        hand = view.after(hand);
    }
    // One bit for each card of a trick.
    let ones = 0x0101_0101 >> (8 * (Place::HANDS - hands));
    let (mut all, mut number) = (0, 0);
    while number * hands < plays.len() {
        let rest = &plays[number * hands..];
        // In an unfinished trick, the card led stands for the missing cards.
        let trick = match rest.first_chunk() {
            Some(cards) => *cards,
            None => std::array::from_fn(|place| *rest.get(place).unwrap_or(&rest[0])),
        };
        let suits = u64::from(u32::from_le_bytes(trick.map(|card: Card| card.index() as u8))) >> 4;
        let led = suits & 3;
        let others = suits ^ (led * 0x0101_0101);
        let out = ((others | others >> 1) & ones) << led;
        // Rotated so that the first hand comes first.
        let before = start[view.leader(number).index() % Place::HANDS];
        all |= out << before | out >> (8 * hands - before);
        number += 1;
    }
    std::array::from_fn(|hand| (all >> start[hand]) as u8 & 15)
}

/// Returns `base` to the power of a small integer, which varies little between decisions; see [`Powers`].
#[inline(always)]
pub fn power<T: Copy + From<f32> + MulAssign>(base: T, exponent: u32) -> T {
    let (mut power, mut square, mut rest) = (T::from(1.0), base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            power *= square;
        }
        square *= square;
        rest >>= 1;
    }
    power
}

/// The powers of a number, from 0 to 15; no suit has more cards.
///
/// All are computed at once, and a power is looked up. This is for exponents that depend on the cards, for
/// which the branches of [`power`] would mispredict. The results are identical to the last bit.
// They fill a cache line. Stores that cross the border of two, or even of two pages, take several times as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Powers([f32; 16]);

impl Powers {
    /// Returns the powers of `base`.
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

    /// Returns the power with this exponent.
    #[inline(always)]
    pub fn at(&self, exponent: u32) -> f32 {
        self.0[exponent as usize]
    }
}

/// The [`Powers`] of four numbers, one for each suit, computed together.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct SuitPowers([[f32; 4]; 16]);

impl SuitPowers {
    /// The powers of zeros.
    pub const NONE: SuitPowers = SuitPowers([[0.0; 4]; 16]);

    /// Returns the chances that a hand holds none of some cards of a suit.
    ///
    /// `share` has, by suit, the chance to hold each of the cards.
    #[inline(always)]
    pub fn misses(share: [f32; 4]) -> SuitPowers {
        let mut powers = [f32x4::ONE; 16];
        let (mut square, mut known) = (f32x4::ONE - f32x4::from(share), 1);
        while known < powers.len() {
            for lower in 0..known {
                powers[known + lower] = powers[lower] * square;
            }
            square *= square;
            known *= 2;
        }
        let mut suits = [[0.0; 4]; 16];
        for (suits, powers) in suits.iter_mut().zip(powers) {
            *suits = powers.to_array();
        }
        SuitPowers(suits)
    }

    /// Returns the power with this exponent for a suit.
    #[inline(always)]
    pub fn at(&self, suit: usize, exponent: u32) -> f32 {
        self.0[exponent as usize % 16][suit % 4]
    }
}

/// Returns a value that rises with `want`: `low` at 0, `middle` at 0.5, `high` at 1.
#[inline(always)]
pub fn lean<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>>(
    low: T,
    middle: T,
    high: T,
    want: f32,
) -> T {
    // The branch would be unpredictable, so only numbers depend on it.
    let (from, to, part) = if want < 0.5 { (low, middle, 2.0 * want) } else { (middle, high, 2.0 * want - 1.0) };
    from + (to - from) * part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rule_based::testing::watch;
    use overtrick_game::{FullGame, Game};
    use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules};
    use overtrick_games::dumbo::{Dumbo, DumboRules};
    use overtrick_games::whist::{DummyWhist, Form, WhistRules};

    #[test]
    fn in_plain_games_suits_out_are_found_faster() {
        fn check<G: FullGame>(game: &G) {
            let mut times = 0;
            watch(game, 20, &mut Random, |view, _, _| {
                assert_eq!(plain_suits_out(view), suits_out(view));
                times += usize::from(suits_out(view) != [0; Place::HANDS]);
            });
            assert!(times > 20, "{times}");
        }
        check(&Dumbo::new(DumboRules::default()).unwrap());
        for form in [Form::DummyWhist, Form::DoubleDummy, Form::Humbug] {
            check(&DummyWhist::new(WhistRules { form, ..WhistRules::default() }).unwrap());
        }
        for preset in ColourBlind::PRESETS {
            let rules: ColourBlindRules = toml::from_str(preset.rules).unwrap();
            check(&ColourBlind::new(rules).unwrap());
        }
    }

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
