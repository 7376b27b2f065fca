//! Tuning as a whole: one stage after the other, in steps between which it can be stopped.

use serde::{Deserialize, Serialize};

use super::confirm::Confirm;
use super::constants::{FINAL_SHARE, FIND_SHARE, PROBED_CANDIDATES, SEARCH_SHARE, TWO_SIDED};
use super::objective::TuneObjective;
use super::part::{LiveObjective, all_parameters, searched_coordinates, searched_space};
use super::pilot::Pilot;
use super::probe::{ParameterProbe, ProbeTime};
use super::race::TuneRace;
use super::search::TuneSearch;
use super::setting::Setting;
use super::start_candidates::StartCandidates;
use super::surface::{FittedSurface, Surface};
use super::task::TuneTask;
use super::trial::TuneTrial;
use crate::no_result::NoResult;

/// Tuning in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The stage in progress.
    pub stage: Stage,
    /// The number of games that may be played.
    pub budget: u64,
    /// The results of the pilot; `None` in a race.
    pub pilot: Option<Pilot>,
    /// The results of settings from all over the space, after the pilot.
    pub start_candidates: Option<StartCandidates>,
    /// The indices of the parameters that are searched, which are those that change something.
    pub live: Vec<usize>,
    /// The probes of parameters that had changed no deal.
    pub probes: Vec<ParameterProbe>,
    /// The comparisons of search and surface, once these are over, in the searched parameters only.
    trials: Vec<TuneTrial>,
    /// By trial: the round in which it was played.
    pub rounds: Vec<TrialRound>,
    /// The final results of the surface, for the searched parameters.
    pub fitted: Option<FittedSurface>,
    /// The race, when it is over.
    pub race: Option<TuneRace>,
    /// The number of games played so far.
    pub games: u64,
}

/// The time of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRound {
    /// The name of its stage.
    pub stage: String,
    /// Its generation of the search, or its round of the surface.
    pub round: u32,
}

/// The expected half-width of the 95% interval of the confirmed gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainForecast {
    /// The half-width if the best is about as far from the start as the pilot's steps.
    pub near: f64,
    /// The half-width if the best is as far from the start as settings from all over the space.
    pub far: f64,
}

/// A stage of tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stage {
    /// Each parameter moves a little up and down, and then settings from all over the space play.
    Pilot,
    /// Generations of candidates.
    Search(TuneSearch),
    /// A quadratic near the best.
    Surface(Surface),
    /// All settings play, and some are dropped.
    Race(TuneRace),
    /// The best meets the start on fresh deals.
    Confirm(Confirm),
    /// Nothing is left to play.
    Over(Option<Confirm>),
}

impl Stage {
    /// Returns the name of the stage.
    pub fn name(&self) -> &'static str {
        match self {
            Stage::Pilot => "pilot",
            Stage::Search(_) => "search",
            Stage::Surface(_) => "surface",
            Stage::Race(_) => "race",
            Stage::Confirm(_) => "confirm",
            Stage::Over(_) => "over",
        }
    }
}

impl Tuning {
    /// Returns tuning at its beginning.
    pub fn new(task: &TuneTask) -> Tuning {
        let budget = task.games.unwrap_or(0);
        // A race knows all its candidates and needs no forecast. A race for a precision stops by itself.
        let stage = if task.is_race { Stage::Race(task.first_race()) } else { Stage::Pilot };
        Tuning {
            stage,
            budget,
            pilot: None,
            start_candidates: None,
            probes: Vec::new(),
            live: (0..task.start.len()).collect(),
            trials: Vec::new(),
            rounds: Vec::new(),
            fitted: None,
            race: None,
            games: 0,
        }
    }

    /// Returns whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Returns the confirmation, once it has begun; `None` if there was nothing to confirm.
    pub fn confirmation(&self) -> Option<&Confirm> {
        match &self.stage {
            Stage::Confirm(confirm) => Some(confirm),
            Stage::Over(confirm) => confirm.as_ref(),
            _ => None,
        }
    }

