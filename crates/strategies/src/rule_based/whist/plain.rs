//! The estimate of `estimate.rs` in simple form: each suit separately, card by card and chair by chair.
//!
//! Tests check that the two agree up to rounding.

use super::Params;
use super::position::{CHAIRS, Holdings, Knowledge, side};
use crate::rule_based::reading::power;

/// The possible excess of a hidden hand's suit length over the average.
const SPREAD: f32 = 0.6;

/// The worth of suits by side; the side of the deciding seat comes first.
#[derive(Clone, Copy, Default)]
struct PlainWorth {
    /// All tricks.
    tricks: [f32; 2],
    /// Tricks that can be won at once.
    quick: [f32; 2],
    /// Tricks of the other side that can be ruffed.
    ruffs: [f32; 2],
}

/// Returns the expected tricks of `left` for the deciding seat's side, if side `on_lead` leads first.
pub(super) fn tricks(knowledge: &Knowledge, position: &Holdings, params: &Params, left: f32, on_lead: usize) -> f32 {
    let mut worth = PlainWorth::default();
    for suit in 0..4 {
        add_suit(knowledge, position, params, suit, &mut worth);
    }
    if knowledge.trump < 4 {
        // The trumps of the longer hand win tricks in any case.
        let (mut all, mut longest) = ([0.0f32; 2], [0.0f32; 2]);
        for chair in 0..CHAIRS {
            let trumps = length(knowledge, position, chair, knowledge.trump);
            all[side(chair)] += trumps;
            longest[side(chair)] = longest[side(chair)].max(trumps);
        }
        for side in 0..2 {
            worth.tricks[side] += params.ruff * worth.ruffs[side].min(all[side] - longest[side]);
        }
    }
    let even = (0.5 * (left + worth.tricks[0] - worth.tricks[1])).clamp(0.0, left);
    // The side on lead takes its quick tricks first.
    let sure = worth.quick[on_lead].min(left);
    let bound = if on_lead == 0 { even.max(sure) } else { even.min(left - sure) };
    even + params.haste * (bound - even)
}

/// Returns the average number of cards of a suit that a chair holds.
fn length(knowledge: &Knowledge, position: &Holdings, chair: usize, suit: usize) -> f32 {
    let (held, pool) = (position[suit].lane(chair).count_ones(), position[suit].pool.count_ones());
    held as f32 + knowledge.share[suit][chair] * pool as f32
}

/// Returns the chance that a chair holds a trump.
fn ruffer(knowledge: &Knowledge, position: &Holdings, chair: usize) -> f32 {
    let trumps = &position[knowledge.trump];
    let none = power(1.0 - knowledge.share[knowledge.trump][chair], trumps.pool.count_ones());
    if trumps.lane(chair) != 0 { 1.0 } else { 1.0 - none }
}

/// Adds the worth of a suit to the total.
fn add_suit(knowledge: &Knowledge, position: &Holdings, params: &Params, suit: usize, total: &mut PlainWorth) {
    let cards = &position[suit];
    let mut rest = cards.pool;
    let mut lengths = [0.0; CHAIRS];
    // By side: the number of rounds of the suit that it can follow.
    let mut longest = [0.0f32; 2];
    let mut shares = [0.0; 2];
    for chair in 0..CHAIRS {
        rest |= cards.lane(chair);
        lengths[chair] = length(knowledge, position, chair, suit);
        shares[side(chair)] += knowledge.share[suit][chair];
        // The longer of two hidden hands is longer than the average.
        let hidden = knowledge.share[suit][chair] * cards.pool.count_ones() as f32;
        let spread = if hidden > 1.0 { SPREAD } else { 0.0 };
        longest[side(chair)] = longest[side(chair)].max(lengths[chair] + spread);
    }
    let rounds = longest[0].max(longest[1]);
    // The chance that side `of` ruffs a card played in the round after `depth` others.
    let ruffed = |of: usize, depth: f32| {
        let mut safe = 1.0;
        for chair in (0..CHAIRS).filter(|&chair| side(chair) == of && knowledge.trump < 4 && suit != knowledge.trump) {
            let slack = lengths[chair] - depth - 0.5;
            let follows = if knowledge.share[suit][chair] == 0.0 {
                f32::from(slack > 0.0)
            } else {
                (0.5 + 0.5 * slack).clamp(0.0, 1.0)
            };
            safe *= 1.0 - ruffer(knowledge, position, chair) * (1.0 - follows);
        }
        1.0 - safe
    };

    let mut depth = 0.0;
    // By side: winners so far, winners at once, and their worth.
    let (mut winners, mut quick, mut worth) = ([0.0f32; 2], [0.0f32; 2], [0.0f32; 2]);
    let mut above = [0.0f32; 2];
    while rest != 0 && depth < rounds {
        let card = 1 << (15 - rest.leading_zeros());
        rest ^= card;
        let reach = (rounds - depth).min(1.0);
        let mut live = [0.0; 2];
        let mut guard = [1.0; 2];
        if cards.pool & card != 0 {
            live = shares;
            for of in 0..2 {
                guard[of] = (longest[of] - above[1 - of]).clamp(0.0, 1.0);
            }
        } else {
            for chair in (0..CHAIRS).filter(|&chair| cards.lane(chair) & card != 0) {
                live[side(chair)] = 1.0;
                guard[side(chair)] = (lengths[chair] - above[1 - side(chair)]).clamp(0.0, 1.0);
            }
        }
        for of in (0..2).filter(|&of| live[of] > 0.0) {
            let count = live[of] * guard[of] * reach;
            let at_once = (1.0 - above[1 - of]).max(0.0);
            let value = count * (at_once + (1.0 - at_once) * params.slow);
            let risk = ruffed(1 - of, depth);
            total.ruffs[1 - of] += risk * value;
            winners[of] += count;
            quick[of] += count * at_once;
            worth[of] += value * (1.0 - risk);
            total.quick[of] += count * at_once * (1.0 - risk);
        }
        above[0] += live[0];
        above[1] += live[1];
        depth += live[0] + live[1];
    }
    // Neither side wins more rounds than it has cards for; the remaining rounds go to the longest hand.
    let most = [0, 1].map(|of: usize| (longest[of] - quick[1 - of]).max(0.0));
    let mut taken = 0.0;
    for of in 0..2 {
        if winners[of] > most[of] {
            worth[of] *= most[of] / winners[of];
            winners[of] = most[of];
        }
        taken += winners[of];
    }
    for of in 0..2 {
        let spare = (rounds - taken).min(longest[of] - longest[1 - of]);
        if spare > 0.0 {
            worth[of] += params.long * spare * (1.0 - ruffed(1 - of, rounds - 1.0));
        }
        total.tricks[of] += worth[of];
    }
}
