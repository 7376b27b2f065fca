//! Tricks: the cards that may be played, and the tricks that were.

use super::{Move, Moves, Place, Table};
use crate::{Card, CardSet, Order};

/// The reason why a play breaks the rules that all games share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The card is not in the hand whose turn it is.
    NotHeld,
    /// The hand could follow suit to this card, which was led, and must.
    MustFollow(Card),
    /// The move is a call, but a card is due.
    NotAPlay,
}

/// A card of a trick, with the hand that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// The hand that played the card.
    pub hand: Place,
    /// The card.
    pub card: Card,
}

/// A trick, complete or in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trick {
    /// The cards in the order in which they were played.
    pub plays: Vec<Play>,
    /// The hand that won the trick, or `None` while it is in progress.
    pub winner: Option<Place>,
}

impl Table {
    /// Returns the cards that may be played.
    ///
    /// These are the cards that follow suit to the card led, or the whole hand if it has none of them.
    #[inline(always)]
    pub fn legal_plays(&self, order: &Order) -> Moves {
        let hand = self.places[self.turn.index()];
        let following = hand & order.follow(self.led);
        Moves::cards(if following.is_empty() { hand } else { following })
    }

    /// Returns the cards that may be played where the cards of `anytime` need not follow suit.
    #[inline(always)]
    pub fn legal_plays_with_anytime(&self, order: &Order, anytime: CardSet) -> Moves {
        let hand = self.places[self.turn.index()];
        let follow = order.follow(self.led);
        // A mask of ones if the hand cannot follow suit, since a branch on that mispredicts. In games with
        // calls the compiler would turn the plain form above into a branch.
        let void_mask = u64::from(hand.is_disjoint(follow)).wrapping_neg();
        Moves::cards(hand & (follow | anytime | CardSet::from_bits(void_mask)))
    }

    /// Returns the error of a move where a card is due, or `None` for a legal play.
    pub fn play_error(&self, candidate: Move, order: &Order) -> Option<PlayError> {
        let Some(card) = candidate.as_card() else {
            return Some(PlayError::NotAPlay);
        };
        if !self.places[self.turn.index()].contains(card) {
            return Some(PlayError::NotHeld);
        }
        let legal = self.legal_plays(order).contains(candidate);
        (!legal).then_some(PlayError::MustFollow(self.led))
    }

    /// Returns the tricks in order. The last may be in progress.
    pub fn tricks(&self) -> Vec<Trick> {
        let mut tricks = Vec::new();
        for (number, cards) in self.plays().chunks(self.hands as usize).enumerate() {
            let mut hand = self.leaders[number];
            let mut plays = Vec::with_capacity(cards.len());
            for &card in cards {
                plays.push(Play { hand, card });
                hand = self.next[hand.index()];
            }
            let winner = (number < self.tricks as usize).then(|| self.leader(number + 1));
            tricks.push(Trick { plays, winner });
        }
        tricks
    }
}
