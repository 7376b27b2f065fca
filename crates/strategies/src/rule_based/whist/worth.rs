//! The worth of suits to each side: the tricks that their cards may win.
//!
//! Suits are queued and computed eight at a time, since a processor computes eight numbers as fast as one.

use super::Params;
use super::position::{CHAIRS, SuitCards};
#[cfg(target_arch = "x86_64")]
use crate::rule_based::processor::is_newer;

/// The possible excess of a hidden hand's suit length over the average.
const SPREAD: f32 = 0.6;
/// The fall per round of the chance to follow suit, at the end of a hand's known length.
const STEEP: f32 = 1024.0;
/// The number of suits that are computed together.
const SLOTS: usize = 8;
/// More suits than any decision needs: each of fifteen cards changes at most four suits, for each winner.
const MOST: usize = 128;

/// The lowest bit for every chair.
const EVERY_CHAIR: u64 = 0x0001_0001_0001_0001;

/// One number for each of the suits that are computed together.
type PerSlot = [f32; SLOTS];

/// The worth of one or several suits.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct SuitWorth([f32; 8]);

impl SuitWorth {
    const NOTHING: SuitWorth = SuitWorth([0.0; 8]);

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
pub(super) struct SuitNumbers(u32);

impl SuitNumbers {
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
    worth: [[SuitWorth; SLOTS]; MOST / SLOTS],
    waiting: Waiting,
    /// [`Waiting::compute`], compiled for this processor.
    compute: Compute,
    /// Whether the processor has the features of the newer version.
    is_newer: bool,
}

type Compute = fn(&Waiting, &mut [SuitWorth; SLOTS]);

/// Suits that wait to be computed, each in a slot.
struct Waiting {
    /// The number of chairs that play: all, or in Humbug one on each side.
    chairs: usize,
    /// By holder, the pool last: its cards. The best card of the suit has bit 15, the next bit 14, without
    /// gaps.
    cards: [[u32; SLOTS]; CHAIRS + 1],
    /// By chair: the chance that it holds a card of the pool.
    share: [PerSlot; CHAIRS],
    /// By chair: the chance that it holds a trump and may ruff the suit.
    ruffers: [PerSlot; CHAIRS],
    /// The worth of a card that wins only once higher cards are gone.
    slow: f32,
    /// The worth of a card that wins only because its suit is longer than others'.
    long: f32,
}

impl Suits {
    pub(super) fn new(params: &Params) -> Box<Suits> {
        let waiting = Waiting {
            chairs: CHAIRS,
            cards: [[0; SLOTS]; CHAIRS + 1],
            share: [[0.0; SLOTS]; CHAIRS],
            ruffers: [[0.0; SLOTS]; CHAIRS],
            slow: params.slow,
            long: params.long,
        };
        let (compute, is_newer) = computer();
        Box::new(Suits { count: 0, worth: [[SuitWorth::NOTHING; SLOTS]; MOST / SLOTS], waiting, compute, is_newer })
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
    pub(super) fn put(&mut self, cards: &SuitCards, share: &[f32; CHAIRS], ruffers: &[f32; CHAIRS]) -> u8 {
        debug_assert!(self.count < MOST);
        let (number, slot) = (self.count % MOST, self.count % SLOTS);
        let Waiting { cards: waiting, share: shares, ruffers: all_ruffers, .. } = &mut self.waiting;
        let cards = squeezed(cards, self.is_newer);
        waiting[CHAIRS][slot] = cards.pool.into();
        for chair in 0..CHAIRS {
            waiting[chair][slot] = cards.lane(chair).into();
            shares[chair][slot] = share[chair];
            all_ruffers[chair][slot] = ruffers[chair];
        }
        self.count += 1;
        if slot == SLOTS - 1 {
            (self.compute)(&self.waiting, &mut self.worth[number / SLOTS]);
        }
        number as u8
    }

    /// Computes the suits that still wait.
    #[inline(always)]
    pub(super) fn finish(&mut self) {
        if !self.count.is_multiple_of(SLOTS) {
            (self.compute)(&self.waiting, &mut self.worth[self.count % MOST / SLOTS]);
        }
    }

    /// Returns the total worth of the suits with these numbers.
    #[inline(always)]
    pub(super) fn sum(&self, numbers: SuitNumbers) -> SuitWorth {
        let mut sum = SuitWorth::NOTHING;
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
fn squeezed(cards: &SuitCards, is_newer: bool) -> SuitCards {
    let all = cards.all();
    #[cfg(target_arch = "x86_64")]
    if is_newer {
        let top = u64::from(!(0xFFFF >> all.count_ones()) as u16);
        // SAFETY: newer processors have these instructions.
        return unsafe {
            use core::arch::x86_64::{_pdep_u64, _pext_u64};
            let held = _pext_u64(cards.held, u64::from(all) * EVERY_CHAIR);
            let pool = _pext_u64(cards.pool.into(), all.into());
            SuitCards { held: _pdep_u64(held, top * EVERY_CHAIR), pool: _pdep_u64(pool, top) as u16 }
        };
    }
    let (mut squeezed, mut rest, mut place) = (SuitCards::default(), all, 16 - all.count_ones());
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
        fn newer(waiting: &Waiting, worth: &mut [SuitWorth; SLOTS]) {
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

const NONE: PerSlot = [0.0; SLOTS];

/// Properties of the hands in each waiting suit.
struct SuitHands {
    /// By chair: the average number of cards of the suit.
    length: [PerSlot; CHAIRS],
    /// By side: the number of rounds of the suit that it can follow; then the maximum.
    longest: [PerSlot; 2],
    rounds: PerSlot,
    /// By side: the chance that it holds a card of the pool.
    share: [PerSlot; 2],
    /// By chair: the chance that it holds no trump.
    ///
    /// The chance to follow suit adds `start - fall * depth` after `depth` cards, limited to the chance of a
    /// trump.
    tame: [PerSlot; CHAIRS],
    start: [PerSlot; CHAIRS],
    fall: [PerSlot; CHAIRS],
}

impl SuitHands {
    #[inline(always)]
    fn new<const HANDS: usize>(suits: &Waiting) -> SuitHands {
        let (none, one_each) = ([NONE; CHAIRS], [NONE; 2]);
        let (mut length, mut tame, mut start, mut fall) = (none, none, none, none);
        let (mut longest, mut rounds, mut share) = (one_each, NONE, one_each);
        for chair in 0..HANDS {
            for slot in 0..SLOTS {
                let (part, ruffs) = (suits.share[chair][slot], suits.ruffers[chair][slot]);
                let hidden = part * suits.cards[CHAIRS][slot].count_ones() as f32;
                let cards = suits.cards[chair][slot].count_ones() as f32 + hidden;
                length[chair][slot] = cards;
                // The longer of two hidden hands is longer than the average.
                let reach = cards + if hidden > 1.0 { SPREAD } else { 0.0 };
                longest[chair % 2][slot] = greater(longest[chair % 2][slot], reach);
                rounds[slot] = greater(rounds[slot], reach);
                share[chair % 2][slot] += part;
                // A hand of known length can follow if it has half a card left.
                let is_known = part == 0.0;
                let slope = if is_known { STEEP } else { 0.5 };
                tame[chair][slot] = 1.0 - ruffs;
                start[chair][slot] = ruffs * (slope * (cards - 0.5) + if is_known { 0.0 } else { 0.5 });
                fall[chair][slot] = ruffs * slope;
            }
        }
        SuitHands { length, longest, rounds, share, tame, start, fall }
    }

    /// Returns the chance that a chair does not ruff a card that is played after `depth` others.
    ///
    /// `ruffs` is the chance that it holds a trump.
    #[inline(always)]
    fn safe(&self, chair: usize, slot: usize, ruffs: f32, depth: f32) -> f32 {
        let follows = self.start[chair][slot] - self.fall[chair][slot] * depth;
        self.tame[chair][slot] + lesser(greater(follows, 0.0), ruffs)
    }
}

impl Waiting {
    /// Computes the worth of the suits.
    #[inline(always)]
    fn compute(&self, worth: &mut [SuitWorth; SLOTS]) {
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
    /// Each loop over slots is written as for one suit, and has no branch.
    #[inline(always)]
    fn compute_for<const HANDS: usize>(&self, worth: &mut [SuitWorth; SLOTS]) {
        let hands = SuitHands::new::<HANDS>(self);
        let SuitHands { length, longest, rounds, share, .. } = &hands;
        // By side: the cards above the next card, and sums over the cards so far.
        let (mut above, mut winners, mut quick) = ([NONE; 2], [NONE; 2], [NONE; 2]);
        let (mut safe_winners, mut safe_quick) = ([NONE; 2], [NONE; 2]);
        // With two hands aside, the cards may run out before the sums show that no hand has any left.
        let cards = if HANDS == CHAIRS { 16 } else { self.most_cards() };
        for card in 0..cards {
            let mut goes_on = false;
            for slot in 0..SLOTS {
                goes_on |= above[0][slot] + above[1][slot] < rounds[slot];
            }
            if !goes_on {
                break;
            }
            for slot in 0..SLOTS {
                let is_at = |holder: usize| (self.cards[holder][slot] >> (15 - card) & 1) as f32;
                let higher = [above[0][slot], above[1][slot]];
                let depth = higher[0] + higher[1];
                let reach = chance(rounds[slot] - depth);
                let pool = is_at(CHAIRS);
                // By side: the chance that it has the card, the length of the hand, and the chance of no
                // ruff.
                let mut live = [pool * share[0][slot], pool * share[1][slot]];
                let mut holds = [pool * longest[0][slot], pool * longest[1][slot]];
                let mut safe = [1.0; 2];
                for chair in 0..HANDS {
                    live[chair % 2] += is_at(chair);
                    holds[chair % 2] += is_at(chair) * length[chair][slot];
                    safe[1 - chair % 2] *= hands.safe(chair, slot, self.ruffers[chair][slot], depth);
                }
                for side in 0..2 {
                    let count = live[side] * chance(holds[side] - higher[1 - side]) * reach;
                    let at_once = greater(1.0 - higher[1 - side], 0.0);
                    winners[side][slot] += count;
                    quick[side][slot] += count * at_once;
                    safe_winners[side][slot] += count * safe[side];
                    safe_quick[side][slot] += count * safe[side] * at_once;
                    above[side][slot] += live[side];
                }
            }
        }
        let (mut tricks, mut ruffed) = ([NONE; 2], [NONE; 2]);
        for slot in 0..SLOTS {
            let mut taken = 0.0;
            for side in 0..2 {
                let (all, now) = (winners[side][slot], quick[side][slot]);
                let (safe, safe_now) = (safe_winners[side][slot], safe_quick[side][slot]);
                let value = safe_now + self.slow * (safe - safe_now);
                ruffed[side][slot] = now + self.slow * (all - now) - value;
                // Neither side wins more rounds than it has cards for.
                let most = greater(longest[side][slot] - quick[1 - side][slot], 0.0);
                tricks[side][slot] = value * lesser(most / all, 1.0);
                taken += lesser(all, most);
            }
            // The remaining rounds go to the longest hand.
            let mut safe = [1.0; 2];
            for chair in 0..HANDS {
                safe[1 - chair % 2] *= hands.safe(chair, slot, self.ruffers[chair][slot], rounds[slot] - 1.0);
            }
            for side in 0..2 {
                let longer = longest[side][slot] - longest[1 - side][slot];
                tricks[side][slot] += self.long * greater(lesser(rounds[slot] - taken, longer), 0.0) * safe[side];
            }
        }
        for (slot, worth) in worth.iter_mut().enumerate() {
            let by_side = |worths: &[PerSlot; 2]| [worths[0][slot], worths[1][slot]];
            let ([a, b], [c, d], [e, f]) = (by_side(&tricks), by_side(&safe_quick), by_side(&ruffed));
            *worth = SuitWorth([a, b, c, d, e, f, 0.0, 0.0]);
        }
    }
}
