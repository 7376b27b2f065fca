//! Decisions as numbers, many at a time: what learned players are asked.

use std::ops::Range;

use crate::encoding::Encoding;
use crate::game::{FullGame, Move, Moves, View};
use crate::protocol::{DealKey, Fault, FaultKind};
use crate::strategy::Batch;

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
    /// No decisions yet, in this encoding.
    pub(super) fn new(encoding: &Encoding) -> Questions {
        Questions { length: encoding.len(), moves: encoding.moves().len(), ..Questions::default() }
    }

    /// The number of decisions.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Takes all decisions away.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.legal.clear();
        self.seats.clear();
        self.deals.clear();
    }

    /// Adds the decision of a view.
    pub(super) fn add<G: FullGame>(&mut self, encoding: &Encoding, view: &View<'_, G>, legal: Moves, key: DealKey) {
        let (rows, masks) = (self.rows.len(), self.legal.len());
        self.rows.resize(rows + self.length, 0.0);
        self.legal.resize(masks + self.moves, false);
        encoding.write_on_zeros(view, &mut self.rows[rows..]);
        encoding.write_legal(legal, &mut self.legal[masks..]);
        self.seats.push(view.seat().index() as i64);
        self.deals.push(key.id(view.seat()) as i64);
    }

    /// Adds the decisions of a batch that have these numbers.
    pub(super) fn add_some<G: FullGame>(&mut self, encoding: &Encoding, batch: &Batch<'_, G>, numbers: Range<usize>) {
        self.rows.reserve(numbers.len() * self.length);
        self.legal.reserve(numbers.len() * self.moves);
        for nth in numbers {
            let (view, legal, key) = batch.question(nth);
            self.add(encoding, &view, legal, key);
        }
    }
}

/// The move that the answer `action` stands for, a place among the encoding's moves.
///
/// # Errors
/// [`FaultKind::IllegalMove`] if it is none, or not legal. A card that the rules take all the same is no fault.
pub(super) fn chosen<G: FullGame>(
    encoding: &Encoding,
    view: &View<'_, G>,
    legal: Moves,
    action: i64,
) -> Result<Move, Fault> {
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
