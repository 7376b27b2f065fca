//! The steps that playing and verifying share: the benchmark, the bot, the threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Args;
use crate::benchmark::{BenchmarkArena, BenchmarkControl, BenchmarkDefinition, BenchmarkRound, check_references};
use crate::cli::absence::absence;
use crate::cli::host::{register, set_progress};
use crate::cli::isolation::say_shortfall;
use crate::cli::progress::{self, Meter};
use crate::cli::{arguments, programs, signals};
use crate::run::Threads;
use crate::strategies::Bot;
use crate::strategies::process::breakdown;
use crate::toml_source::InputError;
use crate::tournament::{first_start_failure, hide, isolation_of, seal_program};

/// Returns the benchmark: the program's own, or that of a file.
pub fn definition(args: &Args) -> Result<BenchmarkDefinition, InputError> {
    args.definition.as_ref().map_or_else(BenchmarkDefinition::own, |file| BenchmarkDefinition::read(file, &register()))
}

/// The folder of results.
pub const FOLDER: &str = "results/benchmark";

/// Returns the place of the checkpoint of a result.
pub fn checkpoint_of(result: &Path) -> PathBuf {
    result.with_extension("checkpoint")
}

/// Returns the places that no bot may read.
///
/// They are the files of the round, the results, and `own`, the result at hand with its checkpoint.
pub fn hidden_places(round: Option<&BenchmarkRound>, own: Option<&Path>) -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from(FOLDER)];
    if let Some(round) = round {
        places.extend([round.file.clone(), round.secret_file()]);
    }
    if let Some(own) = own {
        places.extend([own.to_owned(), checkpoint_of(own)]);
    }
    places
}

/// Returns the bot that the argument names, with the sealed digest of its program.
///
/// Files at the `hidden` places are no part of the program, and an external bot may not read them.
///
/// # Errors
/// If there is no such bot, if its program is another one than its digest says, or if the sealed digest cannot cover
/// it.
pub fn entrant(text: &str, definition: &BenchmarkDefinition, hidden: &[PathBuf]) -> Result<Bot, InputError> {
    let mut bot = arguments::bot_of_all(None, text, &definition.variants)?;
    hidden.iter().for_each(|place| hide([&mut bot], place));
    // Sealing refuses each bot that a note would be about.
    programs::settle([&mut bot], true, |_, problem| InputError::plain(problem))?.require_unchanged()?;
    seal_program(&mut bot).map_err(InputError::plain)?;
    Ok(bot)
}

/// Threads on which a benchmark is played, with a display.
pub struct Hall {
    threads: Threads,
    /// The control.
    pub control: Arc<BenchmarkControl>,
}

impl Hall {
    /// Starts threads and watches signals.
    ///
    /// # Errors
    /// If the system refuses either.
    pub fn open(args: &Args) -> Result<Hall, InputError> {
        let control = Arc::new(BenchmarkControl::default());
        signals::stop_at(&control.stop)?;
        Ok(Hall { threads: args.threads.start()?, control })
    }

    /// Checks that the bot starts.
    ///
    /// # Errors
    /// The reason why it does not.
    pub fn check_start(&self, args: &Args, bot: &Bot, definition: &BenchmarkDefinition) -> Result<(), InputError> {
        let bots = std::slice::from_ref(bot);
        let failure = first_start_failure(bots, &definition.variants, self.threads.pool(), &self.control.stop);
        if let Some(why) = breakdown() {
            return Err(InputError::plain(why));
        }
        if let Some((_, failure)) = failure {
            return Err(InputError::plain(absence(bot, &failure, "")));
        }
        say_shortfall(isolation_of(bots), args.quiet);
        Ok(())
    }

    /// Checks that the references play as they should; `None` if it was stopped.
    ///
    /// # Errors
    /// The reference that does not.
    pub fn check_references(&self, definition: &BenchmarkDefinition) -> Result<Option<Vec<String>>, InputError> {
        let arena = BenchmarkArena { threads: &self.threads, control: &self.control, on_games: &|_| () };
        check_references(definition, &arena)
    }

    /// Calls `act` with the threads and a display of `games` games, of which `before` are played.
    pub fn with_display<T>(
        &self,
        before: u64,
        games: u64,
        is_quiet: bool,
        act: impl FnOnce(&BenchmarkArena<'_>) -> T,
    ) -> T {
        let meter = std::cell::RefCell::new(Meter::new(GAMES, before, games, is_quiet));
        let on_games = |done| {
            set_progress(done, games);
            let line = |elapsed| progress::line("benchmark", "games", done, Some(games), done - before, elapsed);
            meter.borrow_mut().show(done, games, line);
        };
        act(&BenchmarkArena { threads: &self.threads, control: &self.control, on_games: &on_games })
    }
}

/// The form of the bar.
const GAMES: &str = "[{bar:20}] {human_pos} of {human_len} games, {eta} left";
