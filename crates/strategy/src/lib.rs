//! The trait of strategies, which choose moves from views, and the protocol of external bots.

pub mod ids;
mod pick;
pub mod protocol;

use overtrick_cards::Stream;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, Move, Moves, Standing, State, View};

use crate::ids::BotId;
use crate::protocol::{DealEnd, DealKey, Decision, Fault};
pub use pick::pick;

/// A way to choose moves.
///
/// A choice may depend only on the view, the legal moves and the stream of random numbers. State that a
/// strategy keeps between decisions (a cache, say) must not affect its moves, because decisions of many deals
/// are interleaved.
pub trait Strategy<G: Game>: Send {
    /// Chooses one of the `legal` moves, of which there is at least one.
    ///
    /// The game may allow more moves, because a bot can be barred from some.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move;

    /// Chooses moves for many deals at once.
    ///
    /// Strategies that gain from batches override this method. The moves must equal those of
    /// [`Strategy::choose`].
    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        batch.answer_each(|view, legal, rng| self.choose(view, legal, rng));
    }

    /// Chooses as [`Strategy::choose`] does, and reports the fault of an external strategy.
    ///
    /// # Errors
    /// The fault, if the strategy commits one.
    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        Ok(self.choose(view, legal, rng))
    }

    /// Returns whether answering many decisions at once helps, even if a single answer is slow.
    fn gains_by_batches(&self) -> bool {
        false
    }

    /// Returns whether a choice can fail with a fault.
    ///
    /// If so, callers use [`Strategy::choose_many`] and [`Strategy::try_choose`]. [`Strategy::choose`] has to
    /// invent a move after a fault.
    fn may_fault(&self) -> bool {
        false
    }

    /// Returns the external bot behind the strategy, if there is one.
    fn external(&mut self) -> Option<&mut dyn ExternalBot<G>> {
        None
    }
}

/// A bot that runs outside the process, or in it as code of another language.
///
/// It gets the keys of deals and is notified when deals begin and end.
pub trait ExternalBot<G: Game> {
    /// Handles the beginning of a deal in which the bot has the seat of `view`.
    ///
    /// The key replaces the number of the deal in all messages.
    fn deal_begins(&mut self, view: &View<'_, G>, key: DealKey);

    /// Handles the end of a deal in which the bot had a seat.
    fn deal_ends(&mut self, _end: DealEnd) {}

    /// Starts the processes, so that games need not wait for them.
    fn start(&mut self, _game: &G) {}

    /// Continues in a fresh process without memory of earlier decisions.
    fn renew(&mut self) {}

    /// Repeats decisions in a process without history and returns the differing answers.
    ///
    /// Each is the index into the list, with its fault.
    fn audit(&mut self, _game: &G, _audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        Vec::new()
    }
}

/// A decision with its answer, to ask again.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The decision.
    pub decision: Decision<'static>,
    /// The text of the move that was the answer.
    pub answer: String,
}

/// A deal in progress with a decision due.
// Each begins a cache line, and its fields are in this order in memory.
#[repr(C, align(64))]
pub struct Pending<G: Game> {
    /// The deal.
    pub state: State<G::Public>,
    /// The moves to choose from; empty until the engine has asked.
    pub legal: Moves,
    /// The bots by seat; the engine finds the strategy of a bot under the same index.
    pub bots: BySeat<BotId>,
    /// The seat that decides.
    pub seat: Seat,
    /// The chosen move, or [`Move::NONE`].
    pub answer: Move,
    /// The strategies' streams of random numbers, by seat.
    pub streams: BySeat<Stream>,
    /// The totals of the match before the deal.
    pub standing: Standing,
}

impl<G: Game> Pending<G> {
    /// Returns a deal about to begin, with the bots at its seats and their streams.
    #[inline]
    pub fn new(
        state: State<G::Public>,
        standing: Standing,
        streams: BySeat<Stream>,
        bots: BySeat<BotId>,
    ) -> Pending<G> {
        Pending {
            seat: state.table.seat_to_move(),
            state,
            standing,
            streams,
            bots,
            legal: Moves::NONE,
            answer: Move::NONE,
        }
    }
}

