//! Why a run cannot use a snapshot.

use thiserror::Error;

use super::Extent;

/// Why a run cannot use a snapshot. Pairs are of the snapshot and of the run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KinError {
    /// Another version of the program wrote it.
    #[error("it was written by version {0}, and this is {1}")]
    Version(String, &'static str),
    /// It was played with another program of a bot.
    #[error("the program of {0} has changed since: to go on, put back the files that it had")]
    ChangedProgram(String),
    /// It covers other numbers.
    #[error("it is of {0}, and this is {1}")]
    Extent(Extent, Extent),
    /// It is of a shard of the same run with fewer numbers: a shard of more has other numbers.
    #[error(
        "it has `{theirs}` where this one has `{own}`, and {extent} of more has other numbers: it cannot go on from there"
    )]
    ShorterPart {
        /// The line of its configuration that differs.
        theirs: String,
        /// That line of the run's.
        own: String,
        /// The numbers that the run is to cover.
        extent: Extent,
    },
    /// It is of another run.
    #[error("it is of another run: it has `{theirs}` where this one has `{own}`{remedy}")]
    OtherRun {
        /// The first line of its configuration that differs.
        theirs: String,
        /// That line of the run's.
        own: String,
        /// What can be done if only the name differs, as the end of the message; empty otherwise.
        remedy: String,
    },
}
