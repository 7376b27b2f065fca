//! The cards that a seat sees, and the hidden cards, which can be replaced.

use super::{Move, Place, Seat, Table};
use crate::{Card, CardSet};

/// A place as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPlace {
    /// The cards that the seat sees.
    pub cards: CardSet,
    /// The number of cards, seen or not.
    pub count: u8,
}

impl Table {
    /// Returns the cards at a place that `seat` sees.
    ///
    /// These are all cards if the seat may look there, otherwise the cards that lie face up.
    #[inline]
    pub fn seen_at(&self, place: Place, seat: Seat) -> CardSet {
        let cards = self.places[place.index()];
        if self.sees[seat] >> place.index() & 1 == 1 { cards } else { cards & self.open }
    }

    /// Returns the places as `seat` sees them.
    pub fn seen(&self, seat: Seat) -> [SeenPlace; Place::COUNT] {
        Place::ALL.map(|place| SeenPlace { cards: self.seen_at(place, seat), count: self.at(place).len() as u8 })
    }

    /// Returns, by place, the cards that `seat` cannot see.
    fn hidden_from(&self, seat: Seat) -> [CardSet; Place::COUNT] {
        Place::ALL.map(|place| self.at(place) - self.seen_at(place, seat))
    }

    /// Lays the cards as in `places`.
    ///
    /// Only cards that `seat` cannot see may move, and each place must keep its number of cards. Recorded
    /// discards that the seat cannot know become cards that now lie in the same place, so that the record
    /// stays consistent.
    pub fn rearrange(&mut self, seat: Seat, places: &[CardSet; Place::COUNT]) {
        let before = self.hidden_from(seat);
        let mut after: [CardSet; Place::COUNT] =
            std::array::from_fn(|place| places[place] - (self.places[place] - before[place]));
        debug_assert_eq!(before.map(CardSet::len), after.map(CardSet::len));
        for (caller, call) in &mut self.calls[..usize::from(self.called)] {
            if *caller != seat
                && let Some(card) = call.as_card()
                && let Some(place) = before.iter().position(|cards| cards.contains(card))
                && let Some(new) = after[place].first()
            {
                *call = Move::card(new);
                after[place] -= CardSet::of(new);
            }
        }
        self.places = *places;
    }

    /// Replaces every sealed call of the other seats by `call`.
    pub fn reseal(&mut self, seat: Seat, call: Move) {
        let first = usize::from(self.sealed).min(usize::from(self.called));
        for sealed in self.calls[first..usize::from(self.called)].iter_mut().filter(|(caller, _)| *caller != seat) {
            sealed.1 = call;
        }
    }

    /// Redistributes the cards that `seat` cannot see among the places where they lie.
    ///
    /// Each place keeps its number of cards. `shuffle` orders the cards.
    pub fn redeal_hidden(&mut self, seat: Seat, shuffle: impl FnOnce(&mut Vec<Card>)) {
        let hidden = self.hidden_from(seat);
        let mut cards: Vec<Card> = hidden.iter().flat_map(|cards| cards.iter()).collect();
        shuffle(&mut cards);
        let mut cards = cards.into_iter();
        let places = std::array::from_fn(|place| {
            let gone = hidden[place];
            let new: CardSet = cards.by_ref().take(gone.len() as usize).collect();
            (self.places[place] - gone) | new
        });
        self.rearrange(seat, &places);
    }
}
