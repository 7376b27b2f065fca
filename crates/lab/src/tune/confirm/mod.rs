//! The confirmation: the worth of the result on deals that nothing before has seen. Only these figures are
//! headlines.
//!
//! First, each changed parameter is set back alone. Changes that are not shown to matter, with Holm's
//! correction for their number (Holm 1979, *Scandinavian Journal of Statistics* 6), are then set back
//! together. They are kept if that may cost enough for the following match to show it. If no change is shown
//! to matter, none is set back, because that match shows their joint worth. In it, the setting that is left
//! meets the start on fresh deals, whose number was fixed before.
//!
//! A gain is claimed if the match shows it. Its figures are then conditional on the claim.

mod claimed;

use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{
    CONFIRM_LEVEL, FEWEST_NUMBERS, FEWEST_OF_FINAL, LONGEST_SLICE, MOST_PLAYED, ONE_SIDED, PRECISION_ROOM,
    SET_BACK_SHARE, SIMPLIFIED_SHARE, SLICES, TWO_SIDED,
};
use super::objective::{TuneMargins, TuneObjective, numbers_from};
use super::setting::Setting;
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;

/// The comparison in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum ConfirmPhase {
    /// Each changed parameter is set back alone.
    SetBack,
    /// All changes that do not matter are set back together.
    Simplified,
    /// The setting that is left meets the start.
    Final,
    Over,
}

/// A confirmation in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirm {
    start: Setting,
    /// The setting that is confirmed.
    ///
    /// It is the best that was found, in the end perhaps with some parameters set back.
    pub best: Setting,
    phase: ConfirmPhase,
    /// The indices of the parameters that differ from the start.
    pub changed: Vec<usize>,
    /// By changed parameter: the margin of the best over the best without the change.
    pub worth: Vec<MarginSums>,
    /// By changed parameter: whether it was set back.
    pub is_set_back: Vec<bool>,
    /// The best, with all changes set back that do not matter.
    simplified: Setting,
    simplified_cost: MarginSums,
    /// The lead of the best over the start on the same deals.
    ///
    /// It shows how wide the gain's interval will be.
    ahead: MarginSums,
    /// By table: the margins of the result over the start.
    pub tables: Vec<MarginSums>,
    /// By table: the sum of the products of these margins with the margins over all tables.
    with_gain: Vec<f64>,
    /// The weighted margins over all tables.
    pub gain: MarginSums,
    /// The first deal number that was not used yet.
    pub next: u64,
    /// The deal number before which the phase ends.
    end: u64,
    /// The number of games played so far.
    pub games: u64,
    budget: u64,
    /// The half-width of an interval that is precise enough.
    precision: Option<f64>,
}

impl Confirm {
    /// Returns the confirmation of `best` over `start`, for `budget` games.
    pub fn new(
        start: &Setting,
        best: &Setting,
        objective: &dyn TuneObjective,
        budget: u64,
        precision: Option<f64>,
    ) -> Confirm {
        let changed: Vec<usize> = (0..start.len()).filter(|&number| start[number] != best[number]).collect();
        let mut confirm = Confirm {
            start: start.clone(),
            best: best.clone(),
            phase: ConfirmPhase::SetBack,
            worth: vec![MarginSums::default(); changed.len()],
            is_set_back: vec![false; changed.len()],
            simplified: best.clone(),
            simplified_cost: MarginSums::default(),
            ahead: MarginSums::default(),
            tables: vec![MarginSums::default(); objective.weights().len()],
            with_gain: vec![0.0; objective.weights().len()],
            gain: MarginSums::default(),
            changed,
            next: 0,
            end: 0,
            games: 0,
            budget,
            precision,
        };
        if confirm.changed.len() > 1 {
            confirm.end = confirm.numbers(SET_BACK_SHARE, objective.games(confirm.changed.len() + 1));
        } else {
            confirm.begin_final(objective);
        }
        confirm
    }

