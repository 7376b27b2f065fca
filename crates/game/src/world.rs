//! A full arrangement of the cards.

use overtrick_cards::CardSet;
use overtrick_cards::table::{Move, Place, Table};

/// A full arrangement of the cards: what lies at each place, seen or not, and what was called in secret.
/// `search::worlds` draws those that fit a view, and [`View::imagine`](super::View::imagine) makes a deal of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World {
    places: [CardSet; Place::COUNT],
    /// The sealed call of another seat; [`Move::NONE`] if there is none.
    sealed: Move,
}

impl World {
    /// The arrangement with these cards by place.
    pub const fn new(places: [CardSet; Place::COUNT]) -> World {
        World { places, sealed: Move::NONE }
    }

    /// The same arrangement with `call` as the sealed call of another seat.
    pub const fn with_sealed(self, call: Move) -> World {
        World { sealed: call, ..self }
    }

    /// The arrangement of the cards on a table.
    pub fn of(table: &Table) -> World {
        World::new(Place::ALL.map(|place| table.at(place)))
    }

    /// The cards at a place.
    #[inline(always)]
    pub const fn at(&self, place: Place) -> CardSet {
        self.places[place.index()]
    }

    /// The cards by place.
    #[inline(always)]
    pub const fn places(&self) -> &[CardSet; Place::COUNT] {
        &self.places
    }

    /// The sealed call of another seat; [`Move::NONE`] if there is none.
    pub const fn sealed(&self) -> Move {
        self.sealed
    }
}
