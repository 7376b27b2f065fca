//! The sense of a card player where there are two sides: which card wins the trick for the side at the least cost, or loses it while
//! it rids the hand of the most danger.

use super::reading::power;
use crate::cards::{Card, CardSet, Order};
use crate::game::{Game, View};
use crate::table::Place;

/// What the side wants of a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To win it.
    Win,
    /// To lose it.
    Lose,
}

/// The table as one side sees it.
pub struct Sense<'a> {
    order: &'a Order,
    /// By hand: whether it plays for the side.
    ours: [bool; Place::HANDS],
    /// By hand: the cards that it is seen to hold.
    seen: [CardSet; Place::HANDS],
    /// By hand: the hidden cards that it may hold.
    hidden: [CardSet; Place::HANDS],
    /// By hand: the chance that any one of those lies there.
    share: [f32; Place::HANDS],
    mover: Place,
    led: Option<Card>,
    winning: Option<(Place, u8)>,
    /// The hands that play after the mover in this trick, in order.
    later: Vec<Place>,
    /// What a card of full worth is worth to keep, in tricks.
    thrift: f32,
}

impl<'a> Sense<'a> {
    /// What `view` tells, under the order of the play; `ours` says which hands play for the side, `thrift` what it is worth to keep a card
    /// that cannot be beaten, in tricks.
    pub fn new<G: Game>(view: &View<'_, G>, order: &'a Order, ours: [bool; Place::HANDS], thrift: f32) -> Sense<'a> {
        let unseen = view.unseen();
        let mut out = [CardSet::EMPTY; Place::HANDS];
        for (number, trick) in view.plays().chunks(view.hands_in_trick()).enumerate() {
            let (mut hand, mut follow) = (view.leader(number), CardSet::EMPTY);
            for &card in trick {
                if !follow.contains(card) {
                    out[hand.index() % Place::HANDS] |= follow;
                }
                if follow.is_empty() {
                    follow = order.follow(card);
                }
                hand = view.after(hand);
            }
        }
        let all = unseen.len().max(1) as f32;
        let hands: [Place; Place::HANDS] = std::array::from_fn(|hand| Place::ALL[hand]);
        let mover = view.hand_to_move();
        let mut later = Vec::with_capacity(Place::HANDS);
        let mut hand = mover;
        for _ in view.trick_length() + 1..view.hands_in_trick() {
            hand = view.after(hand);
            later.push(hand);
        }
        Sense {
            order,
            ours,
            seen: hands.map(|hand| view.cards(hand)),
            hidden: std::array::from_fn(|hand| unseen - out[hand]),
            share: hands.map(|hand| (view.count(hand) as f32 - view.cards(hand).len() as f32).max(0.0) / all),
            mover,
            led: view.led(),
            winning: view.winning(),
            later,
            thrift,
        }
    }

    /// The card to play.
    pub fn choose(&self, cards: CardSet, aim: Aim) -> Card {
        let value = |card: Card| {
            let (wins, keep) = (self.wins(card), self.keep(card));
            match aim {
                Aim::Win => wins - self.thrift * keep,
                // A high card that loses a trick is well rid of.
                Aim::Lose => self.thrift * 0.2 * keep - wins,
            }
        };
        let mut best = cards.first().expect("there is a card to play");
        let mut most = value(best);
        for card in cards.iter().skip(1) {
            let value = value(card);
            if value > most {
                (best, most) = (card, value);
            }
        }
        best
    }

    /// The chance that the side wins this trick if `card` is played.
    fn wins(&self, card: Card) -> f32 {
        let led = match self.led {
            Some(led) if !self.order.follow(led).is_empty() => led,
            _ => card,
        };
        let own = self.order.strength(led, card);
        let (mut ours, mut best) = match self.winning {
            Some((holder, best)) if best > own => (f32::from(u8::from(self.ours[holder.index() % Place::HANDS])), best),
            _ => (1.0, own),
        };
        for hand in &self.later {
            let hand = hand.index();
            let beats = self.beats(hand, led, best);
            if self.ours[hand] {
                // It beats an opponent if it can; of two of ours the better will do.
                if ours < 0.5 {
                    ours += (1.0 - ours) * beats;
                    best = best.max(self.top(hand, led));
                }
            } else {
                ours *= 1.0 - beats;
            }
        }
        ours
    }

    /// The strength of the best card that a hand is seen to hold and may play.
    fn top(&self, hand: usize, led: Card) -> u8 {
        let follow = self.seen[hand] & self.order.follow(led);
        let open = if follow.is_empty() { self.seen[hand] } else { follow };
        open.iter().map(|card| self.order.strength(led, card)).max().unwrap_or(0)
    }

    /// The chance that a hand can beat strength `best` in a trick led by `led`.
    fn beats(&self, hand: usize, led: Card, best: u8) -> f32 {
        let follow = self.order.follow(led);
        if !(self.seen[hand] & follow).is_empty() || self.share[hand] == 0.0 {
            return f32::from(u8::from(self.top(hand, led) > best));
        }
        let hidden = self.hidden[hand];
        let count = |cards: CardSet| cards.iter().filter(|&card| self.order.strength(led, card) > best).count() as u32;
        let none = 1.0 - self.share[hand];
        let (of_suit, others) = (hidden & follow, hidden - follow);
        let void = power(none, of_suit.len());
        let by_suit = 1.0 - power(none, count(of_suit));
        let seen_ruff = f32::from(u8::from(self.top(hand, led) > best));
        let by_ruff = (1.0 - power(none, count(others))).max(seen_ruff);
        (by_suit + void * by_ruff).min(1.0)
    }

    /// How much a card promises for later, 0 to 1: the chance that no opponent holds a better one when it is led.
    fn keep(&self, card: Card) -> f32 {
        let own = self.order.strength(card, card);
        let mut better = 0.0;
        for hand in (0..Place::HANDS).filter(|&hand| !self.ours[hand]) {
            let count = |cards: CardSet| {
                let follow = cards & self.order.follow(card);
                follow.iter().filter(|&other| self.order.strength(card, other) > own).count() as f32
            };
            better += count(self.seen[hand]) + count(self.hidden[hand]) * self.share[hand];
        }
        let mates = (self.seen[self.mover.index() % Place::HANDS] & self.order.follow(card)).len();
        // Every higher card has to go first, and needs a guard.
        1.0 / (1.0 + better * better) * if mates as f32 > better { 1.0 } else { 0.5 } + f32::from(own) / 1000.0
    }
}
