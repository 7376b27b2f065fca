//! What suits are worth to each side: the tricks that their cards may win, from the best card to the worst.
//!
//! Suits are put down first and computed eight at a time, since a processor computes eight numbers as fast as one.

use super::Params;
use super::position::{CHAIRS, Cards};
#[cfg(target_arch = "x86_64")]
use crate::rule_based::processor::is_newer;

/// How much longer than the average a suit may be in a hidden hand.
const SPREAD: f32 = 0.6;
/// How fast a hand of known length comes to have no card of the suit left, in chance for each round.
const STEEP: f32 = 1024.0;
/// So many suits are computed at once.
const LANES: usize = 8;
/// More suits than any decision needs: each of fifteen cards may leave four of them otherwise, whoever wins the trick.
const MOST: usize = 128;

/// The lowest bit for every chair.
const EVERY_CHAIR: u64 = 0x0001_0001_0001_0001;

/// One number for each of the suits that are computed at once.
type Lanes = [f32; LANES];

/// What a suit is worth, or several.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Worth([f32; 8]);

impl Worth {
    const NOTHING: Worth = Worth([0.0; 8]);

    /// Tricks in all of a side.
    #[inline(always)]
    pub(super) fn tricks(&self, side: usize) -> f32 {
        self.0[side]
    }

    /// Tricks of a side that can be had at once.
    #[inline(always)]
    pub(super) fn quick(&self, side: usize) -> f32 {
        self.0[2 + side]
    }

    /// Tricks of a side that the other may ruff.
    #[inline(always)]
    pub(super) fn ruffed(&self, side: usize) -> f32 {
        self.0[4 + side]
    }
}

/// By suit: the number under which it was put down. They are one word, since a processor waits before it reads together
/// what it has just written apart.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers(u32);

impl Numbers {
    /// Sets the number of a suit.
    #[inline(always)]
    pub(super) fn set(&mut self, suit: usize, number: u8) {
        self.0 = self.0 & !(0xFF << (8 * suit)) | u32::from(number) << (8 * suit);
    }
}

/// The suits that were put down to be computed. It is kept from one decision to the next as memory to write into.
pub(super) struct Suits {
    /// How many were put down.
    count: usize,
    /// What they are worth, as far as they are computed.
    worth: [[Worth; LANES]; MOST / LANES],
    waiting: Waiting,
    /// [`Waiting::compute`], compiled for this processor.
    compute: Compute,
    /// Whether the processor has what is compiled for newer ones.
    is_newer: bool,
}

type Compute = fn(&Waiting, &mut [Worth; LANES]);

/// Suits that wait to be computed, each in a lane.
struct Waiting {
    /// The number of chairs that play: all, or in Humbug one of each side.
    chairs: usize,
    /// By holder, the pool last: its cards. The best card of the suit has bit 15, the next bit 14, without gaps.
    cards: [[u32; LANES]; CHAIRS + 1],
    /// By chair: the chance that a card of the pool lies there.
    share: [Lanes; CHAIRS],
    /// By chair: the chance that it holds a trump and may ruff the suit.
    ruffers: [Lanes; CHAIRS],
    /// What a card is worth that wins only once higher ones are gone.
    slow: f32,
    /// What a card is worth that wins only because its suit is longer than others'.
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

    /// Begins anew, where so many chairs play.
    #[inline(always)]
    pub(super) fn clear(&mut self, chairs: usize) {
        self.count = 0;
        self.waiting.chairs = chairs;
    }

    /// Puts a suit down, and gives its number. `share` has, by chair, the chance that a card of the pool lies there;
    /// `ruffers`, by chair, the chance that it holds a trump and may ruff the suit.
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

    /// What the suits of these numbers are worth together.
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

/// The cards with those of each holder moved together from bit 15 down, so that there is no gap in the suit.
#[inline(always)]
fn squeezed(cards: &Cards, is_newer: bool) -> Cards {
    let all = cards.all();
    #[cfg(target_arch = "x86_64")]
    if is_newer {
        let top = u64::from(!(0xFFFF >> all.count_ones()) as u16);
        // SAFETY: newer processors can do this at once.
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

/// [`Waiting::compute`] as it is quickest on this processor, and whether that is a newer one.
fn computer() -> (Compute, bool) {
    #[cfg(target_arch = "x86_64")]
    if is_newer() {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn newer(waiting: &Waiting, worth: &mut [Worth; LANES]) {
            waiting.compute(worth);
        }
        // SAFETY: the processor was just seen to have what this is compiled for.
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

/// What the hands that wait are like in each suit.
struct Hands {
    /// By chair: how many cards of the suit it holds, on average.
    length: [Lanes; CHAIRS],
    /// By side: how many rounds of the suit it can follow, and how many anybody can.
    longest: [Lanes; 2],
    rounds: Lanes,
    /// By side: the chance that a card of the pool lies there.
    share: [Lanes; 2],
    /// By chair: the chance that it cannot ruff, and by how much the chance that it has to follow adds to that, which
    /// is `start - fall * depth` after `depth` cards, as far as that can be.
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

    /// The chance that a chair does not ruff a card that is played after `depth` others, if it ruffs with chance
    /// `ruffs` when it can.
    #[inline(always)]
    fn safe(&self, chair: usize, lane: usize, ruffs: f32, depth: f32) -> f32 {
        let follows = self.start[chair][lane] - self.fall[chair][lane] * depth;
        self.tame[chair][lane] + lesser(greater(follows, 0.0), ruffs)
    }
}

impl Waiting {
    /// Computes what the suits are worth.
    #[inline(always)]
    fn compute(&self, worth: &mut [Worth; LANES]) {
        if self.chairs > 2 { self.compute_for::<CHAIRS>(worth) } else { self.compute_for::<2>(worth) }
    }

    /// How many cards the suit with the most has.
    #[inline(always)]
    fn most_cards(&self) -> u32 {
        let mut all = 0;
        for cards in self.cards.as_flattened() {
            all |= cards;
        }
        // The cards of each suit lie from bit 15 down without a gap.
        16 - all.trailing_zeros().min(16)
    }

    /// Computes what the suits are worth where so many hands play. Each loop over lanes reads as if there was one suit,
    /// and has no branch.
    #[inline(always)]
    fn compute_for<const HANDS: usize>(&self, worth: &mut [Worth; LANES]) {
        let hands = Hands::new::<HANDS>(self);
        let Hands { length, longest, rounds, share, .. } = &hands;
        // By side: the cards that lie above the next, and sums over the cards so far.
        let (mut above, mut winners, mut quick) = ([NONE; 2], [NONE; 2], [NONE; 2]);
        let (mut safe_winners, mut safe_quick) = ([NONE; 2], [NONE; 2]);
        // Where two hands lie aside, cards may run out before the sums show that nobody has one.
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
                // By side: the chance that it has the card, how long the hand is, and the chance that it is not ruffed.
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
            // The rounds that are left over go to the longest hand.
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
