//! A full arrangement of the cards.

use crate::cards::CardSet;
use crate::table::{Place, Table};

/// A full arrangement of the cards: what lies at each place, seen or not. `search::worlds` draws those that fit a view, and
/// [`View::imagine`](super::View::imagine) makes a deal of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World([CardSet; Place::COUNT]);

impl World {
    /// The arrangement with these cards by place.
    pub const fn new(places: [CardSet; Place::COUNT]) -> World {
        World(places)
    }

    /// How the cards lie on a table.
    pub fn of(table: &Table) -> World {
        World(Place::ALL.map(|place| table.at(place)))
    }

    /// The cards at a place.
    #[inline(always)]
    pub const fn at(&self, place: Place) -> CardSet {
        self.0[place.index()]
    }

    /// The cards by place.
    #[inline(always)]
    pub const fn places(&self) -> &[CardSet; Place::COUNT] {
        &self.0
    }
}
