//! A sweep in progress: point after point, each in legs between which it can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overtrick_run::{Extent, Progress, Shard, Threads};
use overtrick_stats::{BalanceMeasure, BalanceRow, Results, SeatRow};
use overtrick_toml::InputError;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::csv_rows::CsvRows;
use super::leg::{Leg, PlayedLeg};
use super::plan::SweepPlan;
use super::retune::{Retune, RetunedBot};
use crate::tune::{Arena, NoResult, TuneControl, Tuning};

/// More games or faults than any sweep has, so that sums over shards do not overflow.
const MOST_PLAYED: u64 = 1 << 50;
/// The columns of text in `seats.csv`, before those of numbers.
const SEATS_TEXT_COLUMNS: usize = 3;
/// The columns of text in `balance.csv`, before those of numbers.
const BALANCE_TEXT_COLUMNS: usize = 2;

/// The means to watch a sweep from outside and to stop it.
#[derive(Debug, Default)]
pub struct SweepControl {
    /// Set to stop; the leg in progress is then discarded.
    pub stop: Arc<AtomicBool>,
    /// The number of games of all legs and steps of tuning that are over.
    pub games: AtomicU64,
}

/// The results of a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// The measures of all bots of the panel.
    pub measures: Vec<BalanceMeasure>,
    /// The rows of the point in `seats.csv`.
    pub seats: CsvRows,
    /// The rows of the point in `balance.csv`.
    pub balance: CsvRows,
    /// The result of tuning, if a bot is tuned and tuning is over.
    pub retuned: Option<RetunedBot>,
}

/// A sweep in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweeping {
    /// The part of the points that is played; all of them if `None`.
    pub shard: Option<Shard>,
    /// The results of the points that are begun, in order.
    pub points: Vec<PointResult>,
    /// The number of legs of the last point that are over.
    pub(super) legs: usize,
    /// The tuning in progress at the last point.
    tuning: Option<Tuning>,
    /// The number of games played so far.
    pub games: u64,
    /// The number of faults of bots so far.
    pub faults: u64,
}

impl PointResult {
    /// Checks that these legs of a point can have left it.
    fn check(&self, plan: &SweepPlan, point: usize, legs: &[Leg]) -> Result<(), Flaw> {
        plan.check_measures(&self.measures)?;
        let is_tuned = legs.contains(&Leg::Tuning);
        ensure(self.retuned.is_some() == is_tuned, "points were tuned at another time")?;
        if let (Some(retune), Some(retuned)) = (&plan.retune, &self.retuned) {
            retune.check_setting(retuned)?;
        }
        let are_rows = self.seats.are_like(SeatRow::default(), SEATS_TEXT_COLUMNS, plan, point)
            && self.balance.are_like(BalanceRow::default(), BALANCE_TEXT_COLUMNS, plan, point);
        ensure(are_rows, "rows of tables are not those of its points")
    }

    /// Adds the rows of bots that have played with themselves; `first` is the first of them.
    fn add_tables(&mut self, plan: &SweepPlan, point: usize, first: usize, mut results: Results) {
        // The tuned bot has played alone and under its old name, so the figures for all bots are its own.
        let tuned = (first > 0).then(|| &plan.panel[first].name);
        if tuned.is_some() {
            results.seats.retain(|row| row.bot != "all");
        }
        let variant = plan.row_name(point);
        for row in &mut results.seats {
            row.variant.clone_from(&variant);
            row.bot = tuned.unwrap_or(&row.bot).clone();
        }
        for row in &mut results.balance {
            row.variant.clone_from(&variant);
            row.bot = tuned.unwrap_or(&row.bot).clone();
        }
        self.seats.add(&results.seats);
        self.balance.add(&results.balance);
    }
}

impl Progress for Sweeping {
    type Plan = SweepPlan;

    const FORM: &'static str = "sweep 9";
    const FILE: &'static str = "checkpoint of a sweep";

    fn extent(&self) -> Extent {
        self.shard.into()
    }

    fn extent_of(plan: &SweepPlan) -> Extent {
        plan.shard.into()
    }

    fn check(&self, plan: &SweepPlan) -> Result<(), Flaw> {
        let (legs, points) = (plan.legs(), plan.points_to_play());
        let begun = self.points.len();
        let is_begun = if begun == 0 { self.legs == 0 } else { (1..=legs.len()).contains(&self.legs) };
        ensure(begun <= points.len() && is_begun, "points are more than those of its plan")?;
        for (place, result) in self.points.iter().enumerate() {
            let is_last = place + 1 == begun;
            result.check(plan, points.start + place, if is_last { &legs[..self.legs] } else { &legs })?;
        }
        if let Some(tuning) = &self.tuning {
            let retune = plan.retune.as_ref().filter(|_| begun > 0 && legs.get(self.legs) == Some(&Leg::Tuning));
            let retune = retune.ok_or("tuning belongs to no point")?;
            let tune_plan = retune.plan(&plan.variant(points.start + begun - 1));
            tuning.check(&tune_plan.task(), &tune_plan.tables)?;
        }
        ensure(self.games.max(self.faults) <= MOST_PLAYED, "games are more than any sweep plays")
    }
}

