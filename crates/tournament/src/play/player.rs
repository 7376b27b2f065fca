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
use super::source::{DealSource, SharedNumbers};
use super::spread::Spread;
use super::stems::Stems;
use crate::{FaultAction, OpenNumber, Seeds, Tournament, VariantRun};

/// The player of one variant of a tournament. Between segments the results cover all numbers so far, on any
/// number of threads.
pub trait VariantPlayer {
    /// Plays up to the number `end` and adds the results to `run`. Returns false and leaves `run` unchanged
    /// if it is stopped.
    ///
    /// If it `breaks_off`, it begins no more games after a second or more, and leaves the other games open.
    fn play_to(&mut self, end: u64, breaks_off: bool, run: &mut VariantRun) -> bool;

    /// Returns the deals of the last segment, sorted by number, line-up, seating and place in their match.
    /// Empty unless the player keeps them.
    fn take_deals(&mut self) -> Vec<LoggedDeal>;
}

/// How games are played and what is kept of them. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayOptions {
    /// Whether the deals of each segment can be taken.
    pub keeps_deals: bool,
    /// Whether every game is played by itself, and none together with others of its number.
    pub plays_all: bool,
}

/// Makes the player of variant number `variant` on the threads of `pool`, for runs like `run`.
///
/// Strategies are built now, and kept from segment to segment.
pub fn player<'a>(
    tournament: &'a Tournament,
    variant: usize,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    run: &VariantRun,
    options: PlayOptions,
) -> Box<dyn VariantPlayer + 'a> {
    tournament.variants[variant].game.visit(VariantVisitor { tournament, variant, pool, control, run, options })
}

struct VariantVisitor<'a, 'r> {
    tournament: &'a Tournament,
    variant: usize,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    run: &'r VariantRun,
    options: PlayOptions,
}

impl<'a> Visitor for VariantVisitor<'a, '_> {
    type Output = Box<dyn VariantPlayer + 'a>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Box<dyn VariantPlayer + 'a> {
        let VariantVisitor { tournament, variant: index, pool, control, run, options } = self;
        let (variant, schedule) = (&tournament.variants[index], &tournament.schedules[index]);
        let is_spread = tournament.has_external_bots();
        let seeds = Arc::new(Seeds::new(tournament.luck(), &variant.name, game.as_ref(), tournament.unit));
        let shared = Arc::new(SharedNumbers::default());
        let mut empty = run.tally.clone();
        empty.clear();
        let threads = pool.current_num_threads();
        let roster = Roster::new(&tournament.bots, variant, threads, &control.stop, control.logs())
            .guarded(schedule, tournament.audit);
        let mut workers = Vec::with_capacity(threads);
        for thread in 0..threads {
            let mut source = DealSource::new(Arc::clone(&seeds), schedule, Arc::clone(&shared));
            if is_spread {
                source = source.spread();
            }
            let mut sink = Counting::new(tournament, index, &control.progress, empty.clone(), options.keeps_deals);
            // Each thread continues some of the open numbers.
            let open: Vec<OpenNumber> = run.open.iter().skip(thread).step_by(threads).cloned().collect();
            source.take_over(&open);
            sink.take_over(&open);
            let faults = FaultBook::new(tournament.faults, tournament.bots.len());
            let games = Scheduled::new(&variant.name, source, sink, faults);
            let mut strategies = roster.strategies(thread).expect("the config checked that every bot plays every game");
            if tournament.faults.policy == FaultAction::ForfeitDeal {
                strategies.push(substitute(variant));
            }
            let engine = Engine::new(strategies);
            let stems = Stems::new(schedule, tournament.unit, &engine).allowed(!options.plays_all);
            workers.push(Mutex::new(Worker { games, engine, stems }));
        }
        let games_a_number = schedule.games_with_copies() as u64;
        let pace = Pace::new(is_spread);
        Box::new(SegmentPlayer {
            game: Arc::clone(game),
            pool,
            control,
            shared,
            workers,
            games_a_number,
            is_spread,
            pace,
        })
    }
}

/// The games and the engine of a thread.
struct Worker<'a, G: FullGame> {
    games: Scheduled<'a, G, Counting<'a>>,
    engine: Engine<G>,
    stems: Stems<G>,
}

/// Returns the worker of an idle thread.
fn idle<'w, 'a, G: FullGame>(worker: &'w mut Mutex<Worker<'a, G>>) -> &'w mut Worker<'a, G> {
    worker.get_mut().expect("a thread that panics ends the run")
}

struct SegmentPlayer<'a, G: FullGame> {
    game: Arc<G>,
    pool: &'a rayon::ThreadPool,
    control: &'a Control,
    shared: Arc<SharedNumbers>,
    workers: Vec<Mutex<Worker<'a, G>>>,
    games_a_number: u64,
    is_spread: bool,
    pace: Pace,
}

