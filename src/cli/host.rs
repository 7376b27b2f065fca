//! The host of a command: a user at a terminal, or a program that calls it.
//!
//! A program calls commands in its own process. Their output is collected, standard input is a text, and
//! Ctrl-C is left to the program, which may add games and strategies. All of this holds on the thread that
//! makes the call.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap::Parser;

use super::isolation::SandboxArgs;
use super::{Cli, Ended};
use crate::league::{self, LeagueControl};
use crate::run::Threads;
use crate::strategies::Register;
use crate::strategies::process::breakdown;
use crate::toml_source::{InputError, STANDARD_INPUT, Source, did_you_mean_file, printable_lines, read_text};
use crate::tournament::Control;
use crate::tune::{self, RemoteWorkers, TuneControl};

/// The name that errors use for a config given by a program as a text.
const CONFIG: &str = "config";

thread_local! {
    static HOST: RefCell<Option<Arc<Host>>> = const { RefCell::new(None) };
}

/// A program that calls commands. Other threads may use its methods during a call.
#[derive(Default)]
pub struct Host {
    register: Register,
    input: Option<String>,
    workers: Option<Arc<dyn RemoteWorkers>>,
    printed: Mutex<String>,
    notes: Mutex<Vec<String>>,
    /// The functions that stop the commands in progress.
    stops: Mutex<Vec<Box<dyn FnMut() + Send>>>,
    /// The controls of the run in progress, which count its games.
    followed: Mutex<Option<Arc<Control>>>,
    /// The number of games that a command without such controls has played.
    done: AtomicU64,
    /// The total number of games, or 0 if it is not known.
    all: AtomicU64,
}

/// The progress of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of games played.
    pub done: u64,
    /// The total number of games, or 0 if it is not known.
    pub all: u64,
}

impl Host {
    /// Returns a program with these games and strategies.
    ///
    /// Commands that read the file `-` get the text `input`.
    pub fn new(register: Register, input: Option<String>) -> Host {
        Host { register, input, ..Host::default() }
    }

    /// Makes `tune` and `league` have workers play the pieces of large comparisons and rounds.
    pub fn with_workers(self, workers: Arc<dyn RemoteWorkers>) -> Host {
        Host { workers: Some(workers), ..self }
    }

    /// Plays a piece as a worker of another program's `tune` or `league`, and returns the answer to send back.
    ///
    /// # Errors
    /// If this version cannot play the piece, if it was stopped, or if a bot cannot play.
    pub fn play_piece(&self, piece: &[u8], threads: usize) -> Result<Vec<u8>, InputError> {
        SandboxArgs::of_environment()?.settle()?;
        let threads = Threads::new(threads)?;
        let (of_tuning, of_league) = (Arc::new(TuneControl::default()), Arc::new(LeagueControl::default()));
        let stops = [&of_tuning.stop, &of_league.stop].map(Arc::clone);
        let stop = move || stops.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        lock(&self.stops).push(Box::new(stop));
        let played = if league::is_piece(piece) {
            league::play_piece(piece, &self.register, &threads, &of_league)
        } else {
            tune::play_piece(piece, &self.register, &threads, &of_tuning)
        };
        match (played, breakdown()) {
            (_, Some(why)) => Err(InputError::plain(why)),
            (Ok(played), None) => Ok(played),
            (Err(tune::NoResult::Failed(error)), None) => Err(error),
            (Err(tune::NoResult::Stopped), None) => Err(InputError::plain("it was stopped before its end")),
        }
    }

    /// Runs a command; `args` are the arguments of the command line without the program's name.
    ///
    /// # Errors
    /// The error that the command line would print, or the fault of the arguments.
    pub fn call(self: &Arc<Host>, args: &[String]) -> Result<Ended, InputError> {
        /// Restores the previous host, also after a panic.
        struct Restore(Option<Arc<Host>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                HOST.set(self.0.take());
            }
        }
        let args = ["overtrick"].into_iter().chain(args.iter().map(String::as_str));
        let cli = Cli::try_parse_from(args).map_err(|error| {
            let text = error.to_string();
            InputError::plain(text.trim_start_matches("error: ").trim_end())
        })?;
        let _restore = Restore(HOST.replace(Some(Arc::clone(self))));
        // The program may have built the text, so its lines mean nothing.
        cli.perform().map_err(|mut error| {
            if self.input.is_some() && error.file.as_deref() == Some(Path::new(CONFIG)) {
                error.line = None;
            }
            error
        })
    }

    /// Ends the command cleanly, within a moment.
    pub fn stop(&self) {
        lock(&self.stops).iter_mut().for_each(|stop| stop());
    }

    /// Returns the progress of the command.
    pub fn progress(&self) -> Progress {
        let followed = lock(&self.followed).as_ref().map(|control| control.games_done());
        let done = followed.unwrap_or_else(|| self.done.load(Ordering::Relaxed));
        Progress { done, all: self.all.load(Ordering::Relaxed) }
    }

    /// Returns the output since the last call.
    pub fn take_printed(&self) -> String {
        std::mem::take(&mut lock(&self.printed))
    }

    /// Returns the notes since the last call, which a user would read on standard error.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notes))
    }
}

