//! Checks of tuning that was read from a file.

use overtrick_tournament::{Flaw, ensure};

use super::counted::StageCounts;
use super::field::{FieldTable, games_a_number};
use super::look::{ParameterLook, When};
use super::tuning::{Stage, TuneTask, Tuning, budget, first_race, least_to_confirm};

impl Tuning {
    /// Checks that it can be a state of tuning at these tables.
    ///
    /// # Errors
    /// If it cannot be, with the reason.
    pub fn check(&self, task: &TuneTask, tables: &[FieldTable]) -> Result<(), Flaw> {
        let games = &|candidates| games_a_number(tables, candidates);
        self.check_stages(task)?;
        let mut live: Vec<usize> = (0..task.start.len()).collect();
        let (mut spent, mut due) = (0, task.games.unwrap_or(0));
        if let (Some(pilot), Some(places)) = (&self.pilot, &self.places) {
            pilot.check(task.start.len(), games, task.games)?;
            due = task.games.unwrap_or_else(|| budget(pilot, task, games(1)));
            places.check(task.start.len(), games, pilot.games_for_places(self.budget))?;
            live = self.check_looks(task.start.len(), pilot.live(), games)?;
            spent = pilot.games.saturating_add(places.games).saturating_add(self.games_of_looks(When::Before));
        } else {
            ensure(self.looks.is_empty(), "parameters are looked at too soon")?;
        }
        let has_live = !live.is_empty() || matches!(self.stage, Stage::Over(None));
        ensure(self.live == live && has_live, "searched parameters are not those that matter")?;
        let searched = self.check_trials(games)?;
        self.check_search(task, spent, &searched, games)?;
        spent = searched.iter().fold(spent, |sum, stage| sum.saturating_add(stage.games));
        spent = spent.saturating_add(self.games_of_looks_in_search()).saturating_add(self.games_of_looks(When::Result));
        if let Stage::Race(race) = &self.stage {
            race.check(&first_race(task), games)?;
            spent = race.games;
        } else if let Some(race) = &self.race {
            race.check(&first_race(task), games)?;
            spent = race.games;
            due = due.max(spent.saturating_mul(2));
        }
        // Logarithms may differ in the last bit between platforms.
        let is_due = if task.games.is_some() { self.budget == due } else { self.budget.abs_diff(due) <= due >> 20 };
        ensure(is_due, "budget is not that of its plan")?;
        if let Some(fitted) = &self.fitted {
            ensure(self.is_after_search() && !task.is_race, "surface is not fitted yet")?;
            fitted.check(live.len())?;
        }
        if let Some(confirm) = self.confirmation() {
            let terms = (self.budget.saturating_sub(spent), task.precision);
            confirm.check(&task.start, tables.len(), games, terms, self.is_over())?;
            spent = spent.saturating_add(confirm.games);
        }
        ensure(self.games == spent, "games are not those of its stages")
    }

    /// Returns whether only the confirmation is left, or nothing.
    fn is_after_search(&self) -> bool {
        matches!(self.stage, Stage::Confirm(_) | Stage::Over(_))
    }

    /// Checks that the stage is one of the plan, with the results that the stages before it leave.
    fn check_stages(&self, task: &TuneTask) -> Result<(), Flaw> {
        let has_stage = match self.stage {
            Stage::Pilot | Stage::Search(_) | Stage::Surface(_) => !task.is_race,
            Stage::Race(_) => task.is_race,
            Stage::Confirm(_) | Stage::Over(_) => true,
        };
        let has_pilot = !task.is_race && !matches!(self.stage, Stage::Pilot);
        let has_parts = self.pilot.is_some() == has_pilot
            && self.places.is_some() == has_pilot
            && self.race.is_some() == (task.is_race && self.is_after_search());
        ensure(has_stage && has_parts, "stages are not those of its plan")
    }

    /// Checks a search or a surface in progress, which began after `spent` games.
    fn check_search(
        &self,
        task: &TuneTask,
        spent: u64,
        searched: &[StageCounts; 2],
        games: &dyn Fn(usize) -> u64,
    ) -> Result<(), Flaw> {
        let (dimensions, least) = (self.live.len(), least_to_confirm(task, games));
        match &self.stage {
            Stage::Search(search) => {
                let places = self.places.as_ref().map_or(0, |places| places.games);
                search.check(dimensions, games, self.rest_to_search(spent, places, least), searched[0])
            }
            Stage::Surface(surface) => {
                let before = spent.saturating_add(searched[0].games);
                let most = self.rest_to_find(before.saturating_add(self.games_of_looks_in_search()), least);
                surface.check(dimensions, games(1), most, searched[0].numbers, searched[1])
            }
            _ => Ok(()),
        }
    }

    /// Checks the trials, and returns the counts of the search and of the surface.
    fn check_trials(&self, games: &dyn Fn(usize) -> u64) -> Result<[StageCounts; 2], Flaw> {
        let trials = self.trials();
        let is_known = |(stage, _): &(String, u32)| ["search", "surface"].contains(&stage.as_str());
        // The names of the two stages sort in their order.
        let is_logged =
            self.rounds.len() == trials.len() && self.rounds.is_sorted() && self.rounds.iter().all(is_known);
        ensure(is_logged && (self.pilot.is_some() || trials.is_empty()), "trials are of no round")?;
        trials.iter().try_for_each(|trial| trial.check(self.live.len()))?;
        let searched = self.rounds.partition_point(|(stage, _)| stage == "search");
        let [own, others] = [&trials[..searched], &trials[searched..]];
        Ok([StageCounts::generations(own, &self.rounds[..searched], games)?, StageCounts::singles(others, games)?])
    }

    /// Checks the looks at parameters, and returns the indices of the searched parameters.
    fn check_looks(
        &self,
        dimensions: usize,
        mut live: Vec<usize>,
        games: &dyn Fn(usize) -> u64,
    ) -> Result<Vec<usize>, Flaw> {
        ensure(self.looks.is_sorted_by(|one, other| one.when <= other.when), "looks at parameters are not in order")?;
        let mut is_over = false;
        for look in &self.looks {
            let dead: Vec<usize> = (0..dimensions).filter(|number| !live.contains(number)).collect();
            look.check(dimensions, &dead, games)?;
            ensure(!is_over, "result is looked at twice")?;
            is_over = look.when == When::Result;
            if !is_over {
                live.extend(look.alive());
                live.sort_unstable();
            }
        }
        Ok(live)
    }

    fn games_of_looks(&self, when: When) -> u64 {
        self.sum_of_looks(|look| look.when == when)
    }

    fn games_of_looks_in_search(&self) -> u64 {
        self.sum_of_looks(|look| matches!(look.when, When::Search(_)))
    }

    fn sum_of_looks(&self, which: impl Fn(&ParameterLook) -> bool) -> u64 {
        let games = self.looks.iter().filter(|look| which(look)).map(|look| look.games);
        games.fold(0, u64::saturating_add)
    }
}