impl<G: FullGame> SegmentPlayer<'_, G> {
    fn threads(&self) -> u64 {
        self.workers.len() as u64
    }

    /// Returns the length of the chunks in which threads take `numbers` numbers.
    ///
    /// They are small enough that threads end at about the same time, and large enough that they rarely wait
    /// for each other.
    fn chunk(&self, numbers: u64) -> u64 {
        if self.is_spread {
            numbers.div_ceil(self.threads() * 4).clamp(1, 256)
        } else {
            (numbers / (self.threads() * 32)).clamp(1, 1 + 4096 / self.games_a_number)
        }
    }

    /// Returns the number of games that a thread may have in flight, of `games` in all.
    fn room(&self, games: u64) -> u64 {
        self.pace.room().min(games.div_ceil(self.threads()).max(1))
    }

    /// Plays for a moment to measure the pace of a segment of `numbers` numbers. Returns false if it was
    /// stopped.
    ///
    /// Processes are started before. If the pace included their start, far too few games would be in flight
    /// in the next segment. With few games, not every thread needs a process.
    fn measure_pace(&mut self, numbers: u64) -> bool {
        if self.is_spread && numbers >= self.threads() {
            self.each(|worker| worker.engine.start(&self.game));
        }
        self.play_part(Some(Instant::now() + Pace::FIRST_MOMENT))
    }

    /// Plays until no number is left, or until no more games may begin after `deadline`. Returns false if it
    /// was stopped.
    fn play_part(&mut self, deadline: Option<Instant>) -> bool {
        let (start, mut finished) = (Instant::now(), 0);
        loop {
            let Some(games) = self.play_round(deadline) else { return false };
            finished += games;
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || !self.next_round() {
                break;
            }
        }
        self.pace.note(start.elapsed() * self.workers.len() as u32, finished);
        true
    }

    /// Plays the rest of a round on all threads. Returns the number of games that would take as long one by one;
    /// `None` if it was stopped.
    fn play_round(&self, deadline: Option<Instant>) -> Option<u64> {
        let parts = self.each(|worker| {
            let Worker { games, engine, stems } = worker;
            games.source.set_deadline(deadline);
            games.finished = 0;
            games.clear();
            stems.play(&self.game, engine, games, &self.control.stop).then(|| stems.worth_of(games.finished))
        });
        parts.into_iter().sum()
    }

    /// Goes to the next round when no thread has games left. Returns false if nothing is left in this
    /// segment.
    fn next_round(&mut self) -> bool {
        let games = self.workers.iter_mut().map(|worker| &mut idle(worker).games);
        let mut rounds: Vec<&mut Spread> = games.filter_map(|games| games.source.rounds()).collect();
        if rounds.iter().any(|rounds| rounds.has_later()) {
            rounds.into_iter().for_each(Spread::next_round);
            self.renew();
            return true;
        }
        // No process knows the numbers that follow.
        rounds.iter_mut().for_each(|rounds| rounds.start_over());
        !rounds.is_empty() && !self.shared.is_empty()
    }

    /// Runs `act` on each thread with its worker.
    fn each<T: Send>(&self, act: impl Fn(&mut Worker<'_, G>) -> T + Sync) -> Vec<T> {
        self.pool.broadcast(|thread| {
            let mut worker = self.workers[thread.index()].lock().expect("a thread that panics ends the run");
            act(&mut worker)
        })
    }

    /// Ends the processes of external bots. When it returns, none is left on any thread.
    fn renew(&self) {
        self.each(|worker| worker.engine.renew());
    }

    /// Asks again the decisions that were picked for it, while no process lives that has played. Returns
    /// false if the run was stopped meanwhile.
    fn ask_again(&mut self) -> bool {
        if self.workers.iter_mut().any(|worker| idle(worker).games.has_audited()) {
            self.renew();
            self.each(|worker| worker.games.ask_again(&self.game, &mut worker.engine));
        }
        // An interrupted bot has given no valid answers.
        !self.is_spread || !self.control.stop.load(Ordering::Relaxed)
    }

    /// Hands the results and the open numbers of all threads over to `run`.
    fn hand_over(&mut self, run: &mut VariantRun) {
        run.open.clear();
        for worker in &mut self.workers {
            let Worker { games, engine, .. } = idle(worker);
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
    }
}

impl<G: FullGame> VariantPlayer for SegmentPlayer<'_, G> {
    fn play_to(&mut self, end: u64, breaks_off: bool, run: &mut VariantRun) -> bool {
        let (start, numbers) = (Instant::now(), end - run.next);
        let left: usize = run.open.iter().map(|open| open.left.len()).sum();
        let games = numbers.saturating_mul(self.games_a_number).saturating_add(left as u64);
        self.shared.set(run.next..end, self.chunk(numbers), self.room(games));
        if breaks_off && !self.pace.is_known() {
            if !self.measure_pace(numbers) {
                return false;
            }
            self.shared.set_room(self.room(games));
        }
        let is_long = breaks_off && self.pace.takes_long(games / self.threads());
        let deadline = is_long.then(|| Instant::now() + self.pace.segment(run.wall));
        if !self.play_part(deadline) || !self.ask_again() {
            return false;
        }
        self.hand_over(run);
        run.next = self.shared.next();
        run.wall += start.elapsed();
        self.control.take(run);
        true
    }

    fn take_deals(&mut self) -> Vec<LoggedDeal> {
        let mut all = Vec::new();
        for worker in &mut self.workers {
            all.append(idle(worker).games.sink.log.as_mut().unwrap_or(&mut Vec::new()));
        }
        all.sort_unstable_by_key(LoggedDeal::order);
        all
    }
}
