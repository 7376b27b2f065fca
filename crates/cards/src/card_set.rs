//! A set of cards as one 64-bit word.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, Rank, Suit};

/// A set of cards. Bit *i* stands for the card whose [`index`](Card::index) is *i*.
///
/// ```
/// use overtrick_cards::{Card, CardSet, Suit};
/// let hand: CardSet = "AS KH 2C".parse().unwrap();
/// assert_eq!(hand.len(), 3);
/// assert!(hand.contains("KH".parse().unwrap()));
/// assert_eq!((hand & CardSet::suit(Suit::Spades)).to_string(), "AS");
/// // In text, suits run spades, hearts, diamonds, clubs and ranks from the ace down.
/// assert_eq!(hand.to_string(), "AS KH 2C");
/// ```
///
/// The operators are `|` for the union, `&` for the intersection and `-` for the difference. The diagram
/// shows a hand, the cards of a trick and the three results. `#` and `t` mark cards that are in the set:
///
/// ```text
///       hand       trick      hand | trick   hand & trick   hand - trick
///    T J Q K A   T J Q K A     T J Q K A      T J Q K A      T J Q K A
/// S  # . . # .   . t . t .     # # . # .      . . . # .      # . . . .
/// H  . # # . .   . . . . t     . # # . #      . . . . .      . # # . .
/// ```
/// ```
/// # use overtrick_cards::CardSet;
/// # let cards = |text: &str| text.parse::<CardSet>().unwrap();
/// let (hand, trick) = (cards("KS TS QH JH"), cards("KS JS AH"));
/// assert_eq!(hand | trick, cards("KS JS TS AH QH JH"));
/// assert_eq!(hand & trick, cards("KS"));
/// assert_eq!(hand - trick, cards("TS QH JH"));
/// assert!((hand & trick).is_subset(hand) && (hand - trick).is_disjoint(trick));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

const LANE: u64 = 0x1FFF;

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// The two jokers.
    pub const JOKERS: CardSet = CardSet(3 << 61);

    /// Returns the thirteen cards of a suit.
    #[inline(always)]
    pub const fn suit(suit: Suit) -> CardSet {
        CardSet(LANE << (16 * suit as u32))
    }

    /// Returns the four cards of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> CardSet {
        CardSet::of_ranks(rank.bit())
    }

    /// Returns the cards of all suits whose ranks are set in `ranks` (see [`Rank::bit`]).
    #[inline(always)]
    pub const fn of_ranks(ranks: u16) -> CardSet {
        CardSet((ranks as u64 & LANE) * 0x0001_0001_0001_0001)
    }

    /// Returns the thirteen cards of suit number `suit`.
    #[inline(always)]
    pub const fn lane(suit: usize) -> CardSet {
        CardSet(LANE << (16 * suit))
    }

    /// Returns the ranks in suit number `suit`, one bit for each (see [`Rank::bit`]).
    #[inline(always)]
    pub const fn ranks(self, suit: usize) -> u16 {
        (self.0 >> (16 * suit) & LANE) as u16
    }

    /// Returns the cards of suit number `suit` whose ranks are set in `ranks`. The inverse of
    /// [`ranks`](Self::ranks).
    #[inline(always)]
    pub const fn in_lane(suit: usize, ranks: u16) -> CardSet {
        CardSet((ranks as u64 & LANE) << (16 * suit))
    }

    /// Returns the suits in which the set has the rank of `card`, one bit for each suit.
    #[inline(always)]
    pub const fn suits_with(self, card: Card) -> usize {
        // The top four bits of the product are the lowest bits of the four suits.
        let lowest = self.0 >> card.place_in_lane() & CardSet::of_ranks(1).0;
        (lowest.wrapping_mul(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3) >> 48 & 15) as usize
    }

    /// Returns all bits above the bit of `card`. Within the suit of `card` these are the higher cards.
    #[inline(always)]
    pub const fn above(card: Card) -> CardSet {
        CardSet(u64::MAX << card.index() << 1)
    }

    /// Returns the set with exactly these bits. Does not check that every bit names a card.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits)
    }

    /// Returns the set as a word. Bit *i* is set for the card whose [`index`](Card::index) is *i*.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set of one card.
    #[inline(always)]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// Returns the number of cards in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set has no card.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether `card` is in the set.
    #[inline(always)]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Returns whether every card of this set is also in `other`.
    #[inline(always)]
    pub const fn is_subset(self, other: CardSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns whether the two sets have no card in common.
    #[inline(always)]
    pub const fn is_disjoint(self, other: CardSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns this set with `card` added. The set does not change if it has the card already.
    ///
    /// ```
    /// # use overtrick_cards::CardSet;
    /// # let cards = |text: &str| text.parse::<CardSet>().unwrap();
    /// let (hand, ace) = (cards("KS TS"), "AS".parse().unwrap());
    /// assert_eq!(hand.with(ace), cards("AS KS TS"));
    /// assert_eq!(hand.with(ace).without(ace), hand);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// Returns this set without `card`. The set does not change if it does not have the card.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Returns the card with the lowest index, or `None` for an empty set.
    ///
    /// This is the lowest card of the lowest suit.
    #[inline(always)]
    pub fn first(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_index(self.0.trailing_zeros() as u8))
    }

    /// Returns the card with the highest index, or `None` for an empty set.
    ///
    /// This is the highest card of the highest suit.
    #[inline(always)]
    pub fn last(self) -> Option<Card> {
        (self.0 != 0).then(|| Card::from_index(63 - self.0.leading_zeros() as u8))
    }

    /// Returns the card of a set of exactly one card, or `None` for any other set.
    #[inline(always)]
    pub fn only(self) -> Option<Card> {
        if self.len() == 1 { self.first() } else { None }
    }

    /// Returns the cards in ascending order of index.
    #[inline(always)]
    pub fn iter(self) -> Cards {
        Cards(self)
    }

    /// Returns the cards as people sort a hand.
    ///
    /// Jokers come first, then spades, hearts, diamonds and clubs, each from the ace down.
    pub fn sorted(self) -> Vec<Card> {
        // This is the descending order of bits.
        self.iter().rev().collect()
    }
}

