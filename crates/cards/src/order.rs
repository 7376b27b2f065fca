//! The order of cards under a contract.

use super::{Card, CardSet, Suit};

/// The order in force during the play.
///
/// For each card that can be led, it says which cards follow suit and how strong every card is in that trick.
///
/// One table covers all games. It can express snap trumps (the strength depends on the rank led), a highest
/// card of any suit and trump suits. It can also express bowers that belong to another suit than the printed
/// suit, low-wins orders and jokers. Row [`Card::NONE`] is the trick before a card is led, when there is no
/// suit to follow.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// By led card, the cards that follow suit to it. Empty where the card sets no suit: the next card then
    /// does.
    follow: [CardSet; 64],
    /// By led card, then card: the card's strength, or 0 for a card that cannot win. The highest strength
    /// wins. Among equals, the card played last wins.
    strength: [[u8; 64]; 64],
}

impl Order {
    /// The number of different strengths. Every strength is below this number.
    pub const STRENGTHS: usize = 32;

    /// Makes an order from the suit and the strength of each card.
    ///
    /// `suit_of` gives the suit that a card belongs to, as any type with a value for each suit. A card for
    /// which it gives `None` neither sets nor follows a suit. `strength` gives the strength of its second
    /// argument in a trick led by its first, from 0 (cannot win) to 31.
    ///
    /// # Panics
    /// If a strength is above 31.
    pub fn new<S: PartialEq>(suit_of: impl Fn(Card) -> Option<S>, strength: impl Fn(Card, Card) -> u8) -> Order {
        let mut order = Order { follow: [CardSet::EMPTY; 64], strength: [[0; 64]; 64] };
        let cards: Vec<Card> = (super::Deck::Jokers54.cards()).iter().collect();
        for &led in &cards {
            let led_suit = suit_of(led);
            for &card in &cards {
                if led_suit.is_some() && suit_of(card) == led_suit {
                    order.follow[led.index()] |= CardSet::of(card);
                }
                let strength = strength(led, card);
                assert!(usize::from(strength) < Order::STRENGTHS, "a strength is below 32");
                order.strength[led.index()][card.index()] = strength;
            }
        }
        order
    }

    /// Makes an order with a trump suit, or without one if `trump` is `None`.
    ///
    /// The highest trump wins, otherwise the highest card of the suit led. `suit_of` gives the suit that a
    /// card belongs to, and `height` its height in that suit, 1 to 15. A card without a suit never wins.
    pub fn with_trumps(
        trump: Option<Suit>,
        suit_of: impl Fn(Card) -> Option<Suit>,
        height: impl Fn(Card) -> u8,
    ) -> Order {
        Order::new(&suit_of, |led, card| match suit_of(card) {
            None => 0,
            suit if suit == trump => 16 + height(card),
            suit if suit == suit_of(led) => height(card),
            _ => 0,
        })
    }

    /// Returns the cards that follow suit to `led`, including `led`. Empty if `led` sets no suit.
    #[inline(always)]
    pub fn follow(&self, led: Card) -> CardSet {
        self.follow[led.index()]
    }

    /// Returns the strength of `card` in a trick led by `led`, from 0 (cannot win) to 31.
    #[inline(always)]
    pub fn strength(&self, led: Card, card: Card) -> u8 {
        let strength = self.strength[led.index()][card.index()];
        // SAFETY: the constructor refuses higher strengths. The hint saves a bounds check in the playing
        // loop.
        unsafe { std::hint::assert_unchecked((strength as usize) < Order::STRENGTHS) };
        strength
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rank;

    /// Returns an order with hearts as trumps. The jack of hearts is the highest card, the jack of diamonds
    /// the next.
    fn bowers() -> Order {
        let right: Card = "JH".parse().unwrap();
        let left: Card = "JD".parse().unwrap();
        let suit_of = move |card: Card| {
            if card == left { Some(Suit::Hearts) } else { card.suit() }
        };
        Order::with_trumps(Some(Suit::Hearts), suit_of, move |card| match card {
            _ if card == right => 15,
            _ if card == left => 14,
            _ => card.rank().map_or(0, Rank::strength),
        })
    }

    #[test]
    fn a_left_bower_belongs_to_the_trump_suit() {
        let order = bowers();
        let card = |text: &str| text.parse::<Card>().unwrap();
        assert!(order.follow(card("9H")).contains(card("JD")));
        assert!(!order.follow(card("9D")).contains(card("JD")));
        assert!(order.strength(card("9D"), card("JD")) > order.strength(card("9D"), card("AH")));
        assert_eq!(order.strength(card("9D"), card("AS")), 0);
        assert!(order.follow(Card::NONE).is_empty());
    }
}
