//! Plays candidates against the field, on all threads.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overtrick_run::Threads;
use overtrick_strategies::Bot;
use overtrick_toml::InputError;
use overtrick_tournament::{DealScores, Evaluation, Numbers, Schedule, ScoreSink, Unit, Window};
use rayon::prelude::*;

use super::constants::{PARTS_A_THREAD, SPREAD_DEALS};
use super::field::{Chair, FieldTable, TableScores, games_a_number};
use super::objective::{TuneMargins, TuneObjective};
use super::piece::{Comparison, PlayedComparison};
use super::plan::TunePlan;
use super::setting::Setting;
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;
use crate::pieces::{RemotePlay, RemoteWorkers};

/// The means to watch a comparison from outside and to stop it.
#[derive(Debug, Default)]
pub struct TuneControl {
    /// Set to stop; the comparison in progress is then discarded.
    pub stop: Arc<AtomicBool>,
    /// The number of games played so far.
    pub games: AtomicU64,
    /// The number of faults of bots so far.
    pub faults: AtomicU64,
}

/// The tables of a plan, at which settings of its parameters play.
#[derive(Clone)]
pub struct Arena<'a> {
    plan: &'a TunePlan,
    weights: Vec<f64>,
    threads: Threads,
    control: Arc<TuneControl>,
    /// Bots by the values of their parameters, since most settings play many times.
    bots: HashMap<String, Bot>,
    /// The workers that play large comparisons, if there are any.
    remote: Option<RemotePlay>,
}

