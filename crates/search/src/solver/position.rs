//! A deal with all cards known, in the form that the solver uses.

use overtrick_cards::table::{Place, Table};
use overtrick_cards::{Card, CardSet, Order};
use thiserror::Error;

use super::lanes::{self, LOOSE};
use super::ranking::Ranking;

/// The largest number of hands in a trick.
pub(super) const MOST_HANDS: usize = 4;

/// A deal with all cards known, between two sides, before or within a trick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The cards of the hands as words (see `lanes`), in the order in which they play.
    pub(super) hands: [u64; MOST_HANDS],
    pub(super) count: usize,
    /// By hand, whether it belongs to the side whose tricks are counted.
    pub(super) sides: [bool; MOST_HANDS],
    /// Whether the side whose tricks are counted wants as few as possible.
    pub(super) fewest: bool,
    /// The lane of the trumps, or 0.
    pub(super) trumps: u64,
    /// The cards that need not follow suit.
    pub(super) anytime: u64,
    pub(super) leader: usize,
    /// The cards of the trick in progress, in order.
    pub(super) trick: [u64; MOST_HANDS],
    pub(super) played: usize,
    /// The card that each bit of a hand stands for.
    pub(super) cards: [Card; 64],
}

/// An error for hands that do not form a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum PositionError {
    #[error("there are {0} hands; a trick has 2, 3 or 4")]
    Hands(usize),
    #[error("{0} is there twice")]
    Twice(Card),
    #[error("hand {hand} has {cards} cards and should have {due}, as the leader has {leaders}")]
    Uneven { hand: usize, cards: u32, due: u32, leaders: u32 },
    #[error("the trick has {0} cards and is over")]
    TrickOver(usize),
    #[error("hand {hand} has played {card} and still holds cards of the suit led")]
    Reneged { hand: usize, card: Card },
}

impl Position {
    /// The number of hands that a position can have.
    pub const HANDS: std::ops::RangeInclusive<usize> = 2..=MOST_HANDS;

    /// Makes the position on a table, in the trick in progress or before the next trick.
    ///
    /// `ranking` is the order in force. `side` returns, for each hand, whether it belongs to the side whose
    /// tricks are counted. That side wants as many tricks as possible.
    ///
    /// # Panics
    /// If the hand to lead takes no part in tricks, which is possible before the play begins.
    pub fn of(table: &Table, ranking: &Ranking, side: impl Fn(Place) -> bool) -> Position {
        let played = table.trick_length();
        let leader = if played == 0 { table.hand_to_move() } else { table.leader(table.tricks_played()) };
        let first = table.circle().position(|hand| hand == leader).expect("a hand of the circle leads");
        let plays = table.plays();
        let trick = &plays[plays.len() - played..];
        let mut position = Position::lay(table.circle().map(|hand| table.at(hand)), first, trick, ranking);
        (position.sides.iter_mut().zip(table.circle())).for_each(|(own, hand)| *own = side(hand));
        position
    }