    /// Returns the best setting so far.
    pub fn best(&self, task: &TuneTask) -> Setting {
        match &self.stage {
            Stage::Pilot => task.start.clone(),
            Stage::Search(search) => all_parameters(&task.start, &self.live, &search.incumbent),
            Stage::Surface(surface) => all_parameters(&task.start, &self.live, &surface.best),
            Stage::Race(race) => race.best().clone(),
            Stage::Confirm(confirm) => confirm.best.clone(),
            Stage::Over(confirm) => confirm.as_ref().map_or_else(|| task.start.clone(), |confirm| confirm.best.clone()),
        }
    }

    /// Returns whether the search began at a setting that was clearly better than the start.
    pub fn began_at_better(&self) -> bool {
        self.start_candidates.as_ref().is_some_and(|candidates| candidates.better().is_some())
    }

    /// Returns how precise the gain will be; `None` if it is not known.
    pub fn forecast(&self) -> Option<GainForecast> {
        let (pilot, candidates) = (self.pilot.as_ref()?, self.start_candidates.as_ref()?);
        let numbers = self.budget as f64 * (1.0 - FIND_SHARE) * FINAL_SHARE / pilot.games_a_number as f64;
        // A variance of 0 says only that no deal was different.
        let variances =
            [pilot.variance_of_gain(), candidates.variance()].into_iter().filter(|variance| *variance > 0.0);
        let half_width = |variance: f64| TWO_SIDED * (variance / numbers).sqrt();
        let near = half_width(variances.clone().reduce(f64::min)?);
        Some(GainForecast { near, far: half_width(variances.reduce(f64::max)?) })
    }

    /// Plays a step: the pilot, a generation, a comparison, a probe of parameters or a slice.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has changed then.
    pub fn step(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        // Each stage goes on from a copy, which takes its place once it is played.
        match self.stage.clone() {
            Stage::Pilot => self.step_pilot(task, objective),
            Stage::Search(search) => self.step_search(search, task, objective),
            Stage::Surface(surface) => self.step_surface(surface, task, objective),
            Stage::Race(race) => self.step_race(race, task, objective),
            Stage::Confirm(confirm) => self.step_confirm(confirm, objective),
            Stage::Over(_) => Ok(()),
        }
    }

    /// Plays the pilot and the settings from all over the space.
    ///
    /// It also probes parameters that changed nothing so far: at the start on more deals, then at the best of
    /// those settings.
    fn step_pilot(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let mut next = self.clone();
        let pilot = Pilot::play(&task.space, &task.start, objective, task.games)?;
        next.budget = task.budget(&pilot, objective.games(1));
        (next.games, next.live) = (pilot.games, pilot.live());
        let games = pilot.games_for_start_candidates(next.budget);
        next.pilot = Some(pilot);
        next.probe(task, ProbeTime::Before, &task.start, objective)?;
        let first = next.numbers_of_pilot();
        let candidates = StartCandidates::play(&task.space, &task.start, objective, task.seed, first, games)?;
        next.games += candidates.games;
        let probed: Vec<Setting> =
            candidates.settings.iter().take(PROBED_CANDIDATES).map(|(point, _)| point.clone()).collect();
        next.start_candidates = Some(candidates);
        for point in &probed {
            next.probe(task, ProbeTime::Before, point, objective)?;
        }
        next.stage = if next.live.is_empty() { Stage::Over(None) } else { next.first_search(task, objective) };
        *self = next;
        Ok(())
    }

    /// Returns the search before its first generation.
    fn first_search(&self, task: &TuneTask, objective: &dyn TuneObjective) -> Stage {
        let candidates = self.start_candidates.as_ref().expect("they are played before");
        let begin = searched_coordinates(&self.live, candidates.better().unwrap_or(&task.start));
        let share = (self.games_to_find(task, objective) as f64 * (SEARCH_SHARE / FIND_SHARE)) as u64;
        let games = self.games_left(task, objective).min(share.saturating_sub(candidates.games));
        Stage::Search(TuneSearch::new(&searched_space(&self.live, &task.space), begin, objective, games))
    }

