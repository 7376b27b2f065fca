//! The playing loop: many deals side by side, decisions gathered by bot.
//!
//! Deals in flight hide each other's latency, and a bot is called once for all the decisions that it has to make in
//! them. The loop goes round in steps: every bot answers what is due, then every deal makes its move and asks its next
//! question.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overtrick_cards::table::{Move, Seat};
use overtrick_game::{FullGame, Moves, State, View};
use overtrick_strategy::ids::BotId;
use overtrick_strategy::protocol::{DealEnd, DealKey, Fault};
use overtrick_strategy::{Audited, Batch, Notes, Pending, Strategy};

use crate::Clock;

/// How many deals are in flight at once: enough to hide latencies and to keep branches in step, few enough to stay in
/// the first cache.
pub const IN_FLIGHT: usize = 64;

/// One step in 61 is timed, since reading the clock costs more than a random move. The number is prime, so that every
/// move of a deal is timed in turn.
const TIMED_STEP: u64 = 61;

/// Decisions that take longer than this are timed one by one.
const SLOW: Duration = Duration::from_micros(5);

/// Where deals come from and where their results go. Deals in flight are numbered by slot.
pub trait Workload<G: FullGame> {
    /// A new deal for `slot`, which is the next free one; `None` if there is none left, or if no more are to be in
    /// flight.
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>>;

    /// Records the result of the deal in `slot`, which is over, and puts the next deal in its place. False if there is
    /// no deal left: the slot then stays empty.
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool;

    /// Records a fault of the bot that is to decide in `slot` whose second try succeeded.
    fn note(&mut self, slot: usize, _deal: &Pending<G>, fault: Fault) {
        panic!("{fault} in {}, where no bot from outside plays", self.describe(slot));
    }

    /// Records a decision in `slot` that its bot has answered and is to be asked again.
    fn audit(&mut self, _slot: usize, _deal: &Pending<G>, _audited: Audited) {}

    /// Handles a fault of the bot that is to decide in `slot`. True if the deal has an answer now; false if it begins
    /// anew.
    fn make_good(&mut self, _game: &G, slot: usize, _deal: &mut Pending<G>, fault: Fault) -> bool {
        panic!("{fault} in {}, where no bot from outside plays", self.describe(slot));
    }

    /// The key of what bots from outside are told of the deal in `slot` in place of its number.
    fn key(&self, slot: usize, deal: &Pending<G>) -> DealKey;

    /// Describes the deal in `slot` for an error message.
    fn describe(&self, slot: usize) -> String;
}

/// A list of deals by slot.
#[derive(Clone)]
#[repr(align(128))]
struct Slots {
    count: usize,
    slots: [u16; IN_FLIGHT],
}

impl Slots {
    const NONE: Slots = Slots { count: 0, slots: [0; IN_FLIGHT] };

    #[inline(always)]
    fn push(&mut self, slot: usize) {
        self.slots[self.count % IN_FLIGHT] = slot as u16;
        self.count += 1;
    }
}

/// The number of different results of [`point`].
const POINTS: usize = 5;

/// The point that a deal has come to: a call, or the first, second... card of a trick. Deals at the same point take the
/// same branches. So in games whose deals do not stay in step, the engine advances them point by point.
#[inline(always)]
fn point<G: FullGame>(deal: &Pending<G>) -> usize {
    let at_cards = usize::from(deal.legal.call_bits() == 0);
    (at_cards * (1 + deal.state.table.trick_length())).min(POINTS - 1)
}

/// The bots of one variant on one thread.
pub struct Engine<G: FullGame> {
    strategies: Vec<Box<dyn Strategy<G>>>,
    /// By bot: the deals in which it is to decide.
    due: Vec<Slots>,
    /// By point: the deals that are there, in games that do not go in step.
    points: Box<[Slots; POINTS]>,
    /// By point: empty lists, which take the place of those that are being advanced. `None` meanwhile.
    spare: Option<Box<[Slots; POINTS]>>,
    clocks: Vec<Clock>,
    /// By bot: whether its decisions take so long that each is timed.
    slow: Vec<bool>,
    steps: u64,
    /// What was noted in this step, each with the slot of its deal.
    notes: Notes,
    /// The deals that are reported to bots, if there are bots that want it.
    observed: Option<ObservedDeals<G::Public>>,
}

/// What bots outside of the process need to hear about deals.
struct ObservedDeals<P> {
    /// By slot: the key of its deal.
    keys: Vec<DealKey>,
    /// By slot: its deal as it was dealt.
    dealt: Vec<State<P>>,
}

impl<G: FullGame> Engine<G> {
    /// An engine for the bots with these strategies, in order of id.
    pub fn new(strategies: Vec<Box<dyn Strategy<G>>>) -> Engine<G> {
        Engine {
            due: vec![Slots::NONE; strategies.len()],
            points: Box::new([const { Slots::NONE }; POINTS]),
            spare: Some(Box::new([const { Slots::NONE }; POINTS])),
            clocks: vec![Clock::default(); strategies.len()],
            slow: vec![false; strategies.len()],
            steps: 0,
            notes: Notes::default(),
            observed: (strategies.iter().any(|strategy| strategy.is_external()))
                .then(|| ObservedDeals { keys: Vec::new(), dealt: Vec::new() }),
            strategies,
        }
    }

