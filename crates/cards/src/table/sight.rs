//! The cards that a seat sees, and the hidden cards, which can be replaced.

use super::knowledge::any_of;
use super::{Move, Place, Seat, Table};
use crate::{Card, CardSet};

/// A place as a seat sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPlace {
    /// The cards that the seat sees.
    pub cards: CardSet,
    /// The number of cards, seen or not.
    pub count: u8,
}

impl Table {
    /// Returns the cards at a place that `seat` sees.
    ///
    /// These are all cards if the seat may look there. Otherwise they are the cards that lie face up and those that
    /// the seat knows wherever they lie.
    #[inline]
    pub fn seen_at(&self, place: Place, seat: Seat) -> CardSet {
        let cards = self.places[place.index()];
        if self.looks_into(place, seat) { cards } else { cards & (self.open | self.known_to(seat)) }
    }

    /// Returns whether `seat` may look into a place.
    #[inline]
    pub(super) fn looks_into(&self, place: Place, seat: Seat) -> bool {
        self.sees[seat] >> place.index() & 1 == 1
    }

    /// Returns the places as `seat` sees them.
    pub fn seen(&self, seat: Seat) -> [SeenPlace; Place::COUNT] {
        Place::ALL.map(|place| SeenPlace { cards: self.seen_at(place, seat), count: self.at(place).len() as u8 })
    }

    /// Returns, by place, the cards that `seat` cannot see.
    fn hidden_from(&self, seat: Seat) -> [CardSet; Place::COUNT] {
        Place::ALL.map(|place| self.at(place) - self.seen_at(place, seat))
    }

    /// Lays the cards as in `places`.
    ///
    /// Only cards that `seat` cannot see may move, and each place must keep its number of cards. Recorded
    /// discards that the seat cannot know become cards that now lie in the same place, so that the record
    /// stays consistent. The same holds of passed cards and of all that other seats know.
    pub fn rearrange(&mut self, seat: Seat, places: &[CardSet; Place::COUNT]) {
        let before = self.hidden_from(seat);
        let mut after: [CardSet; Place::COUNT] =
            std::array::from_fn(|place| places[place] - (self.places[place] - before[place]));
        debug_assert_eq!(before.map(CardSet::len), after.map(CardSet::len));
        let secrets = self.secrets(seat);
        let mut passes = Vec::new();
        for number in 0..usize::from(self.called) {
            let (caller, call) = self.calls[number];
            if self.hides_call(number, seat)
                && let Some(card) = call.as_card()
                && !secrets.contains(card)
                && let Some(place) = before.iter().position(|cards| cards.contains(card))
            {
                // A card still in the caller's hand will be passed. The lowest would be no fair guess, but while the
                // caller chooses, it leaves room for higher cards.
                let is_passed = place == Place::hand(caller).index() && caller != self.seat_to_move();
                let new = if is_passed { any_of(after[place]) } else { after[place].first() };
                let Some(new) = new else { continue };
                self.calls[number].1 = Move::card(new);
                after[place] -= CardSet::of(new);
                passes.extend(is_passed.then_some(number));
            }
        }
        self.sort_cards_of_callers(&passes);
        if !secrets.is_empty() {
            self.exchange_secrets(seat, secrets, &after);
        }
        self.places = *places;
    }

    /// Puts the cards of these calls in order, caller by caller, as players choose cards to pass.
    pub(super) fn sort_cards_of_callers(&mut self, calls: &[usize]) {
        for caller in Seat::ALL {
            let own: Vec<usize> = calls.iter().copied().filter(|&number| self.calls[number].0 == caller).collect();
            let mut moves: Vec<Move> = own.iter().map(|&number| self.calls[number].1).collect();
            moves.sort_by_key(|call| call.as_card().map(Card::index));
            for (number, call) in own.into_iter().zip(moves) {
                self.calls[number].1 = call;
            }
        }
    }

    /// Replaces every sealed call of the other seats by `call`.
    pub fn reseal(&mut self, seat: Seat, call: Move) {
        let first = usize::from(self.sealed).min(usize::from(self.called));
        for sealed in self.calls[first..usize::from(self.called)].iter_mut().filter(|(caller, _)| *caller != seat) {
            sealed.1 = call;
        }
    }

    /// Redistributes the cards that `seat` cannot see among the places where they lie.
    ///
    /// Each place keeps its number of cards. `shuffle` orders the cards.
    pub fn redeal_hidden(&mut self, seat: Seat, shuffle: impl FnOnce(&mut Vec<Card>)) {
        let hidden = self.hidden_from(seat);
        let mut cards: Vec<Card> = hidden.iter().flat_map(|cards| cards.iter()).collect();
        shuffle(&mut cards);
        let mut cards = cards.into_iter();
        let places = std::array::from_fn(|place| {
            let gone = hidden[place];
            let new: CardSet = cards.by_ref().take(gone.len() as usize).collect();
            (self.places[place] - gone) | new
        });
        self.rearrange(seat, &places);
    }
}
