//! The suits under each trump suit, as sets of cards for estimates. They are the same under all rules.

use overtrick_cards::{Card, CardSet, Rank, Suit};
use overtrick_games::euchre::left_bower;

/// The order of cards with one trump suit.
#[derive(Clone, Copy)]
pub(super) struct Trumps {
    /// The number of the trump suit.
    pub(super) suit: usize,
    right: Card,
    left: Card,
    /// The cards of each suit, with the left bower among the trumps.
    pub(super) suits: [CardSet; 4],
}

impl Trumps {
    pub(super) fn new(trump: Suit) -> Trumps {
        let (right, left) = (Card::new(Rank::Jack, trump), left_bower(trump));
        let suits = Suit::ALL.map(|suit| {
            let all = CardSet::suit(suit);
            if suit == trump { all.with(left) } else { all.without(left) }
        });
        Trumps { suit: trump as usize, right, left, suits }
    }

    /// Returns the number of the suit to which a card belongs.
    #[inline(always)]
    pub(super) fn suit_of(&self, card: Card) -> usize {
        if card == self.left { self.suit } else { card.lane() }
    }

    /// Returns the stronger cards of its suit.
    #[inline(always)]
    pub(super) fn above(&self, card: Card) -> CardSet {
        let right = CardSet::of(self.right);
        if card == self.right {
            return CardSet::EMPTY;
        }
        if card == self.left {
            return right;
        }
        let suit = self.suit_of(card);
        let higher = self.suits[suit] & CardSet::above(card);
        if suit == self.suit { higher | right | CardSet::of(self.left) } else { higher }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_game::Game;
    use overtrick_games::euchre::{Euchre, EuchreRules};

    #[test]
    fn trumps_agree_with_the_order_of_the_game() {
        let game = Euchre::new(EuchreRules::default()).unwrap();
        for trump in Suit::ALL {
            let (trumps, order) = (Trumps::new(trump), game.order_of(trump));
            for card in game.layout().deck.cards().iter() {
                let follow = order.follow(card) & game.layout().deck.cards();
                assert_eq!(trumps.suits[trumps.suit_of(card)] & game.layout().deck.cards(), follow);
                let own = order.strength(card, card);
                let above: CardSet = follow.iter().filter(|&other| order.strength(card, other) > own).collect();
                assert_eq!(trumps.above(card) & game.layout().deck.cards(), above, "{card} with {trump:?}");
            }
        }
    }
}
