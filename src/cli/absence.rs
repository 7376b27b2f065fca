//! The error for a bot that does not start.

use super::last_words::cause;
use crate::strategies::Bot;
use crate::strategies::process::StartFailure;

/// Returns the error for a bot that does not start.
///
/// It has the cause, the remedies, and the end of the bot's standard error.
pub(super) fn absence(bot: &Bot, no_show: &StartFailure, otherwise: &str) -> String {
    let mut problem = format!(
        "{} does not start, so nothing was played: {}; mend it (`overtrick check` tries it){otherwise}",
        bot.name, no_show.fault
    );
    if !no_show.words.is_empty() {
        problem += &format!("\nthe end of its standard error:\n{}", no_show.words);
        if let Some(cause) = bot.spec.process().and_then(|params| cause(&no_show.words, &params.isolation)) {
            problem += &format!("\n{cause}");
        }
    }
    problem
}
