//! The bots of a league: those that a config lists, and those of its grid.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source};

use super::grid;
use super::league_keys::{LeagueKeys, MOST_BOTS, league_key};

/// Returns the bots: those that are listed, and then those of the grid.
///
/// # Errors
/// If a bot cannot play the variant, if two have the same name, or if there are too few or too many.
pub(super) fn read(
    source: &Source,
    keys: &LeagueKeys,
    variant: &Variant,
    register: &Register,
) -> Result<Vec<Bot>, InputError> {
    let mut bots = keys.listed(source, variant, register)?;
    if let Some(table) = &keys.grid {
        for bot in grid::read(source, table, variant, register)? {
            if bots.iter().any(|other| other.name == bot.name) {
                let problem = format!("makes a bot {:?}, and there is one already; rename that one", bot.name);
                return Err(source.error(&league_key("grid"), problem));
            }
            bots.push(bot);
        }
    }
    let at = league_key("bots");
    match bots.len() {
        1 => Err(source.error(&at, "names one bot; give at least two to choose from")),
        2..=MOST_BOTS => Ok(bots),
        many => Err(source.error(&at, format!("names {many} bots; give at most {MOST_BOTS}"))),
    }
}