    /// By bot: the times of its decisions since the last call.
    pub fn take_clocks(&mut self) -> Vec<Clock> {
        self.clocks.iter_mut().map(std::mem::take).collect()
    }

    /// Lets a bot answer decisions again; gives those that it answers otherwise.
    pub fn audit(&mut self, game: &G, bot: BotId, audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        self.strategies[bot.index()].audit(game, audited)
    }

    /// Lets bots from outside start their processes.
    pub fn start(&mut self, game: &G) {
        self.strategies.iter_mut().for_each(|strategy| strategy.start(game));
    }

    /// Lets bots from outside go on in fresh processes. No deal may be in flight.
    pub fn renew(&mut self) {
        self.strategies.iter_mut().for_each(|strategy| strategy.renew());
    }

    /// Plays all deals of `game` that `work` has, unless `stop` is set; false if it was stopped.
    ///
    /// # Panics
    /// If a strategy chooses a move that is not legal.
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
            // A bot that was interrupted has given no valid answers.
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

    /// Lets every bot answer what is due.
    fn answer(&mut self, game: &G, deals: &mut [Pending<G>]) {
        let timed = self.steps.is_multiple_of(TIMED_STEP);
        self.steps += 1;
        let keys = self.observed.as_ref().map_or(&[][..], |observed| &observed.keys);
        for (number, (strategy, due)) in self.strategies.iter_mut().zip(&mut self.due).enumerate() {
            let count = std::mem::take(&mut due.count);
            if count == 0 {
                continue;
            }
            let (clock, slow, slots) = (&mut self.clocks[number], &mut self.slow[number], &due.slots[..count]);
            clock.decisions += count as u64;
            if !timed && !*slow {
                strategy.choose_many(&mut Batch::new(game, deals, slots, keys, &mut self.notes));
                continue;
            }
            // Slow decisions are timed one by one, unless the bot gains by answering many at once.
            let together = if *slow && !strategy.gains_by_batches() { 1 } else { count };
            for part in slots.chunks(together) {
                let start = Instant::now();
                strategy.choose_many(&mut Batch::new(game, deals, part, keys, &mut self.notes));
                *slow = clock.note(start.elapsed(), part.len()) > SLOW;
            }
        }
    }

    /// Makes the move chosen in every deal, and asks for the next.
    #[inline(never)]
    fn advance(&mut self, game: &G, deals: &mut [Pending<G>], work: &mut impl Workload<G>) {
        if G::IN_STEP {
            for (slot, deal) in deals.iter_mut().enumerate() {
                // A slot without a deal has no question.
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

    /// Makes the move chosen in a deal, and asks for the next.
    #[inline(always)]
    fn step(&mut self, game: &G, deal: &mut Pending<G>, slot: usize, work: &mut impl Workload<G>) {
        if !deal.legal.contains(deal.answer) {
            check_renege(game, deal, slot, work);
        }
        game.play_unchecked(&mut deal.state, deal.answer);
        if game.is_over(&deal.state) && !self.turn_over(game, slot, deal, work) {
            deal.legal = Moves::NONE;
            return;
        }
        self.ask(game, deal, slot);
    }

    /// Ends a deal. The function is not inlined, so that the loop keeps its registers.
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
                    // A second try has made it good.
                    work.note(slot, deal, fault);
                } else if !work.make_good(game, slot, deal, fault) {
                    self.begin(game, deal, slot, work);
                    deal.legal = game.legal(&deal.state);
                    deal.seat = deal.state.table.seat_to_move();
                    self.due[deal.bots[deal.seat].index()].push(slot);
                }
            }
            // Deals that began anew have a question again.
            self.answer(game, deals);
        }
    }

    /// Tells the bots that want to know of a new deal.
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
            let strategy = &mut self.strategies[deal.bots[seat].index()];
            if strategy.is_external() {
                strategy.deal_begins(&View::new(game, &deal.state, &deal.standing, seat), key);
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
            let strategy = &mut self.strategies[deal.bots[seat].index()];
            if strategy.is_external() {
                strategy.deal_ends(DealEnd::of(game, dealt, &deal.state, seat, key.id(seat)));
            }
        }
    }

    /// Puts the next question of a deal to the bot that is to decide.
    #[inline(always)]
    fn ask(&mut self, game: &G, deal: &mut Pending<G>, slot: usize) {
        deal.legal = game.legal(&deal.state);
        deal.seat = deal.state.table.seat_to_move();
        self.due[deal.bots[deal.seat].index()].push(slot);
        if !G::IN_STEP {
            self.points[point(deal)].push(slot);
        }
    }
}

/// Makes sure that a move which is not legal is one that the game punishes and lets stand.
#[cold]
#[inline(never)]
fn check_renege<G: FullGame>(game: &G, deal: &Pending<G>, slot: usize, work: &impl Workload<G>) {
    if !game.renege_moves(&deal.state).contains(deal.answer) {
        complain(game, deal, &work.describe(slot));
    }
}

#[cold]
fn complain<G: FullGame>(game: &G, deal: &Pending<G>, which: &str) -> ! {
    let text = game.move_text(&deal.state, deal.answer);
    let text = text.unwrap_or_else(|| format!("{:?}", deal.answer));
    let reason = game.why_not(&deal.state, deal.answer);
    panic!("an illegal move, {text}, by seat {} in {which}: {reason}", deal.seat.index());
}
