//! The ends of deals: ties, exceptions and deals without play.

use serde::{Deserialize, Serialize};

/// Counts of the ends of deals in one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// The number of deals.
    pub deals: u64,
    /// The number of deals in which the best score was shared.
    pub tied: u64,
    /// The number of deals that the game calls exceptional.
    pub exceptional: u64,
    /// The number of deals without a declarer and without a trick.
    pub passed_out: u64,
    /// The number of matches that were stopped because they had too many deals.
    pub cut_off: u64,
    /// By role: the sum of the squares of its scores.
    pub squares: [i128; 3],
}

impl Ends {
    pub(super) fn add(&mut self, more: &Ends) {
        self.deals += more.deals;
        self.tied += more.tied;
        self.exceptional += more.exceptional;
        self.passed_out += more.passed_out;
        self.cut_off += more.cut_off;
        for (sum, more) in self.squares.iter_mut().zip(more.squares) {
            *sum += more;
        }
    }
}