/// The cards of a [`CardSet`] in ascending order of index.
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    #[inline(always)]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        // Clears the lowest bit that is set.
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl DoubleEndedIterator for Cards {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Card> {
        let card = self.0.last()?;
        self.0 = self.0.without(card);
        Some(card)
    }
}

impl ExactSizeIterator for Cards {}

impl FusedIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;
    #[inline(always)]
    fn into_iter(self) -> Cards {
        self.iter()
    }
}

/// Implements an operator on the words of two sets, and its assignment.
macro_rules! bitwise {
    ($operator:ident $method:ident $sign:tt, $assign:ident $assign_method:ident) => {
        impl $operator for CardSet {
            type Output = CardSet;
            #[inline(always)]
            fn $method(self, other: CardSet) -> CardSet {
                CardSet(self.0 $sign other.0)
            }
        }

        impl $assign for CardSet {
            #[inline(always)]
            fn $assign_method(&mut self, other: CardSet) {
                *self = *self $sign other;
            }
        }
    };
}

bitwise!(BitAnd bitand &, BitAndAssign bitand_assign);
bitwise!(BitOr bitor |, BitOrAssign bitor_assign);
bitwise!(BitXor bitxor ^, BitXorAssign bitxor_assign);

impl Sub for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    #[inline(always)]
    fn sub_assign(&mut self, other: CardSet) {
        self.0 &= !other.0;
    }
}

/// Returns all bits that are not in the set, including bits that name no card. Use the result as a mask only.
impl Not for CardSet {
    type Output = CardSet;
    #[inline(always)]
    fn not(self) -> CardSet {
        CardSet(!self.0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        *self |= cards.into_iter().collect();
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

/// Written as a list of cards, in the order of [`CardSet::sorted`].
impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.sorted())
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        struct CardSetVisitor;
        impl<'de> serde::de::Visitor<'de> for CardSetVisitor {
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
        deserializer.deserialize_seq(CardSetVisitor)
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
    fn sets_are_built_card_by_card_and_taken_apart() {
        let all: CardSet = "BJ AS 2S KD".parse().unwrap();
        let mut set = CardSet::EMPTY;
        set.extend(all);
        assert_eq!((set, all.into_iter().len()), (all, 4));
        set -= CardSet::suit(Suit::Spades);
        assert_eq!(set.to_string(), "BJ KD");
        set ^= all;
        assert_eq!(set.to_string(), "AS 2S");
        let (ace, king): (Card, Card) = ("AS".parse().unwrap(), "KD".parse().unwrap());
        assert_eq!((set.with(ace), set.without(king)), (set, set));
        assert_eq!((set.with(king).to_string(), set.without(ace).to_string()), ("AS 2S KD".into(), "2S".into()));
        assert_eq!((set.without(ace).only(), set.only(), CardSet::EMPTY.only()), ("2S".parse().ok(), None, None));
        assert_eq!(all.iter().rev().collect::<Vec<_>>(), all.sorted());
        assert!(set.is_subset(all) && !all.is_subset(set) && set.is_subset(set) && CardSet::EMPTY.is_subset(set));
        assert!(set.is_disjoint(all - set) && !set.is_disjoint(all) && CardSet::EMPTY.is_disjoint(CardSet::EMPTY));
    }

    #[test]
    fn a_set_is_written_and_read_as_a_list_of_cards() {
        let set: CardSet = "BJ AS 2C".parse().unwrap();
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, r#"["BJ","AS","2C"]"#);
        assert_eq!(serde_json::from_str::<CardSet>(&text).unwrap(), set);
    }

    #[test]
    fn lanes_are_the_suits() {
        let set: CardSet = "BJ AS 2S KD".parse().unwrap();
        assert_eq!(set.ranks(Suit::Spades as usize), Rank::Ace.bit() | Rank::Two.bit());
        assert_eq!((set & CardSet::above("2S".parse().unwrap())).to_string(), "BJ AS");
        let aces: CardSet = "AS KS KH AD 2C BJ".parse().unwrap();
        let ace = Card::new(Rank::Ace, Suit::Hearts);
        assert_eq!(aces.suits_with(ace), 1 << Suit::Spades as usize | 1 << Suit::Diamonds as usize);
        for suit in Suit::ALL {
            assert_eq!(CardSet::rank(Rank::Ace).suits_with(ace), 0xF);
            assert_eq!(CardSet::suit(suit).suits_with(Card::new(Rank::Two, Suit::Hearts)), 1 << suit as usize);
            assert_eq!(CardSet::lane(suit as usize), CardSet::suit(suit));
            assert_eq!(CardSet::in_lane(suit as usize, set.ranks(suit as usize)), set & CardSet::suit(suit));
            for card in CardSet::suit(suit) {
                assert_eq!((card.lane(), card.place_in_lane()), (suit as usize, card.rank().unwrap().index()));
            }
        }
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
