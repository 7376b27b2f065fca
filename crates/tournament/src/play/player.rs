//! Plays a variant on all threads, segment by segment.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use overtrick_game::FullGame;
use overtrick_games::Visitor;

use super::control::Control;
use super::counting::Counting;
use super::engine::Engine;
use super::fault_book::FaultBook;
use super::logged::LoggedDeal;
use super::pace::Pace;
use super::roster::{Roster, substitute};
use super::scheduled::Scheduled;
use super::source::{Counter, DealSource};
use super::spread;
use crate::{FaultAction, OpenNumber, Seeds, Tournament, VariantRun};

/// Plays one variant of a tournament. Between two segments the results are those of all numbers so far, on any number
/// of threads.
pub trait VariantPlayer {
    /// Plays on to the number `end` and adds the results to `run`. If it is stopped on the way it leaves `run`
    /// unchanged and gives false. If it `breaks_off`, it begins no more games after a second or some, and leaves open
    /// what was not played.
    fn play_to(&mut self, end: u64, breaks_off: bool, run: &mut VariantRun) -> bool;

    /// The deals of the last segment by number, line-up, seating and place in their match, if the player keeps them.
    fn take_deals(&mut self) -> Vec<LoggedDeal>;
}

/// The player of variant number `variant`, on the threads of `pool`, which adds to runs like `run`. Strategies are
/// built now; they stay the same from segment to segment. With `keeps_deals` the deals of each segment can be taken.
pub fn player<'a>(
    tournament: &'a Tournament,
    variant: usize,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    run: &VariantRun,
    keeps_deals: bool,
) -> Box<dyn VariantPlayer + 'a> {
    tournament.variants[variant].game.visit(Open { tournament, variant, pool, control, run, keeps_deals })
}

struct Open<'a, 'r> {
    tournament: &'a Tournament,
    variant: usize,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    run: &'r VariantRun,
    keeps_deals: bool,
}

impl<'a> Visitor for Open<'a, '_> {
    type Output = Box<dyn VariantPlayer + 'a>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Box<dyn VariantPlayer + 'a> {
        let Open { tournament, variant: number, pool, control, run, keeps_deals } = self;
        let (variant, schedule) = (&tournament.variants[number], &tournament.schedules[number]);
        let is_spread = tournament.has_processes();
        let seeds = Arc::new(Seeds::new(tournament.luck(), &variant.name, game.as_ref(), tournament.unit));
        let counter = Arc::new(Counter::default());
        let mut empty = run.tally.clone();
        empty.clear();
        let threads = pool.current_num_threads();
        let roster = Roster::new(&tournament.bots, variant, threads, &control.stop, control.logs())
            .guarded(schedule, tournament.audit);
        let worker = |thread| {
            let mut source = DealSource::new(Arc::clone(&seeds), schedule, Arc::clone(&counter));
            if is_spread {
                source = source.spread(tournament.bots.iter().map(|bot| bot.spec.process().is_some()).collect());
            }
            let mut sink = Counting::new(tournament, number, &control.progress, empty.clone(), keeps_deals);
            // Each thread goes on with some of the numbers that are open.
            let open: Vec<OpenNumber> = run.open.iter().skip(thread).step_by(threads).cloned().collect();
            source.take_over(&open);
            sink.take_over(&open);
            let faults = FaultBook::new(tournament.faults, tournament.bots.len());
            let games = Scheduled::new(&variant.name, source, sink, faults);
            let mut strategies = roster.strategies(thread).expect("the config checked that every bot plays every game");
            if tournament.faults.policy == FaultAction::ForfeitDeal {
                strategies.push(substitute(variant));
            }
            Mutex::new((games, Engine::new(strategies)))
        };
        let workers = (0..threads).map(worker).collect();
        let games_a_number = schedule.games_a_number() as u64;
        let pace = Pace::new(is_spread);
        Box::new(Player { game: Arc::clone(game), pool, control, counter, workers, games_a_number, is_spread, pace })
    }
}

/// The games and the engine of a thread.
type Worker<'a, G> = Mutex<(Scheduled<'a, G, Counting<'a>>, Engine<G>)>;

struct Player<'a, G: FullGame> {
    game: Arc<G>,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    counter: Arc<Counter>,
    workers: Vec<Worker<'a, G>>,
    games_a_number: u64,
    is_spread: bool,
    pace: Pace,
}

