//! Tuning as a whole: the stages one after the other, in steps between which it can be stopped.

use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::confirm::Confirm;
use super::counted::Counted;
use super::field::{FieldTable, games_a_number};
use super::objective::{Ended, Margins, Objective};
use super::pilot::Pilot;
use super::places::Places;
use super::race::Race;
use super::search::Search;
use super::space::{Point, Space};
use super::surface::{Fitted, Surface};
use super::trial::Trial;

/// The share of the budget that pilot, search and surface together may take, and that of the search with the settings
/// that were tried before it. Small budgets leave more to the confirmation: no less than it needs, up to so much.
const FOUND: f64 = 0.85;
const SEARCH: f64 = 0.75;
const MOST_TO_CONFIRM: f64 = 0.25;
/// The share of the budget that a race may take.
const RACE: f64 = 0.5;
/// The share of the confirmation in which the result meets the start.
const FINAL: f64 = 0.75;
/// How many times what finding the best takes the search may take where only a precision is asked for.
const ROOM: f64 = 2.0;

/// What is to be tuned, as far as the stages know: a space, where to start, and how much may be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The parameters.
    pub space: Space,
    /// Where to start.
    pub start: Point,
    /// The seed of the candidates.
    pub seed: u64,
    /// The games that may be played.
    pub games: Option<u64>,
    /// Half the width of the 95% interval of the gain that is precise enough.
    pub precision: Option<f64>,
    /// Whether there are so few settings that each is tried.
    pub is_race: bool,
}

/// Tuning in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// Where it is.
    pub stage: Stage,
    /// The games that may be played.
    pub budget: u64,
    /// What the pilot found out; not in a race.
    pub pilot: Option<Pilot>,
    /// What settings from all over the space came to, among the searched parameters; after the pilot.
    pub places: Option<Places>,
    /// The numbers of the parameters that are searched: those that change something.
    pub live: Vec<usize>,
    /// The comparisons of search and surface, among the searched parameters alone, once these are over.
    trials: Vec<Trial>,
    /// By trial: the stage that it belongs to, and its generation or round.
    pub rounds: Vec<(String, u32)>,
    /// What the surface said in the end, about the searched parameters.
    pub fitted: Option<Fitted>,
    /// The race, when it is over.
    pub race: Option<Race>,
    /// The games played so far.
    pub games: u64,
}

/// A stage of tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stage {
    /// Each parameter a little up and down, then settings from all over the space.
    Pilot,
    /// Generations of candidates.
    Search(Search),
    /// A quadratic near the best.
    Surface(Surface),
    /// All settings, of which some are dropped.
    Race(Race),
    /// The best meets the start on fresh deals.
    Confirm(Confirm),
    /// Nothing is left to play.
    Over(Option<Confirm>),
}

impl Stage {
    /// The stage's name.
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

/// The fewest games that tuning takes; `games` says how many comparing so many candidates takes for each deal number.
pub fn least_games(task: &Task, games: impl Fn(usize) -> u64) -> u64 {
    if task.is_race {
        let settings = task.space.settings().expect("few enough settings to try each");
        return (Race::least_games(games(settings)) as f64 / RACE) as u64;
    }
    (least_to_confirm(task, &games) as f64 / MOST_TO_CONFIRM).ceil() as u64
}

/// The fewest games of a confirmation, if all parameters have changed.
fn least_to_confirm(task: &Task, games: &dyn Fn(usize) -> u64) -> u64 {
    Confirm::least_games(task.space.dimensions(), games)
}

/// An objective in which only some of the parameters change.
struct Part<'a> {
    whole: &'a mut dyn Objective,
    start: &'a Point,
    live: &'a [usize],
}

/// The whole point of one that has the searched parameters alone.
pub fn whole(start: &Point, live: &[usize], point: &Point) -> Point {
    let mut all = start.clone();
    live.iter().zip(point).for_each(|(&number, &place)| all[number] = place);
    all
}

