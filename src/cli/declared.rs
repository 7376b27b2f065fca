//! Starts an external bot once, so that it declares its parameters.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::absence::no_start;
use super::{programs, signals};
use crate::games::Variant;
use crate::protocol::VariantSeen;
use crate::strategies::process::{Params, breakdown, start_check};
use crate::strategies::{AnySpec, Bot};
use crate::toml_source::{InputError, Source};

/// Starts an external bot once. Its parameters then have the declaration.
///
/// Other bots are not started. `file` is the bot's manifest, if it has one. Returns false if the command was stopped.
///
/// # Errors
/// If the bot does not start or does not play the variants, or if its settings do not fit the declaration.
pub fn start_to_declare(bot: &Bot, file: Option<&Path>, variants: &[Variant]) -> Result<bool, InputError> {
    let AnySpec::Process(params) = &bot.spec else { return Ok(true) };
    let blame = |problem: String| match file {
        Some(file) => InputError::file(file, problem),
        None => InputError::plain(problem),
    };
    // The digest stands in results, and not in the bot that was named.
    programs::settle([&mut bot.clone()], true, |_, problem| blame(problem))?.require_unchanged()?;
    let stop = Arc::new(AtomicBool::new(false));
    signals::stop_at(&stop)?;
    let seen = |variant: &Variant| VariantSeen::of(variant.game.erased().as_ref(), &variant.name, &variant.base);
    let seen: Vec<VariantSeen> = variants.iter().map(seen).collect();
    let started = start_check(params, &seen, &stop);
    if let Some(why) = breakdown() {
        return Err(InputError::plain(why));
    }
    match started {
        _ if stop.load(Ordering::Relaxed) => Ok(false),
        Ok(()) => Ok(true),
        Err(failure) => {
            Err(wrong_setting(params, file).unwrap_or_else(|| blame(no_start(bot, &failure, "does not start", ""))))
        }
    }
}

/// Returns the error of a setting in a manifest that does not fit the declaration, if there is one.
fn wrong_setting(params: &Params, file: Option<&Path>) -> Option<InputError> {
    let refusal = params.declared.knobs()?.check(&params.settings).err()?;
    let source = Source::read(file?).ok()?;
    let at = ["parameters", "settings", &refusal.name].map(str::to_owned);
    Some(source.error(&at, refusal.problem))
}
