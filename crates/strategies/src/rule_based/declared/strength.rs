//! The strength of cards under an order, and the chance of a card to win a later trick.

use overtrick_cards::{Card, CardSet, Order};

/// The number of suits of an order, with one for cards that belong to none.
pub const SUITS: usize = 5;
/// The suit of cards that belong to none.
const NO_SUIT: usize = 4;
/// The largest number of cards of a suit that the tables distinguish.
const MOST: usize = 16;
/// The largest number of own higher cards that the tables distinguish.
const MOST_OVER: usize = 8;

/// The shape of a game, as far as the chances of cards depend on it.
#[derive(Clone, Copy, Debug)]
pub struct DealShape {
    /// The cards.
    pub deck: CardSet,
    /// The number of tricks.
    pub tricks: usize,
    /// The number of hands that play to a trick.
    pub hands: usize,
    /// The number of these that play against a player.
    pub against: usize,
}

impl DealShape {
    /// Returns the share of the cards not seen by a player that lie in hands.
    fn dealt(&self) -> f32 {
        let unseen = self.deck.len() as f32 - self.tricks as f32;
        ((self.hands - 1) * self.tricks) as f32 / unseen.max(1.0)
    }
}

/// The strength of all cards under an order.
pub struct Strengths {
    /// By card led: the row of `beat`.
    row: [u8; 64],
    /// By row, then strength: the cards that win against such a card if they are played after it.
    beat: Vec<[CardSet; Order::STRENGTHS]>,
    /// By card: its suit.
    suit: [u8; 64],
    suits: [CardSet; SUITS],
    /// By card: the cards of its suit that beat it where it is led.
    above: [CardSet; 64],
    /// By card: the cards of other suits that beat it where it is led.
    over: [CardSet; 64],
    /// By card: the share of the cards of other suits that it beats where they are led.
    reach: [f32; 64],
    /// By own higher cards, cards of the suit that others hold, and higher ones of them: the chance that none of the
    /// higher cards falls when the card is led.
    top: Box<[[[f32; MOST]; MOST]; MOST_OVER]>,
    /// By own higher cards and cards of the suit that others hold: the chance that an opponent has none left.
    void: [[f32; MOST]; MOST_OVER],
    /// By number of cards that others hold: the chance that a given opponent has one.
    has: [f32; 64],
    /// The factor by which all chances together are right on average.
    scale: f32,
}

impl Strengths {
    /// Returns the strengths under `order` in a game of this shape.
    pub fn of(order: &Order, shape: &DealShape) -> Strengths {
        let empty = [CardSet::EMPTY; 64];
        let mut found = Strengths {
            row: [0; 64],
            beat: Vec::new(),
            suit: [4; 64],
            suits: [CardSet::EMPTY; SUITS],
            above: empty,
            over: empty,
            reach: [0.0; 64],
            top: Box::new([[[0.0; MOST]; MOST]; MOST_OVER]),
            void: [[0.0; MOST]; MOST_OVER],
            has: [0.0; 64],
            scale: 1.0,
        };
        for card in shape.deck {
            found.add_card(order, shape, card);
        }
        found.fill_chances(shape);
        found.scale = found.scale_of(shape);
        found
    }

    fn add_card(&mut self, order: &Order, shape: &DealShape, card: Card) {
        let at = card.index();
        let follow = order.follow(card) & shape.deck;
        if !follow.is_empty() {
            let known = (0..NO_SUIT).find(|&suit| self.suits[suit] == follow || self.suits[suit].is_empty());
            let suit = known.unwrap_or(NO_SUIT);
            self.suits[suit] = follow;
            self.suit[at] = u8::try_from(suit).unwrap_or(0);
        }
        let mut beat = [CardSet::EMPTY; Order::STRENGTHS];
        let (mut beaten, others) = (0, shape.deck - follow - CardSet::of(card));
        for other in shape.deck {
            let strength = usize::from(order.strength(card, other));
            for beat in &mut beat[..=strength] {
                *beat |= CardSet::of(other);
            }
            if others.contains(other) {
                let own = order.strength(other, card);
                beaten += u32::from(own > 0 && own >= order.strength(other, other));
            }
        }
        let stronger = beat[usize::from(order.strength(card, card))].without(card);
        (self.above[at], self.over[at]) = (stronger & follow, stronger - follow);
        self.reach[at] = beaten as f32 / (others.len() as f32).max(1.0);
        let row = self.beat.iter().position(|known| *known == beat).unwrap_or(self.beat.len());
        if row == self.beat.len() {
            self.beat.push(beat);
        }
        self.row[at] = u8::try_from(row).unwrap_or(0);
    }

