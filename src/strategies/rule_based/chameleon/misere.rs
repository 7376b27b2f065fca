//! Play at misère: the declarer keeps under the best card of the trick; the others lead suits in which the declarer
//! cannot.

use super::super::choice::best_by;
use super::hand::{danger, spare, survival};
use super::sight::{RANKS, Sight};
use crate::cards::{Card, CardSet};

/// The card with the highest value; among equals the highest card.
fn pick(cards: CardSet, value: impl Fn(Card) -> f32) -> Card {
    best_by(cards.iter().rev(), value).expect("there is a card to play")
}

/// The declarer's card: the best chance to keep under now and later.
pub(super) fn duck(sight: &Sight, hand: usize, cards: CardSet) -> Card {
    let own = sight.seen[hand];
    pick(cards, |card| {
        let led = sight.led.unwrap_or(card.lane());
        let strength = sight.strength(led, card);
        let mut takes = 1.0;
        if sight.winning.is_some_and(|(_, best)| best > strength) {
            takes = 0.0;
        }
        for &hand in sight.later() {
            takes *= 1.0 - sight.must_beat(hand, led, strength);
        }
        (1.0 - takes) * survival(danger(own.without(card), sight.theirs))
    })
}

/// An opponent's card: the best chance that the declarer has to win this trick or, if their hand is seen, a later one.
pub(super) fn attack(sight: &Sight, hand: usize, declarer: usize, cards: CardSet) -> Card {
    let partner = (0..3).find(|&other| other != hand && other != declarer).unwrap_or(hand);
    let theirs = sight.seen[declarer];
    if theirs.is_empty() {
        return pick(cards, |card| forces(sight, card, declarer) - KEEP * threat(sight, card, declarer, partner));
    }
    let ours = sight.reading.unseen | sight.seen[hand] | sight.seen[partner];
    let rid = theirs.without(spare(theirs, theirs, |rest| -danger(rest, ours)));
    pick(cards, |card| {
        let forces = forces(sight, card, declarer);
        let theirs = reply(sight, card, declarer, theirs, rid);
        let later = 1.0 - survival(danger(theirs, ours.without(card)));
        forces + (1.0 - forces) * later - LOW_FIRST * card.place_in_lane() as f32
    })
}

/// What it is worth to keep a card that would force the declarer when it is led.
const KEEP: f32 = 0.5;
/// By step of rank: what it is worth to begin with low cards against an open hand.
const LOW_FIRST: f32 = 0.007;

/// What is left after this trick of the open hand `theirs` of the declarer; `rid` is that hand without its most
/// dangerous card.
fn reply(sight: &Sight, card: Card, declarer: usize, theirs: CardSet, rid: CardSet) -> CardSet {
    if !sight.later().contains(&declarer) {
        return theirs;
    }
    let led = sight.led.unwrap_or(card.lane());
    let best = sight.winning.map_or(0, |(_, best)| best).max(sight.strength(led, card));
    let follow = theirs & CardSet::lane(led);
    let under = follow - CardSet::of_ranks(u16::MAX << (best - 1));
    under.last().or(follow.last()).map_or(rid, |played| theirs.without(played))
}

/// The chance that the declarer wins the trick in progress.
fn forces(sight: &Sight, card: Card, declarer: usize) -> f32 {
    let led = sight.led.unwrap_or(card.lane());
    let own = sight.strength(led, card);
    let (mut chance, mut best) = match sight.winning {
        Some((holder, best)) if best > own => (f32::from(u8::from(holder == declarer)), best),
        _ => (0.0, own),
    };
    for &hand in sight.later() {
        let must = sight.must_beat(hand, led, best);
        if hand == declarer {
            chance = must;
        } else {
            chance *= 1.0 - must;
            // This opponent plays under the best card if possible; if it is not, the declarer has more room to keep
            // under.
            best = if must > 0.5 { best + 2 } else { best };
        }
    }
    chance
}

/// What a card is worth to keep: the chance that it forces the declarer when it is led.
fn threat(sight: &Sight, card: Card, declarer: usize, partner: usize) -> f32 {
    let (suit, height) = (card.lane(), 1 + card.place_in_lane() as u8);
    let under = sight.must_beat(partner, suit, height);
    let lower = (sight.reading.unseen.ranks(suit) & RANKS & !(u16::MAX << height)).count_ones() as f32;
    sight.must_beat(declarer, suit, height) * (1.0 - under) - 0.005 * lower
}
