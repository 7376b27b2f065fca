//! The trait by which search and inference ask about a game.

use overtrick_cards::table::{Moves, Place};
use overtrick_cards::{Card, CardSet, Stream};

use super::{Game, Prizes, Sides, State, View};

/// What may be inferred from a deal in progress, for search and for strategies that count cards. Every method has a
/// default that is right for a game without calls whose players must follow suit.
pub trait Infer: Game {
    /// The deal that has come to `state` as it was before its first move: what its calls and cards were chosen on.
    /// Where the table no longer tells a card from another (which of their cards the declarer took from the talon),
    /// `rng` decides. `None` where what happened cannot be undone: then nothing is read from calls and plays.
    fn opening(&self, _state: &State<Self::Public>, _luck: &mut Stream) -> Option<State<Self::Public>> {
        None
    }

    /// The two sides of the play, once cards are played, in games that have two. Where those of a side score for their
    /// own tricks, too, that is held to be a small matter beside what is at stake between the sides.
    fn sides(&self, _state: &State<Self::Public>) -> Option<Sides> {
        None
    }

    /// What is left of the play, once cards are played, in games for two in which every trick has a prize of its own.
    fn prizes(&self, _state: &State<Self::Public>) -> Option<Prizes> {
        None
    }

    /// The hidden cards of `view` that may lie at a place. By default all cards: a game overrides this where it knows
    /// more than the suits that a hand has shown out of. The answer must depend on nothing but the view.
    fn may_lie(&self, _view: &View<'_, Self>, _place: Place) -> CardSet {
        !CardSet::EMPTY
    }

    /// Whether a card that did not follow suit when it was played shows that its hand could not: always, unless the
    /// rules or the card give a choice.
    fn shows_void(&self, _view: &View<'_, Self>, _play: Card) -> bool {
        true
    }

    /// The calls that a sealed call may be, as far as the other seats know.
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
            let mut cards = trick.iter();
            let mut follow = CardSet::EMPTY;
            // The first card leads, or the next one where it sets no suit.
            for &card in cards.by_ref() {
                hand = self.after(hand);
                follow = order.follow(card);
                if !follow.is_empty() {
                    break;
                }
            }
            for &card in cards {
                // A mask, since branching on who fails to follow would mispredict.
                let shown = !follow.contains(card) & self.game().shows_void(self, card);
                out[hand.index()] |= follow & CardSet::from_bits(u64::from(shown).wrapping_neg());
                hand = self.after(hand);
            }
        }
        out
    }
}
