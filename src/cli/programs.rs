//! Checks the programs of bots before anything is played.

use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::{BotProblem, settle_programs};

/// Records the digests of external bots' programs and prints notes on their limits unless `is_quiet`.
///
/// `blame` makes the error for a problem with the bot of a given number. The inner error is a program that
/// does not match its digest, which matters only if something is left to play.
///
/// # Errors
/// A folder that is not allowed for a bot.
pub fn settle<'a>(
    bots: impl IntoIterator<Item = &'a mut Bot>,
    is_quiet: bool,
    blame: impl Fn(usize, String) -> InputError,
) -> Result<Result<(), InputError>, InputError> {
    let programs = settle_programs(bots).map_err(|BotProblem { bot, problem }| blame(bot, problem))?;
    programs.notes.iter().filter(|_| !is_quiet).for_each(|note| tell!("note: {note}"));
    Ok(programs.changed.map_or(Ok(()), |BotProblem { bot, problem }| Err(blame(bot, problem))))
}
