//! The two sides of a play.

use overtrick_cards::table::{BySeat, Place, Table};

/// The two sides of a play in which only the number of tricks counts.
///
/// One side's gain is the other's loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// By hand, whether it belongs to the declarer's side. The values of hands that take no part in tricks
    /// have no meaning.
    pub declarers: [bool; Place::HANDS],
    /// Whether the declarer's side wants as few tricks as possible, rather than as many.
    pub to_lose: bool,
}

impl Sides {
    /// Returns whether a hand belongs to the declarer's side.
    pub const fn is_declarers(&self, hand: Place) -> bool {
        self.declarers[hand.index() % Place::HANDS]
    }

    /// Returns, by seat, whether it plays for the declarer's side, with its own hand or another.
    pub fn by_seat(&self, table: &Table) -> BySeat<bool> {
        let mut declarers = BySeat::default();
        for hand in table.circle().filter(|&hand| self.is_declarers(hand)) {
            declarers[table.decider(hand)] = true;
        }
        declarers
    }
}
