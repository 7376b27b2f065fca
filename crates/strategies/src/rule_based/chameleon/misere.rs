//! Play at misère.
//!
//! The declarer stays below the best card of the trick. The others lead suits in which the declarer cannot.

use overtrick_cards::{Card, CardSet};

use super::super::choice::best_by;
use super::catch::{danger as suit_danger, danger_between, hope, hope_of_lead};
use super::hand::{danger, spare, survival};
use super::side_view::SideView;

/// Returns the card with the highest value; of equal cards the highest.
fn pick(cards: CardSet, value: impl Fn(Card) -> f32) -> Card {
    best_by(cards.iter().rev(), value).expect("there is a card to play")
}

/// Chooses the declarer's card for the best chance to stay below. `next` and `last` are the others, from the
/// left.
pub(super) fn duck(side: &SideView, hand: usize, [next, last]: [usize; 2], cards: CardSet) -> Card {
    let own = side.seen[hand];
    let danger = |suit: usize, own: u16| {
        let unseen = side.reading.unseen.ranks(suit);
        let may = [next, last].map(|hand| side.reading.share[hand][suit] > 0.0);
        if may == [true; 2] {
            return suit_danger(own, unseen);
        }
        let seen = [side.seen[next].ranks(suit), side.seen[last].ranks(suit)];
        danger_between(own, [0, 1].map(|other| seen[other] | if may[other] { unseen } else { 0 }), None)
    };
    let now = [0, 1, 2, 3].map(|suit| danger(suit, own.ranks(suit)));
    let all: f32 = now.iter().sum();
    pick(cards, |card| {
        let suit = card.lane();
        let led = side.led.unwrap_or(suit);
        let strength = side.strength(led, card);
        let mut takes = 1.0;
        if side.winning.is_some_and(|(_, best)| best > strength) {
            takes = 0.0;
        }
        for &hand in side.later() {
            takes *= 1.0 - side.must_beat(hand, led, strength);
        }
        (1.0 - takes) * survival(all - now[suit] + danger(suit, own.without(card).ranks(suit)))
    })
}

/// The hands at a misère as an opponent of the declarer knows or guesses them.
#[derive(Clone, Copy)]
struct MisereHands {
    declarer: CardSet,
    /// The opponents' hands, from the declarer's left.
    others: [CardSet; 2],
}

impl MisereHands {
    /// Returns the danger to the declarer if one of the others leads.
    fn danger(&self, leader: usize) -> f32 {
        let mut sum = 0.0;
        for suit in 0..4 {
            let own = self.declarer.ranks(suit);
            let others = self.others.map(|other| other.ranks(suit));
            sum += danger_between(own, others, Some(leader)).max(HOPE * suit_danger(own, others[0] | others[1]));
        }
        sum
    }
}

/// The weight of a suit's general danger, which counts if the guessed hands have less danger.
const HOPE: f32 = 0.1;

/// A trick in progress at misère, as an opponent of the declarer knows or guesses the hands.
struct MisereTrick {
    declarer: usize,
    /// The others, from the declarer's left.
    others: [usize; 2],
    led: usize,
}

impl MisereTrick {
    /// Returns the chance that the declarer is caught, now or later.
    ///
    /// The hands `later` are still to play to the trick. The declarer stays below if possible, and the other
    /// opponent plays their best card.
    fn catches(&self, hands: MisereHands, holder: usize, best: u8, later: &[usize]) -> f32 {
        let Some((&hand, later)) = later.split_first() else {
            if holder == self.declarer {
                return 1.0;
            }
            return 1.0 - survival(hands.danger(usize::from(holder == self.others[1])));
        };
        if hand == self.declarer {
            return self.ducked(hands, holder, best, later);
        }
        let own = usize::from(hand == self.others[1]);
        let follow = hands.others[own] & CardSet::lane(self.led);
        if follow.is_empty() {
            return self.catches(hands, holder, best, later);
        }
        let mut most = 0.0_f32;
        for card in follow {
            let mut hands = hands;
            hands.others[own] -= CardSet::of(card);
            let strength = 1 + card.place_in_lane() as u8;
            let (holder, best) = if strength > best { (hand, strength) } else { (holder, best) };
            most = most.max(self.catches(hands, holder, best, later));
        }
        most
    }

