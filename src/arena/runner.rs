//! Runs a tournament on all cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::engine::{Clock, Engine};
use super::feed::{Counter, Games, Progress};
use super::{Schedule, Seeds, Tally, Tournament};
use crate::game::Game;
use crate::games::{Variant, Visitor};
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

    /// How many games are done, or nearly so, since the control was made.
    pub fn games_done(&self) -> u64 {
        self.progress.games.load(Ordering::Relaxed)
    }
}

/// What a variant's run left behind.
pub struct Ran {
    /// The results.
    pub tally: Tally,
    /// How many deals were played.
    pub deals: u64,
    /// By bot, over all threads.
    pub clocks: Vec<Clock>,
    /// How long it took.
    pub wall: Duration,
}

/// Plays variant number `variant` of a tournament on the threads of `pool`; `None` if it was stopped. The result does not depend
/// on the number of threads.
pub fn run(tournament: &Tournament, variant: usize, pool: &rayon::ThreadPool, control: &Control) -> Option<Ran> {
    let Variant { name, game, .. } = &tournament.variants[variant];
    game.visit(RunVariant { tournament, name, schedule: &tournament.schedules[variant], pool, control })
}

struct RunVariant<'a> {
    tournament: &'a Tournament,
    name: &'a str,
    schedule: &'a Schedule,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
}

impl Visitor for RunVariant<'_> {
    type Output = Option<Ran>;

    fn visit<G: Game>(self, game: &Arc<G>) -> Option<Ran> {
        let Tournament { seed, unit, numbers, groups, bots, .. } = self.tournament;
        let seeds = Seeds::new(*seed, self.name, game.as_ref(), *unit);
        let empty = Tally::new(self.schedule, *groups, bots.len(), game.score_range(), game.contract_kinds().len());
        // Small enough that threads end together, large enough that they seldom meet.
        let share = numbers / (self.pool.current_num_threads() as u64 * 32);
        let chunk = share.clamp(1, 1 + 4096 / self.schedule.games_a_number() as u64);
        let counter = Counter::new(*numbers, chunk);
        let start = Instant::now();
        let work = |_: rayon::BroadcastContext<'_>| {
            let progress = &self.control.progress;
            let mut games = Games::new(&seeds, self.schedule, &counter, progress, self.name, empty.clone());
            let mut engine = Engine::new(game.as_ref(), strategies(bots));
            let finished = engine.play(&mut games, &self.control.stop);
            finished.then(|| (games.tally, games.deals, engine.clocks().to_vec()))
        };
        let parts: Option<Vec<_>> = self.pool.broadcast(work).into_iter().collect();
        let mut ran = Ran { tally: empty, deals: 0, clocks: vec![Clock::default(); bots.len()], wall: Duration::ZERO };
        for (tally, deals, clocks) in parts? {
            ran.tally.merge(&tally);
            ran.deals += deals;
            for (sum, clock) in ran.clocks.iter_mut().zip(clocks) {
                sum.decisions += clock.decisions;
                sum.timed += clock.timed;
                sum.time += clock.time;
            }
        }
        ran.wall = start.elapsed();
        Some(ran)
    }
}

fn strategies<G: Game>(bots: &[Bot]) -> Vec<Box<dyn crate::strategy::Strategy<G>>> {
    let build = |bot: &Bot| bot.recipe.build::<G>().expect("the config checked that every bot plays every game");
    bots.iter().map(build).collect()
}