    fn step_search(
        &mut self,
        mut search: TuneSearch,
        task: &TuneTask,
        objective: &mut dyn TuneObjective,
    ) -> Result<(), NoResult> {
        let space = searched_space(&self.live, &task.space);
        let is_over = search.is_over(objective);
        if self.is_probe_due(&search, is_over) {
            let found = if is_over { search.found(&space) } else { space.snap(&search.distribution.mean) };
            let at = all_parameters(&task.start, &self.live, &found);
            if self.probe(task, ProbeTime::Search(search.generations), &at, objective)? {
                return Ok(());
            }
        }
        if is_over {
            self.stage = Stage::Surface(Surface::new(&search, &space, self.games_left(task, objective)));
            return Ok(());
        }
        let before = search.games;
        let mut part = LiveObjective { whole: objective, start: &task.start, live: &self.live };
        search.step(&space, &mut part, task.seed)?;
        self.games += search.games - before;
        let generation = search.generations;
        self.stage = Stage::Search(search);
        self.log(generation);
        Ok(())
    }

    fn step_surface(
        &mut self,
        mut surface: Surface,
        task: &TuneTask,
        objective: &mut dyn TuneObjective,
    ) -> Result<(), NoResult> {
        if surface.is_over() {
            let best = all_parameters(&task.start, &self.live, &surface.best);
            self.probe(task, ProbeTime::Result, &best, objective)?;
            self.fitted = surface.fitted(&searched_coordinates(&self.live, &task.start));
            self.trials = surface.trials;
            self.confirm(task, objective, &best);
            return Ok(());
        }
        let (before, round) = (surface.games, surface.rounds + 1);
        let mut part = LiveObjective { whole: objective, start: &task.start, live: &self.live };
        surface.step(&searched_space(&self.live, &task.space), &mut part, task.seed)?;
        self.games += surface.games - before;
        self.stage = Stage::Surface(surface);
        self.log(round);
        Ok(())
    }

    fn step_race(
        &mut self,
        mut race: TuneRace,
        task: &TuneTask,
        objective: &mut dyn TuneObjective,
    ) -> Result<(), NoResult> {
        let before = race.games;
        race.step(objective)?;
        self.games += race.games - before;
        if race.is_over(objective) {
            self.budget = self.budget.max(2 * self.games);
            self.confirm(task, objective, race.best());
            self.race = Some(race);
        } else {
            self.stage = Stage::Race(race);
        }
        Ok(())
    }

    fn step_confirm(&mut self, mut confirm: Confirm, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let before = confirm.games;
        confirm.step(objective)?;
        self.games += confirm.games - before;
        self.stage = if confirm.is_over() { Stage::Over(Some(confirm)) } else { Stage::Confirm(confirm) };
        Ok(())
    }

    /// Returns the count of deal numbers used so far in the pilot's window.
    pub(super) fn numbers_of_pilot(&self) -> u64 {
        self.deals_probed() + self.start_candidates.as_ref().map_or(0, StartCandidates::numbers)
    }

    /// Returns the comparisons of search and surface so far, in the searched parameters only.
    pub fn trials(&self) -> &[TuneTrial] {
        match &self.stage {
            Stage::Search(search) => &search.trials,
            Stage::Surface(surface) => &surface.trials,
            _ => &self.trials,
        }
    }

    /// Returns the games that all stages before the confirmation may take.
    fn games_to_find(&self, task: &TuneTask, objective: &dyn TuneObjective) -> u64 {
        let least_to_confirm = task.least_to_confirm(&|candidates| objective.games(candidates));
        ((self.budget as f64 * FIND_SHARE) as u64).min(self.budget.saturating_sub(least_to_confirm))
    }

    /// Returns the games that are left before the confirmation.
    pub(super) fn games_left(&self, task: &TuneTask, objective: &dyn TuneObjective) -> u64 {
        self.games_to_find(task, objective).saturating_sub(self.games)
    }

    /// Notes the stage and the round of the last trials.
    fn log(&mut self, round: u32) {
        let (count, stage) = (self.trials().len(), self.stage.name().to_owned());
        self.rounds.resize(count, TrialRound { stage, round });
    }

    fn confirm(&mut self, task: &TuneTask, objective: &dyn TuneObjective, best: &Setting) {
        let rest = self.budget.saturating_sub(self.games);
        self.stage = if *best == task.start {
            Stage::Over(None)
        } else {
            Stage::Confirm(Confirm::new(&task.start, best, objective, rest, task.precision))
        };
    }
}