    /// Returns the fewest games of a confirmation of this number of parameters.
    ///
    /// `games` gives the games for each deal number, by number of candidates.
    pub fn least_games(parameters: usize, games: impl Fn(usize) -> u64) -> u64 {
        let set_back = if parameters > 1 { games(parameters + 1) + games(2) } else { 0 };
        FEWEST_NUMBERS * set_back + FEWEST_OF_FINAL * games(1)
    }

    /// Checks that a confirmation over `start` at this number of tables can go on from it.
    ///
    /// `budget` is the number of games of all stages, and `is_over` says whether tuning is over.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub(super) fn check(&self, start: &Setting, tables: usize, budget: u64, is_over: bool) -> Result<(), Flaw> {
        let (dimensions, count) = (start.len(), self.changed.len());
        let is_of_plan = self.start == *start
            && self.best.is_of(dimensions)
            && self.simplified.is_of(dimensions)
            && count > 0
            && self.changed.iter().all(|&number| number < dimensions)
            && (self.worth.len(), self.is_set_back.len()) == (count, count)
            && (self.tables.len(), self.with_gain.len()) == (tables, tables);
        ensure(is_of_plan, "confirmation is not that of its plan")?;
        let fits = self.gain.count <= self.next
            && self.next <= self.end
            && (self.next == self.end) == is_over
            && (self.phase == ConfirmPhase::Over) == is_over;
        ensure(fits, "confirmation does not fit its phase")?;
        let is_affordable = self.budget <= budget
            && self.games <= MOST_PLAYED
            // The fewest numbers are played even if they take more than the budget.
            && self.end <= budget + 2 * FEWEST_NUMBERS + FEWEST_OF_FINAL;
        ensure(is_affordable, "confirmation exceeds its budget")?;
        let others = [&self.simplified_cost, &self.ahead, &self.gain];
        self.worth.iter().chain(&self.tables).chain(others).try_for_each(MarginSums::check)
    }

    /// Returns whether everything is played.
    pub fn is_over(&self) -> bool {
        self.phase == ConfirmPhase::Over
    }

    /// Returns the count of deal numbers that a share of the budget pays for, with `each` games each.
    fn numbers(&self, share: f64, each: u64) -> u64 {
        ((self.budget as f64 * share) as u64 / each).max(FEWEST_NUMBERS)
    }

    fn begin_final(&mut self, objective: &dyn TuneObjective) {
        self.phase = ConfirmPhase::Final;
        self.end = self.next + self.numbers_of_final(objective.games(1), self.games);
    }

    /// Returns the count of deal numbers of the last phase.
    ///
    /// It begins after `before` games, and each number takes `each` games.
    fn numbers_of_final(&self, each: u64, before: u64) -> u64 {
        let numbers = (self.budget.saturating_sub(before) / each).max(FEWEST_OF_FINAL);
        // The spread of margins is known from the phases before.
        let variance = self.worth.iter().chain([&self.simplified_cost]).map(MarginSums::variance).fold(0.0, f64::max);
        if let Some(precision) = self.precision.filter(|_| variance > 0.0) {
            let enough = PRECISION_ROOM * variance * self.changed.len().max(1) as f64 * (TWO_SIDED / precision).powi(2);
            return numbers.min((enough as u64).max(FEWEST_OF_FINAL));
        }
        numbers
    }

    /// Plays a slice of the phase in progress.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has changed then.
    pub fn step(&mut self, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let candidates = match self.phase {
            ConfirmPhase::SetBack => [&[self.best.clone()][..], &self.each_set_back()].concat(),
            ConfirmPhase::Simplified => vec![self.best.clone(), self.simplified.clone()],
            ConfirmPhase::Final => vec![self.best.clone()],
            ConfirmPhase::Over => return Ok(()),
        };
        // All slices of a phase have the same length, except that the last may be shorter.
        let slice = (self.end - self.next).min(self.slice());
        let numbers = numbers_from(Window::Confirm, self.next, slice)?;
        let margins = objective.compare(&candidates, &self.start, numbers)?;
        self.games += objective.games(candidates.len()) * slice;
        self.next += slice;
        self.learn(&margins, objective.weights());
        if self.next == self.end {
            self.turn(objective);
        }
        Ok(())
    }

    fn slice(&self) -> u64 {
        let begun = self.next - self.gain.count;
        let whole = if self.phase == ConfirmPhase::Final { self.end - begun } else { self.end };
        whole.div_ceil(SLICES).clamp(FEWEST_NUMBERS, LONGEST_SLICE)
    }

    /// Returns the best with each change set back alone.
    fn each_set_back(&self) -> Vec<Setting> {
        self.changed.iter().map(|&number| self.best.with(number, self.start[number])).collect()
    }

    fn learn(&mut self, margins: &TuneMargins, weights: &[f64]) {
        let best = margins.weighted(0, weights);
        let less = |other: usize| {
            let other = margins.weighted(other, weights);
            best.iter().zip(other).map(|(own, other)| own - other).collect::<Vec<_>>()
        };
        match self.phase {
            ConfirmPhase::SetBack => {
                (0..self.changed.len()).for_each(|number| self.worth[number].add(less(number + 1)))
            }
            ConfirmPhase::Simplified => {
                self.simplified_cost.add(less(1));
                self.ahead.add(best);
            }
            ConfirmPhase::Final => {
                for (table, (sums, product)) in self.tables.iter_mut().zip(&mut self.with_gain).enumerate() {
                    let own = margins.at(0, table);
                    sums.add(own.iter().copied());
                    *product += own.iter().zip(&best).map(|(own, gain)| own * gain).sum::<f64>();
                }
                self.gain.add(best);
            }
            ConfirmPhase::Over => {}
        }
    }

    /// Moves on to the next phase.
    fn turn(&mut self, objective: &dyn TuneObjective) {
        match self.phase {
            ConfirmPhase::SetBack => {
                let matters = holm(&self.worth.iter().map(MarginSums::p_value).collect::<Vec<_>>(), CONFIRM_LEVEL);
                for (&number, _) in self.changed.iter().zip(&matters).filter(|(_, matters)| !**matters) {
                    self.simplified = self.simplified.with(number, self.start[number]);
                }
                self.is_set_back = matters.iter().map(|matters| !matters).collect();
                if self.simplified == self.start {
                    // Together they may still matter, which the match with the start will show.
                    self.is_set_back.fill(false);
                    self.begin_final(objective);
                } else if self.simplified == self.best {
                    self.begin_final(objective);
                } else {
                    self.phase = ConfirmPhase::Simplified;
                    self.end = self.next + self.numbers(SIMPLIFIED_SHARE, objective.games(2));
                }
            }
            ConfirmPhase::Simplified => {
                let numbers = self.numbers_of_final(objective.games(1), self.games);
                // This is a test of non-inferiority (Blackwelder 1982, *Controlled Clinical Trials* 3). A lack of
                // evidence does not prove that a change does not matter. So the cost must certainly be less than
                // the match with the start can show: half the expected width of its 95% interval.
                let most = self.simplified_cost.mean() + ONE_SIDED * self.simplified_cost.se();
                if most > TWO_SIDED * (self.ahead.variance() / numbers as f64).sqrt() {
                    self.is_set_back.fill(false);
                } else {
                    self.best = self.simplified.clone();
                }
                self.begin_final(objective);
            }
            ConfirmPhase::Final | ConfirmPhase::Over => self.phase = ConfirmPhase::Over,
        }
    }
}

/// Returns which hypotheses are rejected at a level for all of them together, by Holm's procedure.
fn holm(p_values: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut refused = vec![false; p_values.len()];
    for (rank, &number) in order.iter().enumerate() {
        if p_values[number] > level / (p_values.len() - rank) as f64 {
            break;
        }
        refused[number] = true;
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_refuses_in_the_order_of_the_p_values() {
        // Holm's procedure with four hypotheses at 0.05: 0.005 and 0.01 are rejected, 0.03 and 0.04 are not.
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005], 0.05), [true, false, false, true]);
        assert_eq!(holm(&[0.02], 0.05), [true]);
        assert_eq!(holm(&[], 0.05), [false; 0]);
    }
}
