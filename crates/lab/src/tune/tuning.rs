//! Tuning as a whole: one stage after the other, in steps between which it can be stopped.

use serde::{Deserialize, Serialize};

use super::confirm::Confirm;
use super::constants::{
    FINAL_SHARE, FIND_SHARE, LOOK_PLACES, MOST_CONFIRM_SHARE, RACE_SHARE, SEARCH_ROOM, SEARCH_SHARE, TWO_SIDED,
};
use super::look::{ParameterLook, When};
use super::objective::{NoResult, TuneObjective};
use super::part::{LiveObjective, searched, whole};
use super::pilot::Pilot;
use super::places::Places;
use super::race::TuneRace;
use super::search::TuneSearch;
use super::setting::Setting;
use super::space::Space;
use super::surface::{FittedSurface, Surface};
use super::trial::TuneTrial;

/// The task of the stages: a space, the place to start, and the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneTask {
    /// The parameters.
    pub space: Space,
    /// The place to start.
    pub start: Setting,
    /// The seed of the candidates.
    pub seed: u64,
    /// The number of games that may be played.
    pub games: Option<u64>,
    /// The half-width of the 95% interval of the gain that is precise enough.
    pub precision: Option<f64>,
    /// Whether each setting is tried, as there are few of them.
    pub is_race: bool,
}

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
    pub places: Option<Places>,
    /// The indices of the parameters that are searched, which are those that change something.
    pub live: Vec<usize>,
    /// The looks at parameters that had changed no deal.
    pub looks: Vec<ParameterLook>,
    /// The comparisons of search and surface, once these are over, in the searched parameters only.
    trials: Vec<TuneTrial>,
    /// By trial: its stage, and its generation or round.
    pub rounds: Vec<(String, u32)>,
    /// The final results of the surface, for the searched parameters.
    pub fitted: Option<FittedSurface>,
    /// The race, when it is over.
    pub race: Option<TuneRace>,
    /// The number of games played so far.
    pub games: u64,
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

/// Returns the fewest games that tuning takes.
///
/// `games` gives the games for each deal number, by number of candidates.
pub fn least_games(task: &TuneTask, games: impl Fn(usize) -> u64) -> u64 {
    if task.is_race {
        let settings = task.space.settings().expect("few enough settings to try each");
        let race = (TuneRace::least_games(games(settings)) as f64 / RACE_SHARE) as u64;
        return race.max((least_to_confirm(task, &games) as f64 / (1.0 - RACE_SHARE)) as u64);
    }
    (least_to_confirm(task, &games) as f64 / MOST_CONFIRM_SHARE).ceil() as u64
}

/// Returns the fewest games of a confirmation, if all parameters have changed.
pub(super) fn least_to_confirm(task: &TuneTask, games: &dyn Fn(usize) -> u64) -> u64 {
    Confirm::least_games(task.space.dimensions(), games)
}

impl Tuning {
    /// Returns tuning at its beginning.
    pub fn new(task: &TuneTask) -> Tuning {
        let budget = task.games.unwrap_or(0);
        // A race knows all its candidates and needs no forecast. A race for a precision stops by itself.
        let stage = if task.is_race { Stage::Race(first_race(task)) } else { Stage::Pilot };
        Tuning {
            stage,
            budget,
            pilot: None,
            places: None,
            looks: Vec::new(),
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
            Stage::Search(search) => whole(&task.start, &self.live, &search.incumbent),
            Stage::Surface(surface) => whole(&task.start, &self.live, &surface.best),
            Stage::Race(race) => race.best().clone(),
            Stage::Confirm(confirm) => confirm.best.clone(),
            Stage::Over(confirm) => confirm.as_ref().map_or_else(|| task.start.clone(), |confirm| confirm.best.clone()),
        }
    }

    /// Returns whether the search began at a setting that was clearly better than the start.
    pub fn is_begun_elsewhere(&self) -> bool {
        self.places.as_ref().is_some_and(|places| places.better().is_some())
    }

    /// Returns the expected half-width of the 95% interval of the confirmed gain.
    ///
    /// `None` if it is not known. The first value assumes that the best is about as far from the start as the
    /// pilot's steps. The second assumes that it is as far as settings from all over the space.
    pub fn forecast(&self) -> Option<(f64, f64)> {
        let numbers =
            self.budget as f64 * (1.0 - FIND_SHARE) * FINAL_SHARE / self.pilot.as_ref()?.games_a_number as f64;
        let (near, far) = self.variances_of_gain()?;
        Some((TWO_SIDED * (near / numbers).sqrt(), TWO_SIDED * (far / numbers).sqrt()))
    }

