//! Decisions as numbers, many at a time: what learned players are asked, and the strategy that asks them.

use std::ops::Range;

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_game::{FullGame, Move, Moves, View};
use overtrick_games::encoding::Encoding;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealKey, Fault, FaultKind};
use overtrick_strategy::{Batch, Strategy};

/// Decisions, one after the other, as an [`Encoding`] writes them.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// By decision: the row of its view.
    pub rows: Vec<f32>,
    /// By decision, by move: whether it is legal.
    pub legal: Vec<bool>,
    /// By decision: the seat that decides.
    pub seats: Vec<i64>,
    /// By decision: the number by which a bot knows the deal. It differs from seat to seat.
    pub deals: Vec<i64>,
    /// The length of a row.
    pub length: usize,
    /// The number of moves.
    pub moves: usize,
}

impl Questions {
    /// Room for so many decisions in this encoding.
    fn new(encoding: &Encoding, room: usize) -> Questions {
        let (length, moves) = (encoding.len(), encoding.moves().len());
        Questions {
            rows: Vec::with_capacity(room * length),
            legal: Vec::with_capacity(room * moves),
            seats: Vec::with_capacity(room),
            deals: Vec::with_capacity(room),
            length,
            moves,
        }
    }

    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Adds the decision of a view.
    fn add<G: FullGame>(&mut self, encoding: &Encoding, view: &View<'_, G>, legal: Moves, key: DealKey) {
        let (rows, masks) = (self.rows.len(), self.legal.len());
        self.rows.resize(rows + self.length, 0.0);
        self.legal.resize(masks + self.moves, false);
        encoding.write_on_zeros(view, &mut self.rows[rows..]);
        encoding.write_legal(legal, &mut self.legal[masks..]);
        self.seats.push(view.seat().index() as i64);
        self.deals.push(key.id(view.seat()) as i64);
    }
}

/// A learned player: it answers decisions that are numbers.
pub(super) trait Learned: Send {
    /// Whether it is told the keys of deals: see [`Strategy::is_external`].
    const IS_EXTERNAL: bool;

    /// The answers to so many questions, a place among the moves or a fault for each; `gather` gives those of some
    /// numbers.
    fn answer(
        &mut self,
        encoding: &Encoding,
        count: usize,
        gather: &dyn Fn(Range<usize>) -> Questions,
    ) -> Vec<Result<i64, Fault>>;
}

/// Asks a learned player for moves.
pub(super) struct Player<L> {
    learned: L,
    /// How decisions are written; nothing before the game is known.
    encoding: Option<Encoding>,
    /// The key of the last deal that began.
    key: DealKey,
}

impl<L: Learned> Player<L> {
    pub(super) fn new(learned: L) -> Player<L> {
        Player { learned, encoding: None, key: DealKey::default() }
    }

    /// The answers to `count` questions, each with the view, the legal moves and the key that `question` gives.
    fn ask<'a, G: FullGame>(
        &mut self,
        game: &G,
        count: usize,
        question: impl Fn(usize) -> (View<'a, G>, Moves, DealKey),
    ) -> Vec<Result<Move, Fault>> {
        let encoding = &*self.encoding.get_or_insert_with(|| Encoding::new(game));
        let gather = |numbers: Range<usize>| {
            let mut questions = Questions::new(encoding, numbers.len());
            for nth in numbers {
                let (view, legal, key) = question(nth);
                questions.add(encoding, &view, legal, key);
            }
            questions
        };
        let answers = self.learned.answer(encoding, count, &gather);
        let chosen = |(nth, answer): (usize, Result<i64, Fault>)| {
            let (view, legal, _) = question(nth);
            chosen(encoding, &view, legal, answer?)
        };
        answers.into_iter().enumerate().map(chosen).collect()
    }
}

impl<G: FullGame, L: Learned> Strategy<G> for Player<L> {
    /// After a fault it makes a random move.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        self.try_choose(view, legal, rng).unwrap_or_else(|_| pick(legal, rng, Portable))
    }

    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, _rng: &mut Stream) -> Result<Move, Fault> {
        let key = self.key;
        self.ask(view.game(), 1, |_| (*view, legal, key)).remove(0)
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        let answers = self.ask(batch.game(), batch.len(), |nth| batch.question(nth));
        answers.into_iter().enumerate().for_each(|(nth, answer)| batch.answer(nth, answer));
    }

    fn is_external(&self) -> bool {
        L::IS_EXTERNAL
    }

    fn gains_by_batches(&self) -> bool {
        true
    }

    fn may_fault(&self) -> bool {
        true
    }

    fn deal_begins(&mut self, _view: &View<'_, G>, key: DealKey) {
        self.key = key;
    }
}

/// The move that the answer `action` stands for, a place among the encoding's moves.
///
/// # Errors
/// [`FaultKind::IllegalMove`] if it is none, or not legal. A card that the rules take all the same is no fault.
fn chosen<G: FullGame>(encoding: &Encoding, view: &View<'_, G>, legal: Moves, action: i64) -> Result<Move, Fault> {
    let illegal = |what: String| Err(Fault::new(FaultKind::IllegalMove, what));
    let at = usize::try_from(action).ok().filter(|&at| at < encoding.moves().len());
    let Some(at) = at else {
        return illegal(format!("it answered {action}, where moves are numbered 0 to {}", encoding.moves().len() - 1));
    };
    let made = encoding.moves()[at];
    if legal.contains(made) || view.renege_moves().contains(made) {
        return Ok(made);
    }
    illegal(format!("it answered {action}, which is {}: {}", encoding.texts()[at], view.why_not(made)))
}
