//! The trait of strategies: ways to choose moves from views; and the messages that external bots exchange.

pub mod ids;
mod pick;
pub mod protocol;

use overtrick_cards::Stream;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, Move, Moves, Standing, State, View};

use crate::ids::BotId;
use crate::protocol::{DealEnd, DealKey, Decision, Fault};
pub use pick::pick;

/// A way to choose moves. A choice may depend on the view, the legal moves and the stream of random numbers, and on
/// nothing else: what a strategy keeps from one decision to the next (a cache, say) must not show in its moves, because
/// decisions of many deals come mixed.
pub trait Strategy<G: Game>: Send {
    /// Chooses one of the `legal` moves, of which there is at least one. They may be fewer than the game allows: a bot
    /// may be kept from some moves.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move;

    /// Chooses for many deals at once. Strategies that gain by batching override this; the moves must be those that
    /// [`Strategy::choose`] would choose.
    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        batch.answer_each(|view, legal, rng| self.choose(view, legal, rng));
    }

    /// Chooses as [`Strategy::choose`] does, or gives the fault of a strategy outside of the process.
    ///
    /// # Errors
    /// The fault.
    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        Ok(self.choose(view, legal, rng))
    }

    /// Whether it is outside of the process, or code of another language within it: it is then told the keys of deals,
    /// and when they begin and end.
    fn is_external(&self) -> bool {
        false
    }

    /// Whether it gains by answering many decisions at once, however long one takes.
    fn gains_by_batches(&self) -> bool {
        self.is_external()
    }

    /// Whether a fault may take the place of a choice: then the choices of [`Strategy::choose_many`] and of
    /// [`Strategy::try_choose`] count, since [`Strategy::choose`] has to make something up.
    fn may_fault(&self) -> bool {
        self.is_external()
    }

    /// Asks these decisions again of a process without history, and gives those that it answers otherwise, by their
    /// place, with the fault; only for strategies outside of the process.
    fn audit(&mut self, _game: &G, _audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        Vec::new()
    }

    /// Starts its processes, so that games need not wait for that; only for strategies outside of the process.
    fn start(&mut self, _game: &G) {}

    /// Goes on in a fresh process that remembers nothing; only for strategies outside of the process.
    fn renew(&mut self) {}

    /// Called when a deal begins in which the strategy has the seat of `view`, with the key of all that it is told in
    /// place of its number; only for strategies outside of the process.
    fn deal_begins(&mut self, _view: &View<'_, G>, _key: DealKey) {}

    /// Called when a deal has ended in which the strategy had a seat; only for strategies outside of the process.
    fn deal_ends(&mut self, _end: DealEnd) {}
}

/// A decision that was answered and is to be asked again.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The decision.
    pub decision: Decision<'static>,
    /// The text of the move that was answered.
    pub answer: String,
}

/// A deal in progress in which a bot is to decide.
#[derive(Clone)]
pub struct Pending<G: Game> {
    /// The deal.
    pub state: State<G::Public>,
    /// The totals of the match before it.
    pub standing: Standing,
    /// By seat: the strategies' streams of random numbers.
    pub streams: BySeat<Stream>,
    /// The moves to choose from; none before the engine has asked.
    pub legal: Moves,
    /// Who is to decide.
    pub seat: Seat,
    /// The move that was chosen; [`Move::NONE`] if there is none.
    pub answer: Move,
    /// By seat: the bots; the engine knows a bot's strategy by the same index.
    pub bots: BySeat<BotId>,
}

impl<G: Game> Pending<G> {
    /// A deal about to begin, with the bots at its seats and their streams of random numbers.
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

/// What is noted of decisions beside their answers, each with the index of its deal.
#[derive(Default)]
pub struct Notes {
    /// Faults.
    pub faults: Vec<(u16, Fault)>,
    /// Decisions to be asked again.
    pub audited: Vec<(u16, Audited)>,
}

/// Decisions that one bot is to make, in deals that go on side by side.
pub struct Batch<'a, G: Game> {
    game: &'a G,
    deals: &'a mut [Pending<G>],
    which: &'a [u16],
    keys: &'a [DealKey],
    notes: &'a mut Notes,
}

impl<'a, G: Game> Batch<'a, G> {
    /// The decisions due in those of `deals` that `which` lists. `keys` has the keys of what bots outside of the
    /// process are told in place of the deals' numbers; it is empty if there are no such bots. What there is to note is
    /// added to `notes`.
    pub fn new(
        game: &'a G,
        deals: &'a mut [Pending<G>],
        which: &'a [u16],
        keys: &'a [DealKey],
        notes: &'a mut Notes,
    ) -> Batch<'a, G> {
        Batch { game, deals, which, keys, notes }
    }

    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.which.len()
    }

    /// Whether there are no decisions.
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    /// Answers every decision with what `choose` makes of its view, its legal moves and its stream.
    #[inline(always)]
    pub fn answer_each(&mut self, mut choose: impl FnMut(&View<'_, G>, Moves, &mut Stream) -> Move) {
        for &number in self.which {
            let Pending { state, standing, streams, legal, seat, answer, .. } = &mut self.deals[number as usize];
            let view = View::new(self.game, state, standing, *seat);
            *answer = choose(&view, *legal, &mut streams[*seat]);
        }
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Decision number `nth`: its view, its legal moves, and the key of its deal.
    pub fn question(&self, nth: usize) -> (View<'_, G>, Moves, DealKey) {
        let slot = usize::from(self.which[nth]);
        let Pending { state, standing, legal, seat, .. } = &self.deals[slot];
        (View::new(self.game, state, standing, *seat), *legal, self.keys.get(slot).copied().unwrap_or_default())
    }

    /// The stream of decision number `nth`.
    pub fn rng(&mut self, nth: usize) -> &mut Stream {
        let Pending { streams, seat, .. } = &mut self.deals[usize::from(self.which[nth])];
        &mut streams[*seat]
    }

    /// Leaves decision number `nth` these moves to choose from.
    pub fn offer(&mut self, nth: usize, legal: Moves) {
        self.deals[usize::from(self.which[nth])].legal = legal;
    }

    /// The answer to decision number `nth`; `None` if it was a fault.
    pub fn answered(&self, nth: usize) -> Option<Move> {
        Some(self.deals[usize::from(self.which[nth])].answer).filter(|&answer| answer != Move::NONE)
    }

    /// Records a fault at decision number `nth` that a second try made good.
    pub fn note(&mut self, nth: usize, fault: Fault) {
        self.notes.faults.push((self.which[nth], fault));
    }

    /// Records that decision number `nth` is to be asked again.
    pub fn audit(&mut self, nth: usize, audited: Audited) {
        self.notes.audited.push((self.which[nth], audited));
    }

    /// Answers decision number `nth` by a move or a fault.
    pub fn answer(&mut self, nth: usize, answer: Result<Move, Fault>) {
        let slot = self.which[nth];
        self.deals[usize::from(slot)].answer = answer.unwrap_or_else(|fault| {
            self.notes.faults.push((slot, fault));
            Move::NONE
        });
    }
}
