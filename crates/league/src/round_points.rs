//! The points of a round.

use serde::{Deserialize, Serialize};

use crate::RoundPlan;

/// The points of a round: by group of the plan, by line-up and by its bots.
///
/// A number is the sum of the points of a bot over all its seats, all seatings and all deals of the group.
/// Groups are set in any order, so threads and shards leave the same points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPoints {
    pub(crate) round: u64,
    pub(crate) groups: Vec<Option<Vec<Vec<i64>>>>,
}

impl RoundPoints {
    /// Returns the points of a round of which no group is played.
    pub fn new(plan: &RoundPlan) -> RoundPoints {
        RoundPoints { round: plan.round, groups: vec![None; plan.groups.len()] }
    }

    /// Sets the points of the group with this index in the plan, by line-up and by its bots.
    ///
    /// # Panics
    /// If the plan has no such group.
    pub fn set(&mut self, index: usize, points: Vec<Vec<i64>>) {
        self.groups[index] = Some(points);
    }
}
