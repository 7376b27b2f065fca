//! Estimates the expected tricks of each side, suit by suit.

use wide::f32x4;

use super::Params;
use super::position::{CHAIRS, Holdings, Knowledge, SuitCards};
use super::worth::{SuitNumbers, Suits};
use crate::rule_based::reading::power;

/// Estimates the positions of a decision.
pub(super) struct Estimator<'a> {
    knowledge: &'a Knowledge,
    /// By chair: the chance that it holds a trump in the present position.
    ruffers: [f32; CHAIRS],
    /// By suit: its number in the queue for the present position, since moves leave most suits unchanged.
    now: SuitNumbers,
    /// The suits of `now`, one bit each.
    found: u8,
}

/// A position whose suits are in the queue.
#[derive(Clone, Copy, Default)]
pub(super) struct QueuedHoldings {
    suits: SuitNumbers,
    /// By side: the trumps outside its longer hand.
    to_ruff: [f32; 2],
}

/// All suits, one bit each.
const ALL: u8 = 0b1111;

impl<'a> Estimator<'a> {
    #[inline(always)]
    pub(super) fn new(knowledge: &'a Knowledge) -> Estimator<'a> {
        Estimator { knowledge, ruffers: ruffers(knowledge, &knowledge.now), now: SuitNumbers::default(), found: 0 }
    }

    /// Returns the estimator for the same cards as `no_trump`, which was queued without trumps.
    ///
    /// The trump suit has the same worth there, since no hand can ruff it.
    #[inline(always)]
    pub(super) fn beside(knowledge: &'a Knowledge, no_trump: &QueuedHoldings) -> Estimator<'a> {
        Estimator { now: no_trump.suits, found: 1 << knowledge.trump, ..Estimator::new(knowledge) }
    }

    /// Returns the present position.
    #[inline(always)]
    pub(super) fn now(&self) -> &'a Holdings {
        &self.knowledge.now
    }

    /// Queues the suits of a position. Only suits in `changed`, one bit each, may differ from the present
    /// position.
    #[inline(always)]
    pub(super) fn put(&mut self, position: &Holdings, mut changed: u8, suits: &mut Suits) -> QueuedHoldings {
        let Knowledge { now, share, trump, .. } = self.knowledge;
        let mut ruffers = self.ruffers;
        if changed >> trump & 1 == 1 {
            ruffers = self::ruffers(self.knowledge, position);
            if ruffers != self.ruffers {
                changed = ALL;
            }
        }
        let mut put = |suit: usize, position: &Holdings, ruffers: &[f32; CHAIRS]| {
            suits.put(&position[suit], &share[suit], if suit == *trump { &[0.0; CHAIRS] } else { ruffers })
        };
        let mut missing = ALL & !changed & !self.found;
        self.found |= missing;
        while missing != 0 {
            let suit = missing.trailing_zeros() as usize % 4;
            self.now.set(suit, put(suit, now, &self.ruffers));
            missing &= missing - 1;
        }
        let mut estimate = QueuedHoldings { suits: self.now, to_ruff: [0.0; 2] };
        while changed != 0 {
            let suit = changed.trailing_zeros() as usize % 4;
            estimate.suits.set(suit, put(suit, position, &ruffers));
            changed &= changed - 1;
        }
        if *trump < 4 {
            let [a, b, c, d] = position[*trump].lengths(&share[*trump]).to_array();
            estimate.to_ruff = [a + c - a.max(c), b + d - b.max(d)];
        }
        estimate
    }

    /// Queues a position after a trump lead to which each hidden hand followed if it could. It is rare, and
    /// separate for speed.
    #[inline(never)]
    pub(super) fn put_drawn(&self, position: &Holdings, suits: &mut Suits) -> QueuedHoldings {
        let Knowledge { now, share, trump, .. } = self.knowledge;
        let (mut share, mut ruffers) = (*share, ruffers(self.knowledge, position));
        follow(&mut share[*trump], &mut ruffers, &now[*trump], &position[*trump]);
        let mut estimate = QueuedHoldings::default();
        for suit in 0..4 {
            let ruffers = if suit == *trump { &[0.0; CHAIRS] } else { &ruffers };
            estimate.suits.set(suit, suits.put(&position[suit], &share[suit], ruffers));
        }
        let [a, b, c, d] = position[*trump].lengths(&share[*trump]).to_array();
        estimate.to_ruff = [a + c - a.max(c), b + d - b.max(d)];
        estimate
    }
}

/// Takes a trump from each hidden hand that held one.
///
/// The trumps were as in `before` and are as in `after`. A hand that has a trump left held two. `share` and
/// `ruffers` are the chances, by chair, that it holds a card of the pool, and that it holds any trump.
fn follow(share: &mut [f32; CHAIRS], ruffers: &mut [f32; CHAIRS], before: &SuitCards, after: &SuitCards) {
    let pool = before.pool.count_ones();
    for chair in 0..CHAIRS {
        let each = share[chair];
        // A hand with a visible trump plays that trump.
        if each == 0.0 || before.lane(chair) != 0 {
            continue;
        }
        let none = power(1.0 - each, pool);
        let one = pool as f32 * each * power(1.0 - each, pool.saturating_sub(1));
        let left = pool as f32 * each - (1.0 - none);
        share[chair] = left.max(0.0) / after.pool.count_ones().max(1) as f32;
        ruffers[chair] = (1.0 - none - one).max(0.0);
    }
}

impl QueuedHoldings {
    /// Returns the expected tricks of `left` for the deciding seat's side, if side `on_lead` leads first.
    #[inline(always)]
    pub(super) fn tricks(&self, suits: &Suits, params: &Params, left: f32, on_lead: usize) -> f32 {
        let all = suits.sum(self.suits);
        // The trumps of the longer hand win tricks in any case.
        let tricks = |side: usize| all.tricks(side) + params.ruff * all.ruffed(1 - side).min(self.to_ruff[side]);
        let even = (0.5 * (left + tricks(0) - tricks(1))).clamp(0.0, left);
        // The side on lead takes its quick tricks first.
        let sure = all.quick(on_lead).min(left);
        let bound = if on_lead == 0 { even.max(sure) } else { even.min(left - sure) };
        even + params.haste * (bound - even)
    }
}

/// Returns, by chair, the chance that it holds a trump.
#[inline(always)]
fn ruffers(knowledge: &Knowledge, position: &Holdings) -> [f32; CHAIRS] {
    if knowledge.trump >= 4 {
        return [0.0; CHAIRS];
    }
    let (trumps, share) = (&position[knowledge.trump], &knowledge.share[knowledge.trump]);
    // The chance that the chair holds none of the pool, for all chairs at once.
    let pool = trumps.pool.count_ones();
    let (mut none, mut square) = (f32x4::ONE, f32x4::ONE - f32x4::from(*share));
    for bit in 0..4 {
        none *= if pool >> bit & 1 == 1 { square } else { f32x4::ONE };
        square *= square;
    }
    let holds = f32x4::from(trumps.known()).simd_gt(f32x4::ZERO);
    holds.select(f32x4::ONE, f32x4::ONE - none).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::watch;
    use crate::rule_based::whist::position::{Frame, SeenCards, suits_out};
    use crate::rule_based::whist::{RuleBased, plain};
    use overtrick_cards::SeedSource;
    use overtrick_game::Game;
    use overtrick_games::whist::{DummyWhist, Form, WhistRules};

    #[test]
    fn a_hidden_hand_that_follows_with_a_trump_has_one_less() {
        for (each, pool, left) in [(0.4, 5, 4), (0.4, 1, 0), (0.1, 3, 3), (0.7, 0, 0)] {
            // Over all hands, weighted by their chance: the trumps left, and the chance that some are left.
            let (mut trumps, mut some) = (0.0, 0.0);
            for hand in 0..1u32 << pool {
                let held = hand.count_ones();
                let chance = power(each, held) * power(1.0 - each, pool - held);
                trumps += chance * held.saturating_sub(1) as f32;
                some += if held > 1 { chance } else { 0.0 };
            }
            let (mut share, mut ruffers) = ([0.0, each, 0.0, 0.0], [1.0; CHAIRS]);
            let cards = |number: u32| SuitCards { held: 0, pool: (1 << number) - 1 };
            follow(&mut share, &mut ruffers, &cards(pool), &cards(left));
            assert!((share[1] * left as f32 - trumps).abs() < 1e-6, "{each}, {pool}: {share:?}");
            assert!((ruffers[1] - some).abs() < 1e-6, "{each}, {pool}: {ruffers:?}");
            assert_eq!((share[0], ruffers[0]), (0.0, 1.0));
        }
    }

    #[test]
    fn it_is_the_plain_estimate() {
        let rules = WhistRules::default();
        let jokers = WhistRules { jokers: true, ..rules.clone() };
        let double_dummy = WhistRules { form: Form::DoubleDummy, ..rules.clone() };
        let humbug = WhistRules { form: Form::Humbug, ..rules.clone() };
        let params = Params::default();
        let mut suits = Suits::new(&params);
        let mut rng = SeedSource::new(1, "test", "estimator").stream(0, 0);
        let mut compared = 0;
        for rules in [rules, jokers, double_dummy, humbug] {
            let game = DummyWhist::new(rules).unwrap();
            watch(&game, 30, &mut RuleBased::new(params.clone()), |view, _, _| {
                let (trump, downtown) = (view.public().trump(), view.public().downtown());
                let mut seen =
                    if view.order().is_some() { SeenCards::in_play(view) } else { SeenCards::declaring(view) };
                seen.show_out(suits_out(view));
                let knowledge = seen.in_frame(Frame::new(trump, downtown));
                let mut estimator = Estimator::new(&knowledge);
                suits.clear(seen.playing);
                let (mut position, mut changed) = (knowledge.now, 0);
                for step in 0..12 {
                    if step % 4 == 3 {
                        (position, changed) = (knowledge.now, 0);
                    }
                    let on_lead = rng.random_below(2) as usize;
                    let estimate = estimator.put(&position, changed, &mut suits);
                    suits.finish();
                    let quick = estimate.tricks(&suits, &params, 7.0, on_lead);
                    let slow = plain::tricks(&knowledge, &position, &params, 7.0, on_lead);
                    assert!((quick - slow).abs() < 1e-4, "{position:?}: {quick}, {slow}");
                    compared += 1;
                    // Removes a card of a chair or of the pool, whether or not it is there.
                    let (suit, chair) = (rng.random_below(4) as usize, rng.random_below(5) as usize);
                    let bit = 1 << rng.random_below(15);
                    changed |= 1 << suit;
                    match chair {
                        CHAIRS => position[suit].pool &= !bit,
                        _ => position[suit].take(chair, bit),
                    }
                }
            });
        }
        assert!(compared > 20_000, "{compared}");
    }
}
