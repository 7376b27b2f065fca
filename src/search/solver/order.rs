//! Which cards to try first.

use super::lanes::{self, LOOSE};
use super::ranking::Ranking;
use super::sure::{Seen, suit};

/// Cards to try, the most promising first.
pub(super) struct Candidates {
    /// A weight above the number of a bit.
    ranked: [i32; 20],
    count: usize,
}

impl Candidates {
    #[inline(always)]
    pub(super) fn new() -> Candidates {
        Candidates { ranked: [0; 20], count: 0 }
    }

    #[inline(always)]
    fn add(&mut self, bit: u32, weight: i32) {
        self.ranked[self.count] = weight << 8 | bit as i32;
        self.count += 1;
    }

    /// The next one that is among `rest`; 0 if there is none.
    #[inline(always)]
    pub(super) fn next(&mut self, rest: u64) -> u64 {
        loop {
            if self.count == 0 {
                return 0;
            }
            let mut best = 0;
            for place in 1..self.count {
                if self.ranked[place] > self.ranked[best] {
                    best = place;
                }
            }
            let card = 1 << (self.ranked[best] & 63);
            self.count -= 1;
            self.ranked[best] = self.ranked[self.count];
            if rest & card != 0 {
                return card;
            }
        }
    }

    /// All of `cards`, the lowest first if `up`, else the highest.
    #[inline(always)]
    pub(super) fn add_all(&mut self, cards: u64, base: i32, up: bool) {
        let mut rest = cards;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let rank = (bit & 15) as i32;
            self.add(bit, if up { base - rank } else { base + rank });
        }
    }
}

/// Weighs the cards that may be led.
#[inline(always)]
pub(super) fn leads<const N: usize>(seen: &Seen<'_, N>, choices: u64, candidates: &mut Candidates) {
    let own = seen.hands[seen.own];
    let hand = |number: usize| if number < N { seen.hands[number] } else { 0 };
    let partner = hand(seen.partner);
    let foe = |number: usize| if seen.foes[number] { seen.hands[number] } else { 0 };
    let (left, right) = (foe((seen.own + 1) % N), foe((seen.own + N - 1) % N));
    let own_trumps = own & seen.trumps != 0;
    for number in 0..4 {
        let mut rest = suit(choices, number);
        if rest == 0 {
            continue;
        }
        let [o, p, l, r] = [own, partner, left, right].map(|hand| suit(hand, number));
        let is_trumps = seen.trumps != 0 && number == Ranking::TRUMP;
        let ruffs = |hand: u64, cards: u16| !is_trumps && cards == 0 && hand & seen.trumps != 0;
        let (ruff_left, ruff_right, ruff_partner) = (ruffs(left, l), ruffs(right, r), ruffs(partner, p));
        let ruffed = ruff_left | ruff_right;
        // A suit in which the others have little choice makes a small tree.
        let spread = |cards: u16| if cards == 0 { 13 } else { cards.count_ones() as i32 };
        let mut base = -(spread(l) + spread(r)) * 3 / 2;
        if ruffed {
            base -= 12;
        }
        if ruff_partner && r != 0 {
            base += 17;
        }
        let (top, second, third) = (0x8000, 0x4000, 0x2000);
        let single = |cards: u16| cards & (cards - 1) == 0;
        let falls = l & top != 0 && single(l) || r & top != 0 && single(r);
        let second_foe = l & second != 0 && !single(l) || r & second != 0 && !single(r);
        if r & (top | second) != 0 && !single(r) {
            base -= 11;
        } else if l & top != 0 && p & second != 0 && !single(p) {
            base += 29;
        }
        if o & (o.wrapping_sub(1)) == 0 && own_trumps && !is_trumps && p & top != 0 && !single(p) {
            base += 19;
        }
        while rest != 0 {
            let bit = 15 - rest.leading_zeros();
            let card = 1u16 << bit;
            rest ^= card;
            let rank = bit as i32 - 2;
            let run = o & (card >> 1) != 0;
            let wins = !ruffed && (card == top || p & top != 0 || ruff_partner);
            let weight = if wins {
                if o & top != 0 && card != top {
                    base - 3 + rank
                } else if falls {
                    base + 35 + rank
                } else if (o | p) & top != 0 {
                    let finesse = if l & second != 0 { 16 } else { 0 };
                    base + finesse + if second_foe { 20 + rank } else { 45 + rank }
                } else {
                    base + 15 + rank
                }
            } else {
                let after = if p & second != 0 && p & third != 0 {
                    20
                } else if (o | p) & second != 0 && (o | p) & third != 0 && p != 0 && !single(p) {
                    13
                } else {
                    0
                };
                if falls {
                    base + after + 20 + rank
                } else if o & top != 0 {
                    base + after - 15 + rank
                } else if run && card == second {
                    base + after + 40
                } else {
                    base + after + 17 - rank
                }
            };
            candidates.add(16 * number as u32 + bit, weight);
        }
    }
    let loose = choices & LOOSE;
    if loose != 0 {
        candidates.add(loose.trailing_zeros(), 0);
    }
}