/// Locks a mutex, also after a panic, since no panic leaves its data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `act` with the program that called the command, or returns `None` for a user at a terminal.
fn with_host<T>(act: impl FnOnce(&Host) -> T) -> Option<T> {
    HOST.with_borrow(|host| host.as_deref().map(act))
}

/// Returns the games and strategies that names refer to.
pub(super) fn register() -> Register {
    with_host(|host| host.register.clone()).unwrap_or_default()
}

/// Returns the workers that play pieces for the program, if there are any.
pub(super) fn workers() -> Option<Arc<dyn RemoteWorkers>> {
    with_host(|host| host.workers.clone()).flatten()
}

/// Passes output to the program. Returns false if there is none.
pub(super) fn print(text: &str) -> bool {
    with_host(|host| lock(&host.printed).push_str(text)).is_some()
}

/// Passes a note to the program, or writes it to standard error. A full or closed standard error is ignored.
pub(super) fn note(text: &str) {
    use std::io::Write;
    if with_host(|host| lock(&host.notes).push(text.to_owned())).is_none() {
        let _ = writeln!(std::io::stderr(), "{}", printable_lines(text));
    }
}

/// Registers `stop` for the program to end the command; returns it if there is no program.
pub(super) fn on_stop<F: FnMut() + Send + 'static>(stop: F) -> Result<(), F> {
    HOST.with_borrow(|host| match host {
        Some(host) => {
            lock(&host.stops).push(Box::new(stop));
            Ok(())
        }
        None => Err(stop),
    })
}

/// Lets the program follow the run that `control` steers, of `all` games.
pub(super) fn follow(control: &Arc<Control>, all: u64) {
    with_host(|host| {
        *lock(&host.followed) = Some(Arc::clone(control));
        host.all.store(all, Ordering::Relaxed);
    });
}

/// Reports the progress of the command to the program.
pub(super) fn set_progress(done: u64, all: u64) {
    with_host(|host| {
        host.done.store(done, Ordering::Relaxed);
        host.all.store(all, Ordering::Relaxed);
    });
}

/// Reads a config: a file, or standard input if it is `-`.
///
/// For a program, `-` is the text that it gave. Paths in a text are relative to the working folder.
///
/// # Errors
/// If the config cannot be read or is not TOML.
pub(super) fn read_config(file: &Path) -> Result<Source, InputError> {
    // Errors also quote the text, so it is read only once.
    static READ: OnceLock<String> = OnceLock::new();
    if file != Path::new(STANDARD_INPUT) {
        return Source::read(file).map_err(|error| with_similar_name(file, error));
    }
    if let Some(text) = with_host(|host| host.input.clone()).flatten() {
        return Source::parse(Path::new(CONFIG), text);
    }
    let text = READ.get().cloned().map_or_else(|| read_text(file, "write the config as TOML"), Ok)?;
    Source::parse(file, READ.get_or_init(|| text).clone())
}

/// Adds to the error for a missing config a file of a similar name, in its folder or in `configs`.
fn with_similar_name(file: &Path, mut error: InputError) -> InputError {
    if error.refused == Some(ErrorKind::NotFound) {
        let folders = [file.parent().unwrap_or(Path::new("")), Path::new("configs")];
        error.problem += &did_you_mean_file(file, &folders);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reads_what_is_printed_and_gets_errors_as_values() {
        let host = Arc::new(Host::default());
        let call = |args: &[&str]| host.call(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        assert!(matches!(call(&["list", "variants", "--format", "csv"]), Ok(Ended::Done)));
        assert!(host.take_printed().contains("dumbo") && host.take_printed().is_empty());
        let wrong = call(&["rules", "chess"]).err().unwrap();
        assert!(wrong.to_string().contains("no variant \"chess\""), "{wrong}");
        assert!(call(&["lits"]).err().unwrap().to_string().contains("unrecognized subcommand"));
        assert!(with_host(|_| ()).is_none());
    }

    #[test]
    fn a_text_is_a_config_and_a_run_can_be_followed() {
        let text =
            "seed = 1\ndeals = 50\nvariants = [\"dumbo\"]\nformat = \"duel\"\nbots = [\"random\", \"rule-based\"]";
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").display().to_string();
        let run = |text: &str| {
            let host = Arc::new(Host::new(Register::default(), Some(text.to_owned())));
            let args = ["run", "-", "--out", &out, "--threads", "1"].map(str::to_owned);
            let ended = host.call(&args);
            (ended.map(|_| host.take_printed()), host.progress(), host)
        };
        let (printed, progress, _) = run(text);
        assert!(printed.unwrap().contains("rule-based"));
        assert_eq!((progress.done, progress.all), (300, 300));
        let (wrong, ..) = run(&text.replace("dumbo", "dumb"));
        let wrong = wrong.unwrap_err().to_string();
        assert!(wrong.starts_with("config: `variants #1`: there is no variant \"dumb\""), "{wrong}");
    }
}
