//! Computes the number of tricks that a side wins with all cards known and best play.
//!
//! Alpha-beta asks whether a side can win some number of tricks. It then asks for one more or one less until
//! the number is known. An answer is remembered for all positions that differ only in cards that are not
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

/// A solver and its memory.
///
/// Keep a solver and use it again. Results for one position help with later positions of the same terms
/// (trumps, sides, number of hands). The answers never depend on the memory, but the time and whether a
/// budget suffices do. Call [`Solver::forget`] where these must be the same every time.
pub struct Solver {
    memory: TranspositionTable,
    /// The terms of the positions that the memory holds.
    terms: Option<Terms>,
    nodes: u64,
}

impl Solver {
    /// Makes a solver with a memory of at most `bytes` bytes, which grows on demand.
    ///
    /// The limit is never below some 100 kB.
    pub fn new(bytes: usize) -> Solver {
        Solver { memory: TranspositionTable::new(bytes), terms: None, nodes: 0 }
    }

    /// Forgets everything, in constant time.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// Returns the number of remaining tricks that the counted side wins.
    ///
    /// The trick in progress is one of them. The counted side is the side whose tricks are counted.
    pub fn tricks(&mut self, position: &Position) -> u8 {
        self.tricks_within(position, u64::MAX).expect("no budget ends")
    }

    /// Returns the number of tricks as in [`Solver::tricks`].
    ///
    /// `None` if the search would visit more than `nodes` positions.
    pub fn tricks_within(&mut self, position: &Position, nodes: u64) -> Option<u8> {
        self.ask(position, nodes, search::tricks)
    }

    /// Returns the counted side's tricks for each legal card of the hand to move.
    ///
    /// The cards are in ascending order, and the tricks are counted as in [`Solver::tricks`]. Empty if no
    /// cards are left.
    pub fn moves(&mut self, position: &Position) -> Vec<(Card, u8)> {
        self.moves_within(position, u64::MAX).expect("no budget ends")
    }

    /// Returns the values as in [`Solver::moves`].
    ///
    /// `None` if the search would visit more than `nodes` positions.
    pub fn moves_within(&mut self, position: &Position, nodes: u64) -> Option<Vec<(Card, u8)>> {
        self.ask(position, nodes, search::moves)
    }

    /// Returns a legal card of the hand to move with the best result for its side.
    ///
    /// That result is the most tricks, or the fewest if the side wants few. Returns `preferred` if it is such a
    /// card, otherwise the lowest of them. `None` if the search would visit more than `nodes` positions, or
    /// if no cards are left.
    ///
    /// Other cards are only proved to be worse, which takes less time than [`Solver::moves_within`].
    pub fn best_within(&mut self, position: &Position, preferred: Option<Card>, nodes: u64) -> Option<Card> {
        self.ask(position, nodes, |position, memory, limit| search::best(position, preferred, memory, limit))
    }

    /// Returns the number of positions before a lead that the solver has visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches, after clearing the memory if it belongs to other terms.
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
