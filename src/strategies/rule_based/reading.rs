//! Reading the table: where the cards that a seat has not seen may lie.

use crate::cards::{Card, CardSet};
use crate::game::{Game, View};
use crate::table::Place;

/// The cards not seen, and by hand how likely it holds any one of them.
pub struct Reading {
    /// The cards that the seat has not seen.
    pub unseen: CardSet,
    /// By hand, then suit: the chance that an unseen card of the suit lies in the hand. Zero for hands that lie open and for
    /// hands that have shown out of the suit.
    pub share: [[f32; 4]; Place::HANDS],
}

/// The thirteen cards of suit number `suit`.
#[inline(always)]
pub fn lane(suit: usize) -> CardSet {
    CardSet::from_bits(0x1FFF << (16 * suit))
}

/// The number of the suit that is printed on a card.
#[inline(always)]
pub fn printed(card: Card) -> usize {
    card.index() >> 4
}

impl Reading {
    /// What `view` tells of the hidden cards. Places that may hide cards beside hands are `aside`; `suit_of` gives the number of the
    /// suit that a card follows.
    pub fn new<G: Game>(view: &View<'_, G>, aside: &[Place], suit_of: impl Fn(Card) -> usize) -> Reading {
        let out = shown_out(view, suit_of);
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

/// By hand: the suits that it has failed to follow, a bit each.
fn shown_out<G: Game>(view: &View<'_, G>, suit_of: impl Fn(Card) -> usize) -> [u8; Place::HANDS] {
    let mut out = [0; Place::HANDS];
    for (number, trick) in view.plays().chunks(view.hands_in_trick()).enumerate() {
        let suit = suit_of(trick[0]);
        let mut hand = view.leader(number);
        for card in &trick[1..] {
            hand = view.after(hand);
            out[hand.index() & 3] |= u8::from(suit_of(*card) != suit) << suit;
        }
    }
    out
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

/// Between `low` (want 0) over `middle` (0.5) to `high` (want 1).
#[inline(always)]
pub fn lean(low: f32, middle: f32, high: f32, want: f32) -> f32 {
    if want < 0.5 { low + (middle - low) * 2.0 * want } else { middle + (high - middle) * (2.0 * want - 1.0) }
}
