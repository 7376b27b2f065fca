//! A set of cards as one 64-bit word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use serde::{Deserialize, Deserializer};

use super::{Card, Rank, Suit};

/// A set of cards: bit *i* stands for the card whose [`index`](Card::index) is *i*.
///
/// ```
/// use overtrick::cards::{Card, CardSet, Suit};
/// let hand: CardSet = "AS KH 2C".parse().unwrap();
/// assert_eq!(hand.len(), 3);
/// assert!(hand.contains("KH".parse().unwrap()));
/// assert_eq!((hand & CardSet::suit(Suit::Spades)).to_string(), "AS");
/// // In text, suits run spades, hearts, diamonds, clubs and ranks from the ace down.
/// assert_eq!(hand.to_string(), "AS KH 2C");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

const LANE: u64 = 0x1FFF;

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// The two jokers.
    pub const JOKERS: CardSet = CardSet(3 << 61);

    /// The thirteen cards of a suit.
    #[inline(always)]
    pub const fn suit(suit: Suit) -> CardSet {
        CardSet(LANE << (16 * suit as u32))
    }

    /// The four cards of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> CardSet {
        CardSet::of_ranks(rank.bit())
    }

    /// The cards of every suit whose ranks are bits of `ranks` (see [`Rank::bit`]).
    #[inline(always)]
    pub const fn of_ranks(ranks: u16) -> CardSet {
        CardSet((ranks as u64 & LANE) * 0x0001_0001_0001_0001)
    }

    /// The set with exactly the bits of `bits`; bits that name no card are the caller's business.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits)
    }

    /// The word behind the set.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one card.
    #[inline(always)]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// How many cards.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `card` is among them.
    #[inline(always)]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// The card of the lowest index, that is the lowest of the lowest suit; `None` of an empty set.
    #[inline(always)]
    pub fn first(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_index(self.0.trailing_zeros() as u8))
    }

    /// The card of the highest index, that is the highest of the highest suit; `None` of an empty set.
    #[inline(always)]
    pub fn last(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_index(63 - self.0.leading_zeros() as u8))
    }

    /// The cards in ascending order of index.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut rest = self;
        std::iter::from_fn(move || {
            let card = rest.first()?;
            rest.0 &= rest.0 - 1;
            Some(card)
        })
    }

    /// The cards as people sort a hand: jokers, then spades, hearts, diamonds, clubs, each from the ace down.
    pub fn sorted(self) -> Vec<Card> {
        let mut cards = Vec::with_capacity(self.len() as usize);
        let mut rest = self;
        // The order of people is the falling order of bits.
        while let Some(card) = rest.last() {
            rest.0 ^= 1 << card.index();
            cards.push(card);
        }
        cards
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl BitOr for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitXor for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn bitxor(self, other: CardSet) -> CardSet {
        CardSet(self.0 ^ other.0)
    }
}

impl BitAndAssign for CardSet {
    #[inline(always)]
    fn bitand_assign(&mut self, other: CardSet) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for CardSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

/// Set difference.
impl Sub for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

/// Every bit that is not in the set, bits that name no card included: meant for masking.
impl Not for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn not(self) -> CardSet {
        CardSet(!self.0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, |set, card| set | CardSet::of(card))
    }
}

impl std::str::FromStr for CardSet {
    type Err = super::ParseCardError;

    /// Reads cards separated by white space.
    fn from_str(text: &str) -> Result<CardSet, Self::Err> {
        text.split_whitespace().map(str::parse).collect()
    }
}

impl fmt::Display for CardSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards: Vec<String> = self.sorted().iter().map(Card::to_string).collect();
        out.write_str(&cards.join(" "))
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        struct List;
        impl<'de> serde::de::Visitor<'de> for List {
            type Value = CardSet;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a list of cards")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut cards: A) -> Result<CardSet, A::Error> {
                let mut set = CardSet::EMPTY;
                while let Some(card) = cards.next_element()? {
                    set |= CardSet::of(card);
                }
                Ok(set)
            }
        }
        deserializer.deserialize_seq(List)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_and_sorting_hold_every_card_once() {
        let set: CardSet = "BJ AS 2S KD 7C LJ".parse().unwrap();
        assert_eq!(set.iter().collect::<CardSet>(), set);
        assert_eq!(set.to_string(), "BJ LJ AS 2S KD 7C");
        assert_eq!(set.len(), 6);
    }

    #[test]
    fn suits_and_ranks_cut_the_pack_into_fifty_two() {
        let suits = Suit::ALL.into_iter().fold(CardSet::EMPTY, |all, s| all | CardSet::suit(s));
        let ranks = Rank::ALL.into_iter().fold(CardSet::EMPTY, |all, r| all | CardSet::rank(r));
        assert_eq!(suits, ranks);
        assert_eq!(suits.len(), 52);
        assert_eq!((suits & CardSet::JOKERS).len(), 0);
    }
}
