//! The unit that is played at a point, and the number of units.
//!
//! The unit is a single deal or a whole match.

use overtrick_games::Variant;
use overtrick_tournament::Unit;

/// The approximate number of deals in a match, if a number of deals is played as matches.
const DEALS_OF_MATCH: u64 = 10;

/// The unit and the number of units that are played at a point.
pub struct PointExtent {
    pub unit: Unit,
    /// The number of deals or matches.
    pub numbers: u64,
    /// Whether matches are played because an axis is about them.
    pub is_chosen: bool,
}

impl PointExtent {
    /// Returns the extent of a sweep whose config asks for deals, but whose axes are about matches.
    ///
    /// The deals are played in matches, about a tenth of their number.
    pub fn in_matches(deals: u64) -> PointExtent {
        PointExtent { unit: Unit::Match, numbers: deals.div_ceil(DEALS_OF_MATCH), is_chosen: true }
    }
}

/// Returns whether two variants of an axis end matches differently.
pub fn are_about_matches(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| variant.game.ending() != variants[0].game.ending())
}
