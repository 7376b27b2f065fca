//! One playing card and its suit, as a byte.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::Rank;

/// A suit, in the order clubs, diamonds, hearts, spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// ♣, written `C`.
    Clubs,
    /// ♦, written `D`.
    Diamonds,
    /// ♥, written `H`.
    Hearts,
    /// ♠, written `S`.
    Spades,
}

impl Suit {
    /// All suits, in ascending order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Returns the suit's letter: `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// Returns whether the suit is red (diamonds, hearts).
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }
}

/// A card as one byte.
///
/// A natural card is `16 * suit + rank`, by their numbers. The little joker is 61, the big joker 62.
///
/// Each suit has a 16-bit lane of a [`CardSet`](super::CardSet), so a suit is one mask and a rank one shift.
/// Byte 63 is not a card: [`Card::NONE`] stands for "nothing led yet" in tables that are indexed by card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// The text of every card. The two letters of the card with index *i* begin at byte `2 * i`.
const TEXTS: &str = "2C3C4C5C6C7C8C9CTCJCQCKCAC------2D3D4D5D6D7D8D9DTDJDQDKDAD------\
                     2H3H4H5H6H7H8H9HTHJHQHKHAH------2S3S4S5S6S7S8S9STSJSQSKSASLJBJ--";

impl Card {
    /// The little joker, `LJ`.
    pub const LITTLE_JOKER: Card = Card(61);
    /// The big joker, `BJ`.
    pub const BIG_JOKER: Card = Card(62);
    /// The index that stands for "nothing led yet".
    pub const NONE: Card = Card(63);

    /// Returns the natural card of `suit` and `rank`.
    #[inline(always)]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(suit as u8 * 16 + rank as u8)
    }

    /// Returns the card with this index, which must be below 64.
    ///
    /// Does not check that the index names a card.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Card {
        Card(index & 63)
    }

    /// Returns the card's byte, 0 to 63, which is its index in tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // SAFETY: every constructor keeps the byte below 64. The hint saves a bounds check in the playing
        // loop.
        unsafe { std::hint::assert_unchecked(self.0 < 64) };
        self.0 as usize
    }

    /// Returns the number of the card's lane in a [`CardSet`](super::CardSet).
    ///
    /// The lane of a natural card is the number of its suit. Jokers lie in the lane of spades.
    #[inline(always)]
    pub const fn lane(self) -> usize {
        self.index() >> 4
    }

    /// Returns the card's bit within its lane, below 16. For a natural card this is the number of its rank.
    #[inline(always)]
    pub const fn place_in_lane(self) -> usize {
        self.index() & 15
    }

    /// Returns whether this is one of the two jokers.
    pub const fn is_joker(self) -> bool {
        self.0 == Card::LITTLE_JOKER.0 || self.0 == Card::BIG_JOKER.0
    }

    /// Returns the printed suit, or `None` for a joker.
    pub const fn suit(self) -> Option<Suit> {
        if self.0 & 15 > 12 { None } else { Some(Suit::ALL[(self.0 >> 4) as usize & 3]) }
    }

    /// Returns the text form: rank, then suit (`AH`, `TS`). Jokers are `BJ` and `LJ`.
    pub fn text(self) -> &'static str {
        &TEXTS[2 * self.index()..2 * self.index() + 2]
    }

    /// Returns the rank, or `None` for a joker.
    #[inline]
    pub const fn rank(self) -> Option<Rank> {
        if self.0 & 15 > 12 { None } else { Some(Rank::ALL[(self.0 & 15) as usize]) }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The error for a text that names no card.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no card: write rank then suit, like `AH` or `TS`; the jokers are `BJ` and `LJ`")]
pub struct ParseCardError(String);

impl FromStr for Card {
    type Err = ParseCardError;

    /// Reads the text form.
    ///
    /// That is a rank (`2`-`9`, `T`, `J`, `Q`, `K`, `A`), then a suit (`C`, `D`, `H`, `S`), or `BJ` or `LJ`.
    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        let wrong = || Err(ParseCardError(text.to_owned()));
        let &[rank, suit] = text.as_bytes() else { return wrong() };
        let suit = match suit {
            b'C' => Suit::Clubs,
            b'D' => Suit::Diamonds,
            b'H' => Suit::Hearts,
            b'S' => Suit::Spades,
            b'J' if rank == b'B' => return Ok(Card::BIG_JOKER),
            b'J' if rank == b'L' => return Ok(Card::LITTLE_JOKER),
            _ => return wrong(),
        };
        let rank = match rank {
            b'2'..=b'9' => Rank::ALL[usize::from(rank - b'2')],
            b'T' => Rank::Ten,
            b'J' => Rank::Jack,
            b'Q' => Rank::Queen,
            b'K' => Rank::King,
            b'A' => Rank::Ace,
            _ => return wrong(),
        };
        Ok(Card::new(rank, suit))
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        struct CardVisitor;
        impl serde::de::Visitor<'_> for CardVisitor {
            type Value = Card;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a card like \"AH\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Card, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(CardVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_back_from_its_text() {
        for index in 0..63 {
            let card = Card::from_index(index);
            if card.rank().is_some() || card.is_joker() {
                assert_eq!(card.to_string().parse(), Ok(card));
            }
        }
    }

    #[test]
    fn texts_that_name_no_card_are_refused() {
        for text in ["", "A", "1H", "AX", "10H", "ah", "--", "JB"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }
}
