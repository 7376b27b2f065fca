//! Why two runs cannot be compared.

use overtrick_tournament::{Format, Unit};
use thiserror::Error;

/// Why two runs cannot be compared. Pairs are of the first run and of the second.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// One of deals and one of matches.
    #[error("one simulates single deals, the other matches")]
    Units,
    /// Different formats, or different numbers of bots.
    #[error("one is {}, the other {}: the bots meet other opponents", field(.0), field(.1))]
    Fields((Format, usize), (Format, usize)),
    /// No bot with the same name in both.
    #[error("they have no bot in common; give bots that are to be compared the same name")]
    NoCommonBot,
    /// No variant with the same name in both, nor equally many variants.
    #[error("they have no variant in common")]
    NoCommonVariant,
    /// Variants that would be compared, but are of different games.
    #[error("{0} and {1} are different games")]
    Games(String, String),
    /// Different numbers of deals or matches with the same seed.
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
        /// How many there are.
        numbers: (u64, u64),
    },
    /// Other shards missing in the one than in the other, with the same seed; of this variant.
    #[error(
        "{0}: shards are missing, and with the same seed the two have not the same numbers; merge the same shards of \
         both, or give them different seeds"
    )]
    MissingShards(String),
    /// Different numbers of groups with the same seed.
    #[error("{variant}: one keeps its deals in {} groups, the other in {}; give both the same `groups`", .groups.0, .groups.1)]
    Groups {
        /// The variant.
        variant: String,
        /// How many there are.
        groups: (usize, usize),
    },
}

/// A format with its number of bots, in words.
fn field((format, bots): &(Format, usize)) -> String {
    format!("a {} of {bots} bots", format.name())
}
