//! Batches of decisions as numbers, and the strategy that puts them to a learned player.

use std::ops::Range;

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_game::{FullGame, Move, Moves, View};
use overtrick_games::encoding::Encoding;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealKey, Fault, FaultKind};
use overtrick_strategy::{Batch, ExternalBot, Strategy};

/// A batch of decisions, as an [`Encoding`] writes them.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The encoded views: `length` numbers for each decision.
    pub rows: Vec<f32>,
    /// Whether each move is legal: `moves` values for each decision.
    pub legal: Vec<bool>,
    /// The seat that decides, for each decision.
    pub seats: Vec<i64>,
    /// The number under which a bot knows the deal, for each decision. It differs from seat to seat.
    pub deals: Vec<i64>,
    /// The length of a row.
    pub length: usize,
    /// The number of moves.
    pub moves: usize,
}

impl Questions {
    /// Returns an empty batch with room for `room` decisions.
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

    /// Returns the number of decisions.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Returns whether there are no decisions.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Adds the decision for `view`.
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

/// A player that answers decisions given as numbers.
pub(super) trait Learned: Send {
    /// Whether the player gets the keys of deals: see [`ExternalBot`].
    const IS_EXTERNAL: bool;

    /// Answers `count` questions: each answer is the index of a move or a fault.
    ///
    /// `gather` returns the questions of a range of numbers.
    fn answer(
        &mut self,
        encoding: &Encoding,
        count: usize,
        gather: &dyn Fn(Range<usize>) -> Questions,
    ) -> Vec<Result<i64, Fault>>;
}

/// The strategy that asks a learned player for moves.
pub(super) struct Player<L> {
    learned: L,
    /// The encoding of decisions; `None` until the game is known.
    encoding: Option<Encoding>,
    /// The key of the deal that began last.
    key: DealKey,
}

impl<L: Learned> Player<L> {
    pub(super) fn new(learned: L) -> Player<L> {
        Player { learned, encoding: None, key: DealKey::default() }
    }

    /// Asks `count` questions; `question` returns the view, the legal moves and the key of each.
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
    /// Plays a random move after a fault.
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

    fn gains_by_batches(&self) -> bool {
        true
    }

    fn may_fault(&self) -> bool {
        true
    }

    fn external(&mut self) -> Option<&mut dyn ExternalBot<G>> {
        if L::IS_EXTERNAL { Some(self) } else { None }
    }
}

impl<G: FullGame, L: Learned> ExternalBot<G> for Player<L> {
    fn deal_begins(&mut self, _view: &View<'_, G>, key: DealKey) {
        self.key = key;
    }
}

/// Returns the move at index `action` among the encoding's moves.
///
/// # Errors
/// [`FaultKind::IllegalMove`] if there is no such move or it is illegal. A renege is returned where the rules
/// accept it.
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
