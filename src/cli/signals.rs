//! The signals that end a command cleanly: Ctrl-C, and on Unix SIGTERM and SIGHUP (a closed terminal).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::host;
use crate::toml_source::InputError;

/// The number of the last signal received; initially 2, the number of Ctrl-C.
static LAST: AtomicU8 = AtomicU8::new(2);

/// Sets `stop` at each of the signals.
///
/// # Errors
/// If the signals cannot be watched.
pub fn stop_at(stop: &Arc<AtomicBool>) -> Result<(), InputError> {
    let stop = Arc::clone(stop);
    watch(move || stop.store(true, Ordering::Relaxed))
}

/// Calls `handler` at each of the signals, on a separate thread.
///
/// # Errors
/// If the signals cannot be watched.
pub fn watch(handler: impl FnMut() + Send + 'static) -> Result<(), InputError> {
    // If a program called the command, signals are left to the program.
    let Err(mut handler) = host::on_stop(handler) else { return Ok(()) };
    let unable = |error: &dyn std::fmt::Display| {
        InputError::plain(format!("Ctrl-C cannot be watched: {error}; allow more threads (`ulimit -u`)"))
    };
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        // With hang-ups ignored (`nohup`), the command must go on after the terminal is closed.
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

/// Returns the exit code of a command that a signal ended.
pub fn exit_code() -> u8 {
    128 + LAST.load(Ordering::Relaxed)
}

/// Makes writing beyond the file size limit an ordinary error, and raises the limit of open files.
///
/// Each bot in a process takes three files.
pub fn prepare() {
    #[cfg(unix)]
    {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
        let mut limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        limit.current = limit.maximum;
        let _ = rustix::process::setrlimit(rustix::process::Resource::Nofile, limit);
    }
}

/// Returns whether this program was started with hang-ups ignored. Only Linux reports it.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 != 0)
}
