//! An order of cards in the solver's terms: suits, heights, trumps.

use overtrick_cards::{Card, CardSet, Deck, Order, Suit};

/// The largest number of cards in a suit: the longest trump suit with two jokers.
const LONGEST: u32 = 15;

/// An order in the solver's terms: the suit of each card, its height there, and the trump suit.
///
/// Orders with and without trumps, low-wins orders, bowers and jokers can all be expressed in these terms.
/// Making a ranking takes 54 * 54 look-ups. It serves for every position under the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// By card, its suit, 0 to 3, or [`Ranking::LOOSE`]. The trump suit, if any, is 3.
    suit: [u8; 64],
    /// By card, its height in its suit. The higher card wins.
    height: [u8; 64],
    trumps: bool,
    /// Whether cards without a suit may be played to any lead.
    anytime: bool,
}

impl Ranking {
    /// The suit number of cards without a suit. They follow no suit, set none when led, and never win.
    pub(super) const LOOSE: u8 = 4;

    /// The number of the trump suit, where there is one.
    pub(super) const TRUMP: usize = 3;

    /// Expresses an order in the solver's terms, where the cards of `anytime` need not follow suit.
    ///
    /// Returns `None` if the order has no such form:
    ///
    /// - A card's strength depends on more than whether its suit was led, as with snap trumps.
    /// - Two suits can win when they are not led.
    /// - There are more than two cards without a suit.
    /// - `anytime` is neither empty nor the set of all cards without a suit.
    pub fn of(order: &Order, anytime: CardSet) -> Option<Ranking> {
        let cards = Deck::Jokers54.cards();
        let mut ranking = Ranking { suit: [Ranking::LOOSE; 64], height: [0; 64], trumps: false, anytime: false };
        let mut suits = 0;
        let mut trump_suit = None;
        let mut rest = cards;
        let mut loose = CardSet::EMPTY;
        while let Some(card) = rest.first() {
            let suit = order.follow(card);
            if suit.is_empty() {
                loose |= CardSet::of(card);
                rest -= CardSet::of(card);
                continue;
            }
            if !suit.contains(card) || !suit.is_subset(rest) || suit.len() > LONGEST || suits == Suit::ALL.len() {
                return None;
            }
            let height = |card: Card| order.strength(card, card);
            let heights = suit.iter().fold(0u64, |seen, card| seen | 1 << height(card));
            let others = cards - suit;
            // Whether every card of the suit has the strength `wanted` in tricks led by any of `leads`.
            let same = |leads: CardSet, wanted: &dyn Fn(Card) -> u8| {
                leads.iter().all(|led| suit.iter().all(|card| order.strength(led, card) == wanted(card)))
            };
            let settled = heights & 1 == 0
                && heights.count_ones() == suit.len()
                && suit.iter().all(|card| order.follow(card) == suit)
                && same(suit, &height);
            if !settled {
                return None;
            }
            if !same(others, &|_| 0) {
                let lowest = heights.trailing_zeros() as u8;
                let highest_plain = others.iter().map(height).max().unwrap_or(0);
                if trump_suit.is_some() || lowest <= highest_plain || !same(others, &height) {
                    return None;
                }
                trump_suit = Some(suits as u8);
            }
            for card in suit.iter() {
                ranking.suit[card.index()] = suits as u8;
                ranking.height[card.index()] = height(card);
            }
            suits += 1;
            rest -= suit;
        }
        ranking.anytime = !anytime.is_empty();
        if ranking.anytime && anytime != loose || loose.len() > 2 {
            return None;
        }
        if loose.iter().any(|card| cards.iter().any(|led| order.strength(led, card) > 0)) {
            return None;
        }
        if let Some(trump) = trump_suit {
            ranking.trumps = true;
            let last = Ranking::TRUMP as u8;
            for card in cards.iter() {
                let suit = &mut ranking.suit[card.index()];
                *suit = if *suit == trump {
                    last
                } else if *suit == last {
                    trump
                } else {
                    *suit
                };
            }
        }
        Some(ranking)
    }

    pub(super) fn suit(&self, card: Card) -> u8 {
        self.suit[card.index()]
    }

    pub(super) fn height(&self, card: Card) -> u8 {
        self.height[card.index()]
    }

    pub(super) fn has_trumps(&self) -> bool {
        self.trumps
    }

    pub(super) fn anytime(&self) -> bool {
        self.anytime
    }
}
