//! Numbers with unfinished games.

use serde::{Deserialize, Serialize};

use super::tally::{Block, Margins};

/// A deal or match number with unfinished games, and the sums of its finished games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OpenNumber {
    /// The deal or match number.
    pub number: u64,
    /// The unfinished games, by index among the [games](super::Schedule::games) of a number.
    pub left: Vec<u32>,
    /// The sums over the finished games.
    pub sums: Block,
    /// The margins of every two bots in the finished games, if every chair has a different bot.
    pub margins: Margins,
}

impl OpenNumber {
    /// Makes an open number whose finished games are counted in `sums` and `margins`.
    pub fn new(number: u64, left: Vec<u32>, sums: Block, margins: Margins) -> OpenNumber {
        OpenNumber { number, left, sums, margins }
    }
}
