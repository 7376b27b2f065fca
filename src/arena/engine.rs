//! The playing loop: many deals side by side, decisions gathered by bot.
//!
//! Deals in flight hide each other's latency, and a bot is called once for all the decisions that it has to make in them. The loop
//! goes round in steps: every bot answers what is due, then every deal makes its move and asks its next question.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::{Game, Moves, Standing, State};
use crate::strategy::{Batch, Pending, Strategy};
use crate::table::{BySeat, Move};

/// How many deals are in flight at once: enough to hide latencies and to keep branches in step, few enough to stay in the first
/// cache.
pub const IN_FLIGHT: usize = 64;

/// One step in so many is timed: a clock reading costs more than a random move. Coprime to the moves of a deal, so that every point
/// of the deal is timed in turn.
const TIMED_STEP: u64 = 61;

/// Where deals come from and where their results go. Deals in flight are numbered by slot.
pub trait Feed<G: Game> {
    /// A new deal for `slot`, which is the next free one; `None` if there is none left.
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>>;

    /// Takes the result of the deal in `slot`, which is over, and puts the next deal in its place; false if there is none left.
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool;

    /// Forgets `slot`; the last slot takes its number.
    fn close(&mut self, slot: usize);

    /// Describes the deal in `slot` for an error message.
    fn describe(&self, slot: usize) -> String;
}

/// How many decisions a bot made, and how long those that were timed took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// All decisions.
    pub decisions: u64,
    /// The decisions that were timed.
    pub timed: u64,
    /// How long they took together.
    pub time: Duration,
}

/// The numbers of the deals in which one bot is to decide.
#[derive(Clone)]
#[repr(align(128))]
struct Due {
    count: usize,
    slots: [u16; IN_FLIGHT],
}

/// The bots of one variant on one thread.
pub struct Engine<'a, G: Game> {
    game: &'a G,
    strategies: Vec<Box<dyn Strategy<G>>>,
    due: Vec<Due>,
    clocks: Vec<Clock>,
    steps: u64,
}

impl<G: Game> Pending<G> {
    /// A deal about to begin, with the bots at its seats and their luck.
    #[inline]
    pub(super) fn new(
        state: State<G::Public>,
        standing: Standing,
        luck: BySeat<crate::cards::Stream>,
        bots: BySeat<u16>,
    ) -> Pending<G> {
        Pending {
            seat: state.table.seat_to_move(),
            state,
            standing,
            luck,
            bots,
            legal: Moves::NONE,
            answer: Move::NONE,
        }
    }
}

impl<'a, G: Game> Engine<'a, G> {
    /// An engine for `game`; deals name their bots by the number of their strategy in `strategies`.
    pub fn new(game: &'a G, strategies: Vec<Box<dyn Strategy<G>>>) -> Engine<'a, G> {
        let nothing = Due { count: 0, slots: [0; IN_FLIGHT] };
        Engine {
            game,
            due: vec![nothing; strategies.len()],
            clocks: vec![Clock::default(); strategies.len()],
            steps: 0,
            strategies,
        }
    }

    /// By bot: its decisions so far.
    pub fn clocks(&self) -> &[Clock] {
        &self.clocks
    }

    /// Plays all that `feed` has, or until `stop` is set; false if it was stopped.
    ///
    /// # Panics
    /// If a strategy chooses a move that is not legal.
    pub fn play(&mut self, feed: &mut impl Feed<G>, stop: &AtomicBool) -> bool {
        let mut deals = Vec::with_capacity(IN_FLIGHT);
        while deals.len() < IN_FLIGHT
            && let Some(mut deal) = feed.open(self.game, deals.len())
        {
            ask(self.game, &mut deal, deals.len(), &mut self.due);
            deals.push(deal);
        }
        while !deals.is_empty() {
            if stop.load(Ordering::Relaxed) {
                self.due.iter_mut().for_each(|due| due.count = 0);
                return false;
            }
            self.answer(&mut deals);
            self.advance(&mut deals, feed);
        }
        true
    }

    /// Lets every bot answer what is due.
    fn answer(&mut self, deals: &mut [Pending<G>]) {
        self.steps += 1;
        let timed = self.steps.is_multiple_of(TIMED_STEP);
        for ((strategy, due), clock) in self.strategies.iter_mut().zip(&mut self.due).zip(&mut self.clocks) {
            let count = std::mem::take(&mut due.count);
            if count == 0 {
                continue;
            }
            let mut batch = Batch::new(self.game, deals, &due.slots[..count]);
            if timed {
                let start = Instant::now();
                strategy.choose_many(&mut batch);
                clock.time += start.elapsed();
                clock.timed += count as u64;
            } else {
                strategy.choose_many(&mut batch);
            }
            clock.decisions += count as u64;
        }
    }

    /// Makes the move chosen in every deal, and asks for the next.
    #[inline(never)]
    fn advance(&mut self, deals: &mut Vec<Pending<G>>, feed: &mut impl Feed<G>) {
        let game = self.game;
        let mut slot = 0;
        while let Some(deal) = deals.get_mut(slot) {
            if !deal.legal.contains(deal.answer) {
                complain(game, deal, &feed.describe(slot));
            }
            game.apply(&mut deal.state, deal.answer);
            if game.is_over(&deal.state) && !turn_over(game, slot, deal, feed) {
                feed.close(slot);
                deals.swap_remove(slot);
                continue;
            }
            ask(game, deal, slot, &mut self.due);
            slot += 1;
        }
    }
}

/// Out of line, so that the loop keeps its registers.
#[inline(never)]
fn turn_over<G: Game>(game: &G, slot: usize, deal: &mut Pending<G>, feed: &mut impl Feed<G>) -> bool {
    feed.turn_over(game, slot, deal)
}

/// Puts the next question of a deal to the bot that is to decide.
#[inline(always)]
fn ask<G: Game>(game: &G, deal: &mut Pending<G>, slot: usize, due: &mut [Due]) {
    deal.legal = game.legal(&deal.state);
    deal.seat = deal.state.table.seat_to_move();
    let due = &mut due[usize::from(deal.bots[deal.seat])];
    due.slots[due.count % IN_FLIGHT] = slot as u16;
    due.count += 1;
}

#[cold]
fn complain<G: Game>(game: &G, deal: &Pending<G>, which: &str) -> ! {
    let text = game.move_text(&deal.state, deal.answer);
    let text = text.unwrap_or_else(|| format!("{:?}", deal.answer));
    let reason = game.why_not(&deal.state, deal.answer);
    panic!("an illegal move, {text}, by seat {} in {which}: {reason}", deal.seat.index());
}
