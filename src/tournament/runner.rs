//! Runs a tournament on all cores, in segments: between two of them the results are those of all numbers so far.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::engine::Engine;
use super::feed::{Counter, Games, Progress};
use super::roster::Roster;
use super::{Clock, Faults, Format, Seeds, Tally, Tournament, Unit};
use crate::game::FullGame;
use crate::games::Visitor;
use crate::toml_source::InputError;

/// What steers and watches a run from outside.
pub struct Control {
    /// Set to stop the run within a moment.
    pub stop: Arc<AtomicBool>,
    /// The folder for the logs of bots outside of the process; without one they are not kept.
    logs: Option<PathBuf>,
    progress: Progress,
    /// By bot, up to the last segment of the variant in progress.
    pace: Mutex<Vec<BotProgress>>,
}

/// How a bot goes along.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BotProgress {
    /// The mean score of a deal, over all variants so far.
    pub mean: Option<f64>,
    /// The mean time of a decision.
    pub time: Duration,
    /// Faults.
    pub faults: u64,
}

impl Control {
    /// The control of a run with so many bots; what those outside of the process write to their standard error goes into files in `logs`.
    pub fn new(bots: usize, logs: Option<PathBuf>) -> Control {
        let pace = Mutex::new(vec![BotProgress::default(); bots]);
        Control { stop: Arc::default(), logs, progress: Progress::new(bots), pace }
    }

    /// By bot: how it goes along.
    pub fn pace(&self) -> Vec<BotProgress> {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (pace, (sum, deals)) in pace.iter_mut().zip(&self.progress.scores) {
            let deals = deals.load(Ordering::Relaxed);
            pace.mean = (deals > 0).then(|| sum.load(Ordering::Relaxed) as f64 / deals as f64);
        }
        pace
    }

    /// Takes in how a variant goes.
    fn take(&self, ran: &VariantRun) {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        for (pace, (clock, faults)) in pace.iter_mut().zip(ran.clocks.iter().zip(&ran.faults)) {
            (pace.time, pace.faults) = (clock.mean(), faults.count());
        }
    }

    /// Counts games that were done before the control was made.
    pub fn add_games(&self, games: u64) {
        self.progress.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Forgets games that are to be played again.
    pub fn take_back(&self, games: u64) {
        self.progress.games.fetch_sub(games, Ordering::Relaxed);
    }

    /// How many games are done, or nearly so.
    pub fn games_done(&self) -> u64 {
        self.progress.games.load(Ordering::Relaxed)
    }
}

/// What the run of one variant has given so far: the results of the numbers from `start` to `next`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariantRun {
    /// The first number.
    pub start: u64,
    /// The first number that has not been played.
    pub next: u64,
    /// The results.
    pub tally: Tally,
    /// How many deals were played.
    pub deals: u64,
    /// By bot, over all threads.
    pub clocks: Vec<Clock>,
    /// By bot.
    pub faults: Vec<Faults>,
    /// The bots that were disqualified, by number, with the faults that were too many. What was played with them does not count.
    pub disqualified: Vec<(u16, Faults)>,
    /// Whether nobody is left to play.
    pub is_void: bool,
    /// How long it took.
    pub wall: Duration,
}

impl VariantRun {
    /// Nothing yet of variant number `variant`, whose first number is to be `start`.
    pub fn new(tournament: &Tournament, variant: usize, start: u64) -> VariantRun {
        let (game, schedule) = (&tournament.variants[variant].game, &tournament.schedules[variant]);
        let (range, kinds, bots) = (game.score_range(), game.contract_kinds().len(), tournament.bots.len());
        let mut tally = Tally::new(schedule, tournament.groups, bots, range, kinds);
        if tournament.unit == Unit::Deal && tournament.format != Format::Mirror {
            tally = tally.with_sample(schedule);
        }
        VariantRun {
            start,
            next: start,
            tally,
            deals: 0,
            clocks: vec![Clock::default(); bots],
            faults: vec![Faults::new(tournament.faults); bots],
            disqualified: Vec::new(),
            is_void: false,
            wall: Duration::ZERO,
        }
    }

