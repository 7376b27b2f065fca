//! The worth of suits to each side: the tricks that their cards may win.
//!
//! Suits are queued and computed eight at a time, since a processor computes eight numbers as fast as one.

use super::Params;
use super::position::{CHAIRS, Cards};
#[cfg(target_arch = "x86_64")]
use crate::rule_based::processor::is_newer;

/// The possible excess of a hidden hand's suit length over the average.
const SPREAD: f32 = 0.6;
/// The fall per round of the chance to follow suit, at the end of a hand's known length.
const STEEP: f32 = 1024.0;
/// The number of suits that are computed together.
const LANES: usize = 8;
/// More suits than any decision needs: each of fifteen cards changes at most four suits, for each winner.
const MOST: usize = 128;

/// The lowest bit for every chair.
const EVERY_CHAIR: u64 = 0x0001_0001_0001_0001;

/// One number for each of the suits that are computed together.
type Lanes = [f32; LANES];

/// The worth of one or several suits.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Worth([f32; 8]);

impl Worth {
    const NOTHING: Worth = Worth([0.0; 8]);

    /// Returns all tricks of a side.
    #[inline(always)]
    pub(super) fn tricks(&self, side: usize) -> f32 {
        self.0[side]
    }

    /// Returns the tricks that a side can win at once.
    #[inline(always)]
    pub(super) fn quick(&self, side: usize) -> f32 {
        self.0[2 + side]
    }

    /// Returns the tricks of a side that the other side may ruff.
    #[inline(always)]
    pub(super) fn ruffed(&self, side: usize) -> f32 {
        self.0[4 + side]
    }
}

/// By suit: its number in the queue.
///
/// The numbers share one word, because reading a word stalls right after its bytes were written separately.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers(u32);

impl Numbers {
    /// Sets the number of a suit.
    #[inline(always)]
    pub(super) fn set(&mut self, suit: usize, number: u8) {
        self.0 = self.0 & !(0xFF << (8 * suit)) | u32::from(number) << (8 * suit);
    }
}

/// The queue of suits to compute. It is reused from one decision to the next for its memory.
pub(super) struct Suits {
    /// The number of queued suits.
    count: usize,
    /// The worth of the suits computed so far.
    worth: [[Worth; LANES]; MOST / LANES],
    waiting: Waiting,
    /// [`Waiting::compute`], compiled for this processor.
    compute: Compute,
    /// Whether the processor has the features of the newer version.
    is_newer: bool,
}

type Compute = fn(&Waiting, &mut [Worth; LANES]);

/// Suits that wait to be computed, each in a lane.
struct Waiting {
    /// The number of chairs that play: all, or in Humbug one on each side.
    chairs: usize,
    /// By holder, the pool last: its cards. The best card of the suit has bit 15, the next bit 14, without
    /// gaps.
    cards: [[u32; LANES]; CHAIRS + 1],
    /// By chair: the chance that it holds a card of the pool.
    share: [Lanes; CHAIRS],
    /// By chair: the chance that it holds a trump and may ruff the suit.
    ruffers: [Lanes; CHAIRS],
    /// The worth of a card that wins only once higher cards are gone.
    slow: f32,
    /// The worth of a card that wins only because its suit is longer than others'.
    long: f32,
}

impl Suits {
    pub(super) fn new(params: &Params) -> Box<Suits> {
        let waiting = Waiting {
            chairs: CHAIRS,
            cards: [[0; LANES]; CHAIRS + 1],
            share: [[0.0; LANES]; CHAIRS],
            ruffers: [[0.0; LANES]; CHAIRS],
            slow: params.slow,
            long: params.long,
        };
        let (compute, is_newer) = computer();
        Box::new(Suits { count: 0, worth: [[Worth::NOTHING; LANES]; MOST / LANES], waiting, compute, is_newer })
    }

    /// Starts a new queue for `chairs` playing chairs.
    #[inline(always)]
    pub(super) fn clear(&mut self, chairs: usize) {
        self.count = 0;
        self.waiting.chairs = chairs;
    }

    /// Queues a suit and returns its number.
    ///
    /// `share` has, by chair, the chance that it holds a card of the pool. `ruffers` has the chance that it
    /// holds a trump and may ruff the suit.
    #[inline(always)]
    pub(super) fn put(&mut self, cards: &Cards, share: &[f32; CHAIRS], ruffers: &[f32; CHAIRS]) -> u8 {
        debug_assert!(self.count < MOST);
        let (number, lane) = (self.count % MOST, self.count % LANES);
        let Waiting { cards: waiting, share: shares, ruffers: all_ruffers, .. } = &mut self.waiting;
        let cards = squeezed(cards, self.is_newer);
        waiting[CHAIRS][lane] = cards.pool.into();
        for chair in 0..CHAIRS {
            waiting[chair][lane] = cards.lane(chair).into();
            shares[chair][lane] = share[chair];
            all_ruffers[chair][lane] = ruffers[chair];
        }
        self.count += 1;
        if lane == LANES - 1 {
            (self.compute)(&self.waiting, &mut self.worth[number / LANES]);
        }
        number as u8
    }

