//! The error for a name under which no bot was found.

use std::path::PathBuf;

use thiserror::Error;

/// The error that there is no bot with this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no bot {name:?}{meant}; looked for {}; built in are {}",
    .tried.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", "),
    .built_in.join(", ")
)]
#[non_exhaustive]
pub struct UnknownBot {
    /// The name that was looked for.
    pub name: String,
    /// The files that were tried.
    pub tried: Vec<PathBuf>,
    /// The names of the bots that need no file.
    pub built_in: Vec<&'static str>,
    /// A question that suggests a bot with a similar name; empty if there is none.
    pub(super) meant: String,
}
