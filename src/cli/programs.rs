//! The programs of bots, checked before anything is played.

use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::settle_programs;

/// Gives bots outside of the process the digests of their programs, and says what these cannot cover unless
/// `is_quiet`. `blame` makes the error for a problem with the bot of a number. Returns the error for a program that is
/// not the one that its digest names, which matters only if something is left to play.
///
/// # Errors
/// A folder that may not be a bot's.
pub fn settle<'a>(
    bots: impl IntoIterator<Item = &'a mut Bot>,
    is_quiet: bool,
    blame: impl Fn(usize, String) -> InputError,
) -> Result<Result<(), InputError>, InputError> {
    let programs = settle_programs(bots).map_err(|(number, problem)| blame(number, problem))?;
    programs.notes.iter().filter(|_| !is_quiet).for_each(|note| tell!("note: {note}"));
    Ok(programs.changed.map_or(Ok(()), |(number, problem)| Err(blame(number, problem))))
}
