//! The strain of a contract: a trump suit or no trump.

use std::fmt;

use super::Suit;

/// The strain of a contract: a trump suit, or no trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Strain {
    /// Clubs are trumps: `C`.
    Clubs,
    /// Diamonds are trumps: `D`.
    Diamonds,
    /// Hearts are trumps: `H`.
    Hearts,
    /// Spades are trumps: `S`.
    Spades,
    /// No suit is trumps: `NT`.
    NoTrump,
}

impl Strain {
    /// All five strains: the suits in ascending order, then no trump.
    pub const ALL: [Strain; 5] = [Strain::Clubs, Strain::Diamonds, Strain::Hearts, Strain::Spades, Strain::NoTrump];

    /// Returns the strain's text: the letter of the suit, or `NT`.
    pub const fn name(self) -> &'static str {
        ["C", "D", "H", "S", "NT"][self as usize]
    }

    /// Returns the trump suit, if there is one.
    #[inline]
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Strain::NoTrump => None,
            suit => Some(Suit::ALL[suit as usize]),
        }
    }
}

impl From<Suit> for Strain {
    #[inline]
    fn from(suit: Suit) -> Strain {
        Strain::ALL[suit as usize]
    }
}

/// `None` stands for no trump.
impl From<Option<Suit>> for Strain {
    #[inline]
    fn from(trump: Option<Suit>) -> Strain {
        trump.map_or(Strain::NoTrump, Strain::from)
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strains_are_the_suits_and_no_trump() {
        assert_eq!(Strain::ALL.map(|strain| strain.to_string()), ["C", "D", "H", "S", "NT"]);
        for strain in Strain::ALL {
            assert_eq!(Strain::from(strain.suit()), strain);
        }
        for suit in Suit::ALL {
            assert_eq!(Strain::from(suit).suit(), Some(suit));
            assert_eq!(Strain::from(suit).name(), suit.letter().to_string());
        }
    }
}
