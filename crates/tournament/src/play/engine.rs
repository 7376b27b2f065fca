//! The playing loop: many deals in flight, with their decisions gathered by bot.
//!
//! Deals in flight hide each other's latency, and a bot is called once for all decisions that are due in
//! them. The loop runs in steps. In each step every bot answers its decisions, then every deal makes its move
//! and asks its next question.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overtrick_cards::table::{Move, Seat};
use overtrick_game::{FullGame, Moves, State, View};
use overtrick_strategy::ids::BotId;
use overtrick_strategy::protocol::{DealEnd, DealKey, Fault};
use overtrick_strategy::{Audited, Batch, ExternalBot, Notes, Pending, Strategy};

use crate::Clock;

/// The number of deals in flight: enough to hide latencies and predict branches, and few enough for the L1
/// cache, which also holds the orders of cards.
pub const IN_FLIGHT: usize = 48;

/// The room for deals in a list, the next power of two, since indices are reduced by it.
const ROOM: usize = IN_FLIGHT.next_power_of_two();

/// Every 61st step is timed, since reading the clock costs more than a random move. The number is prime, so
/// that every move of a deal is timed in turn.
const TIMED_STEP: u64 = 61;

/// Decisions that take longer than this are timed individually.
const SLOW: Duration = Duration::from_micros(5);

/// A source of deals and a destination for their results. Deals in flight are numbered by slot.
pub trait Workload<G: FullGame> {
    /// Returns a new deal for `slot`, the next free slot. `None` if no deal is left, or if no more may be in
    /// flight.
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>>;

    /// Records the result of the finished deal in `slot` and puts the next deal in its place. Returns false
    /// if no deal is left; the slot then stays empty.
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool;

    /// Records a fault of the bot to decide in `slot`, after its second try succeeded.
    fn note(&mut self, slot: usize, _deal: &Pending<G>, fault: Fault) {
        panic!("{fault} in {}, where no external bot plays", self.describe(slot));
    }

    /// Records an answered decision in `slot` that its bot will be asked again.
    fn audit(&mut self, _slot: usize, _deal: &Pending<G>, _audited: Audited) {}

    /// Handles a fault of the bot to decide in `slot`. Returns true if the deal has an answer now, and false
    /// if it starts again.
    fn make_good(&mut self, _game: &G, slot: usize, _deal: &mut Pending<G>, fault: Fault) -> bool {
        panic!("{fault} in {}, where no external bot plays", self.describe(slot));
    }

    /// Returns the key that external bots get for the deal in `slot` in place of its number.
    fn key(&self, slot: usize, deal: &Pending<G>) -> DealKey;

    /// Describes the deal in `slot` for an error message.
    fn describe(&self, slot: usize) -> String;
}

#[derive(Clone)]
#[repr(align(128))]
struct Slots {
    count: usize,
    slots: [u16; ROOM],
}

impl Slots {
    const NONE: Slots = Slots { count: 0, slots: [0; ROOM] };

    #[inline(always)]
    fn push(&mut self, slot: usize) {
        self.slots[self.count % ROOM] = slot as u16;
        self.count += 1;
    }
}

/// The number of different results of [`point`].
const POINTS: usize = 5;

/// Returns the point that a deal has reached: a call, or the first, second... card of a trick.
///
/// Deals at the same point take the same branches. If a game's deals do not stay in step, the engine advances
/// them point by point.
#[inline(always)]
fn point<G: FullGame>(deal: &Pending<G>) -> usize {
    let at_cards = usize::from(deal.legal.call_bits() == 0);
    (at_cards * (1 + deal.state.table.trick_length())).min(POINTS - 1)
}

/// A bot that answers decisions, with their times.
struct Answerer<G: FullGame> {
    strategy: Box<dyn Strategy<G>>,
    clock: Clock,
    /// Whether its decisions are slow enough to be timed individually.
    is_slow: bool,
}