impl Objective for Part<'_> {
    fn weights(&self) -> &[f64] {
        self.whole.weights()
    }

    fn games(&self, candidates: usize) -> u64 {
        self.whole.games(candidates)
    }

    fn compare(
        &mut self,
        candidates: &[Point],
        incumbent: &Point,
        numbers: overtrick_tournament::Numbers,
    ) -> Result<Margins, Ended> {
        let candidates: Vec<Point> = candidates.iter().map(|point| whole(self.start, self.live, point)).collect();
        self.whole.compare(&candidates, &whole(self.start, self.live, incumbent), numbers)
    }
}

impl Tuning {
    /// Tuning from its beginning.
    pub fn new(task: &Task) -> Tuning {
        let budget = task.games.unwrap_or(0);
        // A race knows all its candidates and needs no forecast; one for a precision stops by itself.
        let stage = if task.is_race { Stage::Race(first_race(task)) } else { Stage::Pilot };
        Tuning {
            stage,
            budget,
            pilot: None,
            places: None,
            live: (0..task.start.len()).collect(),
            trials: Vec::new(),
            rounds: Vec::new(),
            fitted: None,
            race: None,
            games: 0,
        }
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// The confirmation, once it has begun; `None` if there was nothing to confirm.
    pub fn confirmation(&self) -> Option<&Confirm> {
        match &self.stage {
            Stage::Confirm(confirm) => Some(confirm),
            Stage::Over(confirm) => confirm.as_ref(),
            _ => None,
        }
    }

    /// The best setting so far.
    pub fn best(&self, task: &Task) -> Point {
        match &self.stage {
            Stage::Pilot => task.start.clone(),
            Stage::Search(search) => whole(&task.start, &self.live, &search.incumbent),
            Stage::Surface(surface) => whole(&task.start, &self.live, &surface.best),
            Stage::Race(race) => race.best().clone(),
            Stage::Confirm(confirm) => confirm.best.clone(),
            Stage::Over(confirm) => confirm.as_ref().map_or_else(|| task.start.clone(), |confirm| confirm.best.clone()),
        }
    }

    /// Whether the search began at a setting that was clearly better than the start, and not there.
    pub fn is_begun_elsewhere(&self) -> bool {
        self.places.as_ref().is_some_and(Places::is_elsewhere)
    }

    /// Half the width that the 95% interval of the confirmed gain will have, by the pilot.
    pub fn forecast(&self) -> f64 {
        let Some(pilot) = &self.pilot else {
            return 0.0;
        };
        let numbers = self.budget as f64 * (1.0 - FOUND) * FINAL / pilot.games_a_number as f64;
        1.96 * (pilot.variance_of_gain() / numbers).sqrt()
    }

    /// Plays a step: a generation, a comparison, a slice. Until it returns, nothing has changed.
    ///
    /// # Errors
    /// As those of [`Objective::compare`]; nothing has changed then.
    pub fn step(&mut self, task: &Task, objective: &mut dyn Objective) -> Result<(), Ended> {
        let (space, start) = searched(task, &self.live);
        let live = self.live.clone();
        let least = least_to_confirm(task, &|candidates| objective.games(candidates));
        let mut part = Part { whole: objective, start: &task.start, live: &live };
        match &mut self.stage {
            Stage::Pilot => {
                let pilot = Pilot::play(&space, &start, &mut part, task.games)?;
                let live = pilot.live();
                let (space, start) = searched(task, &live);
                let mut part = Part { whole: part.whole, start: &task.start, live: &live };
                let due = task.games.unwrap_or_else(|| budget(&pilot, task, part.whole.games(1)));
                let within = (pilot.numbers, pilot.games_for_places(due));
                let places = Places::play(&space, &start, &mut part, task.seed, within)?;
                self.budget = due;
                self.games = pilot.games + places.games;
                self.live = live.clone();
                let rest = self.rest_to_search(self.games, places.games, least);
                self.stage = match self.live.is_empty() {
                    true => Stage::Over(None),
                    false => Stage::Search(Search::new(&space, places.begin(&start), part.whole, rest)),
                };
                (self.pilot, self.places) = (Some(pilot), Some(places));
            }
            Stage::Search(search) => {
                let before = search.games;
                search.step(&space, &mut part, task.seed)?;
                let (played, round) = (search.games - before, search.generations);
                self.games += played;
                self.log(round);
                if let Stage::Search(search) = &self.stage
                    && search.is_over(objective)
                {
                    self.stage = Stage::Surface(Surface::new(search, &space, self.rest_to_find(self.games, least)));
                }
            }
            Stage::Surface(surface) => {
                let before = surface.games;
                let round = surface.rounds + 1;
                surface.step(&space, &mut part, task.seed)?;
                let played = surface.games - before;
                self.games += played;
                self.log(round);
                if let Stage::Surface(surface) = &self.stage
                    && surface.is_over()
                {
                    self.fitted = surface.fitted(&start);
                    self.trials = surface.trials.clone();
                    let best = whole(&task.start, &self.live, &surface.best);
                    self.confirm(task, objective, &best);
                }
            }
            Stage::Race(race) => {
                let before = race.games;
                race.step(part.whole)?;
                self.games += race.games - before;
                if race.is_over(part.whole) {
                    let (race, best) = (race.clone(), race.best().clone());
                    self.budget = self.budget.max(2 * self.games);
                    self.race = Some(race);
                    self.confirm(task, objective, &best);
                }
            }
            Stage::Confirm(confirm) => {
                let before = confirm.games;
                confirm.step(part.whole)?;
                self.games += confirm.games - before;
                if confirm.is_over() {
                    self.stage = Stage::Over(Some(confirm.clone()));
                }
            }
            Stage::Over(_) => {}
        }
        Ok(())
    }

    /// The comparisons of search and surface so far, among the searched parameters alone.
    pub fn trials(&self) -> &[Trial] {
        match &self.stage {
            Stage::Search(search) => &search.trials,
            Stage::Surface(surface) => &surface.trials,
            _ => &self.trials,
        }
    }

    /// The games that pilot, search and surface together may take, if a confirmation takes at least so many.
    fn to_find(&self, least: u64) -> u64 {
        ((self.budget as f64 * FOUND) as u64).min(self.budget.saturating_sub(least))
    }

    /// The games that search and surface together may still take after so many.
    fn rest_to_find(&self, games: u64, least: u64) -> u64 {
        self.to_find(least).saturating_sub(games)
    }

    /// The games that the search may take after so many, of which `places` were for settings from all over the space.
    fn rest_to_search(&self, games: u64, places: u64, least: u64) -> u64 {
        let together = (self.to_find(least) as f64 * (SEARCH / FOUND)) as u64;
        self.rest_to_find(games, least).min(together.saturating_sub(places))
    }

    /// Checks that it can be what tuning comes to in between, at these tables.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, task: &Task, tables: &[FieldTable]) -> Result<(), Flaw> {
        let games = &|candidates| games_a_number(tables, candidates);
        let is_after = matches!(self.stage, Stage::Confirm(_) | Stage::Over(_));
        let has_stage = match self.stage {
            Stage::Pilot | Stage::Search(_) | Stage::Surface(_) => !task.is_race,
            Stage::Race(_) => task.is_race,
            Stage::Confirm(_) | Stage::Over(_) => true,
        };
        let has_pilot = !task.is_race && !matches!(self.stage, Stage::Pilot);
        let has_parts = self.pilot.is_some() == has_pilot
            && self.places.is_some() == has_pilot
            && self.race.is_some() == (task.is_race && is_after);
        ensure(has_stage && has_parts, "stages are not those of its plan")?;
        let mut live: Vec<usize> = (0..task.start.len()).collect();
        let (mut spent, mut due) = (0, task.games.unwrap_or(0));
        let least = least_to_confirm(task, games);
        if let (Some(pilot), Some(places)) = (&self.pilot, &self.places) {
            pilot.check(task.start.len(), games, task.games)?;
            live = pilot.live();
            due = task.games.unwrap_or_else(|| budget(pilot, task, games(1)));
            places.check(live.len(), games, pilot.games_for_places(self.budget))?;
            spent = pilot.games.saturating_add(places.games);
        }
        let has_live = !live.is_empty() || matches!(self.stage, Stage::Over(None));
        ensure(self.live == live && has_live, "searched parameters are not those that matter")?;
        let searched = self.check_trials(games)?;
        match &self.stage {
            Stage::Search(search) => {
                let places = self.places.as_ref().map_or(0, |places| places.games);
                let most = self.rest_to_search(spent, places, least);
                search.check(live.len(), games, most, searched[0])?;
            }
            Stage::Surface(surface) => {
                let most = self.rest_to_find(spent.saturating_add(searched[0].games), least);
                surface.check(live.len(), games(1), most, searched[0].numbers, searched[1])?;
            }
            _ => {}
        }
        spent = searched.iter().fold(spent, |sum, stage| sum.saturating_add(stage.games));
        if let Stage::Race(race) = &self.stage {
            race.check(&first_race(task), games)?;
            spent = race.games;
        } else if let Some(race) = &self.race {
            race.check(&first_race(task), games)?;
            spent = race.games;
            due = due.max(spent.saturating_mul(2));
        }
        // Logarithms are not the same to the last bit everywhere.
        let is_due = if task.games.is_some() { self.budget == due } else { self.budget.abs_diff(due) <= due >> 20 };
        ensure(is_due, "budget is not that of its plan")?;
        if let Some(fitted) = &self.fitted {
            ensure(is_after && !task.is_race, "surface is not fitted yet")?;
            fitted.check(live.len())?;
        }
        if let Some(confirm) = self.confirmation() {
            let terms = (self.budget.saturating_sub(spent), task.precision);
            confirm.check(&task.start, tables.len(), games, terms, self.is_over())?;
            spent = spent.saturating_add(confirm.games);
        }
        ensure(self.games == spent, "games are not those of its stages")
    }