    /// Makes the position with these hands, in playing order.
    ///
    /// Each hand comes with whether it belongs to the side whose tricks are counted. Hand `leader` leads to
    /// the trick, or has led the first card of `trick`. The hands no longer hold the cards of `trick`.
    /// # Errors
    /// If there are not two to four hands, if the trick is over, or if a card occurs twice. Also if a hand
    /// has a wrong number of cards, or did not follow suit although it could.
    ///
    /// # Panics
    /// If the leader is not one of the hands.
    pub fn new(
        hands: &[(CardSet, bool)],
        leader: usize,
        trick: &[Card],
        ranking: &Ranking,
    ) -> Result<Position, PositionError> {
        let count = hands.len();
        if !Position::HANDS.contains(&count) {
            return Err(PositionError::Hands(count));
        }
        if trick.len() >= count {
            return Err(PositionError::TrickOver(trick.len()));
        }
        let mut all = CardSet::EMPTY;
        for card in hands.iter().flat_map(|(hand, _)| hand.iter()).chain(trick.iter().copied()) {
            if all.contains(card) {
                return Err(PositionError::Twice(card));
            }
            all |= CardSet::of(card);
        }
        let leaders = hands[leader].0.len() + u32::from(!trick.is_empty());
        let mut led = Ranking::LOOSE;
        for step in 0..count {
            let hand = (leader + step) % count;
            let due = leaders - u32::from(step < trick.len());
            let cards = hands[hand].0.len();
            if cards != due {
                return Err(PositionError::Uneven { hand, cards, due, leaders });
            }
            let Some(&card) = trick.get(step) else { continue };
            let suit = ranking.suit(card);
            let free = led == Ranking::LOOSE || suit == led || suit == Ranking::LOOSE && ranking.anytime();
            if !free && hands[hand].0.iter().any(|card| ranking.suit(card) == led) {
                return Err(PositionError::Reneged { hand, card });
            }
            if led == Ranking::LOOSE {
                led = suit;
            }
        }
        let cards = hands.iter().map(|hand| hand.0);
        let mut position = Position::lay(cards, leader, trick, ranking);
        (position.sides.iter_mut().zip(hands)).for_each(|(side, hand)| *side = hand.1);
        Ok(position)
    }

    /// Returns the same position as a misère.
    ///
    /// The side whose tricks are counted wants as few as possible, and the others want it to win many.
    pub fn to_lose(self) -> Position {
        Position { fewest: true, ..self }
    }

    /// Returns the number of tricks that are not complete.
    pub fn tricks_left(&self) -> u8 {
        (self.hands[self.leader].count_ones() + u32::from(self.played > 0)) as u8
    }

    /// Lays the cards in lanes.
    fn lay(hands: impl Iterator<Item = CardSet>, leader: usize, trick: &[Card], ranking: &Ranking) -> Position {
        const TRICK: u8 = MOST_HANDS as u8;
        let mut position = Position {
            hands: [0; MOST_HANDS],
            count: 0,
            sides: [false; MOST_HANDS],
            fewest: false,
            trumps: if ranking.has_trumps() { lanes::lane(Ranking::TRUMP) } else { 0 },
            anytime: if ranking.anytime() { LOOSE } else { 0 },
            leader,
            trick: [0; MOST_HANDS],
            played: trick.len(),
            cards: [Card::NONE; 64],
        };
        // By suit, the heights in play, one bit for each. By height, the card and the place where it lies.
        let mut heights = [0u32; 5];
        let mut found = [[(Card::NONE, 0u8); Order::STRENGTHS]; 5];
        let mut find = |card: Card, owner: u8| {
            let suit = usize::from(ranking.suit(card));
            // The heights of cards without a suit have no meaning, but they must differ.
            let loose = suit == usize::from(Ranking::LOOSE);
            let height = if loose { card.index() % 32 } else { usize::from(ranking.height(card)) };
            heights[suit] |= 1 << height;
            found[suit][height] = (card, owner);
        };
        for (owner, hand) in hands.enumerate() {
            hand.iter().for_each(|card| find(card, owner as u8));
            position.count = owner + 1;
        }
        for (number, &card) in trick.iter().enumerate() {
            find(card, TRICK + number as u8);
        }
        for suit in 0..5 {
            let loose = suit == usize::from(Ranking::LOOSE);
            let mut bit = if loose { 0 } else { 16 * suit as u32 + 15 };
            while heights[suit] > 0 {
                let height = heights[suit].ilog2();
                heights[suit] ^= 1 << height;
                let (card, owner) = found[suit][height as usize];
                position.cards[bit as usize] = card;
                match owner {
                    owner if owner < TRICK => position.hands[usize::from(owner)] |= 1 << bit,
                    _ => position.trick[usize::from(owner - TRICK)] = 1 << bit,
                }
                bit = if loose { bit + 16 } else { bit.wrapping_sub(1) };
            }
        }
        position
    }
}
