//! A play for two in which every trick has a separate prize.

use overtrick_cards::{Card, CardSet};

/// The rest of a play for two with all cards known, in which every trick has a prize.
///
/// Tricks have two cards, and suit must be followed. The higher rank wins, even in another suit. Of two equal
/// ranks the second wins. The winner leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prizes {
    /// The cards of each player.
    pub hands: [CardSet; 2],
    /// The player whose card is due.
    pub turn: usize,
    /// The card that the other player has led, if a trick is in progress.
    pub led: Option<Card>,
    /// The points that the winner of each remaining trick gains or loses. The trick in progress comes first.
    /// Entries after the last trick are zero.
    pub points: [i32; 13],
    /// The points of each player so far, -3000 to 3000.
    pub totals: [i32; 2],
    /// The lowest score of a player. A lower total counts as this.
    pub lowest: i32,
}

impl Prizes {
    /// Returns the number of tricks that are not complete.
    pub fn tricks_left(&self) -> usize {
        // The player to move has not yet played to the trick in progress.
        self.hands[self.turn].len() as usize
    }
}