    /// Computes the suits that still wait.
    #[inline(always)]
    pub(super) fn finish(&mut self) {
        if !self.count.is_multiple_of(LANES) {
            (self.compute)(&self.waiting, &mut self.worth[self.count % MOST / LANES]);
        }
    }

    /// Returns the total worth of the suits with these numbers.
    #[inline(always)]
    pub(super) fn sum(&self, numbers: Numbers) -> Worth {
        let mut sum = Worth::NOTHING;
        for number in numbers.0.to_le_bytes() {
            for (sum, worth) in sum.0.iter_mut().zip(self.worth.as_flattened()[usize::from(number) % MOST].0) {
                *sum += worth;
            }
        }
        sum
    }
}

/// Returns the cards with each holder's moved together from bit 15 down, without gaps in the suit.
#[inline(always)]
fn squeezed(cards: &Cards, is_newer: bool) -> Cards {
    let all = cards.all();
    #[cfg(target_arch = "x86_64")]
    if is_newer {
        let top = u64::from(!(0xFFFF >> all.count_ones()) as u16);
        // SAFETY: newer processors have these instructions.
        return unsafe {
            use core::arch::x86_64::{_pdep_u64, _pext_u64};
            let held = _pext_u64(cards.held, u64::from(all) * EVERY_CHAIR);
            let pool = _pext_u64(cards.pool.into(), all.into());
            Cards { held: _pdep_u64(held, top * EVERY_CHAIR), pool: _pdep_u64(pool, top) as u16 }
        };
    }
    let (mut squeezed, mut rest, mut place) = (Cards::default(), all, 16 - all.count_ones());
    while rest != 0 {
        let bit = rest.trailing_zeros();
        squeezed.held |= (cards.held >> bit & EVERY_CHAIR) << place;
        squeezed.pool |= (cards.pool >> bit & 1) << place;
        rest &= rest - 1;
        place += 1;
    }
    squeezed
}

/// Returns the fastest [`Waiting::compute`] for this processor, and whether the processor is a newer one.
fn computer() -> (Compute, bool) {
    #[cfg(target_arch = "x86_64")]
    if is_newer() {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn newer(waiting: &Waiting, worth: &mut [Worth; LANES]) {
            waiting.compute(worth);
        }
        // SAFETY: the processor was just seen to have the features that this is compiled for.
        return (|waiting, worth| unsafe { newer(waiting, worth) }, true);
    }
    (|waiting, worth| waiting.compute(worth), false)
}

