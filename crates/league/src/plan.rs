//! The deals and line-ups of the next round.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A group of deals, and the line-ups that play all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupPlan {
    /// The number of the group, from 0. The line-ups follow from it, the seed and the bots still in play.
    pub number: u64,
    /// The deal numbers.
    pub deals: Range<u64>,
    /// Whether the group measures all bots, so that ratings rest on it. LeaguePairs rest on the others and the first.
    pub is_full: bool,
    /// The line-ups, each with the indices of its bots in ascending order. No two are the same.
    pub line_ups: Vec<Vec<usize>>,
    /// By bot, the index of the line-up that measures it.
    pub measured_in: Vec<Option<usize>>,
}

/// The next round of a league.
///
/// It depends only on the state of the league. The groups may be played in any order and anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlan {
    /// The number of the round, from 1.
    pub round: u64,
    /// The groups, by number.
    pub groups: Vec<GroupPlan>,
    /// The number of games of the round.
    pub games: u64,
}

impl RoundPlan {
    /// Returns the deal numbers of the round.
    pub fn deals(&self) -> Range<u64> {
        match (self.groups.first(), self.groups.last()) {
            (Some(first), Some(last)) => first.deals.start..last.deals.end,
            _ => 0..0,
        }
    }
}
