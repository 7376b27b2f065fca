//! Who has a command done: a person at a terminal, or a program that has it done inside of its own process.
//!
//! For a program, what a command prints is gathered, standard input is a text, Ctrl-C is the program's matter, and
//! there may be games and strategies of its own. All of it holds on the thread that makes the call.

use std::cell::RefCell;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap::Parser;

use super::isolation::Shutting;
use super::{Cli, Ended};
use crate::run::Threads;
use crate::strategies::Register;
use crate::strategies::process::breakdown;
use crate::toml_source::{InputError, STANDARD_INPUT, Source, printable_lines, read_text};
use crate::tournament::Control;
use crate::tune::{self, Elsewhere, TuneControl, play_piece};

/// The name by which errors call a config that a program has given as a text.
const CONFIG: &str = "config";

thread_local! {
    static HOST: RefCell<Option<Arc<Host>>> = const { RefCell::new(None) };
}

/// A program that has a command done. Its methods may be called from other threads meanwhile.
#[derive(Default)]
pub struct Host {
    register: Register,
    input: Option<String>,
    elsewhere: Option<Arc<dyn Elsewhere>>,
    printed: Mutex<String>,
    notes: Mutex<Vec<String>>,
    stops: Mutex<Vec<Box<dyn FnMut() + Send>>>,
    followed: Mutex<Option<Arc<Control>>>,
    done: AtomicU64,
    all: AtomicU64,
}

/// How far a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The games that were played.
    pub done: u64,
    /// All of them, as far as is known; 0 if it is not.
    pub all: u64,
}

impl Host {
    /// A program with these games and strategies; `input` is the text that commands find where they are told to read
    /// the file `-`.
    pub fn new(register: Register, input: Option<String>) -> Host {
        Host { register, input, ..Host::default() }
    }

    /// Has `tune` play the pieces of large comparisons elsewhere.
    pub fn elsewhere(self, elsewhere: Arc<dyn Elsewhere>) -> Host {
        Host { elsewhere: Some(elsewhere), ..self }
    }

    /// Plays a piece for a program that has `tune` done elsewhere, and gives what is to be sent back to it.
    ///
    /// # Errors
    /// If it is no piece that this version can play, if it was stopped, or if a bot cannot play.
    pub fn play_piece(&self, piece: &[u8], threads: usize) -> Result<Vec<u8>, InputError> {
        Shutting::of_environment()?.settle()?;
        let threads = Threads::new(threads)?;
        let control = Arc::new(TuneControl::default());
        let stop = Arc::clone(&control.stop);
        lock(&self.stops).push(Box::new(move || stop.store(true, Ordering::Relaxed)));
        let played = play_piece(piece, &self.register, &threads, &control);
        match (played, breakdown()) {
            (_, Some(why)) => Err(InputError::plain(why)),
            (Ok(played), None) => Ok(played),
            (Err(tune::Ended::Failed(error)), None) => Err(error),
            (Err(tune::Ended::Stopped), None) => Err(InputError::plain("it was stopped before its end")),
        }
    }

    /// Has a command done: `args` are those of the command line, without the program's name.
    ///
    /// # Errors
    /// What the command line would print as an error, or what is wrong with the arguments.
    pub fn call(self: &Arc<Host>, args: &[String]) -> Result<Ended, InputError> {
        /// Puts back what was before, also after a panic.
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
        // The program need not have written the text by lines.
        cli.perform().map_err(|mut error| {
            if self.input.is_some() && error.file.as_deref() == Some(Path::new(CONFIG)) {
                error.line = None;
            }
            error
        })
    }

    /// Ends the command in good order, within a moment.
    pub fn stop(&self) {
        lock(&self.stops).iter_mut().for_each(|stop| stop());
    }

    /// How far the command is.
    pub fn progress(&self) -> Progress {
        let followed = lock(&self.followed).as_ref().map(|control| control.games_done());
        let done = followed.unwrap_or_else(|| self.done.load(Ordering::Relaxed));
        Progress { done, all: self.all.load(Ordering::Relaxed) }
    }

    /// What the command has printed since the last call.
    pub fn take_printed(&self) -> String {
        std::mem::take(&mut lock(&self.printed))
    }

    /// The notes that it has made since the last call: what a person would read on standard error.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notes))
    }
}

/// Somebody who panicked while they held it has left it whole.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the program that has the command done; `None` if it is a person at a terminal.
fn with_host<T>(act: impl FnOnce(&Host) -> T) -> Option<T> {
    HOST.with_borrow(|host| host.as_deref().map(act))
}

/// The games and strategies that names may stand for.
pub(super) fn register() -> Register {
    with_host(|host| host.register.clone()).unwrap_or_default()
}

/// Who plays pieces of tuning for the program.
pub(super) fn elsewhere() -> Option<Arc<dyn Elsewhere>> {
    with_host(|host| host.elsewhere.clone()).flatten()
}

/// Gives what is printed to the program; false if there is none.
pub(super) fn print(text: &str) -> bool {
    with_host(|host| lock(&host.printed).push_str(text)).is_some()
}

/// Gives a note to the program, or writes it to standard error. Where that is full or closed, there is nobody to tell.
pub(super) fn note(text: &str) {
    use std::io::Write;
    if with_host(|host| lock(&host.notes).push(text.to_owned())).is_none() {
        let _ = writeln!(std::io::stderr(), "{}", printable_lines(text));
    }
}

/// Has `stop` called if the program wants the command to end; gives it back if there is no program.
pub(super) fn on_stop<F: FnMut() + Send + 'static>(stop: F) -> Result<(), F> {
    HOST.with_borrow(|host| match host {
        Some(host) => {
            lock(&host.stops).push(Box::new(stop));
            Ok(())
        }
        None => Err(stop),
    })
}

/// Lets the program see how far the run is that `control` steers, of so many games.
pub(super) fn follow(control: &Arc<Control>, all: u64) {
    with_host(|host| {
        *lock(&host.followed) = Some(Arc::clone(control));
        host.all.store(all, Ordering::Relaxed);
    });
}

/// Tells the program how far the command is.
pub(super) fn set_progress(done: u64, all: u64) {
    with_host(|host| {
        host.done.store(done, Ordering::Relaxed);
        host.all.store(all, Ordering::Relaxed);
    });
}

/// Reads a config: a file, or standard input if it is `-`; of a program, the text that it gave. Paths in a text count
/// from the folder that we are in.
///
/// # Errors
/// If it cannot be read or is not TOML.
pub(super) fn read_config(file: &Path) -> Result<Source, InputError> {
    // Errors are told by the text, too, so it is read once.
    static READ: OnceLock<String> = OnceLock::new();
    if file != Path::new(STANDARD_INPUT) {
        return Source::read(file);
    }
    if let Some(text) = with_host(|host| host.input.clone()).flatten() {
        return Source::parse(Path::new(CONFIG), text);
    }
    let text = match READ.get() {
        Some(text) => text,
        None => READ.get_or_init({
            let text = read_text(file, "write the config as TOML")?;
            || text
        }),
    };
    Source::parse(file, text.clone())
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
