//! Estimates the tricks that each side may expect, suit by suit.

use wide::f32x4;

use super::Params;
use super::position::{CHAIRS, Cards, Position, Sight};
#[cfg(target_arch = "x86_64")]
use crate::strategies::rule_based::processor::is_newer;

/// How much longer than the average a suit may be in a hidden hand.
const SPREAD: f32 = 0.6;
/// The most cards that a suit can have: with jokers as trumps.
const LONGEST: usize = 15;
/// So many cards are always added, since a loop over fewer would mispredict.
const FEW: usize = 4;

/// What a suit is worth, by side; the side of the seat that decides comes first.
#[derive(Clone, Copy)]
struct Worth {
    /// Tricks in all.
    tricks: [f32; 2],
    /// Card by card from the top: tricks that can be had at once, then by side those of it that the other can ruff.
    /// They are kept apart so that sums over suits are rounded in one order, whatever was remembered.
    cards: [f32x4; LONGEST],
    /// The number of cards that add to them.
    count: usize,
}

/// A suit's worth and what it was found for.
#[derive(Clone, Copy)]
struct Known {
    /// The number of the decision.
    decision: u64,
    cards: Cards,
    ruffers: [f32; CHAIRS],
    worth: Worth,
}

impl Known {
    #[inline(always)]
    fn is_of(&self, decision: u64, cards: &Cards, ruffers: &[f32; CHAIRS]) -> bool {
        self.decision == decision && self.cards == *cards && self.ruffers == *ruffers
    }
}

/// What suits are worth in a decision, since its moves leave most suits as they are. It is kept from one decision to
/// the next only as memory to write into.
pub(super) struct Memory {
    decision: u64,
    /// By suit: as the cards lie, after a trick that the side of the seat that decides wins, and after another.
    suits: [[Known; 3]; 4],
    /// How a worth is found: [`Worth::find`], compiled once for this processor.
    find: Find,
}

impl Memory {
    pub(super) fn new() -> Box<Memory> {
        let worth = Worth { tricks: [0.0; 2], cards: [f32x4::ZERO; LONGEST], count: 0 };
        let known = Known { decision: 0, cards: Cards::default(), ruffers: [0.0; CHAIRS], worth };
        Box::new(Memory { decision: 0, suits: [[known; 3]; 4], find: finder() })
    }
}

type Find = fn(&mut Worth, &Cards, f32x4, f32x4, &Params);

/// [`Worth::find`] as it is quickest on this processor.
fn finder() -> Find {
    #[cfg(target_arch = "x86_64")]
    if is_newer() {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn newer(worth: &mut Worth, cards: &Cards, share: f32x4, ruffers: f32x4, params: &Params) {
            worth.find(cards, share, ruffers, params);
        }
        return |worth, cards, share, ruffers, params| {
            // SAFETY: the processor was just seen to have what this is compiled for.
            unsafe { newer(worth, cards, share, ruffers, params) }
        };
    }
    |worth, cards, share, ruffers, params| worth.find(cards, share, ruffers, params)
}

/// Estimates the positions of a decision.
pub(super) struct Outlook<'a> {
    sight: &'a Sight,
    pub(super) params: &'a Params,
    memory: &'a mut Memory,
    /// By chair: the chance that it holds a trump, as the cards lie.
    ruffers: [f32; CHAIRS],
}

