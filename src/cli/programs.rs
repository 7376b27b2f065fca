//! Checks the programs of bots before anything is played.

use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::{BotProblem, settle_programs};

/// The programs of external bots, with their digests recorded.
pub struct SettledPrograms {
    /// The first program that does not match its digest.
    changed: Option<InputError>,
}

impl SettledPrograms {
    /// Checks that all programs match their digests.
    ///
    /// It matters only if something is left to play.
    ///
    /// # Errors
    /// The program that does not.
    pub fn require_unchanged(self) -> Result<(), InputError> {
        self.changed.map_or(Ok(()), Err)
    }
}

/// Records the digests of external bots' programs and prints notes on their limits unless `is_quiet`.
///
/// `blame` makes the error for a problem with the bot of a given index.
///
/// # Errors
/// A folder that is not allowed for a bot.
pub fn settle<'a>(
    bots: impl IntoIterator<Item = &'a mut Bot>,
    is_quiet: bool,
    blame: impl Fn(usize, String) -> InputError,
) -> Result<SettledPrograms, InputError> {
    let programs = settle_programs(bots).map_err(|BotProblem { bot, problem }| blame(bot, problem))?;
    if !is_quiet {
        programs.notes.iter().for_each(|note| tell!("note: {note}"));
    }
    Ok(SettledPrograms { changed: programs.changed.map(|BotProblem { bot, problem }| blame(bot, problem)) })
}
