//! The two sides of a play.

use crate::table::Place;

/// The two sides of a play in which one side's gain is the other's loss and only the number of tricks counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// By hand: whether it belongs to the declarer's side. A hand that takes no part in tricks belongs to neither,
    /// whatever this says.
    pub declarers: [bool; Place::HANDS],
    /// Whether the declarer's side wants as few tricks as it can get, rather than as many.
    pub to_lose: bool,
}

impl Sides {
    /// Whether a hand belongs to the declarer's side.
    pub const fn is_declarers(&self, hand: Place) -> bool {
        self.declarers[hand.index() % Place::HANDS]
    }
}