impl<G: FullGame> Answerer<G> {
    /// Answers the decisions in these slots.
    #[inline(always)]
    fn answer(
        &mut self,
        game: &G,
        deals: &mut [Pending<G>],
        slots: &[u16],
        keys: &[DealKey],
        notes: &mut Notes,
        is_timed: bool,
    ) {
        self.clock.decisions += slots.len() as u64;
        if !is_timed && !self.is_slow {
            self.strategy.choose_many(&mut Batch::new(game, deals, slots, keys, notes));
            return;
        }
        // Slow decisions are timed individually, unless the bot is faster if it answers many at once.
        let together = if self.is_slow && !self.strategy.gains_by_batches() { 1 } else { slots.len() };
        for part in slots.chunks(together) {
            let start = Instant::now();
            self.strategy.choose_many(&mut Batch::new(game, deals, part, keys, notes));
            self.is_slow = self.clock.note(start.elapsed(), part.len()) > SLOW;
        }
    }
}

/// The bots of one variant on one thread.
pub struct Engine<G: FullGame> {
    bots: Vec<Answerer<G>>,
    /// By bot: the deals in which it has to decide.
    due: Vec<Slots>,
    /// By point: the deals that have reached it, in games that do not go in step.
    points: Box<[Slots; POINTS]>,
    /// By point: empty lists, which replace the lists that are being advanced. `None` while they are in use.
    spare: Option<Box<[Slots; POINTS]>>,
    steps: u64,
    /// The notes of this step, each with the slot of its deal.
    notes: Notes,
    /// The deals that are reported to bots, if there are external bots.
    observed: Option<ObservedDeals<G::Public>>,
}

/// The data about deals that external bots need.
struct ObservedDeals<P> {
    /// By slot: the key of its deal.
    keys: Vec<DealKey>,
    /// By slot: its deal before the first move.
    dealt: Vec<State<P>>,
}

impl<G: FullGame> Engine<G> {
    /// Makes an engine for bots with these strategies, in order of id.
    pub fn new(mut strategies: Vec<Box<dyn Strategy<G>>>) -> Engine<G> {
        let has_external = strategies.iter_mut().any(|strategy| strategy.external().is_some());
        let mut bots = Vec::with_capacity(strategies.len());
        for strategy in strategies {
            bots.push(Answerer { strategy, clock: Clock::default(), is_slow: false });
        }
        Engine {
            due: vec![Slots::NONE; bots.len()],
            points: Box::new([const { Slots::NONE }; POINTS]),
            spare: Some(Box::new([const { Slots::NONE }; POINTS])),
            steps: 0,
            notes: Notes::default(),
            observed: has_external.then(|| ObservedDeals { keys: Vec::new(), dealt: Vec::new() }),
            bots,
        }
    }

    /// Returns the number of bots.
    pub(super) fn bots(&self) -> usize {
        self.bots.len()
    }

    /// Returns whether all bots choose by view, legal moves and stream alone, and cannot fail to answer.
    pub(super) fn chooses_by_view(&self) -> bool {
        self.observed.is_none() && self.bots.iter().all(|bot| !bot.strategy.may_fault())
    }

    /// Returns, by bot, the times of its decisions since the last call.
    pub fn take_clocks(&mut self) -> Vec<Clock> {
        self.bots.iter_mut().map(|bot| std::mem::take(&mut bot.clock)).collect()
    }

    /// Asks a bot for decisions again. Returns the index in `audited` and the fault of each that it answers
    /// differently.
    pub fn audit(&mut self, game: &G, bot: BotId, audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        self.bots[bot.index()].strategy.external().map_or_else(Vec::new, |bot| bot.audit(game, audited))
    }

    /// Lets external bots start their processes.
    pub fn start(&mut self, game: &G) {
        self.external_bots().for_each(|bot| bot.start(game));
    }

    /// Lets external bots continue in fresh processes. No deal may be in flight.
    pub fn renew(&mut self) {
        self.external_bots().for_each(|bot| bot.renew());
    }

    /// Returns the external bots.
    fn external_bots(&mut self) -> impl Iterator<Item = &mut dyn ExternalBot<G>> {
        self.bots.iter_mut().filter_map(|bot| bot.strategy.external())
    }

