//! Looks at parameters that changed no deal where tuning starts, since they may change deals elsewhere.

use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{LOOK_NUMBERS, LOOK_SHARE, LOOK_SHARE_OF_ALL};
use super::objective::{NoResult, TuneObjective};
use super::setting::Setting;

/// The time of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum When {
    /// Before the search.
    Before,
    /// After this number of generations of the search.
    Search(u32),
    /// At the result, when the search is over.
    Result,
}

/// A look at parameters that had changed no deal: each is moved to both ends of its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterLook {
    /// The time of the look.
    pub when: When,
    /// The setting of all parameters from which each was moved.
    pub at: Setting,
    /// The indices of the parameters that had changed no deal before.
    pub dead: Vec<usize>,
    /// By parameter of `dead`: whether a deal changed.
    pub is_alive: Vec<bool>,
    /// The number of deal numbers.
    pub numbers: u64,
    /// The number of games played.
    pub games: u64,
}

impl ParameterLook {
    /// Returns the number of deal numbers of a look at `dead` of `all` parameters.
    ///
    /// Tuning has `budget` games in all, and `rest` for this look. `games` gives the games for each deal
    /// number, by number of candidates. `None` if the games do not suffice for the fewest numbers.
    pub fn numbers(dead: usize, all: usize, budget: u64, rest: u64, games: &dyn Fn(usize) -> u64) -> Option<u64> {
        if dead == 0 {
            return None;
        }
        let share = if dead == all { LOOK_SHARE_OF_ALL } else { LOOK_SHARE };
        let each = games(2 * dead);
        let numbers = ((budget as f64 * share) as u64 / each).clamp(*LOOK_NUMBERS.start(), *LOOK_NUMBERS.end());
        (numbers * each <= rest).then_some(numbers)
    }

    /// Moves each parameter of `dead` to both ends, on `numbers` deal numbers from `next` on.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails.
    pub fn take(
        when: When,
        at: &Setting,
        dead: &[usize],
        (next, numbers): (u64, u64),
        objective: &mut dyn TuneObjective,
    ) -> Result<ParameterLook, NoResult> {
        let mut candidates = Vec::new();
        for &number in dead {
            for end in [0.0, 1.0] {
                candidates.push(at.with(number, end));
            }
        }
        let margins = objective.compare(&candidates, at, Window::Pilot.numbers(next..next + numbers))?;
        let is_nothing = |place: usize| margins.is_nothing(2 * place) && margins.is_nothing(2 * place + 1);
        let is_alive = (0..dead.len()).map(|place| !is_nothing(place)).collect();
        let games = objective.games(candidates.len()) * numbers;
        Ok(ParameterLook { when, at: at.clone(), dead: dead.to_vec(), is_alive, numbers, games })
    }

    /// Returns the indices of the parameters that changed a deal.
    pub fn alive(&self) -> Vec<usize> {
        self.dead.iter().zip(&self.is_alive).filter(|(_, is_alive)| **is_alive).map(|(&number, _)| number).collect()
    }

    /// Checks that its parameters are among `dimensions`, and that it played no more than a look does.
    ///
    /// # Errors
    /// If it cannot be.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let is_sound = self.at.is_of(dimensions)
            && self.dead.iter().all(|&number| number < dimensions)
            && self.is_alive.len() == self.dead.len()
            && self.numbers <= *LOOK_NUMBERS.end();
        ensure(is_sound, "look at parameters does not fit its plan")
    }
}
