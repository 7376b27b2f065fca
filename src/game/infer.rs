//! What search and inference ask of a game.

use super::{Game, Sides, State, View};
use crate::cards::{Card, CardSet, Stream};
use crate::table::{Moves, Place};

/// What may be inferred from a deal in progress, for search and for strategies that count cards. Every answer has a
/// default that is right for a game without calls whose players must follow suit.
pub trait Infer: Game {
    /// The deal that has come to `state` as it was before its first move: what the calls in it were made on. Where the
    /// table no longer tells a card from another (which of their cards the declarer took from the talon), `rng`
    /// decides. `None` in games without calls, and where what happened cannot be undone.
    fn opening(&self, _state: &State<Self::Public>, _luck: &mut Stream) -> Option<State<Self::Public>> {
        None
    }

    /// The two sides of the play, once cards are played, in games that have two. Where those of a side score for their
    /// own tricks, too, that is held to be a small matter beside what is at stake between the sides.
    fn sides(&self, _state: &State<Self::Public>) -> Option<Sides> {
        None
    }

    /// The cards among those that `view` does not show that may lie at a place, as far as the game knows more than
    /// which suits a hand has shown out of: all cards, as a rule. It depends on what the view tells and on nothing
    /// else.
    fn may_lie(&self, _view: &View<'_, Self>, _place: Place) -> CardSet {
        !CardSet::EMPTY
    }

    /// Whether a card that did not follow suit when it was played shows that its hand could not: always, unless the
    /// rules or the card give a choice.
    fn shows_void(&self, _view: &View<'_, Self>, _play: Card) -> bool {
        true
    }

    /// The calls that a seat may have made where its call is sealed: what the others may take it for.
    fn sealed_calls(&self) -> Moves {
        Moves::NONE
    }
}

impl<G: Infer> View<'_, G> {
    /// By place: the cards that a hand has shown not to hold by failing to follow suit, where that shows it
    /// (see [`Infer::shows_void`]).
    #[inline]
    pub fn shown_out(&self) -> [CardSet; Place::COUNT] {
        let mut out = [CardSet::EMPTY; Place::COUNT];
        let Some(order) = self.order() else {
            return out;
        };
        for (number, trick) in self.plays().chunks(self.hands_in_trick()).enumerate() {
            let mut hand = self.leader(number);
            let mut follow = CardSet::EMPTY;
            for &card in trick {
                if follow.is_empty() {
                    // It leads, or it comes after cards that set no suit.
                    follow = order.follow(card);
                } else {
                    // Who fails to follow is anybody's guess, so nothing branches on it.
                    let shown = !follow.contains(card) & self.game().shows_void(self, card);
                    out[hand.index()] |= if shown { follow } else { CardSet::EMPTY };
                }
                hand = self.after(hand);
            }
        }
        out
    }
}
