//! The points and faults of a round, or of some of its deals.

use overtrick_league::{GroupPlan, RoundPlan, RoundPoints};
use overtrick_strategy::protocol::FaultKind;
use overtrick_tournament::Faults;
use serde::{Deserialize, Serialize};

/// The points of a round by group, line-up and bot, and the faults by bot.
///
/// They are sums over deals. So those of several parts of a round add up to those of the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlayedRound {
    /// By group of the plan, line-up and bot: the points over all seats, seatings and deals.
    groups: Vec<Vec<Vec<i64>>>,
    /// By bot of the league: its faults.
    pub faults: Vec<BotFaults>,
}

/// The faults of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotFaults {
    /// The number of times that it failed to answer, and a random legal move was made.
    pub failures: u64,
    /// The number of decisions that it answered differently when it was asked again.
    pub irreproducible: u64,
}

impl BotFaults {
    /// More faults of a kind than any bot has, so that sums of them do not overflow.
    pub(super) const MOST: u64 = 1 << 50;

    /// Returns the number of all faults.
    pub fn count(self) -> u64 {
        self.failures + self.irreproducible
    }

    /// Returns whether they can be those of a bot.
    pub(super) fn are_possible(self) -> bool {
        self.failures <= Self::MOST && self.irreproducible <= Self::MOST
    }

    /// Adds other faults of the same bot.
    pub(super) fn add(&mut self, other: BotFaults) {
        self.failures = self.failures.saturating_add(other.failures).min(Self::MOST);
        self.irreproducible = self.irreproducible.saturating_add(other.irreproducible).min(Self::MOST);
    }
}

impl From<&Faults> for BotFaults {
    fn from(faults: &Faults) -> BotFaults {
        let mut own = BotFaults::default();
        for (kind, count) in faults.kinds() {
            match kind {
                FaultKind::Irreproducible => own.irreproducible += count,
                _ => own.failures += count,
            }
        }
        own
    }
}

/// Returns the points of a group of which nothing is played.
fn no_points(group: &GroupPlan) -> Vec<Vec<i64>> {
    group.line_ups.iter().map(|line_up| vec![0; line_up.len()]).collect()
}

impl PlayedRound {
    /// Returns the round of which nothing is played, in a league of `bots` bots.
    pub fn new(round: &RoundPlan, bots: usize) -> PlayedRound {
        PlayedRound { groups: round.groups.iter().map(no_points).collect(), faults: vec![BotFaults::default(); bots] }
    }

    /// Returns the points of a group, to add to them.
    pub fn group_mut(&mut self, index: usize) -> &mut [Vec<i64>] {
        &mut self.groups[index]
    }

    /// Adds the results of other deals of the same round.
    ///
    /// Returns false if they are of another round, or if a sum is too large.
    #[must_use]
    pub fn add(&mut self, other: &PlayedRound) -> bool {
        if self.groups.len() != other.groups.len() || self.faults.len() != other.faults.len() {
            return false;
        }
        for (own, other) in self.groups.iter_mut().zip(&other.groups) {
            if own.len() != other.len() {
                return false;
            }
            for (own, other) in own.iter_mut().zip(other) {
                if own.len() != other.len() || !own.iter_mut().zip(other).all(|(own, other)| add_to(own, *other)) {
                    return false;
                }
            }
        }
        for (own, other) in self.faults.iter_mut().zip(&other.faults) {
            own.add(*other);
        }
        true
    }

    /// Returns the points for the league.
    pub fn into_points(self, round: &RoundPlan) -> RoundPoints {
        let mut points = RoundPoints::new(round);
        for (index, group) in self.groups.into_iter().enumerate() {
            points.set(index, group);
        }
        points
    }
}

/// Adds to a sum. Returns false if the sum is too large.
fn add_to(sum: &mut i64, points: i64) -> bool {
    let Some(new) = sum.checked_add(points) else { return false };
    *sum = new;
    true
}