    /// Plays all deals of `game` from `work`. Returns false if `stop` ended it early.
    ///
    /// # Panics
    /// If a strategy chooses an illegal move.
    pub fn play(&mut self, game: &G, work: &mut impl Workload<G>, stop: &AtomicBool) -> bool {
        let mut deals = Vec::with_capacity(IN_FLIGHT);
        while deals.len() < IN_FLIGHT
            && let Some(mut deal) = work.open(game, deals.len())
        {
            self.begin(game, &deal, deals.len(), work);
            self.ask(game, &mut deal, deals.len());
            deals.push(deal);
        }
        while self.due.iter().any(|due| due.count > 0) {
            self.answer(game, &mut deals);
            // An interrupted bot has given no valid answers.
            if stop.load(Ordering::Relaxed) {
                self.due.iter_mut().chain(&mut *self.points).for_each(|slots| slots.count = 0);
                self.notes = Notes::default();
                return false;
            }
            for (slot, audited) in self.notes.audited.drain(..) {
                work.audit(usize::from(slot), &deals[usize::from(slot)], audited);
            }
            if !self.notes.faults.is_empty() {
                self.make_good(game, &mut deals, work);
            }
            self.advance(game, &mut deals, work);
        }
        true
    }

    /// Lets every bot answer its due decisions.
    fn answer(&mut self, game: &G, deals: &mut [Pending<G>]) {
        let is_timed = self.next_step_is_timed();
        let keys = self.observed.as_ref().map_or(&[][..], |observed| &observed.keys);
        for (bot, due) in self.bots.iter_mut().zip(&mut self.due) {
            let count = std::mem::take(&mut due.count);
            if count > 0 {
                bot.answer(game, deals, &due.slots[..count], keys, &mut self.notes, is_timed);
            }
        }
    }

    /// Lets every bot answer the decisions of `due`, by bot the indices of the deals, and empties the lists.
    ///
    /// There must be no external bots.
    pub(super) fn answer_all(&mut self, game: &G, deals: &mut [Pending<G>], due: &mut [Vec<u16>]) {
        let is_timed = self.next_step_is_timed();
        for (bot, slots) in self.bots.iter_mut().zip(due) {
            if !slots.is_empty() {
                bot.answer(game, deals, slots, &[], &mut self.notes, is_timed);
                slots.clear();
            }
        }
    }

    /// Begins a step. Returns whether its decisions are timed.
    fn next_step_is_timed(&mut self) -> bool {
        let is_timed = self.steps.is_multiple_of(TIMED_STEP);
        self.steps += 1;
        is_timed
    }

    /// Makes the chosen move in every deal, and asks for the next.
    #[inline(never)]
    fn advance(&mut self, game: &G, deals: &mut [Pending<G>], work: &mut impl Workload<G>) {
        if game.in_step() {
            for (slot, deal) in deals.iter_mut().enumerate() {
                // An empty slot has no legal moves.
                if !deal.legal.is_empty() {
                    self.step(game, deal, slot, work);
                }
            }
            return;
        }
        let spare = self.spare.take().expect("empty lists between two steps");
        let mut leaving = std::mem::replace(&mut self.points, spare);
        for point in &mut *leaving {
            for &slot in &point.slots[..std::mem::take(&mut point.count)] {
                self.step(game, &mut deals[usize::from(slot)], usize::from(slot), work);
            }
        }
        self.spare = Some(leaving);
    }

    /// Makes the chosen move in a deal, and asks for the next.
    #[inline(always)]
    fn step(&mut self, game: &G, deal: &mut Pending<G>, slot: usize, work: &mut impl Workload<G>) {
        if !deal.legal.contains(deal.answer) {
            check_renege(game, deal, || work.describe(slot));
        }
        game.play_unchecked(&mut deal.state, deal.answer);
        if game.is_over(&deal.state) && !self.turn_over(game, slot, deal, work) {
            deal.legal = Moves::NONE;
            return;
        }
        self.ask(game, deal, slot);
    }