impl<'a> Arena<'a> {
    /// Returns the tables of a plan, which play on these threads.
    ///
    /// Variants weigh the same in units of the spread of their scores. So with several variants, some deals
    /// of each are played here.
    ///
    /// # Errors
    /// If the start cannot play, or if it was stopped.
    pub fn new(plan: &'a TunePlan, threads: &Threads, control: &Arc<TuneControl>) -> Result<Arena<'a>, NoResult> {
        let mut arena = Arena::unweighted(plan, threads, control);
        let variants = plan.variants.len();
        let spreads: Vec<f64> = match variants {
            1 => vec![1.0],
            _ => (0..variants).map(|variant| arena.spread(variant)).collect::<Result<_, _>>()?,
        };
        let mean = spreads.iter().sum::<f64>() / variants as f64;
        let mut sums = vec![0.0; variants];
        plan.tables.iter().for_each(|table| sums[table.variant] += table.weight);
        let share = |table: &FieldTable| table.weight / sums[table.variant];
        let weight = |table: &FieldTable| share(table) * mean / spreads[table.variant] / variants as f64;
        arena.weights = plan.tables.iter().map(weight).collect();
        Ok(arena)
    }

    /// Returns the tables of a plan without weights, which a piece of a comparison does not need.
    pub(super) fn unweighted(plan: &'a TunePlan, threads: &Threads, control: &Arc<TuneControl>) -> Arena<'a> {
        let (threads, control) = (threads.clone(), Arc::clone(control));
        Arena { plan, weights: Vec::new(), threads, control, bots: HashMap::new(), remote: None }
    }

    /// Has workers play large comparisons in pieces; results do not depend on it.
    pub fn with_workers(self, workers: Arc<dyn RemoteWorkers>) -> Arena<'a> {
        let config = self.plan.to_toml();
        Arena { remote: Some(RemotePlay { workers, config }), ..self }
    }

    /// Returns the standard deviation of a seat's score in deals of the start with itself.
    fn spread(&self, variant: usize) -> Result<f64, NoResult> {
        let mut scores = Scores::default();
        let variant = &self.plan.variants[variant];
        let teams = variant.game.layout().teams();
        let schedule = Schedule::listed(&[vec![0; teams.count()]], teams).expect("a bot for every chair");
        let bots = [self.plan.start.clone()];
        let evaluation = Evaluation {
            variant,
            unit: Unit::Deal,
            seed: self.plan.seed,
            bots: &bots,
            schedule: &schedule,
            plays_all: true,
        };
        let mut player = evaluation.score_player(&self.control.stop).map_err(NoResult::Failed)?;
        player.play(Window::Pilot.numbers(0..SPREAD_DEALS), &mut scores);
        self.go_on()?;
        let (count, sum, squares) = (scores.count as f64, scores.sum as f64, scores.squares as f64);
        Ok(((squares - sum * sum / count) / count).max(1e-6).sqrt())
    }

    /// Returns the number of faults of bots so far.
    pub fn faults(&self) -> u64 {
        self.control.faults.load(Ordering::Relaxed)
    }

    fn go_on(&self) -> Result<(), NoResult> {
        if self.control.stop.load(Ordering::Relaxed) { Err(NoResult::Stopped) } else { Ok(()) }
    }

    /// Returns how far a setting is ahead of the start at a table with an unseen bot.
    ///
    /// One copy of the setting plays these numbers of a variant with copies of that bot.
    ///
    /// # Errors
    /// If it was stopped, or if a bot cannot play.
    pub fn meet(
        &self,
        setting: &Setting,
        unseen: usize,
        variant: usize,
        numbers: &Numbers,
    ) -> Result<MarginSums, NoResult> {
        let comparison = Comparison::Unseen { candidate: setting.clone(), bot: unseen, variant };
        let margins = match self.played_remotely(&comparison, numbers, 1, self.plan.games_of_meeting(variant))? {
            Some(margins) => margins,
            None => self.play_meeting(setting, unseen, variant, numbers)?,
        };
        Ok(margins.at(0, 0).iter().copied().collect())
    }

    fn play_meeting(
        &self,
        setting: &Setting,
        unseen: usize,
        variant: usize,
        numbers: &Numbers,
    ) -> Result<TuneMargins, NoResult> {
        let others = vec![self.plan.unseen[unseen].clone()];
        let plan = TunePlan { others, tables: self.plan.meeting(variant), ..self.plan.clone() };
        let arena = Arena::unweighted(&plan, &self.threads, &self.control);
        arena.compare_bots(&[self.plan.bot_at(setting)?], &self.plan.start, numbers)
    }

    /// Returns the margins of a comparison, if workers play it.
    ///
    /// `tables` is the number of tables, and `games` the number of games for each deal number.
    fn played_remotely(
        &self,
        comparison: &Comparison,
        numbers: &Numbers,
        tables: usize,
        games: u64,
    ) -> Result<Option<TuneMargins>, NoResult> {
        self.go_on()?;
        let Some(remote) = &self.remote else { return Ok(None) };
        let Some(pieces) = remote.play(comparison, numbers, games, &self.control.stop)? else { return Ok(None) };
        let count = numbers.within().end - numbers.within().start;
        let PlayedComparison { margins, faults } = comparison.whole(&pieces, tables, count)?;
        self.control.faults.fetch_add(faults, Ordering::Relaxed);
        self.control.games.fetch_add(games * count, Ordering::Relaxed);
        Ok(Some(margins))
    }

    /// Plays a comparison in this process.
    pub(super) fn play(&mut self, comparison: &Comparison, numbers: &Numbers) -> Result<TuneMargins, NoResult> {
        match comparison {
            Comparison::Settings { candidates, incumbent } => {
                let bots: Vec<Bot> = candidates.iter().map(|point| self.bot(point)).collect::<Result<_, _>>()?;
                let incumbent = self.bot(incumbent)?;
                self.compare_bots(&bots, &incumbent, numbers)
            }
            Comparison::Unseen { candidate, bot, variant } => self.play_meeting(candidate, *bot, *variant, numbers),
        }
    }

    fn bot(&mut self, point: &Setting) -> Result<Bot, InputError> {
        let name = self.plan.space.text(point);
        if let Some(bot) = self.bots.get(&name) {
            return Ok(bot.clone());
        }
        let bot = self.plan.bot_at(point)?;
        self.bots.insert(name, bot.clone());
        Ok(bot)
    }

    /// Compares bots with an incumbent, as [`TuneObjective::compare`] compares settings.
    fn compare_bots(&self, candidates: &[Bot], incumbent: &Bot, numbers: &Numbers) -> Result<TuneMargins, NoResult> {
        let within = numbers.within();
        let count = within.end - within.start;
        let bots: Vec<Bot> = candidates.iter().chain([incumbent]).chain(&self.plan.others).cloned().collect();
        let is_external = bots.iter().any(|bot| bot.spec.process().is_some());
        // Processes take long to start, so there are fewer parts.
        let parts = self.threads.count() as u64 * if is_external { 1 } else { PARTS_A_THREAD };
        let length = count.div_ceil(parts).max(1);
        let mut jobs: Vec<(usize, Numbers)> = Vec::new();
        for table in 0..self.plan.tables.len() {
            for start in (within.start..within.end).step_by(length as usize) {
                jobs.push((table, numbers.window().numbers(start..within.end.min(start + length))));
            }
        }
        let play = |(table, part): &(usize, Numbers)| self.play_table(&bots, candidates.len(), *table, part);
        let played: Vec<Vec<Vec<f64>>> =
            self.threads.pool().install(|| jobs.par_iter().map(play).collect::<Result<_, _>>())?;
        let mut margins = TuneMargins::new(candidates.len(), self.plan.tables.len(), count as usize);
        for ((table, part), own) in jobs.iter().zip(played) {
            let from = (part.within().start - within.start) as usize;
            for (candidate, values) in own.iter().enumerate() {
                margins.at_mut(candidate, *table)[from..from + values.len()].copy_from_slice(values);
            }
        }
        Ok(margins)
    }

    /// Returns the margins at one table, by candidate and number.
    fn play_table(
        &self,
        bots: &[Bot],
        candidates: usize,
        table: usize,
        numbers: &Numbers,
    ) -> Result<Vec<Vec<f64>>, NoResult> {
        self.go_on()?;
        let table = &self.plan.tables[table];
        let variant = &self.plan.variants[table.variant];
        let line_up = |candidate: usize| -> Vec<u16> {
            let bot = |chair: &Chair| match chair {
                Chair::Candidate => candidate,
                Chair::Incumbent => candidates,
                Chair::Other(number) => candidates + 1 + number,
            };
            table.chairs.iter().map(|chair| bot(chair) as u16).collect()
        };
        let lines = candidates + usize::from(!table.is_duel());
        let schedule = Schedule::listed(&(0..lines).map(line_up).collect::<Vec<_>>(), variant.game.layout().teams())
            .expect("a bot for every chair");
        let within = numbers.within();
        let count = (within.end - within.start) as usize;
        let scores = vec![TableScores::default(); lines * count];
        let mut sink = Sink { first: numbers.absolute().start, count, candidates, scores };
        let (seed, plays_all) = (self.plan.seed, self.threads.plays_all());
        let evaluation = Evaluation { variant, unit: Unit::Deal, seed, bots, schedule: &schedule, plays_all };
        let mut player = evaluation.score_player(&self.control.stop).map_err(NoResult::Failed)?;
        let faults: u64 = player.play(numbers.clone(), &mut sink).iter().map(|faults| faults.count()).sum();
        // After a stop, the scores are incomplete.
        self.go_on()?;
        self.control.faults.fetch_add(faults, Ordering::Relaxed);
        self.control.games.fetch_add((schedule.games_a_number() * count) as u64, Ordering::Relaxed);
        let none = TableScores::default();
        let margin = |candidate: usize, number: usize| {
            let baseline = sink.scores.get(candidates * count + number).unwrap_or(&none);
            table.margin(&sink.scores[candidate * count + number], baseline)
        };
        Ok((0..candidates).map(|candidate| (0..count).map(|number| margin(candidate, number)).collect()).collect())
    }
}

impl TuneObjective for Arena<'_> {
    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn games(&self, candidates: usize) -> u64 {
        games_a_number(&self.plan.tables, candidates)
    }