// Derived, it would need a game that can be cloned.
impl<G: Game> Clone for Pending<G> {
    fn clone(&self) -> Pending<G> {
        Pending { streams: self.streams.clone(), ..*self }
    }
}

/// Notes on decisions other than their answers, each with the index of its deal.
#[derive(Default)]
pub struct Notes {
    /// The faults.
    pub faults: Vec<(u16, Fault)>,
    /// The decisions to ask again.
    pub audited: Vec<(u16, Audited)>,
}

/// Decisions due for one bot, in deals that are played concurrently.
pub struct Batch<'a, G: Game> {
    game: &'a G,
    deals: &'a mut [Pending<G>],
    which: &'a [u16],
    keys: &'a [DealKey],
    notes: &'a mut Notes,
}

impl<'a, G: Game> Batch<'a, G> {
    /// Returns the decisions due in the deals of `deals` whose indices `which` lists.
    ///
    /// `keys` holds the key that external bots get instead of the deal's number, for each deal. It is empty
    /// without external bots. Faults and audited decisions are added to `notes`.
    pub fn new(
        game: &'a G,
        deals: &'a mut [Pending<G>],
        which: &'a [u16],
        keys: &'a [DealKey],
        notes: &'a mut Notes,
    ) -> Batch<'a, G> {
        Batch { game, deals, which, keys, notes }
    }

    /// Returns the number of decisions.
    pub fn len(&self) -> usize {
        self.which.len()
    }

    /// Returns whether there are no decisions.
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    /// Answers every decision by calling `choose` with its view, legal moves and stream.
    #[inline(always)]
    pub fn answer_each(&mut self, mut choose: impl FnMut(&View<'_, G>, Moves, &mut Stream) -> Move) {
        for &number in self.which {
            let Pending { state, standing, streams, legal, seat, answer, .. } = &mut self.deals[number as usize];
            let view = View::new(self.game, state, standing, *seat);
            *answer = choose(&view, *legal, &mut streams[*seat]);
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Returns the view, the legal moves and the deal key of decision number `nth`.
    pub fn question(&self, nth: usize) -> (View<'_, G>, Moves, DealKey) {
        let slot = usize::from(self.which[nth]);
        let Pending { state, standing, legal, seat, .. } = &self.deals[slot];
        (View::new(self.game, state, standing, *seat), *legal, self.keys.get(slot).copied().unwrap_or_default())
    }

    /// Returns the stream of decision number `nth`.
    pub fn rng(&mut self, nth: usize) -> &mut Stream {
        let Pending { streams, seat, .. } = &mut self.deals[usize::from(self.which[nth])];
        &mut streams[*seat]
    }

    /// Restricts decision number `nth` to these moves.
    pub fn offer(&mut self, nth: usize, legal: Moves) {
        self.deals[usize::from(self.which[nth])].legal = legal;
    }

    /// Returns the answer to decision number `nth`, or `None` after a fault.
    pub fn answered(&self, nth: usize) -> Option<Move> {
        Some(self.deals[usize::from(self.which[nth])].answer).filter(|&answer| answer != Move::NONE)
    }

    /// Records a fault at decision number `nth` that a second attempt repaired.
    pub fn note(&mut self, nth: usize, fault: Fault) {
        self.notes.faults.push((self.which[nth], fault));
    }

    /// Records that decision number `nth` must be asked again.
    pub fn audit(&mut self, nth: usize, audited: Audited) {
        self.notes.audited.push((self.which[nth], audited));
    }

    /// Answers decision number `nth` with a move or a fault.
    pub fn answer(&mut self, nth: usize, answer: Result<Move, Fault>) {
        let slot = self.which[nth];
        self.deals[usize::from(slot)].answer = answer.unwrap_or_else(|fault| {
            self.notes.faults.push((slot, fault));
            Move::NONE
        });
    }
}
