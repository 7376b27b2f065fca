//! Which card beats which: the order that a contract lays down.

use super::{Card, CardSet, Suit};

/// The order in force during the play: for each card that may be led, which cards follow suit to it and how strong
/// every card is in a trick that it leads.
///
/// One table serves every game: snap trumps (the strength depends on the rank led), highest-card-of-any-suit, trump
/// suits, bowers that belong to another suit than the printed one, low-wins orders and jokers are all ways to fill it
/// in. Row [`Card::NONE`] is the trick before anything was led: nothing to follow.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// By led card: the cards that follow suit to it. Empty where the card sets no suit, so that the next card does.
    follow: [CardSet; 64],
    /// By led card, then card: 0 for a card that cannot win; otherwise the higher strength wins, and among equals the
    /// card played last.
    strength: [[u8; 64]; 64],
}

impl Order {
    /// The number of different strengths: each is below this.
    pub const STRENGTHS: usize = 32;

    /// The order where `suit_of` gives the suit that a card belongs to (`None`: no suit, so it leads none and follows
    /// none) and `strength` how strong a card is in a trick led by the first argument, 0 (cannot win) to 31.
    ///
    /// # Panics
    /// If a strength is above 31.
    pub fn new(suit_of: impl Fn(Card) -> Option<Suit>, strength: impl Fn(Card, Card) -> u8) -> Order {
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

    /// The order with a trump suit, or none: the highest trump wins, else the highest card of the suit led. `suit_of`
    /// gives the suit that a card belongs to and `height` how high it is in that suit, 1 to 15; a card without a suit
    /// never wins.
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

    /// The cards that follow suit to `led`, itself included; empty if it sets no suit.
    #[inline(always)]
    pub fn follow(&self, led: Card) -> CardSet {
        self.follow[led.index()]
    }

    /// The strength of `card` in a trick led by `led`, from 0 (cannot win) to 31.
    #[inline(always)]
    pub fn strength(&self, led: Card, card: Card) -> u8 {
        let strength = self.strength[led.index()][card.index()];
        // SAFETY: the constructor refuses higher strengths. Saying so spares a bounds check in the playing loop.
        unsafe { std::hint::assert_unchecked((strength as usize) < Order::STRENGTHS) };
        strength
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rank;

    /// Hearts are trumps, the jack of hearts is the best of them and the jack of diamonds the next.
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
