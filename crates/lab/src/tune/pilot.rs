//! The pilot: each parameter moves a little up and down on a few hundred deals.
//!
//! It shows beforehand how much tuning will take, and which parameters do nothing.

use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{PILOT_NUMBERS, PILOT_SHARE, PILOT_STEP};
use super::objective::TuneObjective;
use super::setting::Setting;
use super::sizing::Sizing;
use super::space::Space;
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;

/// The results of the pilot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pilot {
    /// The results by parameter.
    pub parameters: Vec<PilotLine>,
    /// The count of deal numbers.
    pub numbers: u64,
    /// The number of games played.
    pub games: u64,
    /// The number of games that one candidate takes for each deal number.
    pub games_a_number: u64,
}

/// The results of the pilot for a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PilotLine {
    /// The margins a step down.
    pub down: MarginSums,
    /// The margins a step up.
    pub up: MarginSums,
    /// Whether no deal changed, neither with a step nor at the ends of the range.
    pub is_dead: bool,
}

impl Pilot {
    /// Tries each parameter a step up and down, and at both ends.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails.
    pub fn play(
        space: &Space,
        start: &Setting,
        objective: &mut dyn TuneObjective,
        budget: Option<u64>,
    ) -> Result<Pilot, NoResult> {
        let moved = |axis: usize, coordinate: f64| space.snap(&start.with(axis, coordinate.clamp(0.0, 1.0)));
        // At least one value away, if there are few values.
        let step = |axis: usize| PILOT_STEP.max(space.axes[axis].values.coordinate(1));
        let points: Vec<[Setting; 4]> = (0..space.dimensions())
            .map(|axis| {
                let at = start[axis];
                [moved(axis, at - step(axis)), moved(axis, at + step(axis)), moved(axis, 0.0), moved(axis, 1.0)]
            })
            .collect();
        let each = objective.games(points.len() * 4);
        let numbers = numbers(budget, each);
        let all: Vec<Setting> = points.into_iter().flatten().collect();
        let margins = objective.compare(&all, start, Window::Pilot.numbers(0..numbers))?;
        let sums = |candidate: usize| margins.weighted(candidate, objective.weights()).into_iter().collect();
        let parameters = (0..space.dimensions())
            .map(|axis| PilotLine {
                down: sums(4 * axis),
                up: sums(4 * axis + 1),
                is_dead: (4 * axis..4 * axis + 4).all(|candidate| margins.is_nothing(candidate)),
            })
            .collect();
        Ok(Pilot { parameters, numbers, games: each * numbers, games_a_number: objective.games(1) })
    }

    /// Checks that it is as long as the pilot of this number of parameters.
    ///
    /// `games` gives the games for each deal number, by number of candidates.
    ///
    /// # Errors
    /// If it cannot be, with the reason.
    pub(super) fn check(
        &self,
        parameters: usize,
        games: &dyn Fn(usize) -> u64,
        budget: Option<u64>,
    ) -> Result<(), Flaw> {
        let each = games(4 * parameters);
        ensure(self.parameters.len() == parameters, "pilot does not fit its parameters")?;
        let is_affordable = self.numbers == numbers(budget, each)
            && self.games == each * self.numbers
            && self.games_a_number == games(1);
        ensure(is_affordable, "pilot does not have the games of its plan")?;
        let mut sums = self.parameters.iter().flat_map(|line| [&line.down, &line.up]);
        sums.try_for_each(|sums| sums.check())
    }

    /// Returns the games that trying settings from all over the space may take, of `budget` in all.
    ///
    /// These are the games of the pilot, but at most its share.
    pub(super) fn games_for_start_candidates(&self, budget: u64) -> u64 {
        self.games.min((budget as f64 * PILOT_SHARE) as u64)
    }

    /// Returns the indices of the parameters that changed something.
    pub fn live(&self) -> Vec<usize> {
        (0..self.parameters.len()).filter(|&number| !self.parameters[number].is_dead).collect()
    }

    /// Returns the variance of the margin of one deal number between settings a step apart.
    ///
    /// It is a mean over the parameters that changed something.
    pub fn variance(&self) -> f64 {
        let live = self.live();
        let sum = |line: &PilotLine| line.down.variance() + line.up.variance();
        live.iter().map(|&number| sum(&self.parameters[number])).sum::<f64>() / (2 * live.len()).max(1) as f64
    }

    /// Returns the count of deal numbers that finding the best takes.
    ///
    /// In 95% of cases, the loss is at most `loss` points a deal. The smallest curvature is that of a
    /// parameter whose end costs four times the loss. A parameter whose end costs less does not matter.
    pub fn numbers_to_find(&self, loss: f64) -> f64 {
        let parameters = self.live().len().max(1);
        // The two settings of a block lie two steps apart, and the variance grows with their distance.
        let variance = 2.0 * self.variance();
        let curvature = 2.0 * 4.0 * loss / (0.5 * 0.5);
        Sizing { parameters, variance, gain: 1.0, loss, step: PILOT_STEP, curvature }.blocks()
    }

    /// Returns the variance of the margin that the best is expected to have over the start.
    ///
    /// The best is taken to be two steps away in each parameter, and the variance grows with the distance.
    pub fn variance_of_gain(&self) -> f64 {
        self.variance() * (self.live().len() as f64).sqrt() * 2.0
    }
}

/// Returns the count of deal numbers of a pilot that takes `each` games for each.
fn numbers(budget: Option<u64>, each: u64) -> u64 {
    let affordable = budget.map_or(*PILOT_NUMBERS.end(), |budget| (budget as f64 * PILOT_SHARE) as u64 / each);
    affordable.clamp(*PILOT_NUMBERS.start(), *PILOT_NUMBERS.end())
}
