//! The reasons why a run cannot use a snapshot.

use thiserror::Error;

use super::Extent;

/// A reason why a run cannot use a snapshot. In pairs, the snapshot's value comes first.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KinError {
    /// Another version of the program wrote the snapshot.
    #[error("it was written by version {0}, and this is {1}")]
    Version(String, &'static str),
    /// A bot had another program when the snapshot was played.
    #[error("the program of {0} has changed since: to go on, put back the files that it had")]
    ChangedProgram(String),
    /// The snapshot covers other numbers.
    #[error("it is of {0}, and this is {1}")]
    Extent(Extent, Extent),
    /// The snapshot is a shard of the same run with fewer numbers. The same shard of a longer run has other numbers.
    #[error(
        "it has `{theirs}` where this one has `{own}`, and {extent} of more has other numbers: it cannot go on from there"
    )]
    ShorterPart {
        /// The first line of the snapshot's configuration that differs.
        theirs: String,
        /// The corresponding line of the run's configuration.
        own: String,
        /// The numbers that the run covers.
        extent: Extent,
    },
    /// The snapshot is of the same run with more numbers.
    #[error("it already has `{theirs}`, and this run has `{own}`: a run can only get longer")]
    Longer {
        /// The line of the snapshot's configuration that differs.
        theirs: String,
        /// The corresponding line of the run's configuration.
        own: String,
    },
    /// The snapshot is of another run.
    #[error("it is of another run: it has `{theirs}` where this one has `{own}`{remedy}")]
    OtherRun {
        /// The first line of the snapshot's configuration that differs.
        theirs: String,
        /// The corresponding line of the run's configuration.
        own: String,
        /// The remedy if only the name differs, as the end of the message; empty otherwise.
        remedy: String,
    },
}
