//! The signals that end a command in good order: Ctrl-C, and on Unix SIGTERM, and SIGHUP for a terminal that has gone.

use std::sync::atomic::{AtomicU8, Ordering};

use super::host;
use crate::toml_source::InputError;

/// The number of the last signal that came; 2, which is Ctrl-C's, if none did.
static LAST: AtomicU8 = AtomicU8::new(2);

/// Calls `handler` at each of the signals, on a thread of its own.
///
/// # Errors
/// If they cannot be watched.
pub fn watch(handler: impl FnMut() + Send + 'static) -> Result<(), InputError> {
    // Signals are the matter of the program that has the command done, if there is one.
    let Err(mut handler) = host::on_stop(handler) else { return Ok(()) };
    let unable = |error: &dyn std::fmt::Display| {
        InputError::plain(format!("Ctrl-C cannot be watched: {error}; allow more threads (`ulimit -u`)"))
    };
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        // Who has a program ignore the end of the terminal (`nohup`) wants it to play on.
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| *signal != SIGHUP || !ignores_hangups());
        let mut signals = signal_hook::iterator::Signals::new(wanted).map_err(|error| unable(&error))?;
        let wait = move || {
            for signal in signals.forever() {
                LAST.store(signal as u8, Ordering::Relaxed);
                handler();
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map_err(|error| unable(&error))?;
        Ok(())
    }
    #[cfg(not(unix))]
    ctrlc::set_handler(move || handler()).map_err(|error| unable(&error))
}

/// The exit code of a command that was ended by a signal.
pub fn exit_code() -> u8 {
    128 + LAST.load(Ordering::Relaxed)
}

/// Lets writing beyond the largest size of a file be an error like any other, and opens as many files as the system
/// allows: each bot that is a program takes three.
pub fn prepare() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
        let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        limit.current = limit.maximum;
        let _ = rustix::process::setrlimit(rustix::process::Resource::Nofile, limit);
    }
}

/// Whether this program was started with hang-ups ignored. Only Linux says so.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}