impl Sweeping {
    /// Returns a sweep in which these points are played.
    #[cfg(test)]
    pub(super) fn of(points: Vec<PointResult>) -> Sweeping {
        Sweeping { points, ..Sweeping::default() }
    }

    /// Returns a sweep, or a part of a sweep, at its beginning.
    pub fn new(shard: Option<Shard>) -> Sweeping {
        Sweeping { shard, ..Sweeping::default() }
    }

    /// Returns a whole sweep from its shards, which are over and in the order of their numbers.
    pub fn merged(shards: impl IntoIterator<Item = Sweeping>) -> Sweeping {
        let mut whole = Sweeping::default();
        for shard in shards {
            // A shard without a point has no legs either.
            whole.legs = whole.legs.max(shard.legs);
            whole.points.extend(shard.points);
            whole.games += shard.games;
            whole.faults += shard.faults;
        }
        whole
    }

    /// Returns whether everything is played.
    pub fn is_over(&self, plan: &SweepPlan) -> bool {
        let points = plan.points_to_play().len();
        self.points.len() == points && (points == 0 || self.legs == plan.legs().len())
    }

    /// Plays a leg of a point or a step of tuning; false if it was stopped.
    ///
    /// A leg is, for example, all bots with themselves, or two of them with each other. After a stop, nothing
    /// has changed.
    ///
    /// # Errors
    /// If no threads can be started, or if a bot that is tuned does not play.
    pub fn step(&mut self, plan: &SweepPlan, threads: &Threads, control: &SweepControl) -> Result<bool, InputError> {
        let (place, leg) = self.next(plan);
        let point = plan.points_to_play().start + place;
        let leg = &plan.legs()[leg];
        if let (Leg::Tuning, Some(retune)) = (leg, &plan.retune) {
            return self.tune(plan, retune, threads, control);
        }
        let retuned = self.points.get(place).and_then(|result| result.retuned.as_ref());
        let Some(PlayedLeg { outcome, measures }) = plan.play(point, leg, retuned, threads, &control.stop)? else {
            return Ok(false);
        };
        if place == self.points.len() {
            self.points.push(PointResult::default());
            self.legs = 0;
        }
        let result = &mut self.points[place];
        if let Leg::Mirrors(bots) = leg {
            result.add_tables(plan, point, bots.start, outcome.results());
        }
        result.measures.extend(measures);
        self.legs += 1;
        for run in &outcome.runs {
            for faults in &run.faults {
                self.faults += faults.count();
            }
        }
        self.count(outcome.games_done(), control);
        Ok(true)
    }

    /// Plays a step of tuning at the last point.
    fn tune(
        &mut self,
        plan: &SweepPlan,
        retune: &Retune,
        threads: &Threads,
        control: &SweepControl,
    ) -> Result<bool, InputError> {
        let tune_plan = retune.plan(&plan.variant(plan.points_to_play().start + self.points.len() - 1));
        let task = tune_plan.task();
        let watch = Arc::new(TuneControl { stop: Arc::clone(&control.stop), ..TuneControl::default() });
        let tuning = self.tuning.get_or_insert_with(|| Tuning::new(&task));
        let before = tuning.games;
        let stepped = Arena::new(&tune_plan, threads, &watch).and_then(|mut arena| tuning.step(&task, &mut arena));
        match stepped {
            Ok(()) => {}
            Err(NoResult::Stopped) => return Ok(false),
            Err(NoResult::Failed(error)) => return Err(error),
        }
        let (played, is_over) = (tuning.games - before, tuning.is_over());
        if is_over {
            let retuned = RetunedBot::of(tuning, &task);
            self.points.last_mut().expect("the panel has played the point").retuned = Some(retuned);
            self.tuning = None;
            self.legs += 1;
        }
        self.faults += watch.faults.load(Ordering::Relaxed);
        self.count(played, control);
        Ok(true)
    }

    fn count(&mut self, games: u64, control: &SweepControl) {
        self.games += games;
        control.games.store(self.games, Ordering::Relaxed);
    }

    /// Returns the indices of the next point among those that are played, and of its next leg.
    fn next(&self, plan: &SweepPlan) -> (usize, usize) {
        match self.points.len().checked_sub(1) {
            Some(place) if self.legs < plan.legs().len() => (place, self.legs),
            last => (last.map_or(0, |place| place + 1), 0),
        }
    }
}
