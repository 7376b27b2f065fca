//! Why no bot was found by a name.

use std::path::PathBuf;

use thiserror::Error;

/// There is no bot with a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no bot {name:?}{meant}; looked for {}; built in are {}",
    .tried.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", "),
    .built_in.join(", ")
)]
#[non_exhaustive]
pub struct UnknownBot {
    /// The name.
    pub name: String,
    /// The files in which it was looked for.
    pub tried: Vec<PathBuf>,
    /// The names of the bots that need no file.
    pub built_in: Vec<&'static str>,
    /// A question for a message: whether a bot with a name much like it was meant. Empty if there is none.
    pub(super) meant: String,
}