    /// Returns the variance of the margin between the best and the start.
    ///
    /// The first value is for a best that is near, and the second for one far away.
    fn variances_of_gain(&self) -> Option<(f64, f64)> {
        let (near, far) = (self.pilot.as_ref()?.variance_of_gain(), self.places.as_ref()?.variance());
        match (near > 0.0, far > 0.0) {
            (true, true) => Some((near.min(far), near.max(far))),
            (true, false) => Some((near, near)),
            (false, true) => Some((far, far)),
            (false, false) => None,
        }
    }

    /// Plays a step: the pilot, a generation, a comparison, a look at parameters or a slice.
    ///
    /// Nothing changes until it returns.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has changed then.
    pub fn step(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        match &self.stage {
            Stage::Pilot => self.step_pilot(task, objective),
            Stage::Search(_) => self.step_search(task, objective),
            Stage::Surface(_) => self.step_surface(task, objective),
            Stage::Race(_) => self.step_race(task, objective),
            Stage::Confirm(_) => self.step_confirm(objective),
            Stage::Over(_) => Ok(()),
        }
    }

    /// Plays the pilot and the settings from all over the space.
    ///
    /// It also looks at parameters that changed nothing so far: at the start on more deals, then at the best
    /// of those settings.
    fn step_pilot(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let mut next = self.clone();
        let pilot = Pilot::play(&task.space, &task.start, objective, task.games)?;
        next.budget = task.games.unwrap_or_else(|| budget(&pilot, task, objective.games(1)));
        (next.games, next.live) = (pilot.games, pilot.live());
        next.pilot = Some(pilot);
        next.look(task, When::Before, &task.start, objective)?;
        let (number, games) = (next.numbers_of_pilot(), next.games_for_places());
        let places = Places::play(&task.space, &task.start, objective, task.seed, number, games)?;
        next.games += places.games;
        let looked_at: Vec<Setting> =
            places.settings.iter().take(LOOK_PLACES).map(|(point, _)| point.clone()).collect();
        next.places = Some(places);
        for point in &looked_at {
            next.look(task, When::Before, point, objective)?;
        }
        next.stage = if next.live.is_empty() { Stage::Over(None) } else { next.first_search(task, objective) };
        *self = next;
        Ok(())
    }

    /// Returns the search before its first generation.
    fn first_search(&self, task: &TuneTask, objective: &dyn TuneObjective) -> Stage {
        let places = self.places.as_ref().expect("they are played before");
        let point = places.better().unwrap_or(&task.start);
        let begin = self.live.iter().map(|&number| point[number]).collect();
        let rest = self.rest_to_search(self.games, places.games, least_to_confirm(task, &|all| objective.games(all)));
        Stage::Search(TuneSearch::new(&searched(&task.space, &task.start, &self.live).0, begin, objective, rest))
    }

    fn step_search(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let (space, _) = searched(&task.space, &task.start, &self.live);
        let Stage::Search(search) = &self.stage else { return Ok(()) };
        let is_over = search.is_over(objective);
        if self.is_look_due(search, is_over) {
            let found = if is_over { search.found(&space) } else { space.snap(&search.distribution.mean) };
            let at = whole(&task.start, &self.live, &found);
            if self.look(task, When::Search(search.generations), &at, objective)? {
                return Ok(());
            }
        }
        let least = least_to_confirm(task, &|candidates| objective.games(candidates));
        let rest = self.rest_to_find(self.games, least);
        let Stage::Search(search) = &mut self.stage else { return Ok(()) };
        if is_over {
            self.stage = Stage::Surface(Surface::new(search, &space, rest));
            return Ok(());
        }
        let before = search.games;
        let mut part = LiveObjective { whole: objective, start: &task.start, live: &self.live };
        search.step(&space, &mut part, task.seed)?;
        let (played, round) = (search.games - before, search.generations);
        self.games += played;
        self.log(round);
        Ok(())
    }

