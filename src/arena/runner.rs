//! Runs a tournament on all cores, in legs: between two legs the results are those of all numbers so far.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::engine::{Clock, Engine};
use super::feed::{Counter, Games, Progress};
use super::{Format, Schedule, Seeds, Tally, Tournament};
use crate::game::Game;
use crate::games::{Variant, Visitor};
use crate::input::InputError;
use crate::strategies::Bot;

/// What steers and watches a run from outside.
pub struct Control {
    /// Set to stop the run within a moment.
    pub stop: AtomicBool,
    progress: Progress,
}

impl Control {
    /// The control of a run with so many bots.
    pub fn new(bots: usize) -> Control {
        Control { stop: AtomicBool::new(false), progress: Progress::new(bots) }
    }

    /// The bot with the best mean score of a deal so far, by number, and that score.
    pub fn leader(&self) -> Option<(usize, f64)> {
        let mean = |(bot, (sum, deals)): (usize, &(AtomicI64, AtomicU64))| {
            let deals = deals.load(Ordering::Relaxed);
            (deals > 0).then(|| (bot, sum.load(Ordering::Relaxed) as f64 / deals as f64))
        };
        let means = self.progress.scores.iter().enumerate().filter_map(mean);
        means.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// Counts games that were done before the control was made.
    pub fn add_games(&self, games: u64) {
        self.progress.games.fetch_add(games, Ordering::Relaxed);
    }

    /// How many games are done, or nearly so.
    pub fn games_done(&self) -> u64 {
        self.progress.games.load(Ordering::Relaxed)
    }
}

/// What the run of one variant has given so far: the results of the numbers from `start` to `next`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ran {
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
    /// How long it took.
    pub wall: Duration,
}

impl Ran {
    /// Nothing yet of variant number `variant`, whose first number is to be `start`.
    pub fn new(tournament: &Tournament, variant: usize, start: u64) -> Ran {
        let (game, schedule) = (&tournament.variants[variant].game, &tournament.schedules[variant]);
        let (range, kinds, bots) = (game.score_range(), game.contract_kinds().len(), tournament.bots.len());
        let tally = Tally::new(schedule, tournament.groups, bots, range, kinds);
        Ran { start, next: start, tally, deals: 0, clocks: vec![Clock::default(); bots], wall: Duration::ZERO }
    }
}

/// Goes on with variant number `variant` of a tournament on the threads of `pool`, leg by leg: `plan` is asked before each leg up to
/// which number to play, and ends the run with `None`. Between legs the results are those of all numbers before `ran.next`, whatever
/// the threads; a run that is stopped stays at the end of the last leg.
///
/// # Errors
/// That of `plan`.
pub fn run(
    tournament: &Tournament,
    variant: usize,
    pool: &rayon::ThreadPool,
    control: &Control,
    ran: &mut Ran,
    plan: &mut dyn FnMut(&Ran) -> Result<Option<u64>, InputError>,
) -> Result<(), InputError> {
    let Variant { name, game, .. } = &tournament.variants[variant];
    game.visit(RunVariant { tournament, name, schedule: &tournament.schedules[variant], pool, control, ran, plan })
}

struct RunVariant<'a> {
    tournament: &'a Tournament,
    name: &'a str,
    schedule: &'a Schedule,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    ran: &'a mut Ran,
    plan: &'a mut dyn FnMut(&Ran) -> Result<Option<u64>, InputError>,
}

impl Visitor for RunVariant<'_> {
    type Output = Result<(), InputError>;

    fn visit<G: Game>(self, game: &Arc<G>) -> Result<(), InputError> {
        let RunVariant { tournament, name, schedule, pool, control, ran, plan } = self;
        let seeds = Seeds::new(tournament.seed, name, game.as_ref(), tournament.unit);
        let counter = Counter::default();
        let mut empty = ran.tally.clone();
        empty.clear();
        let duel = tournament.format == Format::Duel;
        let worker = || {
            let progress = &control.progress;
            let games = Games::new(&seeds, schedule, &counter, progress, name, duel, empty.clone());
            Mutex::new((games, Engine::new(game.as_ref(), strategies(&tournament.bots))))
        };
        // They keep their strategies from leg to leg.
        let threads = pool.current_num_threads();
        let workers: Vec<_> = (0..threads).map(|_| worker()).collect();
        while let Some(end) = plan(ran)? {
            let start = Instant::now();
            // Small enough that threads end together, large enough that they seldom meet.
            let share = (end - ran.next) / (threads as u64 * 32);
            counter.set(ran.next..end, share.clamp(1, 1 + 4096 / schedule.games_a_number() as u64));
            let finished = pool.broadcast(|thread| {
                let (games, engine) = &mut *workers[thread.index()].lock().expect("a thread that panics ends the run");
                engine.play(games, &control.stop)
            });
            if finished.contains(&false) {
                break;
            }
            for worker in &workers {
                let (games, engine) = &mut *worker.lock().expect("a thread that panics ends the run");
                ran.deals += games.hand_over(&mut ran.tally);
                for (sum, clock) in ran.clocks.iter_mut().zip(engine.take_clocks()) {
                    sum.add(&clock);
                }
            }
            ran.next = end;
            ran.wall += start.elapsed();
        }
        Ok(())
    }
}

fn strategies<G: Game>(bots: &[Bot]) -> Vec<Box<dyn crate::strategy::Strategy<G>>> {
    let build = |bot: &Bot| bot.recipe.build::<G>().expect("the config checked that every bot plays every game");
    bots.iter().map(build).collect()
}
