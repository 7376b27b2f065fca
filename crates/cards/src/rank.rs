//! The ranks of a suit.

use std::fmt;

/// A rank, from the two to the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

use Rank::{Ace, Eight, Five, Four, Jack, King, Nine, Queen, Seven, Six, Ten, Three, Two};

impl Rank {
    /// The number of ranks in a suit.
    pub const COUNT: usize = 13;
    /// All thirteen ranks, in ascending order.
    pub const ALL: [Rank; Rank::COUNT] = [Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace];

    /// Returns the rank's number: 0 for the two to 12 for the ace.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the rank's strength where the ace is high: 1 for the two to 13 for the ace.
    ///
    /// Strength 0 is reserved for cards that cannot win.
    #[inline(always)]
    pub const fn strength(self) -> u8 {
        1 + self as u8
    }

    /// Returns a word with only the rank's bit set.
    ///
    /// Bit 0 is the two, and bit 12 the ace.
    ///
    /// Such words represent sets of cards of one suit.
    #[inline(always)]
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Returns the rank's character in a card's text: `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    pub const fn letter(self) -> char {
        ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'][self as usize]
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Card, Suit};

    #[test]
    fn ranks_are_those_of_the_cards() {
        for (number, rank) in Rank::ALL.into_iter().enumerate() {
            assert_eq!((rank.index(), usize::from(rank.strength()), rank.bit()), (number, number + 1, 1 << number));
            let card: Card = format!("{rank}D").parse().unwrap();
            assert_eq!((card, card.rank()), (Card::new(rank, Suit::Diamonds), Some(rank)));
        }
        assert_eq!(Card::BIG_JOKER.rank(), None);
        assert!(Rank::Ten < Rank::Jack && Rank::King < Rank::Ace);
    }
}