impl<G: FullGame> Player<'_, G> {
    /// Plays until no number is left, or until no more games are to begin after `deadline`; false if it was stopped.
    /// `is_short` says whether the run has few numbers.
    fn play_part(&mut self, deadline: Option<Instant>, is_short: bool) -> bool {
        let start = Instant::now();
        let (game, workers, stop) = (&*self.game, &self.workers, &self.control.stop);
        let parts = self.pool.broadcast(|thread| {
            let (games, engine) = &mut *workers[thread.index()].lock().expect("a thread that panics ends the run");
            games.source.begin_part(deadline, is_short);
            games.finished = 0;
            loop {
                games.clear();
                if !engine.play(game, games, stop) {
                    return None;
                }
                if !games.source.goes_on(|| engine.renew()) {
                    return Some(games.finished);
                }
            }
        });
        let finished: Option<u64> = parts.iter().copied().sum();
        self.pace.note(start.elapsed() * parts.len() as u32, finished.unwrap_or(0));
        finished.is_some()
    }

    /// Starts the processes of bots from outside.
    fn start(&self) {
        self.pool.broadcast(|thread| {
            let worker = &self.workers[thread.index()];
            let (_, engine) = &mut *worker.lock().expect("a thread that panics ends the run");
            engine.start(&self.game);
        });
    }

    /// Has the decisions that are to be asked again answered; false if the run was stopped meanwhile.
    fn ask_again(&self) -> bool {
        let stop = &self.control.stop;
        self.pool.broadcast(|thread| {
            let worker = &self.workers[thread.index()];
            let (games, engine) = &mut *worker.lock().expect("a thread that panics ends the run");
            games.ask_again(&self.game, engine);
        });
        // Whoever was interrupted has given no answers.
        !self.is_spread || !stop.load(Ordering::Relaxed)
    }
}

impl<G: FullGame> VariantPlayer for Player<'_, G> {
    fn play_to(&mut self, end: u64, breaks_off: bool, run: &mut VariantRun) -> bool {
        let start = Instant::now();
        // Chunks are small enough that threads end at about the same time, and large enough that they seldom wait for
        // each other.
        let (numbers, threads) = (end - run.next, self.workers.len() as u64);
        let chunk = match self.is_spread {
            false => (numbers / (threads * 32)).clamp(1, 1 + 4096 / self.games_a_number),
            true => numbers.div_ceil(threads * 4).clamp(1, 256),
        };
        let left: usize = run.open.iter().map(|open| open.left.len()).sum();
        let games = numbers.saturating_mul(self.games_a_number).saturating_add(left as u64);
        let room = self.pace.room().min(games.div_ceil(threads).max(1));
        self.counter.set(run.next..end, chunk, room);
        // By the numbers of the run, and not by those of a thread, which depend on its speed.
        let is_short = (end - run.start) / threads < spread::FEW as u64;
        // In a first moment it is found out how long games take. If the start of processes counted as well, far too few
        // games would be in flight in the segment after it. Where games are few, not every thread needs a process.
        if breaks_off && !self.pace.is_known() {
            if self.is_spread && !is_short {
                self.start();
            }
            if !self.play_part(Some(Instant::now() + Pace::FIRST_MOMENT), is_short) {
                return false;
            }
            self.counter.set_room(self.pace.room().min(games.div_ceil(threads).max(1)));
        }
        let is_long = breaks_off && self.pace.takes_long(games / threads);
        let deadline = is_long.then(|| Instant::now() + self.pace.segment(run.wall));
        if !self.play_part(deadline, is_short) || !self.ask_again() {
            return false;
        }
        run.open.clear();
        for worker in &mut self.workers {
            let (games, engine) = worker.get_mut().expect("a thread that panics ends the run");
            for (number, left) in games.source.left() {
                let (sums, margins) = games.sink.sums(number);
                run.open.push(OpenNumber::new(number, left, sums, margins));
            }
            run.tally.merge(&games.sink.tally);
            run.deals += games.sink.deals;
            games.sink.clear();
            for (sum, faults) in run.faults.iter_mut().zip(games.faults.take()) {
                sum.merge(faults);
            }
            for (sum, clock) in run.clocks.iter_mut().zip(engine.take_clocks()) {
                sum.add(&clock);
            }
        }
        run.open.sort_unstable_by_key(|open| open.number);
        run.next = self.counter.next();
        run.wall += start.elapsed();
        self.control.take(run);
        true
    }

    fn take_deals(&mut self) -> Vec<LoggedDeal> {
        let mut all = Vec::new();
        for worker in &mut self.workers {
            let (games, _) = worker.get_mut().expect("a thread that panics ends the run");
            all.append(games.sink.log.as_mut().unwrap_or(&mut Vec::new()));
        }
        all.sort_unstable_by_key(LoggedDeal::order);
        all
    }
}
