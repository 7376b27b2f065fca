//! Play for tricks: the chance to win this trick, and the tricks that the remaining cards promise.

use overtrick_cards::{Card, CardSet};

use super::super::choice::best_card;
use super::side_view::SideView;

/// Chooses the best card for the side; a promised trick counts as `thrift` of a trick won.
pub(super) fn choose(side: &SideView, hand: usize, cards: CardSet, thrift: f32) -> Card {
    let own = side.seen[hand];
    let value = |card: Card| {
        let (wins, theirs) = trick(side, card);
        wins + thrift * promise(side, own.without(card), theirs) - card.place_in_lane() as f32 * 1e-3
    };
    let chosen = best_card(cards, value);
    if side.is_alone() { chosen } else { discard_instead(side, cards, chosen).unwrap_or(chosen) }
}

/// Returns a better discard for an opponent of the declarer in a trump contract, if there is one.
///
/// A card of a side suit that beats all cards that the declarer may hold there should be kept. It wins a
/// trick if the declarer has to follow to it. It is better to throw a card of a suit that the declarer does
/// not hold, or a card that can be beaten.
fn discard_instead(side: &SideView, cards: CardSet, chosen: Card) -> Option<Card> {
    let discards = cards - CardSet::lane(side.led?) - CardSet::lane(side.trump?);
    // 0 for a suit that the declarer does not hold, 1 for a card that the declarer may beat, 2 for any other.
    let class = |card: Card| match side.theirs.ranks(card.lane()) {
        0 => 0,
        theirs if theirs >> card.place_in_lane() != 0 => 1,
        _ => 2,
    };
    if !discards.contains(chosen) || class(chosen) < 2 {
        return None;
    }
    discards.iter().filter(|&card| class(card) < 2).min_by_key(|&card| (class(card), card.place_in_lane()))
}

/// Returns the side's chance to win this trick with `card`, and the other side's remaining cards.
///
/// The cards are a guess.
fn trick(side: &SideView, card: Card) -> (f32, CardSet) {
    let led = side.led.unwrap_or(card.lane());
    let own = side.strength(led, card);
    let (mut ours, mut best) = match side.winning {
        Some((holder, best)) if best > own => (f32::from(u8::from(side.ours[holder])), best),
        _ => (1.0, own),
    };
    let mut theirs = side.theirs;
    for &hand in side.later() {
        let beats = side.beats(hand, led, best);
        if side.ours[hand] {
            // It beats an opponent if it can; of two hands of the side, the better one wins.
            if ours < 0.5 {
                ours += (1.0 - ours) * beats;
                best = best.max(side.top(hand, led));
            }
        } else {
            let before = ours;
            ours *= 1.0 - beats;
            // It wins with its lowest sufficient card if that changes the winner, or follows with its lowest
            // card.
            let suit = theirs.ranks(led);
            let higher = suit & (u16::MAX << (best & 15));
            let turns = before >= 0.5 && ours < 0.5;
            let gone = if turns && higher != 0 && (best < 16) == (side.trump != Some(led)) { higher } else { suit };
            theirs -= CardSet::in_lane(led, gone & gone.wrapping_neg());
        }
    }
    (ours, theirs)
}

/// Returns the tricks that a hand promises against the cards of the other side.
fn promise(side: &SideView, own: CardSet, theirs: CardSet) -> f32 {
    let trumps = side.trump.map_or(0, |trump| theirs.ranks(trump).count_ones());
    let (ace_of_trumps, lower, masters) = if side.is_alone() { (1.15, 0.09, &ALONE) } else { (1.45, 0.21, &TOGETHER) };
    let mut sum = 0.0;
    for suit in 0..4 {
        let (mut own, theirs) = (own.ranks(suit), theirs.ranks(suit));
        let out = theirs.count_ones();
        let mut round = 0;
        while own != 0 {
            let top = 15 - own.leading_zeros();
            own &= !(1 << top);
            let higher = (theirs >> top).count_ones();
            sum += if side.trump == Some(suit) {
                (ace_of_trumps - lower * higher as f32).max(0.45)
            } else {
                // Every higher card has to go first, and requires a guard.
                let guarded = if own.count_ones() >= higher { 1.0 } else { 0.5 };
                // Once the suit is gone elsewhere, only trumps stop it.
                let stays = if trumps == 0 { 1.0 } else { STAYS[round.min(3)] * out.min(5) as f32 / 5.0 };
                masters[higher.min(3) as usize] * guarded * stays
            };
            round += 1;
        }
    }
    sum
}

/// The promise of a side-suit card to a player alone, by the number of higher cards out.
const ALONE: [f32; 4] = [1.0, 0.5, 0.25, 0.0];
/// The same for a player with a partner.
const TOGETHER: [f32; 4] = [0.85, 0.5, 0.2, 0.1];
/// By round of a side suit: the chance of no ruff. The first exceeds 1, because it pays to wait until trumps
/// are drawn.
const STAYS: [f32; 4] = [1.7, 0.7, 0.25, 0.2];
