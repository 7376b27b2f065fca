//! The unit that is played at a point, single deals or whole matches, and how many.

use std::path::Path;

use overtrick_game::Ending;
use overtrick_games::{Games, Variant};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::Unit;
use toml::{Table, Value};

use super::axis::Axis;

/// The most deals or matches of a point.
const MOST: i64 = 1 << 40;
/// The approximate number of deals in a match where a number of deals is given and matches are played.
const DEALS_OF_MATCH: u64 = 10;

/// The keys of a config that decide it.
pub struct Asked {
    pub unit: Option<Unit>,
    pub deals: Option<i64>,
    pub matches: Option<i64>,
}

/// The unit and the number that are played at a point.
pub struct Extent {
    pub unit: Unit,
    /// How many deals or matches.
    pub numbers: u64,
    /// Whether matches are played because an axis is about them.
    pub is_chosen: bool,
}

/// Returns what is played, from the keys at `at`. Without `unit` that follows from the key with the number; where an
/// axis is about matches, deals are played in matches, about a tenth as many.
pub fn extent(source: &Source, at: &[String], asked: &Asked, is_about_matches: bool) -> Result<Extent, InputError> {
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
        true => Extent { unit: Unit::Match, numbers: numbers.div_ceil(DEALS_OF_MATCH), is_chosen },
        false => Extent { unit, numbers, is_chosen },
    })
}

/// Whether two values of an axis end matches otherwise.
pub fn is_about_matches(axes: &[Axis], base: &Variant, games: &Games) -> bool {
    let source = Source::parse(Path::new("axes"), String::new()).expect("nothing is a document");
    axes.iter().any(|axis| {
        let ending = |value: &Value| {
            let change = Table::from_iter([(axis.key.clone(), value.clone())]);
            games.changed(base, &change, &source, &[]).ok().map(|variant| variant.game.ending())
        };
        let endings: Vec<Option<Ending>> = axis.values.iter().map(ending).collect();
        endings.iter().any(|ending| *ending != endings[0])
    })
}
