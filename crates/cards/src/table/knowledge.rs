//! Cards and calls that a seat knows without seeing where the cards lie.

use std::ops::Range;

use super::{BySeat, Move, Place, Seat, Table};
use crate::{Card, CardSet};

impl Table {
    /// Makes the cards of `calls` cards that were passed: the callers know them wherever they lie from now on.
    ///
    /// The reader of each caller knows them as well. A game calls it once the readers have the cards. A caller
    /// without a reader is its own.
    pub fn share(&mut self, calls: Range<usize>, readers: BySeat<Seat>) {
        debug_assert!(calls.end <= self.calls().len());
        self.shared = [calls.start as u8, calls.end as u8];
        self.readers = readers;
    }

    /// Returns whether call `number`, counted from 0, is hidden from a seat.
    ///
    /// Hidden are the sealed calls of other seats and their calls with a card, unless they are shared with the seat.
    pub fn hides_call(&self, number: usize, seat: Seat) -> bool {
        let (caller, call) = self.calls[number];
        let is_hidden = caller != seat && (call.as_card().is_some() || self.is_sealed(number));
        let [first, end] = self.shared.map(usize::from);
        is_hidden && !((first..end).contains(&number) && self.readers[caller] == seat)
    }

    /// Returns the cards that a seat knows wherever they lie: those that it has passed.
    #[inline]
    pub(super) fn known_to(&self, seat: Seat) -> CardSet {
        // Few games pass cards, and views ask this for every place.
        if self.shared[0] == self.shared[1] { CardSet::EMPTY } else { self.passed_by(seat) }
    }

    #[cold]
    #[inline(never)]
    fn passed_by(&self, seat: Seat) -> CardSet {
        let [first, end] = self.shared.map(usize::from);
        let mut passed = CardSet::EMPTY;
        for (caller, call) in &self.calls[first..end] {
            if *caller == seat {
                passed |= call.as_card().map(CardSet::of).unwrap_or_default();
            }
        }
        passed
    }

    /// Returns the cards that other seats know wherever they lie, and `seat` does not know to be such cards.
    pub(super) fn secrets(&self, seat: Seat) -> CardSet {
        let others = Seat::ALL.into_iter().filter(|&other| other != seat);
        let all = others.fold(CardSet::EMPTY, |all, other| all | self.known_to(other));
        if all.is_empty() { all } else { all - self.certain(seat) }
    }

    /// Returns the cards that cannot be exchanged without a trace for `seat`.
    ///
    /// These are the cards that lie face up, those that it knows, and those in hands that it may look into or played
    /// from such hands.
    fn certain(&self, seat: Seat) -> CardSet {
        let mut certain = self.open | self.known_to(seat);
        for (place, &cards) in Place::ALL.iter().zip(&self.hands_before_play()) {
            if self.looks_into(*place, seat) {
                certain |= cards;
            }
        }
        let read = |number: &usize| !self.hides_call(*number, seat);
        certain | (0..self.calls().len()).filter(read).filter_map(|number| self.calls[number].1.as_card()).collect()
    }

    /// Replaces cards that other seats know by cards that are the same to `seat`.
    ///
    /// It does so in the record, from which the knowledge of the others follows. `after` has the cards, by place, that
    /// now lie where the seat cannot see them. A card becomes one of those in the same hand or played from it. Cards
    /// that were passed on, and lie in neither, stay as they are.
    pub(super) fn exchange_secrets(&mut self, seat: Seat, secrets: CardSet, after: &[CardSet; Place::COUNT]) {
        let certain = self.certain(seat);
        let held = self.hands_before_play();
        let mut exchanged = Vec::new();
        for place in 0..Place::COUNT {
            let olds = self.in_order(secrets & held[place]);
            let played = held[place] - self.places[place];
            let mut candidates = (after[place] | played) - certain;
            let mut news = CardSet::EMPTY;
            for _ in &olds {
                let Some(new) = any_of(candidates) else { break };
                candidates -= CardSet::of(new);
                news |= CardSet::of(new);
            }
            exchanged.extend(olds.into_iter().zip(news));
        }
        let new_of = |card: Card| exchanged.iter().find(|(old, _)| *old == card).map_or(card, |&(_, new)| new);
        let mut passes = Vec::new();
        for number in 0..self.calls().len() {
            if self.hides_call(number, seat)
                && let Some(card) = self.calls[number].1.as_card()
            {
                self.calls[number].1 = Move::card(new_of(card));
                passes.push(number);
            }
        }
        self.sort_cards_of_callers(&passes);
    }

    /// Returns known cards in an order that shows nothing of them.
    ///
    /// It is that of the calls that name them.
    fn in_order(&self, cards: CardSet) -> Vec<Card> {
        let key = |card: &Card| self.calls().iter().position(|(_, call)| call.as_card() == Some(*card));
        let mut cards: Vec<Card> = cards.iter().collect();
        cards.sort_by_key(key);
        cards
    }
}

/// Returns one of the cards, or `None` if there are none.
///
/// The set alone decides which, so that the choice shows nothing else. High and low cards are chosen alike.
pub(super) fn any_of(cards: CardSet) -> Option<Card> {
    let spread = cards.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    cards.iter().nth((spread % u64::from(cards.len().max(1))) as usize)
}