#[inline(always)]
fn greater(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

#[inline(always)]
fn lesser(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

#[inline(always)]
fn chance(number: f32) -> f32 {
    lesser(greater(number, 0.0), 1.0)
}

const NONE: Lanes = [0.0; LANES];

/// Properties of the hands in each waiting suit.
struct Hands {
    /// By chair: the average number of cards of the suit.
    length: [Lanes; CHAIRS],
    /// By side: the number of rounds of the suit that it can follow; then the maximum.
    longest: [Lanes; 2],
    rounds: Lanes,
    /// By side: the chance that it holds a card of the pool.
    share: [Lanes; 2],
    /// By chair: the chance that it holds no trump.
    ///
    /// The chance to follow suit adds `start - fall * depth` after `depth` cards, limited to the chance of a
    /// trump.
    tame: [Lanes; CHAIRS],
    start: [Lanes; CHAIRS],
    fall: [Lanes; CHAIRS],
}

impl Hands {
    #[inline(always)]
    fn new<const HANDS: usize>(of: &Waiting) -> Hands {
        let (none, one_each) = ([NONE; CHAIRS], [NONE; 2]);
        let (mut length, mut tame, mut start, mut fall) = (none, none, none, none);
        let (mut longest, mut rounds, mut share) = (one_each, NONE, one_each);
        for chair in 0..HANDS {
            for lane in 0..LANES {
                let (part, ruffs) = (of.share[chair][lane], of.ruffers[chair][lane]);
                let hidden = part * of.cards[CHAIRS][lane].count_ones() as f32;
                let cards = of.cards[chair][lane].count_ones() as f32 + hidden;
                length[chair][lane] = cards;
                // The longer of two hidden hands is longer than the average.
                let reach = cards + if hidden > 1.0 { SPREAD } else { 0.0 };
                longest[chair % 2][lane] = greater(longest[chair % 2][lane], reach);
                rounds[lane] = greater(rounds[lane], reach);
                share[chair % 2][lane] += part;
                // A hand of known length can follow if it has half a card left.
                let is_known = part == 0.0;
                let slope = if is_known { STEEP } else { 0.5 };
                tame[chair][lane] = 1.0 - ruffs;
                start[chair][lane] = ruffs * (slope * (cards - 0.5) + if is_known { 0.0 } else { 0.5 });
                fall[chair][lane] = ruffs * slope;
            }
        }
        Hands { length, longest, rounds, share, tame, start, fall }
    }

    /// Returns the chance that a chair does not ruff a card that is played after `depth` others.
    ///
    /// `ruffs` is the chance that it holds a trump.
    #[inline(always)]
    fn safe(&self, chair: usize, lane: usize, ruffs: f32, depth: f32) -> f32 {
        let follows = self.start[chair][lane] - self.fall[chair][lane] * depth;
        self.tame[chair][lane] + lesser(greater(follows, 0.0), ruffs)
    }
}

impl Waiting {
    /// Computes the worth of the suits.
    #[inline(always)]
    fn compute(&self, worth: &mut [Worth; LANES]) {
        if self.chairs > 2 { self.compute_for::<CHAIRS>(worth) } else { self.compute_for::<2>(worth) }
    }

    /// Returns the number of cards in the longest suit.
    #[inline(always)]
    fn most_cards(&self) -> u32 {
        let mut all = 0;
        for cards in self.cards.as_flattened() {
            all |= cards;
        }
        // The cards of each suit are in the bits from 15 down, without gaps.
        16 - all.trailing_zeros().min(16)
    }

    /// Computes the worth of the suits with `HANDS` playing hands.
    ///
    /// Each loop over lanes is written as for one suit, and has no branch.
    #[inline(always)]
    fn compute_for<const HANDS: usize>(&self, worth: &mut [Worth; LANES]) {
        let hands = Hands::new::<HANDS>(self);
        let Hands { length, longest, rounds, share, .. } = &hands;
        // By side: the cards above the next card, and sums over the cards so far.
        let (mut above, mut winners, mut quick) = ([NONE; 2], [NONE; 2], [NONE; 2]);
        let (mut safe_winners, mut safe_quick) = ([NONE; 2], [NONE; 2]);
        // With two hands aside, the cards may run out before the sums show that no hand has any left.
        let cards = if HANDS == CHAIRS { 16 } else { self.most_cards() };
        for card in 0..cards {
            let mut goes_on = false;
            for lane in 0..LANES {
                goes_on |= above[0][lane] + above[1][lane] < rounds[lane];
            }
            if !goes_on {
                break;
            }
            for lane in 0..LANES {
                let is_at = |holder: usize| (self.cards[holder][lane] >> (15 - card) & 1) as f32;
                let higher = [above[0][lane], above[1][lane]];
                let depth = higher[0] + higher[1];
                let reach = chance(rounds[lane] - depth);
                let pool = is_at(CHAIRS);
                // By side: the chance that it has the card, the length of the hand, and the chance of no
                // ruff.
                let mut live = [pool * share[0][lane], pool * share[1][lane]];
                let mut holds = [pool * longest[0][lane], pool * longest[1][lane]];
                let mut safe = [1.0; 2];
                for chair in 0..HANDS {
                    live[chair % 2] += is_at(chair);
                    holds[chair % 2] += is_at(chair) * length[chair][lane];
                    safe[1 - chair % 2] *= hands.safe(chair, lane, self.ruffers[chair][lane], depth);
                }
                for side in 0..2 {
                    let count = live[side] * chance(holds[side] - higher[1 - side]) * reach;
                    let at_once = greater(1.0 - higher[1 - side], 0.0);
                    winners[side][lane] += count;
                    quick[side][lane] += count * at_once;
                    safe_winners[side][lane] += count * safe[side];
                    safe_quick[side][lane] += count * safe[side] * at_once;
                    above[side][lane] += live[side];
                }
            }
        }
        let (mut tricks, mut ruffed) = ([NONE; 2], [NONE; 2]);
        for lane in 0..LANES {
            let mut taken = 0.0;
            for of in 0..2 {
                let (all, now) = (winners[of][lane], quick[of][lane]);
                let (safe, safe_now) = (safe_winners[of][lane], safe_quick[of][lane]);
                let value = safe_now + self.slow * (safe - safe_now);
                ruffed[of][lane] = now + self.slow * (all - now) - value;
                // Neither side wins more rounds than it has cards for.
                let most = greater(longest[of][lane] - quick[1 - of][lane], 0.0);
                tricks[of][lane] = value * lesser(most / all, 1.0);
                taken += lesser(all, most);
            }
            // The remaining rounds go to the longest hand.
            let mut safe = [1.0; 2];
            for chair in 0..HANDS {
                safe[1 - chair % 2] *= hands.safe(chair, lane, self.ruffers[chair][lane], rounds[lane] - 1.0);
            }
            for of in 0..2 {
                let longer = longest[of][lane] - longest[1 - of][lane];
                tricks[of][lane] += self.long * greater(lesser(rounds[lane] - taken, longer), 0.0) * safe[of];
            }
        }
        for (lane, worth) in worth.iter_mut().enumerate() {
            let by_side = |of: &[Lanes; 2]| [of[0][lane], of[1][lane]];
            let ([a, b], [c, d], [e, f]) = (by_side(&tricks), by_side(&safe_quick), by_side(&ruffed));
            *worth = Worth([a, b, c, d, e, f, 0.0, 0.0]);
        }
    }
}
