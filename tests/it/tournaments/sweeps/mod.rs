//! Sweeps from the library: what they find, and whether it is what their deals say.

mod planted;
mod recomputed;

use std::path::Path;

use overtrick::run::Threads;
use overtrick::strategies::Register;
use overtrick::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use overtrick::toml_source::Source;

/// A sweep that has been played to its end.
pub(super) fn swept(config: &str, register: &Register) -> (SweepPlan, SweepOutcome) {
    let source = Source::parse(Path::new("s.toml"), config.to_owned()).unwrap();
    let plan = SweepPlan::resolve(&source, register).unwrap();
    let (threads, mut sweeping) = (Threads::new(2).unwrap(), Sweeping::default());
    while !sweeping.is_over(&plan) {
        assert!(sweeping.step(&plan, &threads, &SweepControl::default()).unwrap());
    }
    let outcome = SweepOutcome::new(&plan, &sweeping);
    (plan, outcome)
}