/// A trick in progress as the hand to play sees it.
pub(super) struct Going {
    /// The lane that is to be followed.
    pub(super) led: u64,
    pub(super) trumps: u64,
    /// The best card yet, whether it is of the own side.
    pub(super) best: u64,
    pub(super) ours: bool,
    /// The cards of the other side and of the own that are still to come in.
    pub(super) foes: u64,
    pub(super) friends: u64,
    /// Whether somebody of the other side comes who is out of the suit led and has trumps.
    pub(super) ruffs: bool,
}

/// Weighs the cards that may be played to a trick.
#[inline(always)]
pub(super) fn follows(going: &Going, hand: u64, choices: u64, candidates: &mut Candidates) {
    let suits = hand & going.led;
    let winning = if going.best & going.led != 0 { suits & !(going.best | (going.best - 1)) } else { 0 };
    let lane_best = |cards: u64| if cards == 0 { 0 } else { 1u64 << (63 - cards.leading_zeros()) };
    if suits != 0 {
        let foe = lane_best(going.foes & going.led);
        let friend = lane_best(going.friends & going.led);
        let low = choices & going.led & !winning;
        let high = choices & winning;
        candidates.add_all(choices & LOOSE, 0, true);
        if high == 0 || going.ours && going.best > foe && !going.ruffs {
            return candidates.add_all(choices & going.led, 40, true);
        }
        if friend > foe.max(going.best) && friend > lane_best(high) >> 1 && !going.ruffs {
            // The partner takes care of it.
            return candidates.add_all(choices & going.led, 40, true);
        }
        let sure = high & !(foe | foe.wrapping_sub(1));
        let sure = if foe == 0 { high } else { sure };
        if sure != 0 && !going.ruffs {
            candidates.add_all(sure, 100, true);
            candidates.add_all(high & !sure, 40, false);
        } else {
            candidates.add_all(high, 60, false);
        }
        return candidates.add_all(low, 40, true);
    }
    let trumps = choices & going.trumps;
    let mut rest = choices & !going.trumps;
    if trumps != 0 {
        let over = if going.best & going.trumps != 0 { trumps & !(going.best | (going.best - 1)) } else { trumps };
        let needless = going.ours && going.best > lane_best(going.foes & going.led) && !going.ruffs;
        if needless {
            candidates.add_all(trumps, 0, true);
        } else {
            candidates.add_all(over, 80, true);
            candidates.add_all(trumps & !over, 0, true);
        }
    }
    // Small cards of long suits first.
    while rest != 0 {
        let bit = rest.trailing_zeros();
        let card = 1u64 << bit;
        rest ^= card;
        let cards = hand & lanes::lane_of(card);
        candidates.add(bit, 20 + 2 * cards.count_ones() as i32 - 2 * (bit & 15) as i32);
    }
}

/// Weighs the cards that may be played to a trick that nobody wants.
#[inline(always)]
pub(super) fn follows_to_lose(going: &Going, choices: u64, candidates: &mut Candidates) {
    let over = choices & (going.led | going.trumps) & !(going.best | going.best.wrapping_sub(1));
    candidates.add_all(choices & !over, 60, false);
    candidates.add_all(over, 20, going.foes != 0);
}
