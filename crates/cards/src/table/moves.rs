//! A move as one byte, and sets of moves.

use serde::Serialize;

use crate::{Card, CardSet};

/// A move: a card (0-63) or a call (64 and up).
///
/// The phase decides whether a card is played or discarded. The game gives each call its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Move(u8);

impl Move {
    /// No move, which fills an unused slot of a record. It is never legal.
    pub const NONE: Move = Move(Card::NONE.index() as u8);

    /// Returns the move of a card.
    #[inline(always)]
    pub const fn card(card: Card) -> Move {
        Move(card.index() as u8)
    }

    /// Returns the call of a number below 64.
    ///
    /// # Panics
    /// If the number is higher.
    #[inline(always)]
    pub const fn call(number: u8) -> Move {
        assert!(number < 64, "calls are numbered 0 to 63");
        Move(64 + number)
    }

    /// Returns the card, or `None` for a call.
    #[inline(always)]
    pub const fn as_card(self) -> Option<Card> {
        if self.0 < 63 { Some(Card::from_index(self.0)) } else { None }
    }

    /// Returns the card of a move that is known to be a card.
    ///
    /// Every legal move is a card while cards are played.
    #[inline(always)]
    pub fn to_card(self) -> Card {
        debug_assert!(self.as_card().is_some(), "a call where a card was due");
        Card::from_index(self.0)
    }

    /// Returns the number of a call, below 64, or `None` for a card.
    #[inline(always)]
    pub const fn as_call(self) -> Option<u8> {
        if self.0 >= 64 { Some(self.0 - 64) } else { None }
    }

    /// Returns the bit of a call in [`Moves::calls`].
    #[inline(always)]
    pub const fn call_bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Returns every byte that can be a move. The unused bytes between the suits are left out.
    pub fn all() -> impl Iterator<Item = Move> {
        let is_card = |card: Card| card.rank().is_some() || card.is_joker();
        (0..128).map(Move).filter(move |made| made.as_call().is_some() || made.as_card().is_some_and(is_card))
    }
}

/// A set of moves: one word of cards and one word of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The word of cards, then the word of calls.
    words: [u64; 2],
}

impl Moves {
    /// The empty set.
    pub const NONE: Moves = Moves { words: [0, 0] };

    /// Returns a set of cards only.
    #[inline(always)]
    pub const fn cards(cards: CardSet) -> Moves {
        Moves { words: [cards.bits(), 0] }
    }

    /// Returns a set of calls only. Bit *i* stands for call *i*.
    #[inline(always)]
    pub const fn calls(calls: u64) -> Moves {
        Moves { words: [0, calls] }
    }

    /// Returns the cards in the set.
    #[inline(always)]
    pub const fn card_set(self) -> CardSet {
        CardSet::from_bits(self.words[0])
    }

    /// Returns the calls in the set, bit *i* for call *i*.
    #[inline(always)]
    pub const fn call_bits(self) -> u64 {
        self.words[1]
    }

    /// Returns the number of moves in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.words[0].count_ones() + self.words[1].count_ones()
    }

    /// Returns whether the set has no move.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.words[0] | self.words[1] == 0
    }

    /// Returns whether a move is in the set.
    #[inline(always)]
    pub const fn contains(&self, candidate: Move) -> bool {
        self.words[(candidate.0 >> 6 & 1) as usize] >> (candidate.0 & 63) & 1 == 1
    }

    /// Returns this set with a move added.
    #[inline(always)]
    pub const fn with(mut self, one: Move) -> Moves {
        self.words[(one.0 >> 6 & 1) as usize] |= 1 << (one.0 & 63);
        self
    }

    /// Returns this set without a move.
    #[inline(always)]
    pub const fn without(mut self, one: Move) -> Moves {
        self.words[(one.0 >> 6 & 1) as usize] &= !(1 << (one.0 & 63));
        self
    }

    /// Returns the moves: cards, then calls, each in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Move> + Clone {
        let [cards, calls] = self.words.map(CardSet::from_bits);
        let as_call = |card: Card| Move(64 + card.index() as u8);
        cards.iter().map(Move::card).chain(calls.iter().map(as_call))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_are_cards_that_have_a_text_and_calls() {
        let texts: Vec<String> = Move::all().filter_map(Move::as_card).map(|card| card.to_string()).collect();
        assert_eq!((texts.len(), Move::all().count()), (54, 54 + 64));
        assert!(texts.iter().all(|text| text.parse::<Card>().is_ok_and(|card| card.to_string() == *text)), "{texts:?}");
    }

    #[test]
    fn a_set_holds_cards_and_calls_apart() {
        let ace: Card = "AS".parse().unwrap();
        let both = Moves { words: [1 << ace.index(); 2] };
        let call = Move::call(ace.index() as u8);
        assert_eq!(both.iter().collect::<Vec<_>>(), [Move::card(ace), call]);
        assert!(Moves::cards(CardSet::of(ace)).contains(Move::card(ace)));
        assert!(!Moves::cards(CardSet::of(ace)).contains(call));
        assert!(!both.contains(Move::NONE) && Move::NONE.as_card().is_none());
        assert_eq!(Moves::NONE.with(call).with(Move::card(ace)), both);
        assert_eq!(both.without(call), Moves::cards(CardSet::of(ace)));
        assert_eq!((call.as_card(), call.as_call()), (None, Some(ace.index() as u8)));
    }
}