    fn compare(
        &mut self,
        candidates: &[Setting],
        incumbent: &Setting,
        numbers: Numbers,
    ) -> Result<TuneMargins, NoResult> {
        let games = self.games(candidates.len());
        let comparison = Comparison::Settings { candidates: candidates.to_vec(), incumbent: incumbent.clone() };
        match self.played_remotely(&comparison, &numbers, self.plan.tables.len(), games)? {
            Some(margins) => Ok(margins),
            None => self.play(&comparison, &numbers),
        }
    }
}

/// A sink that adds up the scores of each line-up, by deal and kind of chair.
struct Sink {
    first: u64,
    count: usize,
    candidates: usize,
    /// By line-up, then number.
    scores: Vec<TableScores>,
}

impl ScoreSink for Sink {
    fn add(&mut self, deal: DealScores<'_>) {
        let scores = &mut self.scores[deal.id.line_up.index() * self.count + (deal.id.number - self.first) as usize];
        for (&bot, &score) in deal.bots.iter().zip(deal.scores) {
            let sum = match bot.index() {
                bot if bot < self.candidates => &mut scores.candidates,
                bot if bot == self.candidates => &mut scores.incumbents,
                _ => &mut scores.others,
            };
            *sum += i64::from(score);
        }
    }
}

/// A sink that adds up the scores of all seats.
#[derive(Default)]
struct Scores {
    count: i64,
    sum: i64,
    squares: i64,
}

impl ScoreSink for Scores {
    fn add(&mut self, deal: DealScores<'_>) {
        for &score in deal.scores {
            self.count += 1;
            self.sum += i64::from(score);
            self.squares += i64::from(score).pow(2);
        }
    }
}
