//! Play for tricks: values a card by the chance to win this trick and by the tricks that the remaining cards promise.

use super::super::choice::best_card;
use super::sight::Sight;
use crate::cards::{Card, CardSet};

/// The card that does the most for the side; a promised trick counts `thrift` of one that is won.
pub(super) fn choose(sight: &Sight, hand: usize, cards: CardSet, thrift: f32) -> Card {
    let own = sight.seen[hand];
    let value = |card: Card| {
        let (wins, theirs) = trick(sight, card);
        wins + thrift * promise(sight, own.without(card), theirs) - card.place_in_lane() as f32 * 1e-3
    };
    best_card(cards, value)
}

/// The chance that the side wins this trick if `card` is played, and the cards that the other side is then left with,
/// as far as can be guessed.
fn trick(sight: &Sight, card: Card) -> (f32, CardSet) {
    let led = sight.led.unwrap_or(card.lane());
    let own = sight.strength(led, card);
    let (mut ours, mut best) = match sight.winning {
        Some((holder, best)) if best > own => (f32::from(u8::from(sight.ours[holder])), best),
        _ => (1.0, own),
    };
    let mut theirs = sight.theirs;
    for &hand in sight.later() {
        let beats = sight.beats(hand, led, best);
        if sight.ours[hand] {
            // A hand of ours beats an opponent's card if it can; if two of ours can, the better chance counts.
            if ours < 0.5 {
                ours += (1.0 - ours) * beats;
                best = best.max(sight.top(hand, led));
            }
        } else {
            ours *= 1.0 - beats;
            // An opponent plays the lowest card that wins, or else its lowest card.
            let suit = theirs & CardSet::lane(led);
            let higher = suit & CardSet::of_ranks(u16::MAX << (best & 15));
            let beaten = beats > 0.5 && !higher.is_empty() && (best < 16) == (sight.trump != Some(led));
            theirs = if beaten { higher } else { suit }.first().map_or(theirs, |gone| theirs.without(gone));
        }
    }
    (ours, theirs)
}

/// The tricks that a hand promises against the cards of the other side.
fn promise(sight: &Sight, own: CardSet, theirs: CardSet) -> f32 {
    let trumps = sight.trump.map_or(0, |trump| theirs.ranks(trump).count_ones());
    let (ace_of_trumps, lower, masters) = if sight.is_alone() { (1.15, 0.09, &ALONE) } else { (1.45, 0.21, &TOGETHER) };
    let mut sum = 0.0;
    for suit in 0..4 {
        let (mut own, theirs) = (own.ranks(suit), theirs.ranks(suit));
        let out = theirs.count_ones();
        let mut round = 0;
        while own != 0 {
            let top = 15 - own.leading_zeros();
            own &= !(1 << top);
            let higher = (theirs >> top).count_ones();
            sum += if sight.trump == Some(suit) {
                (ace_of_trumps - lower * higher as f32).max(0.45)
            } else {
                // Every higher card must be played first, and the hand needs a lower card to play to each of those
                // tricks.
                let guarded = if own.count_ones() >= higher { 1.0 } else { 0.5 };
                // Once no other hand has the suit, only trumps stop it.
                let stays = if trumps == 0 { 1.0 } else { STAYS[round.min(3)] * out.min(5) as f32 / 5.0 };
                masters[higher.min(3) as usize] * guarded * stays
            };
            round += 1;
        }
    }
    sum
}

/// The tricks that a card of a side suit promises a side of one hand, by the number of higher cards that are out.
const ALONE: [f32; 4] = [1.0, 0.5, 0.2, -0.2];
/// The tricks that such a card promises a side of two hands.
const TOGETHER: [f32; 4] = [0.85, 0.5, 0.2, 0.1];
/// By round of a side suit: the weight of a trick, less if somebody may ruff. The first is above 1, because it pays to
/// wait until trumps are drawn.
const STAYS: [f32; 4] = [1.7, 0.7, 0.25, 0.2];