    fn step_surface(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let Stage::Surface(surface) = &mut self.stage else { return Ok(()) };
        let (space, start) = searched(&task.space, &task.start, &self.live);
        if surface.is_over() {
            let best = whole(&task.start, &self.live, &surface.best);
            let (fitted, trials) = (surface.fitted(&start), surface.trials.clone());
            self.look(task, When::Result, &best, objective)?;
            (self.fitted, self.trials) = (fitted, trials);
            self.confirm(task, objective, &best);
            return Ok(());
        }
        let before = surface.games;
        let round = surface.rounds + 1;
        let mut part = LiveObjective { whole: objective, start: &task.start, live: &self.live };
        surface.step(&space, &mut part, task.seed)?;
        let played = surface.games - before;
        self.games += played;
        self.log(round);
        Ok(())
    }

    fn step_race(&mut self, task: &TuneTask, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let Stage::Race(race) = &mut self.stage else { return Ok(()) };
        let before = race.games;
        race.step(objective)?;
        self.games += race.games - before;
        if race.is_over(objective) {
            let (race, best) = (race.clone(), race.best().clone());
            self.budget = self.budget.max(2 * self.games);
            self.race = Some(race);
            self.confirm(task, objective, &best);
        }
        Ok(())
    }

    fn step_confirm(&mut self, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let Stage::Confirm(confirm) = &mut self.stage else { return Ok(()) };
        let before = confirm.games;
        confirm.step(objective)?;
        self.games += confirm.games - before;
        if confirm.is_over() {
            self.stage = Stage::Over(Some(confirm.clone()));
        }
        Ok(())
    }

    /// Returns the number of deal numbers used so far in the pilot's window.
    pub(super) fn numbers_of_pilot(&self) -> u64 {
        self.deals_looked_at() + self.places.as_ref().map_or(0, Places::numbers)
    }

    /// Returns the number of games that settings from all over the space may take.
    fn games_for_places(&self) -> u64 {
        self.pilot.as_ref().map_or(0, |pilot| pilot.games_for_places(self.budget))
    }

    /// Returns the comparisons of search and surface so far, in the searched parameters only.
    pub fn trials(&self) -> &[TuneTrial] {
        match &self.stage {
            Stage::Search(search) => &search.trials,
            Stage::Surface(surface) => &surface.trials,
            _ => &self.trials,
        }
    }

    /// Returns the games that pilot, search and surface together may take.
    ///
    /// A confirmation takes at least `least` games.
    pub(super) fn to_find(&self, least: u64) -> u64 {
        ((self.budget as f64 * FIND_SHARE) as u64).min(self.budget.saturating_sub(least))
    }

    /// Returns the games that search and surface together may still take, after `games` games.
    pub(super) fn rest_to_find(&self, games: u64, least: u64) -> u64 {
        self.to_find(least).saturating_sub(games)
    }

    /// Returns the games that the search may take, after `games` games.
    ///
    /// Of these, `places` were for settings from all over the space.
    pub(super) fn rest_to_search(&self, games: u64, places: u64, least: u64) -> u64 {
        let together = (self.to_find(least) as f64 * (SEARCH_SHARE / FIND_SHARE)) as u64;
        self.rest_to_find(games, least).min(together.saturating_sub(places))
    }

    /// Notes the stage and the round of the last trials.
    fn log(&mut self, round: u32) {
        let (count, stage) = (self.trials().len(), self.stage.name());
        self.rounds.resize(count, (stage.to_owned(), round));
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

/// Returns a race of which nothing is played.
pub(super) fn first_race(task: &TuneTask) -> TuneRace {
    let budget = task.games.map_or(u64::MAX, |games| (games as f64 * RACE_SHARE) as u64);
    TuneRace::new(&task.space, &task.start, budget, task.precision)
}

/// Returns the games for a precision: to find the best within it, and to confirm the best.
///
/// A candidate takes `each` games for each deal number.
pub(super) fn budget(pilot: &Pilot, task: &TuneTask, each: u64) -> u64 {
    let precision = task.precision.expect("a budget or a precision");
    let find = SEARCH_ROOM * pilot.numbers_to_find(precision) / FIND_SHARE;
    let confirm = pilot.variance_of_gain() * (TWO_SIDED / precision).powi(2) / ((1.0 - FIND_SHARE) * FINAL_SHARE);
    let numbers = find.max(confirm).clamp(1e3, 1e12);
    pilot.games + (numbers * each as f64) as u64
}
