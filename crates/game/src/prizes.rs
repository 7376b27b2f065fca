//! A play for two in which every trick has a prize of its own.

use overtrick_cards::{Card, CardSet};

/// What is left of a play for two, all cards known, in which every trick has a prize: tricks have two cards, suit must
/// be followed, the higher rank wins whatever its suit, of two equal ranks the second, and the winner leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prizes {
    /// By player: the cards in hand.
    pub hands: [CardSet; 2],
    /// The player whose card is due.
    pub turn: usize,
    /// What the other has led, if a trick is in progress.
    pub led: Option<Card>,
    /// By trick that is still to be completed, the one in progress first: the points that its winner gains, or loses.
    /// The rest of the thirteen is zero.
    pub points: [i32; 13],
    /// By player: the points so far, -3000 to 3000.
    pub totals: [i32; 2],
    /// The least that a player scores: a lower total counts as this.
    pub lowest: i32,
}

impl Prizes {
    /// The number of tricks that are still to be completed.
    pub fn tricks_left(&self) -> usize {
        // Whoever is to play has not played to the trick in progress.
        self.hands[self.turn].len() as usize
    }
}
