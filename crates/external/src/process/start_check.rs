//! Checks, before anything is played, that a bot outside the process starts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use overtrick_strategy::protocol::{Fault, VariantSeen};

use super::{Params, Session, last_lines};

/// How long a bot may take to end when it is told to.
const GRACE: Duration = Duration::from_millis(500);

/// A bot that does not start: why, and the end of what it wrote to its standard error.
#[derive(Clone, Debug)]
pub struct StartFailure {
    /// What went wrong.
    pub fault: Fault,
    /// The last lines of the bot's standard error; empty if it wrote nothing.
    pub words: String,
}

/// Starts a bot once to see that it introduces itself and plays all of `variants`, and ends it again. `stop` ends all
/// waiting.
///
/// # Errors
/// What is wrong with it.
pub fn start_check(params: &Params, variants: &[VariantSeen], stop: &Arc<AtomicBool>) -> Result<(), StartFailure> {
    // If there is no folder for a log, the bot's own words are lost, but not the fault.
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