    /// Fills the tables of chances.
    fn fill_chances(&mut self, shape: &DealShape) {
        let (others, against, dealt) = ((shape.hands - 1) as f32, shape.against as f32, shape.dealt());
        let part = dealt / others;
        for over in 0..MOST_OVER {
            for all in 0..MOST {
                // Each lead of a higher card takes a card from each hand.
                let left = dealt * all as f32 - others * over as f32;
                let followers = left.clamp(0.0, others) * against / others;
                for higher in 0..=all {
                    let share = higher as f32 / (all as f32).max(1.0);
                    self.top[over][all][higher] = libm::powf(1.0 - share, followers);
                }
                let out = at_most(over, all, part);
                self.void[over][all] = 1.0 - libm::powf(1.0 - out, against);
            }
        }
        for (number, has) in self.has.iter_mut().enumerate() {
            *has = 1.0 - libm::powf(1.0 - part, number as f32);
        }
    }

    /// Returns the factor by which the chances of all cards of the deck sum to the tricks that fall on them.
    fn scale_of(&self, shape: &DealShape) -> f32 {
        let mut sum = 0.0;
        for card in shape.deck {
            sum += self.raw_chance(card, 0, shape.deck.without(card), 0.25);
        }
        let share = 1.0 / shape.hands as f32;
        let expected = shape.tricks as f32 * share;
        let found = sum / shape.deck.len() as f32 * shape.tricks as f32;
        if found > 0.0 { (expected / found).clamp(0.5, 2.0) } else { 1.0 }
    }

    /// Returns the suit of a card.
    #[inline(always)]
    pub fn suit(&self, card: Card) -> usize {
        usize::from(self.suit[card.index()]) % SUITS
    }

    /// Returns the cards of a suit.
    #[inline(always)]
    pub fn cards(&self, suit: usize) -> CardSet {
        self.suits[suit % SUITS]
    }

    /// Returns the cards that win against a card of this strength, if they are played after it.
    #[inline(always)]
    pub fn beat(&self, led: Card, strength: u8) -> CardSet {
        self.beat[usize::from(self.row[led.index()])][usize::from(strength) % Order::STRENGTHS]
    }

    /// Returns the chance of a card of `hand` to win a later trick, where others hold the cards `against`.
    ///
    /// `ruff` is the chance that a trump gets to win a trick of another suit.
    #[inline(always)]
    pub fn chance(&self, card: Card, hand: CardSet, against: CardSet, ruff: f32) -> f32 {
        let over = number(hand & self.above[card.index()]).min(MOST_OVER - 1);
        (self.scale * self.raw_chance(card, over, against, ruff)).min(1.0)
    }

    /// Returns the same where players avoid tricks, and long suits therefore win none.
    #[inline(always)]
    pub fn danger(&self, card: Card, against: CardSet, ruff: f32) -> f32 {
        (self.scale * self.raw_chance(card, 0, against, ruff)).min(1.0)
    }

    /// Returns the chance without its scale. `over` is the number of own higher cards.
    #[inline(always)]
    fn raw_chance(&self, card: Card, over: usize, against: CardSet, ruff: f32) -> f32 {
        let at = card.index();
        let all = number(self.cards(self.suit(card)) & against).min(MOST - 1);
        let higher = number(against & self.above[at]).min(all);
        let over_others = number(against & self.over[at]);
        let ruffed = self.void[over][all] * self.has[over_others % 64];
        let led = self.top[over][all][higher] * (1.0 - ruffed);
        led + (1.0 - led) * self.reach[at] * ruff
    }

    /// Returns how well a hand can play trumps to other suits, 0 to 1, by the suits of which it is short.
    #[inline(always)]
    pub fn shortness(&self, hand: CardSet, against: CardSet) -> f32 {
        let mut short = 0.0;
        for suit in 0..NO_SUIT {
            let cards = self.cards(suit);
            if cards.is_disjoint(against) || self.reaches(cards) {
                continue;
            }
            short += [1.0, 0.5, 0.2, 0.0][number(hand & cards).min(3)];
        }
        if short > 1.0 { 1.0 } else { short }
    }

    /// Returns whether cards of this suit beat most cards of other suits.
    #[inline(always)]
    fn reaches(&self, cards: CardSet) -> bool {
        cards.first().is_some_and(|card| self.reach[card.index()] > 0.5)
    }
}

/// Returns the number of cards, as an index.
#[inline(always)]
fn number(cards: CardSet) -> usize {
    usize::try_from(cards.len()).unwrap_or(0)
}

/// Returns the chance that a hand gets at most `most` of `all` cards, each with chance `part`.
fn at_most(most: usize, all: usize, part: f32) -> f32 {
    let (mut chance, mut sum) = (libm::powf(1.0 - part, all as f32), 0.0);
    for number in 0..=most.min(all) {
        sum += chance;
        chance *= (all - number) as f32 / (number + 1) as f32 * part / (1.0 - part).max(1e-6);
    }
    if sum > 1.0 { 1.0 } else { sum }
}