    /// Checks the trials, and counts those of the search and those of the surface.
    fn check_trials(&self, games: &dyn Fn(usize) -> u64) -> Result<[Counted; 2], Flaw> {
        let trials = self.trials();
        let is_known = |(stage, _): &(String, u32)| ["search", "surface"].contains(&stage.as_str());
        // The names of the two stages are in their order.
        let is_logged =
            self.rounds.len() == trials.len() && self.rounds.is_sorted() && self.rounds.iter().all(is_known);
        ensure(is_logged && (self.pilot.is_some() || trials.is_empty()), "trials are of no round")?;
        trials.iter().try_for_each(|trial| trial.check(self.live.len()))?;
        let searched = self.rounds.partition_point(|(stage, _)| stage == "search");
        let [own, others] = [&trials[..searched], &trials[searched..]];
        Ok([Counted::generations(own, &self.rounds[..searched], games)?, Counted::singles(others, games)?])
    }

    /// Notes to which stage and round the last trials belong.
    fn log(&mut self, round: u32) {
        let (count, stage) = (self.trials().len(), self.stage.name());
        self.rounds.resize(count, (stage.to_owned(), round));
    }

    fn confirm(&mut self, task: &Task, objective: &dyn Objective, best: &Point) {
        let rest = self.budget.saturating_sub(self.games);
        self.stage = match *best == task.start {
            true => Stage::Over(None),
            false => Stage::Confirm(Confirm::new(&task.start, best, objective, rest, task.precision)),
        };
    }
}

/// The searched parameters alone: their space, and where tuning starts in it.
fn searched(task: &Task, live: &[usize]) -> (Space, Point) {
    let axes = live.iter().map(|&number| task.space.axes[number].clone()).collect();
    (Space { axes }, live.iter().map(|&number| task.start[number]).collect())
}

/// A race of which nothing is played.
fn first_race(task: &Task) -> Race {
    let budget = task.games.map_or(u64::MAX, |games| (games as f64 * RACE) as u64);
    Race::new(&task.space, &task.start, budget, task.precision)
}

/// The games for a precision, if a candidate takes so many for each number: for finding the best within it, and for
/// confirming it.
fn budget(pilot: &Pilot, task: &Task, each: u64) -> u64 {
    let precision = task.precision.expect("a budget or a precision");
    let find = ROOM * pilot.numbers_to_find(precision) / FOUND;
    let confirm = pilot.variance_of_gain() * (1.96 / precision).powi(2) / ((1.0 - FOUND) * FINAL);
    let numbers = find.max(confirm).clamp(1e3, 1e12);
    pilot.games + (numbers * each as f64) as u64
}
