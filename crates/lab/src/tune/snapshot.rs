//! The state of tuning in a checkpoint.

use overtrick_run::Progress;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::constants::MOST_PLAYED;
use super::plan::TunePlan;
use super::tuning::Tuning;

/// Tuning in progress, as its checkpoint has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSnapshot {
    /// The state of tuning.
    pub tuning: Tuning,
    /// The number of faults of bots so far.
    pub faults: u64,
}

impl Progress for TuneSnapshot {
    type Plan = TunePlan;

    const FORM: &'static str = "tuning 7";
    const FILE: &'static str = "checkpoint of tuning";

    fn check(&self, plan: &TunePlan) -> Result<(), Flaw> {
        ensure(self.faults <= MOST_PLAYED, "faults are more than any bots have")?;
        self.tuning.check(&plan.task(), &plan.tables)
    }
}
