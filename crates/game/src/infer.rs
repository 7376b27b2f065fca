//! The trait that search and inference need from a game.

use overtrick_cards::table::{Moves, Place};
use overtrick_cards::{Card, CardSet, Stream};

use super::{Game, Prizes, Sides, State, View};

/// The inferences from a deal in progress, for search and for strategies that count cards.
///
/// Each method has a default that is right for a game without calls whose players must follow suit.
pub trait Infer: Game {
    /// Returns the deal of `state` as it was before its first move.
    ///
    /// Inference then sees the cards from which calls and plays were chosen.
    ///
    /// Where the table no longer distinguishes cards (such as those that the declarer took from the talon),
    /// `luck` decides. `None` where the past cannot be undone. Nothing is then inferred from calls and plays.
    fn opening(&self, _state: &State<Self::Public>, _rng: &mut Stream) -> Option<State<Self::Public>> {
        None
    }

    /// Returns the two sides of the play, while cards are played, in games that have two.
    ///
    /// Scores of a side's members for their own tricks are neglected: the stakes between the sides are much
    /// larger.
    fn sides(&self, _state: &State<Self::Public>) -> Option<Sides> {
        None
    }

    /// Returns the rest of the play, in games for two with a prize for every trick.
    fn prizes(&self, _state: &State<Self::Public>) -> Option<Prizes> {
        None
    }

    /// Returns the hidden cards of `view` that may lie at a place.
    ///
    /// By default these are all cards. A game overrides this if it knows more than the suits that a hand has
    /// shown out of. The answer must depend on the view alone.
    fn may_lie(&self, _view: &View<'_, Self>, _place: Place) -> CardSet {
        !CardSet::EMPTY
    }

    /// Returns whether a card that did not follow suit shows that its hand could not.
    ///
    /// It always does, unless the rules or the card give a choice.
    fn shows_void(&self, _view: &View<'_, Self>, _play: Card) -> bool {
        true
    }

    /// Returns the calls that a sealed call may be, as far as the other seats know.
    fn sealed_calls(&self) -> Moves {
        Moves::NONE
    }
}

impl<G: Infer> View<'_, G> {
    /// Returns, by place, the cards that a hand cannot hold because it failed to follow suit.
    ///
    /// See [`Infer::shows_void`].
    #[inline]
    pub fn shown_out(&self) -> [CardSet; Place::COUNT] {
        let mut out = [CardSet::EMPTY; Place::COUNT];
        let Some(order) = self.order() else {
            return out;
        };
        for (number, trick) in self.plays().chunks(self.hands_in_trick()).enumerate() {
            let mut hand = self.leader(number);
            let mut cards = trick.iter();
            let mut follow = CardSet::EMPTY;
            // The first card leads, or a later one if it sets no suit.
            for &card in cards.by_ref() {
                hand = self.after(hand);
                follow = order.follow(card);
                if !follow.is_empty() {
                    break;
                }
            }
            for &card in cards {
                // A mask, because a branch on who fails to follow would mispredict.
                let shown = !follow.contains(card) & self.game().shows_void(self, card);
                out[hand.index()] |= follow & CardSet::from_bits(u64::from(shown).wrapping_neg());
                hand = self.after(hand);
            }
        }
        out
    }
}
