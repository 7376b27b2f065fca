//! The cards of the hands in a game of a file, as a seat sees them.

use overtrick_cards::CardSet;
use overtrick_cards::table::Place;
use overtrick_game::{Infer, View};
use overtrick_language::DeclaredGame;

use super::strength::{SUITS, Strengths};
use crate::rule_based::reading::power;

/// The cards that a seat sees in the hands, and the chances of the others.
pub struct HandsInView {
    /// The cards that the seat does not see.
    pub unseen: CardSet,
    /// By hand: the unseen cards that it may hold, as far as plays with duties beyond following suit show.
    may: [CardSet; Place::HANDS],
    /// By hand: the cards that the seat sees there.
    pub seen: [CardSet; Place::HANDS],
    /// By hand, then suit: the chance that an unseen card of the suit lies there.
    pub share: [[f32; SUITS]; Place::HANDS],
}

impl HandsInView {
    /// Returns the hands of a view. `hands` is the number of hands that play.
    #[inline(always)]
    pub fn new(view: &View<'_, DeclaredGame>, strengths: &Strengths, hands: usize) -> HandsInView {
        let unseen = view.unseen();
        let out = view.shown_out();
        let mut may = [unseen; Place::HANDS];
        if view.game().special_duties().is_some() {
            for (may, place) in may.iter_mut().zip(Place::ALL).take(hands) {
                *may &= view.game().may_lie(view, place);
            }
        }
        let mut seen = [CardSet::EMPTY; Place::HANDS];
        let mut aside = unseen.len() as f32;
        let mut room = [[0.0; SUITS]; Place::HANDS];
        let mut rooms = [0.0; SUITS];
        for hand in 0..hands {
            let place = Place::ALL[hand];
            seen[hand] = view.cards(place);
            let hidden = view.count(place) as f32 - seen[hand].len() as f32;
            aside -= hidden;
            for suit in 0..SUITS {
                let cards = strengths.cards(suit);
                let is_out =
                    !cards.is_disjoint(out[place.index()]) || may[hand] != unseen && cards.is_disjoint(may[hand]);
                room[hand][suit] = if is_out { 0.0 } else { hidden };
                rooms[suit] += room[hand][suit];
            }
        }
        let mut share = [[0.0; SUITS]; Place::HANDS];
        for hand in 0..hands {
            for suit in 0..SUITS {
                let all: f32 = rooms[suit] + aside;
                share[hand][suit] = room[hand][suit] / if all > 1.0 { all } else { 1.0 };
            }
        }
        HandsInView { unseen, may, seen, share }
    }

    /// Returns the cards that may be held against a hand: unseen ones, and those seen in other hands.
    #[inline(always)]
    pub fn against(&self, hand: usize) -> CardSet {
        let mut cards = self.unseen;
        for (number, seen) in self.seen.iter().enumerate() {
            if number != hand {
                cards |= *seen;
            }
        }
        cards
    }

    /// Returns the chance that a hand holds none of some cards of a suit.
    #[inline(always)]
    pub fn misses(&self, hand: usize, suit: usize, cards: CardSet) -> f32 {
        if !self.seen[hand].is_disjoint(cards) {
            return 0.0;
        }
        power(1.0 - self.share[hand][suit % SUITS], (cards & self.may[hand]).len())
    }
}
