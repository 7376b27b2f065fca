//! Estimates the tricks that each side may expect, suit by suit.

use super::Params;
use super::position::Position;
use crate::strategies::rule_based::reading::power;
use crate::table::Place;

/// How much longer than the average a suit may be in a hidden hand.
const SPREAD: f32 = 0.6;

/// What the suits are worth, by side; the side of the seat that decides comes first.
#[derive(Clone, Copy, Default)]
struct Worth {
    /// Tricks in all.
    tricks: [f32; 2],
    /// Tricks that can be had at once.
    quick: [f32; 2],
    /// Tricks of the other side that can be ruffed.
    ruffs: [f32; 2],
}

/// How many of `left` tricks the side of the seat that decides may expect if side `on_lead` leads to the first.
pub(super) fn tricks(position: &Position, params: &Params, left: f32, on_lead: usize) -> f32 {
    let ruffers = ruffers(position);
    let mut worth = Worth::default();
    for suit in 0..4 {
        add_suit(position, params, suit, &ruffers, &mut worth);
    }
    if position.trump < 4 {
        // The trumps of the longer hand win tricks in any case.
        let (mut all, mut longest) = ([0.0f32; 2], [0.0f32; 2]);
        for hand in (0..Place::HANDS).filter(|&hand| position.plays[hand]) {
            let (side, trumps) = (usize::from(!position.ours[hand]), position.length(hand, position.trump));
            all[side] += trumps;
            longest[side] = longest[side].max(trumps);
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

/// By hand: the chance that it holds a trump.
fn ruffers(position: &Position) -> [f32; Place::HANDS] {
    let mut chance = [0.0; Place::HANDS];
    if position.trump < 4 {
        for (hand, chance) in chance.iter_mut().enumerate() {
            let (held, share) = (position.held[hand][position.trump], position.share[hand][position.trump]);
            let pool = position.pool[position.trump].count_ones();
            *chance = if held != 0 { 1.0 } else { 1.0 - power(1.0 - share, pool) };
        }
    }
    chance
}

/// Adds the worth of a suit to the total.
fn add_suit(position: &Position, params: &Params, suit: usize, ruffers: &[f32; Place::HANDS], total: &mut Worth) {
    let side = |hand: usize| usize::from(!position.ours[hand]);
    let mut rest = position.pool[suit];
    let mut length = [0.0; Place::HANDS];
    // By side: how many rounds of the suit it can follow.
    let mut longest = [0.0f32; 2];
    let mut share = [0.0; 2];
    for hand in 0..Place::HANDS {
        if position.plays[hand] {
            rest |= position.held[hand][suit];
            length[hand] = position.length(hand, suit);
            share[side(hand)] += position.share[hand][suit];
            // The longer of two hidden hands is longer than the average.
            let hidden = position.share[hand][suit] * position.pool[suit].count_ones() as f32;
            let spread = if hidden > 1.0 { SPREAD } else { 0.0 };
            longest[side(hand)] = longest[side(hand)].max(length[hand] + spread);
        }
    }
    let rounds = longest[0].max(longest[1]);
    let plain = suit != position.trump;
    // The chance that a card played in the round after `depth` others is ruffed by `side`.
    let ruffed = |side: usize, depth: f32| {
        let mut safe = 1.0;
        for hand in 0..Place::HANDS {
            if ruffers[hand] > 0.0 && usize::from(!position.ours[hand]) == side {
                let known = position.share[hand][suit] == 0.0;
                let slack = length[hand] - depth - 0.5;
                let follows = if known { f32::from(slack > 0.0) } else { (0.5 + 0.5 * slack).clamp(0.0, 1.0) };
                safe *= 1.0 - ruffers[hand] * (1.0 - follows);
            }
        }
        1.0 - safe
    };

    let mut depth = 0.0;
    // By side: winners so far, those that win at once, and what they are worth.
    let (mut winners, mut quick, mut worth) = ([0.0f32; 2], [0.0f32; 2], [0.0f32; 2]);
    let mut above = [0.0f32; 2];
    while rest != 0 && depth < rounds {
        let card = 1 << (15 - rest.leading_zeros());
        rest ^= card;
        let reach = (rounds - depth).min(1.0);
        let mut live = [0.0; 2];
        let mut guard = [1.0; 2];
        if position.pool[suit] & card != 0 {
            live = share;
            for of in 0..2 {
                guard[of] = (longest[of] - above[1 - of]).clamp(0.0, 1.0);
            }
        } else {
            for hand in 0..Place::HANDS {
                if position.held[hand][suit] & card != 0 {
                    live[side(hand)] = 1.0;
                    guard[side(hand)] = (length[hand] - above[1 - side(hand)]).clamp(0.0, 1.0);
                }
            }
        }
        for of in 0..2 {
            if live[of] > 0.0 {
                let count = live[of] * guard[of] * reach;
                let at_once = (1.0 - above[1 - of]).max(0.0);
                let mut value = count * (at_once + (1.0 - at_once) * params.slow);
                let mut now = count * at_once;
                if plain && position.trump < 4 {
                    let risk = ruffed(1 - of, depth);
                    total.ruffs[1 - of] += risk * value;
                    value *= 1.0 - risk;
                    now *= 1.0 - risk;
                }
                winners[of] += count;
                quick[of] += count * at_once;
                worth[of] += value;
                total.quick[of] += now;
            }
        }
        above[0] += live[0];
        above[1] += live[1];
        depth += live[0] + live[1];
    }
    // Neither side wins more rounds than it has cards for; the rounds that are left over go to the longest hand.
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
            let risk = if plain && position.trump < 4 { ruffed(1 - of, rounds - 1.0) } else { 0.0 };
            worth[of] += params.long * spare * (1.0 - risk);
        }
        total.tricks[of] += worth[of];
    }
}
