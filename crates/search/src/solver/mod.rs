//! The solver: how many tricks a side wins in a deal with all cards known, when all play as well as possible.
//!
//! Alpha-beta asks whether a side can win some number of tricks, then asks for one more or one less until the number is
//! known. It remembers an answer not for one position but for all positions that differ only in cards that are not
//! relevant to it (`transpositions`).
//!
//! A deal with three tricks left:
//!
//! ```
#![doc = include_str!("../../examples/solve.rs")]
//! ```

mod history;
mod lanes;
mod order;
mod position;
mod ranking;
mod search;
mod sure;
mod transpositions;
mod trick;

pub use position::{Position, PositionError};
pub use ranking::Ranking;

use overtrick_cards::Card;

use search::{Limit, Terms};
use transpositions::TranspositionTable;

/// A solver with its memory. Keep one and use it again: what it has found out about one position helps with the next
/// one of the same terms (trumps, sides, number of hands). Its answers never depend on its memory, but the time and
/// whether a budget suffices do: call [`Solver::forget`] where that must be the same every time.
pub struct Solver {
    memory: TranspositionTable,
    /// The terms of the positions that the memory holds.
    terms: Option<Terms>,
    nodes: u64,
}

impl Solver {
    /// A solver with a memory of at most `bytes` bytes (but at least some 100 kB), which grows as it is needed.
    pub fn new(bytes: usize) -> Solver {
        Solver { memory: TranspositionTable::new(bytes), terms: None, nodes: 0 }
    }

    /// Forgets everything, in constant time.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// How many of the tricks that are still to be completed go to the side whose tricks are counted.
    pub fn tricks(&mut self, position: &Position) -> u8 {
        self.tricks_within(position, u64::MAX).expect("no budget ends")
    }

    /// The number of tricks as in [`Solver::tricks`], or `None` if that would take a look at more than `nodes`
    /// positions.
    pub fn tricks_within(&mut self, position: &Position, nodes: u64) -> Option<u8> {
        self.ask(position, nodes, search::tricks)
    }

    /// For each legal card of the hand to move, in ascending order: how many of the tricks that are still to be
    /// completed go to the side whose tricks are counted if it is played. Nothing if no cards are left.
    pub fn moves(&mut self, position: &Position) -> Vec<(Card, u8)> {
        self.moves_within(position, u64::MAX).expect("no budget ends")
    }

    /// The values as in [`Solver::moves`], or `None` if that would take a look at more than `nodes` positions.
    pub fn moves_within(&mut self, position: &Position, nodes: u64) -> Option<Vec<(Card, u8)>> {
        self.ask(position, nodes, search::moves)
    }

    /// A legal card of the hand to move after which its side wins as many of those tricks as it can, or as few if it
    /// wants few: `first` if that is such a card, or else the lowest one. `None` if that would take a look at more than
    /// `nodes` positions, or if no cards are left. Other cards are only shown to be worse, which takes less than
    /// [`Solver::moves_within`].
    pub fn best_within(&mut self, position: &Position, first: Option<Card>, nodes: u64) -> Option<Card> {
        self.ask(position, nodes, |position, memory, limit| search::best(position, first, memory, limit))
    }

    /// The number of positions, each before a lead, that the solver has looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches; forgets first what it knows if that belongs to other terms.
    fn ask<T>(
        &mut self,
        position: &Position,
        nodes: u64,
        search: impl FnOnce(&Position, &mut TranspositionTable, &mut Limit) -> Option<T>,
    ) -> Option<T> {
        let terms = Some(Terms::of(position));
        if self.terms != terms {
            self.terms = terms;
            self.memory.clear();
        }
        let mut limit = Limit::new(nodes);
        let answer = search(position, &mut self.memory, &mut limit);
        self.nodes += nodes - limit.left();
        answer
    }
}