    /// Ends a deal. Not inlined, so that the loop keeps its registers.
    #[inline(never)]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>, work: &mut impl Workload<G>) -> bool {
        if self.observed.is_some() {
            self.end(game, deal, slot);
        }
        let more = work.turn_over(game, slot, deal);
        if more {
            self.begin(game, deal, slot, work);
        }
        more
    }

    /// Handles the faults of this step until every deal has an answer.
    #[cold]
    #[inline(never)]
    fn make_good(&mut self, game: &G, deals: &mut [Pending<G>], work: &mut impl Workload<G>) {
        while !self.notes.faults.is_empty() {
            for (slot, fault) in std::mem::take(&mut self.notes.faults) {
                let slot = usize::from(slot);
                let deal = &mut deals[slot];
                if deal.answer != Move::NONE {
                    // The second try succeeded.
                    work.note(slot, deal, fault);
                } else if !work.make_good(game, slot, deal, fault) {
                    self.begin(game, deal, slot, work);
                    deal.legal = game.legal(&deal.state);
                    deal.seat = deal.state.table.seat_to_move();
                    self.due[deal.bots[deal.seat].index()].push(slot);
                }
            }
            // Deals that started again have a question.
            self.answer(game, deals);
        }
    }

    /// Announces a new deal to the external bots.
    #[inline(always)]
    fn begin(&mut self, game: &G, deal: &Pending<G>, slot: usize, work: &impl Workload<G>) {
        if self.observed.is_some() {
            self.announce(game, deal, slot, work.key(slot, deal));
        }
    }

    #[cold]
    #[inline(never)]
    fn announce(&mut self, game: &G, deal: &Pending<G>, slot: usize, key: DealKey) {
        let Some(observed) = &mut self.observed else { return };
        if slot == observed.dealt.len() {
            observed.keys.push(key);
            observed.dealt.push(deal.state);
        }
        (observed.keys[slot], observed.dealt[slot]) = (key, deal.state);
        for seat in Seat::all(game.layout().seats) {
            if let Some(bot) = self.bots[deal.bots[seat].index()].strategy.external() {
                bot.deal_begins(&View::new(game, &deal.state, &deal.standing, seat), key);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn end(&mut self, game: &G, deal: &Pending<G>, slot: usize) {
        let Some((key, dealt)) = self.observed.as_ref().map(|observed| (observed.keys[slot], &observed.dealt[slot]))
        else {
            return;
        };
        for seat in Seat::all(game.layout().seats) {
            if let Some(bot) = self.bots[deal.bots[seat].index()].strategy.external() {
                bot.deal_ends(DealEnd::of(game, dealt, &deal.state, seat, key.id(seat)));
            }
        }
    }

    /// Puts the next question of a deal to the bot that decides.
    #[inline(always)]
    fn ask(&mut self, game: &G, deal: &mut Pending<G>, slot: usize) {
        deal.legal = game.legal(&deal.state);
        deal.seat = deal.state.table.seat_to_move();
        self.due[deal.bots[deal.seat].index()].push(slot);
        if !game.in_step() {
            self.points[point(deal)].push(slot);
        }
    }
}

/// Panics unless an illegal move is a renege, which the game punishes and lets stand.
#[cold]
#[inline(never)]
pub(super) fn check_renege<G: FullGame>(game: &G, deal: &Pending<G>, describe: impl FnOnce() -> String) {
    if !game.renege_moves(&deal.state).contains(deal.answer) {
        complain(game, deal, &describe());
    }
}

#[cold]
fn complain<G: FullGame>(game: &G, deal: &Pending<G>, which: &str) -> ! {
    let text = game.move_text(&deal.state, deal.answer);
    let text = text.unwrap_or_else(|| format!("{:?}", deal.answer));
    let reason = game.why_not(&deal.state, deal.answer);
    panic!("an illegal move, {text}, by seat {} in {which}: {reason}", deal.seat.index());
}
