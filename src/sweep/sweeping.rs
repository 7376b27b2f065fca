//! A sweep in progress: point after point, each in legs between which it can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::leg::{Leg, Played};
use super::plan::SweepPlan;
use super::retune::{Retune, Retuned};
use crate::run::{Progress, Threads};
use crate::stats::BalanceMeasure;
use crate::toml_source::InputError;
use crate::tune::{Arena, Ended, TuneControl, Tuning};

/// What watches a sweep from outside, and may stop it.
#[derive(Debug, Default)]
pub struct SweepControl {
    /// Set to stop: the leg in progress then comes to nothing.
    pub stop: Arc<AtomicBool>,
    /// The games of all legs that are over.
    pub games: AtomicU64,
}

/// What was found out about a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// What was measured, by bot of the panel.
    pub measures: Vec<BalanceMeasure>,
    /// Its rows of `seats.csv`.
    pub seats: String,
    /// Its rows of `balance.csv`.
    pub balance: String,
    /// What tuning came to, if a bot is tuned anew and that is over.
    pub retuned: Option<Retuned>,
}

/// A sweep in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweeping {
    /// By point, as far as they are played.
    pub points: Vec<PointResult>,
    /// The number of legs of the last point that are over.
    pub(super) legs: usize,
    /// Tuning in progress at the last point.
    tuning: Option<Tuning>,
    /// The games played so far.
    pub games: u64,
    /// The faults of bots so far.
    pub faults: u64,
}

impl Progress for Sweeping {
    const FORM: &'static str = "sweep 2";
    const FILE: &'static str = "checkpoint of a sweep";
}

impl Sweeping {
    /// A sweep of which these points are played.
    #[cfg(test)]
    pub(super) fn of(points: Vec<PointResult>) -> Sweeping {
        Sweeping { points, ..Sweeping::default() }
    }

    /// Whether all is played.
    pub fn is_over(&self, plan: &SweepPlan) -> bool {
        self.points.len() == plan.points.len() && self.legs == plan.legs().len()
    }

    /// Plays a leg of a point, such as all bots with themselves or two of them with one another, or a step of tuning.
    /// False if it was stopped; nothing has changed then.
    ///
    /// # Errors
    /// If no threads can be started, or a bot that is tuned does not play.
    pub fn step(&mut self, plan: &SweepPlan, threads: &Threads, control: &SweepControl) -> Result<bool, InputError> {
        let (point, number) = self.next(plan);
        let leg = &plan.legs()[number];
        if let (Leg::Tuning, Some(retune)) = (leg, &plan.retune) {
            return self.tune(plan, retune, threads, control);
        }
        let retuned = self.points.get(point).and_then(|result| result.retuned.as_ref());
        let Played { outcome, measures } = plan.play(point, leg, retuned, threads, &control.stop)?;
        if !outcome.is_finished {
            return Ok(false);
        }
        if point == self.points.len() {
            self.points.push(PointResult::default());
            self.legs = 0;
        }
        let result = &mut self.points[point];
        if let Leg::Mirrors(bots) = leg {
            let mut results = outcome.results();
            let variant = plan.row_name(point);
            results.seats.iter_mut().for_each(|row| row.variant.clone_from(&variant));
            results.balance.iter_mut().for_each(|row| row.variant.clone_from(&variant));
            if bots.start > 0 {
                // The bot that was tuned has played by itself and under its old name; what is told of all is its own.
                let name = &plan.panel[bots.start].name;
                results.seats.drain(..results.seats.len() / 2);
                results.seats.iter_mut().for_each(|row| row.bot.clone_from(name));
                results.balance.iter_mut().for_each(|row| row.bot.clone_from(name));
            }
            result.seats += &lines(&results.seats);
            result.balance += &lines(&results.balance);
        }
        result.measures.extend(measures);
        self.legs += 1;
        self.faults += outcome.runs.iter().flat_map(|ran| &ran.faults).map(|faults| faults.count()).sum::<u64>();
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
        let own = retune.plan(&plan.variant(self.points.len() - 1));
        let task = own.task();
        let watch = Arc::new(TuneControl { stop: Arc::clone(&control.stop), ..TuneControl::default() });
        let tuning = self.tuning.get_or_insert_with(|| Tuning::new(&task));
        let before = tuning.games;
        let stepped = Arena::new(&own, threads, &watch).and_then(|mut arena| tuning.step(&task, &mut arena));
        match stepped {
            Ok(()) => {}
            Err(Ended::Stopped) => return Ok(false),
            Err(Ended::Failed(error)) => return Err(error),
        }
        let (played, is_over) = (tuning.games - before, tuning.is_over());
        if is_over {
            let retuned = Retuned::of(tuning, &task);
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

    /// The point and the leg that come next.
    fn next(&self, plan: &SweepPlan) -> (usize, usize) {
        match self.points.len().checked_sub(1) {
            Some(point) if self.legs < plan.legs().len() => (point, self.legs),
            last => (last.map_or(0, |point| point + 1), 0),
        }
    }
}

/// Lines of CSV without a header.
fn lines<R: Serialize>(rows: &[R]) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).expect("plain rows go into memory");
    String::from_utf8(writer.into_inner().expect("memory takes all")).expect("rows are text")
}
