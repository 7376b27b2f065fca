//! The error for a bot that does not start.

use super::last_words::cause;
use crate::strategies::Bot;
use crate::strategies::process::StartFailure;

/// Returns the error for a bot of a job that does not start.
///
/// It has the cause, the remedies, and the end of the bot's standard error.
pub(super) fn absence(bot: &Bot, no_show: &StartFailure, otherwise: &str) -> String {
    no_start(bot, no_show, "does not start, so nothing was played", otherwise)
}

/// Returns the same with another `outcome` than that nothing was played.
pub(super) fn no_start(bot: &Bot, no_show: &StartFailure, outcome: &str, otherwise: &str) -> String {
    let mut problem =
        format!("{} {outcome}: {}; mend it (`overtrick check` tries it){otherwise}", bot.name, no_show.fault);
    if !no_show.words.is_empty() {
        problem += &format!("\nthe end of its standard error:\n{}", no_show.words);
        if let Some(cause) = bot.spec.process().and_then(|params| cause(&no_show.words, &params.isolation)) {
            problem += &format!("\n{cause}");
        }
    }
    problem
}
