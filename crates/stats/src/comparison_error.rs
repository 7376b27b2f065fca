//! The error of two runs that cannot be compared.

use overtrick_tournament::{Format, Unit};
use thiserror::Error;

/// The reason why two runs cannot be compared.
///
/// Pairs are of the first run and of the second.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// One run is of deals and the other of matches.
    #[error("one simulates single deals, the other matches")]
    Units,
    /// The formats or the numbers of bots differ.
    #[error("one is {}, the other {}: the bots meet other opponents", field(.0), field(.1))]
    Fields((Format, usize), (Format, usize)),
    /// No bot has the same name in both runs.
    #[error("they have no bot in common. Give the bots to compare the same name")]
    NoCommonBot,
    /// No variant has the same name in both runs, and the numbers of variants differ.
    #[error("they have no variant in common")]
    NoCommonVariant,
    /// Two variants to compare are of different games.
    #[error("{0} and {1} are different games")]
    Games(String, String),
    /// The numbers of deals or matches differ, with the same seed.
    #[error(
        "{variant}: one has {} {}, the other {}, with the same seed: some are the same, but not all; give both the same \
         number, or different seeds",
        .numbers.0, .unit.plural(), .numbers.1
    )]
    Numbers {
        /// The variant.
        variant: String,
        /// Whether deals or matches are counted.
        unit: Unit,
        /// The numbers of deals or matches.
        numbers: (u64, u64),
    },
    /// Different shards of this variant are missing in the two runs, with the same seed.
    #[error(
        "{0}: shards are missing, and with the same seed the two have not the same numbers; merge the same shards of \
         both, or give them different seeds"
    )]
    MissingShards(String),
    /// The numbers of groups differ, with the same seed.
    #[error("{variant}: one keeps its deals in {} groups, the other in {}; give both the same `groups`", .groups.0, .groups.1)]
    Groups {
        /// The variant.
        variant: String,
        /// The numbers of groups.
        groups: (usize, usize),
    },
}

/// Writes a format with its number of bots.
fn field((format, bots): &(Format, usize)) -> String {
    format!("a {} of {bots} bots", format.name())
}
