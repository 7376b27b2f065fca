//! The options for how games are played, which change no result.

use super::help;
use crate::run::Threads;
use crate::toml_source::InputError;

/// The threads, and whether games share decisions.
#[derive(Clone, Copy, clap::Args)]
pub struct ThreadArgs {
    /// Play on this number of threads, in place of all cores.
    ///
    /// Results do not depend on it.
    #[arg(long, help_heading = help::COURSE, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Play every game by itself.
    ///
    /// By default games with the same cards are played together up to the first decision at which their bots
    /// choose differently. Results do not depend on it.
    #[arg(long, help_heading = help::COURSE)]
    play_all: bool,
}

impl ThreadArgs {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system refuses to start them.
    pub fn start(self) -> Result<Threads, InputError> {
        Ok(threads(self.threads)?.playing_all(self.play_all))
    }
}

/// Starts `count` threads, or one for each core.
///
/// # Errors
/// If the system refuses to start them.
pub fn threads(count: Option<u16>) -> Result<Threads, InputError> {
    let threads = count.map_or_else(Threads::all, |count| Threads::new(count.into()));
    threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))
}
