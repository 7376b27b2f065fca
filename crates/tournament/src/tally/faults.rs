//! The faults of external bots.

use std::collections::BTreeMap;

use overtrick_cards::table::{BySeat, MAX_SEATS, Seat};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_strategy::protocol::FaultKind;
use serde::{Deserialize, Serialize};

use crate::{FaultPolicy, Flaw, ensure};

/// The number of faults that are reported with their positions: the first in the order of deals.
const KEPT: usize = 5;
/// The position of a fault, in an order that does not depend on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaultPosition {
    /// The deal or match number.
    pub number: u64,
    /// The line-up.
    pub line_up: LineUpId,
    /// The seating.
    pub seating: SeatingId,
    /// The index of the deal in its match.
    pub deal: u32,
    /// The index of the move in its deal.
    pub step: u32,
}

/// A fault with its details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedFault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The description of the fault.
    pub what: String,
    /// The seat that had to decide.
    pub seat: Seat,
    /// By seat: the bot.
    pub bots: BySeat<BotId>,
}

/// The faults of one bot in one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The number of first faults that are kept.
    room: usize,
    /// By kind: the number of faults.
    counts: [u64; FaultKind::ALL.len()],
    first: BTreeMap<FaultPosition, NotedFault>,
}

impl Faults {
    /// Makes an account without faults.
    ///
    /// Under a policy that disqualifies, it keeps the number of faults that disqualifies a bot.
    pub fn new(policy: FaultPolicy) -> Faults {
        let room = policy.limit().map_or(KEPT, |limit| limit as usize);
        Faults { room, counts: Default::default(), first: BTreeMap::new() }
    }

    /// Returns the number of faults.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the kinds that occurred, each with its number of faults.
    pub fn kinds(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        FaultKind::ALL.into_iter().zip(self.counts).filter(|&(_, count)| count > 0)
    }

    /// Returns the first faults in the order of deals, at most five.
    pub fn first(&self) -> impl Iterator<Item = (&FaultPosition, &NotedFault)> {
        self.first.iter().take(KEPT)
    }

    /// Adds a fault.
    pub fn note(&mut self, moment: FaultPosition, fault: NotedFault) {
        self.counts[fault.kind as usize] += 1;
        self.first.insert(moment, fault);
        self.trim();
    }

    /// Adds the faults of other deals.
    pub fn merge(&mut self, other: Faults) {
        for (sum, more) in self.counts.iter_mut().zip(other.counts) {
            *sum += more;
        }
        self.first.extend(other.first);
        self.trim();
    }

    /// Checks that they can be shown, in a tournament of `bots` bots.
    pub(crate) fn check(&self, bots: usize) -> Result<(), Flaw> {
        let is_entered = |bot: &BotId| bot.index() < bots;
        let can_be_shown = |fault: &NotedFault| {
            fault.bots.of(MAX_SEATS).iter().all(is_entered) && !fault.what.contains(char::is_control)
        };
        ensure(self.first.values().all(can_be_shown), "faults have unknown bots or control characters")
    }

    fn trim(&mut self) {
        while self.first.len() > self.room {
            self.first.pop_last();
        }
    }

    /// Returns the faults that disqualified the bot. Later faults are dropped, because their number depends
    /// on thread timing.
    pub fn decisive(mut self) -> Faults {
        self.counts = Default::default();
        for fault in self.first.values() {
            self.counts[fault.kind as usize] += 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FaultAction;

    fn moment(number: u64) -> FaultPosition {
        FaultPosition { number, line_up: LineUpId::default(), seating: SeatingId::default(), deal: 0, step: 0 }
    }

    fn faults(policy: FaultPolicy, numbers: &[u64]) -> Faults {
        let mut faults = Faults::new(policy);
        for &number in numbers {
            let kind = FaultKind::ALL[number as usize % 3];
            let fault = NotedFault { kind, what: number.to_string(), seat: Seat::Seat1, bots: BySeat::default() };
            faults.note(moment(number), fault);
        }
        faults
    }

    #[test]
    fn the_account_does_not_depend_on_the_order_in_which_faults_come() {
        let policy = FaultPolicy { policy: FaultAction::Disqualify, limit: Some(3), waiting: None };
        let mut one = faults(policy, &[9, 2, 7]);
        one.merge(faults(policy, &[1, 8]));
        let mut other = faults(policy, &[8, 7]);
        other.merge(faults(policy, &[9, 1, 2]));
        assert_eq!(one, other);
        let decisive = one.decisive();
        assert_eq!(decisive.count(), 3);
        let first: Vec<u64> = decisive.first().map(|(moment, _)| moment.number).collect();
        assert_eq!(first, [1, 2, 7]);
    }
}
