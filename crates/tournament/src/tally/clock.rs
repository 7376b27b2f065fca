//! The times of decisions.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Flaw, ensure};

/// The number of steps in each doubling of a duration.
const STEPS: u64 = 16;

/// The number of decisions of a bot, and the times of the timed ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The number of decisions.
    pub decisions: u64,
    /// The number of timed decisions.
    pub timed: u64,
    /// The total time of the timed decisions.
    pub time: Duration,
    /// The number of timed decisions by duration, in steps of a sixteenth of a doubling; see [`step`].
    counts: Vec<u64>,
}

impl Clock {
    /// Adds the decisions of another clock.
    pub fn add(&mut self, other: &Clock) {
        self.decisions += other.decisions;
        self.timed += other.timed;
        self.time += other.time;
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
    }

    /// Adds `decisions` decisions that took `time` together. Returns the time of a single decision.
    pub fn note(&mut self, time: Duration, decisions: usize) -> Duration {
        self.time += time;
        self.timed += decisions as u64;
        let each = time / decisions as u32;
        let step = step(each.as_nanos() as u64);
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += decisions as u64;
        each
    }

    /// Checks that its steps are those of durations.
    pub(crate) fn check(&self) -> Result<(), Flaw> {
        ensure(self.counts.len() <= step(u64::MAX) + 1, "times of decisions are too long")
    }

    /// Returns the mean time of a decision; zero if none was timed.
    pub fn mean(&self) -> Duration {
        Duration::from_secs_f64(self.time.as_secs_f64() / self.timed.max(1) as f64)
    }

    /// Returns the time that this share of decisions does not exceed, within 6%; zero if none was timed.
    ///
    /// Decisions that were answered together count as equally long.
    pub fn quantile(&self, share: f64) -> Duration {
        let due = (self.timed as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        let step = self.counts.iter().position(|count| {
            seen += count;
            seen >= due
        });
        Duration::from_nanos(step.map_or(0, middle))
    }
}

/// Returns the step of a duration in nanoseconds.
fn step(nanoseconds: u64) -> usize {
    if nanoseconds < STEPS {
        return nanoseconds as usize;
    }
    let doublings = u64::from(nanoseconds.ilog2() - STEPS.ilog2());
    ((doublings + 1) * STEPS + (nanoseconds >> doublings) - STEPS) as usize
}

/// Returns the middle of a step, in nanoseconds.
fn middle(step: usize) -> u64 {
    let step = step as u64;
    if step < STEPS {
        return step;
    }
    let doublings = step / STEPS - 1;
    ((step % STEPS + STEPS) << doublings) + (1 << doublings) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_fine_and_in_order() {
        let mut last = 0;
        for nanoseconds in (0..100_000).chain((1..1000).map(|n| n * 7_654_321)) {
            let own = step(nanoseconds);
            assert!(own >= last);
            last = own;
            let off = middle(own).abs_diff(nanoseconds);
            assert!(off * 2 * STEPS <= nanoseconds + 2 * STEPS, "{nanoseconds}: {}", middle(own));
        }
    }

    #[test]
    fn quantiles_come_from_all_clocks_together() {
        let mut clock = Clock::default();
        let mut other = Clock::default();
        for n in 1..=100u64 {
            let part = if n % 2 == 0 { &mut clock } else { &mut other };
            part.note(Duration::from_micros(n), 1);
        }
        clock.add(&other);
        assert_eq!(clock.timed, 100);
        assert_eq!(clock.mean(), Duration::from_nanos(50_500));
        for (share, micros) in [(0.5, 50.0), (0.9, 90.0), (1.0, 100.0)] {
            let found = clock.quantile(share).as_secs_f64() * 1e6;
            assert!((found / micros - 1.0).abs() < 0.06, "{share}: {found}");
        }
        assert_eq!(Clock::default().quantile(0.5), Duration::ZERO);
    }
}