    /// Returns the chance that the declarer, who is next to play, is caught.
    fn ducked(&self, hands: MisereHands, holder: usize, best: u8, later: &[usize]) -> f32 {
        let follow = hands.declarer & CardSet::lane(self.led);
        let without = |card: Card| MisereHands { declarer: hands.declarer.without(card), ..hands };
        if follow.is_empty() {
            let mut least = 1.0_f32;
            for suit in 0..4 {
                if let Some(card) = (hands.declarer & CardSet::lane(suit)).last() {
                    least = least.min(self.catches(without(card), holder, best, later));
                }
            }
            return least;
        }
        let under = follow - CardSet::of_ranks(u16::MAX << (best - 1));
        if let Some(card) = under.last() {
            return self.catches(without(card), holder, best, later);
        }
        let card = follow.first().expect("there is a card that follows");
        self.catches(without(card), self.declarer, 1 + card.place_in_lane() as u8, later)
    }
}

/// Chooses an opponent's card, for the best chance that the declarer wins a trick.
///
/// That is this trick or, if the declarer's hand is seen or almost known, a later trick. `others` are the
/// declarer's opponents, from the left.
pub(super) fn attack(
    side: &SideView,
    hand: usize,
    declarer: usize,
    others: [usize; 2],
    held: u32,
    cards: CardSet,
) -> Card {
    let partner = others[usize::from(others[0] == hand)];
    let mut theirs = side.seen[declarer];
    let unseen = side.reading.unseen;
    if theirs.is_empty() {
        if side.seen[partner].is_empty() {
            return hunt(side, hand, declarer, usize::from(others[1] == hand), cards);
        }
        // Only the declarer's discards are unknown, and they were probably the most dangerous cards.
        theirs = unseen;
        let ours = side.seen[hand] | side.seen[partner];
        while theirs.len() > held {
            theirs = theirs.without(spare(theirs, theirs, |rest| -danger(rest, ours)));
        }
    }
    let own = |of: usize| {
        let mut cards = side.seen[of];
        for suit in 0..4 {
            if side.reading.share[of][suit] > 0.0 {
                cards |= unseen & CardSet::lane(suit);
            }
        }
        cards
    };
    let hands = MisereHands { declarer: theirs, others: others.map(own) };
    pick(cards, |card| {
        let mut hands = hands;
        let me = usize::from(hand == others[1]);
        hands.others[me] -= CardSet::of(card);
        let led = side.led.unwrap_or(card.lane());
        let strength = side.strength(led, card);
        let (holder, best) = side.winning.filter(|&(_, best)| best > strength).unwrap_or((hand, strength));
        let trick = MisereTrick { declarer, others, led };
        trick.catches(hands, holder, best, side.later()) - LOW_FIRST * card.place_in_lane() as f32
    })
}

/// Chooses an opponent's card if the declarer's hand is not known.
fn hunt(side: &SideView, hand: usize, declarer: usize, me: usize, cards: CardSet) -> Card {
    let own = side.seen[hand];
    let unseen = |suit: usize| side.reading.unseen.ranks(suit);
    let may = [0, 1, 2, 3].map(|suit| side.reading.share[declarer][suit] > 0.0);
    let escapes = |suit: usize, mine: u16| if may[suit] { 1.0 - hope(me, mine, unseen(suit)) } else { 1.0 };
    let now = [0, 1, 2, 3].map(|suit| escapes(suit, own.ranks(suit)));
    let others = |suit: usize| (0..4).filter(|&other| other != suit).map(|other| now[other]).product::<f32>();
    pick(cards, |card| {
        let suit = card.lane();
        if side.led.is_none() {
            let caught =
                if may[suit] { hope_of_lead(me, own.ranks(suit), unseen(suit), card.place_in_lane()) } else { 0.0 };
            caught + (1.0 - caught) * LATER * (1.0 - others(suit))
        } else {
            let forces = forces(side, card, declarer);
            forces + (1.0 - forces) * LATER * (1.0 - others(suit) * escapes(suit, own.without(card).ranks(suit)))
        }
    })
}

/// The worth of catching the declarer later, relative to now.
const LATER: f32 = 0.9;
/// The worth of beginning with low cards against an open hand, per step of rank.
const LOW_FIRST: f32 = 0.001;

/// Returns the chance that the declarer wins the trick in progress.
fn forces(side: &SideView, card: Card, declarer: usize) -> f32 {
    let led = side.led.unwrap_or(card.lane());
    let own = side.strength(led, card);
    let (mut chance, mut best) = match side.winning {
        Some((holder, best)) if best > own => (f32::from(u8::from(holder == declarer)), best),
        _ => (0.0, own),
    };
    for &hand in side.later() {
        let must = side.must_beat(hand, led, best);
        if hand == declarer {
            chance = must;
        } else {
            chance *= 1.0 - must;
            // This opponent plays below the best card if possible. Otherwise the declarer has more room to
            // stay below.
            best = if must > 0.5 { best + 2 } else { best };
        }
    }
    chance
}
