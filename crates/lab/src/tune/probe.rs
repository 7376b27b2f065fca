//! Probes of parameters that changed no deal where tuning starts, since they may change deals elsewhere.

use overtrick_tournament::{Flaw, Numbers, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{PROBE_NUMBERS, PROBE_SHARE, PROBE_SHARE_OF_ALL};
use super::objective::TuneObjective;
use super::setting::Setting;
use crate::no_result::NoResult;

/// The time of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ProbeTime {
    /// Before the search.
    Before,
    /// After this number of generations of the search.
    Search(u32),
    /// At the result, when the search is over.
    Result,
}

/// A probe of parameters that had changed no deal: each is moved to both ends of its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterProbe {
    /// The time of the probe.
    pub time: ProbeTime,
    /// The indices of the parameters that had changed no deal before.
    pub dead: Vec<usize>,
    /// By parameter of `dead`: whether a deal changed.
    pub is_alive: Vec<bool>,
    /// The count of deal numbers.
    pub numbers: u64,
    /// The number of games played.
    pub games: u64,
}

impl ParameterProbe {
    /// Returns the count of deal numbers of a probe of `dead` of `all` parameters.
    ///
    /// Tuning has `budget` games in all, and `rest` for this probe. `games` gives the games for each deal
    /// number, by number of candidates. `None` if the games do not suffice for the fewest numbers.
    pub fn numbers(dead: usize, all: usize, budget: u64, rest: u64, games: &dyn Fn(usize) -> u64) -> Option<u64> {
        if dead == 0 {
            return None;
        }
        let share = if dead == all { PROBE_SHARE_OF_ALL } else { PROBE_SHARE };
        let each = games(2 * dead);
        let numbers = ((budget as f64 * share) as u64 / each).clamp(*PROBE_NUMBERS.start(), *PROBE_NUMBERS.end());
        (numbers * each <= rest).then_some(numbers)
    }

    /// Moves each parameter of `dead` from `at` to both ends, on these deal numbers.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails.
    pub fn play(
        time: ProbeTime,
        at: &Setting,
        dead: &[usize],
        numbers: Numbers,
        objective: &mut dyn TuneObjective,
    ) -> Result<ParameterProbe, NoResult> {
        let mut candidates = Vec::new();
        for &number in dead {
            for end in [0.0, 1.0] {
                candidates.push(at.with(number, end));
            }
        }
        let margins = objective.compare(&candidates, at, numbers.clone())?;
        let is_nothing = |place: usize| margins.is_nothing(2 * place) && margins.is_nothing(2 * place + 1);
        let is_alive = (0..dead.len()).map(|place| !is_nothing(place)).collect();
        let numbers = numbers.within().count() as u64;
        let games = objective.games(candidates.len()) * numbers;
        Ok(ParameterProbe { time, dead: dead.to_vec(), is_alive, numbers, games })
    }

    /// Returns the indices of the parameters that changed a deal.
    pub fn alive(&self) -> Vec<usize> {
        self.dead.iter().zip(&self.is_alive).filter(|(_, is_alive)| **is_alive).map(|(&number, _)| number).collect()
    }

    /// Checks that its parameters are among `dimensions`, and that it played no more than a probe does.
    ///
    /// # Errors
    /// If it cannot be.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let is_sound = self.dead.iter().all(|&number| number < dimensions)
            && self.is_alive.len() == self.dead.len()
            && self.numbers <= *PROBE_NUMBERS.end();
        ensure(is_sound, "probe of parameters does not fit its plan")
    }
}
