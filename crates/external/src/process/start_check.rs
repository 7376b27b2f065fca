//! Checks, before anything is played, that an external bot starts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overtrick_strategy::protocol::{Fault, VariantSeen};

use super::session::GRACE;
use super::{Params, Session, last_lines};

/// The failure of a bot to start, with the end of its standard error.
#[derive(Clone, Debug)]
pub struct StartFailure {
    /// The fault that kept the bot from starting.
    pub fault: Fault,
    /// The last lines of the bot's standard error; empty if it wrote nothing.
    pub words: String,
}

/// Starts a bot once and ends it again, to check that it introduces itself and plays all of `variants`.
///
/// Its settings must fit the parameters that it declares, which [`Declared`](super::Declared) keeps.
/// Setting `stop` ends all waiting.
///
/// # Errors
/// The fault of the bot, with its last words.
pub fn start_check(params: &Params, variants: &[VariantSeen], stop: &Arc<AtomicBool>) -> Result<(), StartFailure> {
    // Without a folder for a log, the bot's own words are lost, but not the fault.
    let folder = tempfile::tempdir().ok();
    let log = folder.as_ref().map(|folder| folder.path().join("log"));
    let started = Session::start(params, log.as_deref(), stop).and_then(|session| {
        variants.iter().try_for_each(|variant| session.suits(variant))?;
        session.close(GRACE);
        Ok(())
    });
    started.map_err(|fault| {
        let written = log.and_then(|log| std::fs::read(log).ok()).unwrap_or_default();
        StartFailure { fault, words: last_lines(&written) }
    })
}