    /// Whether some bot has had a fault.
    pub fn has_faults(&self) -> bool {
        self.faults.iter().chain(self.disqualified.iter().map(|(_, faults)| faults)).any(|faults| faults.count() > 0)
    }

    /// The first bot, by number, that has had more faults than the tournament bears.
    pub fn beyond_limit(&self, tournament: &Tournament) -> Option<u16> {
        let limit = tournament.faults.limit()?;
        self.faults.iter().position(|faults| faults.count() >= limit).map(|bot| bot as u16)
    }

    /// Begins variant number `variant` again without a bot that has had too many faults.
    pub fn disqualify(&mut self, tournament: &mut Tournament, variant: usize, bot: u16) {
        let faults = self.faults[usize::from(bot)].clone().decisive();
        let mut disqualified = std::mem::take(&mut self.disqualified);
        disqualified.push((bot, faults));
        let is_void = !tournament.drop_bot(variant, bot);
        *self = VariantRun { disqualified, is_void, ..VariantRun::new(tournament, variant, self.start) };
    }
}

/// Goes on with variant number `variant` of a tournament on the threads of `pool`, segment by segment: `plan` is asked before each up to
/// which number to play, and ends the run with `None`. Between segments the results are those of all numbers before `ran.next`, whatever
/// the threads; a run that is stopped stays at the end of the last segment.
///
/// # Errors
/// That of `plan`.
pub fn run(
    tournament: &Tournament,
    variant: usize,
    pool: &rayon::ThreadPool,
    control: &Control,
    ran: &mut VariantRun,
    plan: &mut dyn FnMut(&VariantRun) -> Result<Option<u64>, InputError>,
) -> Result<(), InputError> {
    tournament.variants[variant].game.visit(RunVariant { tournament, variant, pool, control, ran, plan })
}

struct RunVariant<'a> {
    tournament: &'a Tournament,
    variant: usize,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    ran: &'a mut VariantRun,
    plan: &'a mut dyn FnMut(&VariantRun) -> Result<Option<u64>, InputError>,
}

impl Visitor for RunVariant<'_> {
    type Output = Result<(), InputError>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Result<(), InputError> {
        let RunVariant { tournament, variant, pool, control, ran, plan } = self;
        let games_a_number = tournament.schedules[variant].games_a_number() as u64;
        let rules = &tournament.variants[variant];
        let seeds = Seeds::new(tournament.seed, &rules.name, game.as_ref(), tournament.unit);
        let counter = Counter::default();
        let mut empty = ran.tally.clone();
        empty.clear();
        let threads = pool.current_num_threads();
        let cast = Roster::new(tournament, rules, threads, &control.stop, control.logs.as_deref());
        let worker = |thread| {
            let games = Games::new(tournament, variant, &seeds, &counter, &control.progress, empty.clone());
            Mutex::new((games, Engine::new(game.as_ref(), cast.strategies(thread))))
        };
        // They keep their strategies from segment to segment.
        let workers: Vec<_> = (0..threads).map(worker).collect();
        while let Some(end) = plan(ran)? {
            let start = Instant::now();
            // Small enough that threads end together, large enough that they seldom meet.
            let numbers = end - ran.next;
            let share = numbers / (threads as u64 * 32);
            let room = (numbers * games_a_number).div_ceil(threads as u64);
            counter.set(ran.next..end, share.clamp(1, 1 + 4096 / games_a_number), room);
            let finished = pool.broadcast(|thread| {
                let (games, engine) = &mut *workers[thread.index()].lock().expect("a thread that panics ends the run");
                engine.play(games, &control.stop)
            });
            if finished.contains(&false) {
                break;
            }
            for worker in &workers {
                let (games, engine) = &mut *worker.lock().expect("a thread that panics ends the run");
                games.hand_over(ran);
                for (sum, clock) in ran.clocks.iter_mut().zip(engine.take_clocks()) {
                    sum.add(&clock);
                }
            }
            ran.next = end;
            ran.wall += start.elapsed();
            control.take(ran);
        }
        Ok(())
    }
}
