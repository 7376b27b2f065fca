//! A full arrangement of the cards.

use overtrick_cards::CardSet;
use overtrick_cards::table::{Move, Place, Table};

/// A full arrangement of the cards at all places, hidden or not, with the sealed call.
///
/// `search::worlds` draws arrangements that fit a view. [`View::imagine`](super::View::imagine) makes a deal
/// of an arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World {
    places: [CardSet; Place::COUNT],
    /// The sealed call of another seat, or [`Move::NONE`].
    sealed: Move,
}

impl World {
    /// Makes the arrangement with these cards by place.
    pub const fn new(places: [CardSet; Place::COUNT]) -> World {
        World { places, sealed: Move::NONE }
    }

    /// Returns the same arrangement with `call` as the sealed call of another seat.
    pub const fn with_sealed(self, call: Move) -> World {
        World { sealed: call, ..self }
    }

    /// Returns the arrangement of the cards on a table.
    pub fn of(table: &Table) -> World {
        World::new(Place::ALL.map(|place| table.at(place)))
    }

    /// Returns the cards at a place.
    #[inline(always)]
    pub const fn at(&self, place: Place) -> CardSet {
        self.places[place.index()]
    }

    /// Returns the cards by place.
    #[inline(always)]
    pub const fn places(&self) -> &[CardSet; Place::COUNT] {
        &self.places
    }

    /// Returns the sealed call of another seat, or [`Move::NONE`].
    pub const fn sealed(&self) -> Move {
        self.sealed
    }
}
