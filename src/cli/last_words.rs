//! The last words of bots: the end of their standard error before their first fault.

use std::fmt::Write;
use std::path::Path;

use tempfile::TempDir;

use crate::strategies::Bot;
use crate::strategies::process::{Isolation, Level, Part, missing_parts};
use crate::tournament::Tournament;

/// Messages of programs without a connection: from the C library, Python, Node, Rust, curl, Java and Go.
const NO_CONNECTION: [&str; 14] = [
    "Network is unreachable",
    "network is unreachable",
    "Connection refused",
    "connection refused",
    "ECONNREFUSED",
    "ENETUNREACH",
    "EAI_AGAIN",
    "Temporary failure in name resolution",
    "Name or service not known",
    "NameResolutionError",
    "Could not resolve host",
    "failed to lookup address",
    "UnknownHostException",
    "Max retries exceeded",
];

/// Returns the standard error of bots before their first faults, if there is any.
pub fn last_words<'a>(bots: impl IntoIterator<Item = &'a Bot>) -> Option<String> {
    let mut text = String::new();
    for bot in bots {
        let Some(params) = bot.spec.process() else { continue };
        if let Some(words) = params.last_words.get() {
            let cause = cause(&words, &params.isolation).map(|cause| format!("{cause}\n")).unwrap_or_default();
            let _ = write!(text, "the end of the standard error of {} at its first fault:\n{words}\n{cause}", bot.name);
        }
    }
    (!text.is_empty()).then(|| text.trim_end().to_owned())
}

/// Returns why a bot with these last words has failed, if the sandbox is the probable cause.
pub fn cause(words: &str, isolation: &Isolation) -> Option<&'static str> {
    let is_apart = isolation.level() != Level::None && !missing_parts().contains(&Part::Namespaces);
    (is_apart && NO_CONNECTION.iter().any(|sign| words.contains(sign))).then_some(
        "there is no network in the sandbox: have the bot read its model from its folder, or trust it with --sandbox \
         none",
    )
}

/// The folder for the logs of bots in a run without a results folder.
pub struct SpareLogs(Option<TempDir>);

impl SpareLogs {
    /// Creates a folder, if a bot of the tournament writes a log and there is no results folder.
    pub fn new(tournament: &Tournament, out: Option<&Path>) -> SpareLogs {
        let is_wanted = out.is_none() && tournament.has_external_bots();
        SpareLogs(is_wanted.then(|| tempfile::Builder::new().prefix("overtrick-logs-").tempdir().ok()).flatten())
    }

    /// Returns the folder.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(TempDir::path)
    }

    /// Keeps the folder if it has a log, and returns a note that names it.
    pub fn keep(self) -> Option<String> {
        let folder = self.0?;
        let is_empty = std::fs::read_dir(folder.path()).ok()?.next().is_none();
        (!is_empty).then(|| format!("the logs of bots are in {}", folder.keep().display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_connection_is_put_down_to_the_sandbox_if_there_is_one() {
        let of_level = |level| Isolation { level: Some(level), ..Isolation::default() };
        let words = "OSError: [Errno 101] Network is unreachable";
        assert_eq!(cause(words, &of_level(Level::None)), None);
        assert_eq!(cause("KeyError: 'x'", &of_level(Level::Strict)), None);
        if cfg!(target_os = "linux") {
            assert!(
                cause(words, &of_level(Level::Strict)).is_some_and(|cause| cause.contains("no network in the sandbox"))
            );
        }
    }
}
