//! The unit that is played at a point, and the number of units.
//!
//! The unit is a single deal or a whole match.

use overtrick_games::Variant;
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::Unit;

/// The largest number of deals or matches of a point.
const MOST: i64 = 1 << 40;
/// The approximate number of deals in a match, if a number of deals is played as matches.
const DEALS_OF_MATCH: u64 = 10;

/// The keys of a config that decide how much is played.
pub struct AskedExtent {
    pub unit: Option<Unit>,
    pub deals: Option<i64>,
    pub matches: Option<i64>,
}

/// The unit and the number of units that are played at a point.
pub struct PointExtent {
    pub unit: Unit,
    /// The number of deals or matches.
    pub numbers: u64,
    /// Whether matches are played because an axis is about them.
    pub is_chosen: bool,
}

/// Returns the unit and the number to play, from the keys at `at`.
///
/// Without `unit`, the key that has the number decides. If an axis is about matches, the deals are played in
/// matches, about a tenth of their number.
pub fn extent(
    source: &Source,
    at: &[String],
    asked: &AskedExtent,
    is_about_matches: bool,
) -> Result<PointExtent, InputError> {
    let error = |name: &str, problem: String| source.error(&[at, &key(name)].concat(), problem);
    let is_chosen = asked.unit.is_none() && asked.matches.is_none() && is_about_matches;
    let unit = match (asked.unit, asked.matches) {
        (Some(unit), _) => unit,
        (None, Some(_)) => Unit::Match,
        (None, None) => Unit::Deal,
    };
    let (own, count, other, other_count) = match unit {
        Unit::Deal => ("deals", asked.deals, "matches", asked.matches),
        Unit::Match => ("matches", asked.matches, "deals", asked.deals),
    };
    if other_count.is_some() {
        return Err(error(other, format!("does not go with `{own}`; a sweep plays either deals or matches")));
    }
    let numbers = match count {
        Some(count) if (1..=MOST).contains(&count) => count as u64,
        Some(count) => return Err(error(own, format!("is {count}; it runs from 1 to {MOST}"))),
        None => {
            return Err(error(
                own,
                format!("is missing: how many {own} does each bot play with itself at each point?"),
            ));
        }
    };
    Ok(match is_chosen {
        true => PointExtent { unit: Unit::Match, numbers: numbers.div_ceil(DEALS_OF_MATCH), is_chosen },
        false => PointExtent { unit, numbers, is_chosen },
    })
}

/// Returns whether two variants of an axis end matches differently.
pub fn are_about_matches(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| variant.game.ending() != variants[0].game.ending())
}
