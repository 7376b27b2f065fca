//! Numbers of which some games are still to be played.

use serde::{Deserialize, Serialize};

use super::tally::{Block, Margins, OpenSums};

/// A deal or match number of which some games are still to be played, with what the others have given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenNumber {
    /// The number.
    pub number: u64,
    /// The games that are left, by their place among the [games](super::Schedule::games) of a number.
    pub left: Vec<u32>,
    /// The sums over those that are over.
    pub sums: Block,
    /// Their margins of every two bots, where different bots sit in every chair.
    pub margins: Margins,
}

impl OpenNumber {
    /// A number of which nothing has been played but what is counted in `sums` and `margins`.
    pub fn new(number: u64, left: Vec<u32>, sums: Block, margins: Margins) -> OpenNumber {
        OpenNumber { number, left, sums, margins }
    }

    /// The same, borrowed, for a check of tallies.
    pub(super) fn as_sums(&self) -> OpenSums<'_> {
        let OpenNumber { number, left, sums, margins } = self;
        OpenSums { number: *number, left, roles: sums.roles, margin: sums.margin, margins }
    }
}