impl<'a> Outlook<'a> {
    #[inline(always)]
    pub(super) fn new(sight: &'a Sight, params: &'a Params, memory: &'a mut Memory) -> Outlook<'a> {
        memory.decision += 1;
        Outlook { sight, params, memory, ruffers: ruffers(sight, &sight.now) }
    }

    /// How many of `left` tricks the side of the seat that decides may expect if side `on_lead` leads to the first.
    #[inline(always)]
    pub(super) fn tricks(&mut self, position: &Position, left: f32, on_lead: usize) -> f32 {
        let Outlook { sight, params, memory, ruffers: now } = self;
        let same_trumps = sight.trump >= 4 || position[sight.trump] == sight.now[sight.trump];
        let ruffers = if same_trumps { *now } else { ruffers(sight, position) };
        let same_ruffers = same_trumps || ruffers == *now;
        let mut tricks = [0.0; 2];
        // Quick tricks by side, then by side those that the other can ruff.
        let mut sums = f32x4::ZERO;
        for (suit, cards) in position.iter().enumerate() {
            let ruffers = if suit == sight.trump { &[0.0; CHAIRS] } else { &ruffers };
            let mut way = 0;
            if *cards != sight.now[suit] || !same_ruffers && suit != sight.trump {
                // The suit may be the same whoever wins the trick.
                let (own, other) = (1 + on_lead, 2 - on_lead);
                way = if memory.suits[suit][other].is_of(memory.decision, cards, ruffers) { other } else { own };
            }
            let known = &mut memory.suits[suit][way];
            if !known.is_of(memory.decision, cards, ruffers) {
                (known.decision, known.cards, known.ruffers) = (memory.decision, *cards, *ruffers);
                (memory.find)(&mut known.worth, cards, sight.share[suit].into(), (*ruffers).into(), params);
            }
            let worth = &known.worth;
            for &card in &worth.cards[..FEW] {
                sums += card;
            }
            if worth.count > FEW {
                for &card in &worth.cards[FEW..worth.count.min(LONGEST)] {
                    sums += card;
                }
            }
            tricks = [tricks[0] + worth.tricks[0], tricks[1] + worth.tricks[1]];
        }
        let sums = sums.to_array();
        if sight.trump < 4 {
            // The trumps of the longer hand win tricks in any case.
            let trumps = &position[sight.trump];
            let length = trumps.lengths(&sight.share[sight.trump]).to_array();
            for (side, tricks) in tricks.iter_mut().enumerate() {
                let [one, other] = [length[side], length[side + 2]];
                *tricks += params.ruff * sums[3 - side].min(one + other - one.max(other));
            }
        }
        let even = (0.5 * (left + tricks[0] - tricks[1])).clamp(0.0, left);
        // The side on lead takes its quick tricks first.
        let sure = sums[on_lead].min(left);
        let bound = if on_lead == 0 { even.max(sure) } else { even.min(left - sure) };
        even + params.haste * (bound - even)
    }
}

/// By chair: the chance that it holds a trump.
#[inline(always)]
fn ruffers(sight: &Sight, position: &Position) -> [f32; CHAIRS] {
    if sight.trump >= 4 {
        return [0.0; CHAIRS];
    }
    let (trumps, share) = (&position[sight.trump], &sight.share[sight.trump]);
    // The chance that none of the pool lies there, for all chairs at once.
    let pool = trumps.pool.count_ones();
    let (mut none, mut square) = (f32x4::ONE, f32x4::ONE - f32x4::from(*share));
    for bit in 0..4 {
        none *= if pool >> bit & 1 == 1 { square } else { f32x4::ONE };
        square *= square;
    }
    let holds = f32x4::from(trumps.known()).simd_gt(f32x4::ZERO);
    holds.select(f32x4::ONE, f32x4::ONE - none).to_array()
}

/// The four values in the order in which the second of each pair comes first.
#[inline(always)]
fn swapped(four: f32x4) -> f32x4 {
    let [a, b, c, d] = four.to_array();
    [b, a, d, c].into()
}

/// The four values with the second pair first.
#[inline(always)]
fn turned(four: f32x4) -> f32x4 {
    let [a, b, c, d] = four.to_array();
    [c, d, a, b].into()
}

impl Worth {
    /// Finds what a suit is worth. `share` has, by chair, the chance that a card of the pool lies there; `ruffers`, by
    /// chair, the chance that it holds a trump and may ruff the suit.
    ///
    /// It computes with four values at once: by chair, or by side, with each side's value there twice.
    #[inline(always)]
    fn find(&mut self, cards: &Cards, share: f32x4, ruffers: f32x4, params: &Params) {
        let (none, one, half) = (f32x4::ZERO, f32x4::ONE, f32x4::HALF);
        let hidden = share * cards.pool.count_ones() as f32;
        let length = f32x4::from(cards.known()) + hidden;
        // The longer of two hidden hands is longer than the average.
        let reach = length + hidden.simd_gt(one).select(f32x4::splat(SPREAD), none);
        // By side: how many rounds of the suit it can follow.
        let longest = reach.fast_max(turned(reach));
        let rounds = longest.fast_max(swapped(longest));
        let is_known = share.simd_eq(none);
        // By side: the chance that it ruffs a card played in the round after `depth` others.
        let ruffed = |depth: f32x4| {
            let slack = length - depth - half;
            let known = slack.simd_gt(none).select(one, none);
            let guessed = (half + half * slack).fast_max(none).fast_min(one);
            let safe = one - ruffers * (one - is_known.select(known, guessed));
            one - safe * turned(safe)
        };
        // By holder of a card, a chair or the pool: the chance that it lies with each side, and how long the hand is.
        let (ours, theirs) = (f32x4::from([1.0, 0.0, 1.0, 0.0]), f32x4::from([0.0, 1.0, 0.0, 1.0]));
        let lives = [ours, theirs, ours, theirs, share + turned(share)];
        let [a, b, c, d] = length.to_array();
        let lengths = [f32x4::splat(a), f32x4::splat(b), f32x4::splat(c), f32x4::splat(d), longest];
        let [_, b, c, d] = cards.held;
        let holder = |at: u32| usize::from((b | d) >> at & 1 | ((c | d) >> at & 1) << 1 | (cards.pool >> at & 1) << 2);

        self.count = 0;
        self.cards[..FEW].fill(none);
        let mut rest = cards.all();
        let mut depth = none;
        // By side: the cards so far, winners among them, those that win at once, and what they are worth.
        let (mut above, mut winners, mut quick, mut worth) = (none, none, none, none);
        while rest != 0 && depth.to_array()[0] < rounds.to_array()[0] {
            let top = 15 - rest.leading_zeros();
            rest ^= 1 << top;
            let holder = holder(top) % 5;
            let live = lives[holder];
            let others_above = swapped(above);
            let guard = (lengths[holder] - others_above).fast_max(none).fast_min(one);
            let count = live * guard * (rounds - depth).fast_min(one);
            let at_once = (one - others_above).fast_max(none);
            let value = count * (at_once + (one - at_once) * params.slow);
            let now = count * at_once;
            let risk = swapped(ruffed(depth));
            winners += count;
            quick += now;
            worth += value * (one - risk);
            let [first, second, ..] = (now * (one - risk)).to_array();
            let [.., third, fourth] = (risk * value).to_array();
            self.cards[self.count.min(LONGEST - 1)] = [first, second, third, fourth].into();
            self.count += 1;
            above += live;
            depth += live + swapped(live);
        }
        let risk = ruffed(rounds - one).to_array();
        let (mut winners, mut worth) = (winners.to_array(), worth.to_array());
        let (quick, longest, rounds) = (quick.to_array(), longest.to_array(), rounds.to_array()[0]);
        // Neither side wins more rounds than it has cards for; the rounds that are left over go to the longest hand.
        let mut taken = 0.0;
        for of in 0..2 {
            let most = (longest[of] - quick[1 - of]).max(0.0);
            if winners[of] > most {
                worth[of] *= most / winners[of];
                winners[of] = most;
            }
            taken += winners[of];
        }
        for of in 0..2 {
            let spare = (rounds - taken).min(longest[of] - longest[1 - of]).max(0.0);
            self.tricks[of] = worth[of] + params.long * spare * (1.0 - risk[1 - of]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::SeedSource;
    use crate::game::Game;
    use crate::games::whist::{DummyWhist, Form, WhistRules};
    use crate::strategies::rule_based::testing::watch;
    use crate::strategies::rule_based::whist::position::{Frame, Seen};
    use crate::strategies::rule_based::whist::{RuleBased, plain};

    #[test]
    fn it_is_the_plain_estimate_to_the_last_bit() {
        let rules = WhistRules::default();
        let jokers = WhistRules { jokers: true, ..rules.clone() };
        let double_dummy = WhistRules { form: Form::DoubleDummy, ..rules.clone() };
        let humbug = WhistRules { form: Form::Humbug, ..rules.clone() };
        let (params, mut memory) = (Params::default(), Memory::new());
        let mut rng = SeedSource::new(1, "test", "outlook").stream(0, 0);
        let mut compared = 0;
        for rules in [rules, jokers, double_dummy, humbug] {
            let game = DummyWhist::new(rules).unwrap();
            watch(&game, 30, &mut RuleBased::new(params.clone()), |view, _, _| {
                let (trump, downtown) = (view.public().trump(), view.public().downtown());
                let seen = if view.order().is_some() { Seen::in_play(view) } else { Seen::declaring(view) };
                let sight = seen.sight(Frame::new(trump, downtown));
                let mut outlook = Outlook::new(&sight, &params, &mut memory);
                let mut position = sight.now;
                for step in 0..12 {
                    if step % 4 == 3 {
                        position = sight.now;
                    }
                    let on_lead = rng.random_below(2) as usize;
                    let quick = outlook.tricks(&position, 7.0, on_lead);
                    let slow = plain::tricks(&sight, &position, &params, 7.0, on_lead);
                    assert_eq!(quick.to_bits(), slow.to_bits(), "{position:?}: {quick}, {slow}");
                    compared += 1;
                    // A card that is somewhere is gone, or is not.
                    let (suit, chair) = (rng.random_below(4) as usize, rng.random_below(5) as usize);
                    let bit = !(1 << rng.random_below(15));
                    match position[suit].held.get_mut(chair) {
                        Some(held) => *held &= bit,
                        None => position[suit].pool &= bit,
                    }
                }
            });
        }
        assert!(compared > 20_000, "{compared}");
    }
}
