//! The account of faults of bots outside of the process.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::protocol::FaultKind;
use crate::table::{BySeat, Seat};
use crate::tournament::FaultPolicy;

/// The faults that are kept with where they happened, the first in the order of deals.
const KEPT: usize = 5;
/// When a fault happened, in an order that does not depend on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaultPosition {
    /// The deal or match number.
    pub number: u64,
    /// The line-up.
    pub line_up: u32,
    /// The seating.
    pub seating: u32,
    /// The deal of the match.
    pub deal: u32,
    /// The move of the deal.
    pub step: u32,
}

/// A fault that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedFault {
    /// Which kind.
    pub kind: FaultKind,
    /// What happened.
    pub what: String,
    /// The seat that was to decide.
    pub seat: Seat,
    /// Who sat where, by number in the tournament.
    pub bots: BySeat<u16>,
}

/// The faults of one bot in one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// How many first ones are kept.
    room: usize,
    /// By kind.
    counts: [u64; FaultKind::ALL.len()],
    first: BTreeMap<FaultPosition, NotedFault>,
}

impl Faults {
    /// None yet. Under a policy that disqualifies, those that decide are kept.
    pub fn new(policy: FaultPolicy) -> Faults {
        let room = policy.limit().map_or(KEPT, |limit| limit as usize);
        Faults { room, counts: Default::default(), first: BTreeMap::new() }
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The kinds that there were, with how many of each.
    pub fn kinds(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        FaultKind::ALL.into_iter().zip(self.counts).filter(|&(_, count)| count > 0)
    }

    /// The first ones, in the order of deals.
    pub fn first(&self) -> impl Iterator<Item = (&FaultPosition, &NotedFault)> {
        self.first.iter().take(KEPT)
    }

    /// Notes a fault.
    pub fn note(&mut self, moment: FaultPosition, fault: NotedFault) {
        self.counts[fault.kind as usize] += 1;
        self.first.insert(moment, fault);
        self.trim();
    }

    /// Adds those of other deals.
    pub fn merge(&mut self, other: Faults) {
        for (sum, more) in self.counts.iter_mut().zip(other.counts) {
            *sum += more;
        }
        self.first.extend(other.first);
        self.trim();
    }

    fn trim(&mut self) {
        while self.first.len() > self.room {
            self.first.pop_last();
        }
    }

    /// Those that disqualified the bot, and no later ones: how many of these there were is a matter of chance.
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
    use crate::tournament::FaultAction;

    fn moment(number: u64) -> FaultPosition {
        FaultPosition { number, line_up: 0, seating: 0, deal: 0, step: 0 }
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
        let policy = FaultPolicy { policy: FaultAction::Disqualify, limit: Some(3) };
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
