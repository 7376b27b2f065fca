//! Estimates where the cards lie that a seat has not seen.

use crate::cards::{Card, CardSet, Rank, Suit};
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
    let shown = |hand: usize, suit: Suit| u8::from(out[hand].contains(Card::new(Rank::Ace, suit))) << suit as u8;
    std::array::from_fn(|hand| Suit::ALL.into_iter().map(|suit| shown(hand, suit)).sum())
}

/// `base` to the power of a small whole number.
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

/// A value that rises with `want`: `low` at 0, `middle` at 0.5, `high` at 1.
#[inline(always)]
pub fn lean(low: f32, middle: f32, high: f32, want: f32) -> f32 {
    if want < 0.5 { low + (middle - low) * 2.0 * want } else { middle + (high - middle) * (2.0 * want - 1.0) }
}
