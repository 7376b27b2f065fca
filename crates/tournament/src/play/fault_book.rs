//! The faults of the bots, and the policy that applies to them.

use overtrick_strategy::ids::BotId;

use crate::{FaultAction, FaultPolicy, FaultPosition, Faults, NotedFault};

/// The faults of all bots on one thread.
pub(super) struct FaultBook {
    policy: FaultPolicy,
    /// By bot: its faults.
    faults: Vec<Faults>,
}

impl FaultBook {
    pub(super) fn new(policy: FaultPolicy, bots: usize) -> FaultBook {
        FaultBook { policy, faults: vec![Faults::new(policy); bots] }
    }

    /// Returns true if a fault forfeits the deal.
    pub(super) fn forfeits(&self) -> bool {
        self.policy.policy == FaultAction::ForfeitDeal
    }

    /// Returns the id of the substitute that plays on in a forfeited deal, the next after the last bot.
    pub(super) fn substitute(&self) -> BotId {
        BotId::new(self.faults.len())
    }

    pub(super) fn note(&mut self, bot: BotId, position: FaultPosition, fault: NotedFault) {
        self.faults[bot.index()].note(position, fault);
    }

    /// Returns, by bot, the faults since the last call.
    pub(super) fn take(&mut self) -> Vec<Faults> {
        let policy = self.policy;
        self.faults.iter_mut().map(|faults| std::mem::replace(faults, Faults::new(policy))).collect()
    }
}
