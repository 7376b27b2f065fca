//! Checks of tuning that was read from a file.

use overtrick_tournament::{Flaw, ensure};

use super::cmaes::candidates;
use super::constants::MOST_PLAYED;
use super::field::{FieldTable, games_a_number};
use super::task::TuneTask;
use super::tuning::{Stage, TrialRound, Tuning};

impl Tuning {
    /// Checks that tuning at these tables can go on from it, and plays no more than its plan.
    ///
    /// Tuning that passes may still be made up.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub fn check(&self, task: &TuneTask, tables: &[FieldTable]) -> Result<(), Flaw> {
        let games = &|candidates| games_a_number(tables, candidates);
        let parameters = task.start.len();
        self.check_stages(task)?;
        ensure(self.games <= MOST_PLAYED, "games are more than any tuning plays")?;
        let mut due = task.games.unwrap_or(0);
        if let (Some(pilot), Some(candidates)) = (&self.pilot, &self.start_candidates) {
            pilot.check(parameters, games, task.games)?;
            candidates.check(parameters)?;
            due = task.budget(pilot, games(1));
        }
        if let Some(race) = &self.race {
            race.check(&task.first_race())?;
            due = due.max(2 * race.games);
        }
        // Logarithms may differ in the last bit between platforms.
        let is_due = if task.games.is_some() { self.budget == due } else { self.budget.abs_diff(due) <= due >> 20 };
        ensure(is_due, "budget is not that of its plan")?;
        self.probes.iter().try_for_each(|probe| probe.check(parameters))?;
        self.check_searched(parameters)?;
        let dimensions = self.live.len();
        match &self.stage {
            Stage::Pilot | Stage::Over(None) => Ok(()),
            Stage::Search(search) => search.check(dimensions, games(candidates(dimensions) + 1), self.budget),
            Stage::Surface(surface) => surface.check(dimensions, games(1), self.budget),
            Stage::Race(race) => race.check(&task.first_race()),
            Stage::Confirm(confirm) | Stage::Over(Some(confirm)) => {
                confirm.check(&task.start, tables.len(), self.budget, self.is_over())
            }
        }
    }

    /// Checks that the stage is one of the plan, with the results that the stages before it leave.
    fn check_stages(&self, task: &TuneTask) -> Result<(), Flaw> {
        let is_after_search = matches!(self.stage, Stage::Confirm(_) | Stage::Over(_));
        let has_stage = match self.stage {
            Stage::Pilot | Stage::Search(_) | Stage::Surface(_) => !task.is_race,
            Stage::Race(_) => task.is_race,
            Stage::Confirm(_) | Stage::Over(_) => true,
        };
        let has_pilot = !task.is_race && !matches!(self.stage, Stage::Pilot);
        let has_parts = self.pilot.is_some() == has_pilot
            && self.start_candidates.is_some() == has_pilot
            && self.race.is_some() == (task.is_race && is_after_search);
        ensure(has_stage && has_parts, "stages are not those of its plan")
    }

    /// Checks the searched parameters, of `parameters` in all, with the trials and the fit of them alone.
    fn check_searched(&self, parameters: usize) -> Result<(), Flaw> {
        let has_live = !self.live.is_empty() || matches!(self.stage, Stage::Over(None));
        let is_part = self.live.is_sorted_by(|one, other| one < other) && self.live.iter().all(|&own| own < parameters);
        ensure(has_live && is_part, "searched parameters are not among its parameters")?;
        let is_known = |time: &TrialRound| ["search", "surface"].contains(&time.stage.as_str());
        let is_logged = self.rounds.len() == self.trials().len() && self.rounds.iter().all(is_known);
        ensure(is_logged, "trials do not fit their rounds")?;
        self.trials().iter().try_for_each(|trial| trial.check(self.live.len()))?;
        self.fitted.iter().try_for_each(|fitted| fitted.check(self.live.len()))
    }
}
