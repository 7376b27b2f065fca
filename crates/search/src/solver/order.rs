//! The order in which cards are tried.

use super::lanes::{self, LOOSE};
use super::ranking::Ranking;
use super::sure::{LeadView, suit};

/// Weights that rank leads and plays by their promise.
///
/// Weights are only compared with each other. A bad weight costs time, but never changes the result. The rank
/// of a card is added where the higher card is the better try.
///
/// The situations and most of the numbers come from DDS, the double dummy solver of Bo Haglund and Soren
/// Hein. They are in `Moves::WeightAllocTrump0` and `WeightAllocNT0` of its `Moves.cpp`. Some numbers differ,
/// and no measurement of them is kept here.
mod weights {
    /// For the whole suit: an opponent can ruff it.
    pub const RUFFED: i32 = -12;
    /// For the whole suit: the partner can ruff it, and the opponent who plays last has to follow.
    pub const PARTNER_RUFFS: i32 = 17;
    /// For the whole suit: the last opponent has its best or second best card, guarded.
    pub const TOP_PLAYS_LAST: i32 = -11;
    /// For the whole suit: the partner has the second best card behind the best.
    pub const PARTNER_BEHIND_TOP: i32 = 29;
    /// For the whole suit: it is a singleton, and the partner wins it and can give a ruff.
    pub const RUFF_COMES_BACK: i32 = 19;
    /// For the whole suit: the cost of each card that an opponent may choose, in halves. Many choices make a
    /// large tree.
    pub const HALVES_A_CHOICE: i32 = 3;
    /// The number of choices counted for an opponent who cannot follow suit and may play any card.
    pub const ANY_CARD: i32 = 13;

    /// For a lead that wins: a card below the hand's own best card, which can be led as well.
    pub const UNDER_OWN_TOP: i32 = -3;
    /// For a lead that wins: an opponent's best card is alone and is ruffed by the partner.
    pub const TOP_IS_RUFFED: i32 = 35;
    /// For a lead that wins: the side has the best card, and no opponent has a guarded second best.
    pub const SIDE_HAS_TOP: i32 = 45;
    /// For a lead that wins: the side has the best card, but an opponent has a guarded second best.
    pub const FOE_HAS_SECOND: i32 = 20;
    /// In addition to these: the second best lies to the left, where it plays before the partner does.
    pub const FINESSE: i32 = 16;
    /// For a lead that wins: the partner ruffs it.
    pub const WINS_BY_RUFF: i32 = 15;

    /// For a lead that does not win: the partner has the second and the third best card.
    ///
    /// After this trick, the partner then has the best.
    pub const PARTNER_HAS_NEXT: i32 = 20;
    /// For a lead that does not win: hand and partner have one of these two cards each.
    pub const SIDE_HAS_NEXT: i32 = 13;
    /// For a lead that does not win: an opponent's best card is alone and falls.
    pub const TOP_FALLS: i32 = 20;
    /// For a lead that does not win: the own hand has the best card.
    pub const KEEPS_TOP: i32 = -15;
    /// For a lead that does not win: the second best card from a run, which drives out the best.
    pub const DRIVES_OUT_TOP: i32 = 40;
    /// For another lead that does not win. The lower card is the better try.
    pub const SMALL: i32 = 17;

    /// For a card played to a trick: it certainly wins.
    pub const WINS: i32 = 100;
    /// For a card played to a trick: it ruffs, higher than earlier ruffs.
    pub const RUFFS: i32 = 80;
    /// For a card played to a trick: it is the best so far, but can be beaten.
    pub const WINS_SO_FAR: i32 = 60;
    /// For a card played to a trick: it follows suit with a card that does not win.
    pub const FOLLOWS: i32 = 40;
    /// For a card that is discarded because it is of no use to the trick. The longer its suit, the better.
    pub const DISCARD: i32 = 20;
    /// The weight of each card in the suit of a discard.
    ///
    /// Each step of the discard's rank subtracts the same weight.
    pub const DISCARD_STEP: i32 = 2;
    /// For a card played to a trick: a useless trump, or a card without a suit.
    ///
    /// A trump is useless if it is not needed or does not win.
    pub const NEEDLESS: i32 = 0;
    /// In a trick that both sides want to lose: the card does not win it.
    pub const DUCKS: i32 = 60;
    /// In a trick that both sides want to lose: the card is the best so far.
    pub const TAKES: i32 = 20;
}

/// Cards to try, the most promising first.
pub(super) struct Candidates {
    /// The candidates. The upper bits have the weight, the lower bits the number of the card's bit.
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

    /// Takes the most promising candidate left that is in `rest`, or returns 0 if there is none.
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

    /// Adds all of `cards`, in ascending order if `up`, otherwise in descending order.
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

/// The three best cards of a suit.
const TOP: u16 = 1 << 15;
const SECOND: u16 = 1 << 14;
const THIRD: u16 = 1 << 13;

/// Returns whether a hand holds one card of a suit. It must hold some.
#[inline(always)]
fn single(cards: u16) -> bool {
    cards & (cards - 1) == 0
}

/// Returns the weight of the cards next to the best, of which a side has `own` and `partner`.
#[inline(always)]
fn next_best(own: u16, partner: u16) -> i32 {
    let both = own | partner;
    if partner & SECOND != 0 && partner & THIRD != 0 {
        weights::PARTNER_HAS_NEXT
    } else if both & SECOND != 0 && both & THIRD != 0 && partner != 0 && !single(partner) {
        weights::SIDE_HAS_NEXT
    } else {
        0
    }
}

/// Weighs the cards that may be led.
#[inline(always)]
pub(super) fn leads<const N: usize>(seen: &LeadView<'_, N>, choices: u64, candidates: &mut Candidates) {
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
        // The suit in each hand: the own, the partner's, and the opponents' to the left and the right.
        let [o, p, l, r] = [own, partner, left, right].map(|hand| suit(hand, number));
        let is_trumps = seen.trumps != 0 && number == Ranking::TRUMP;
        let ruffs = |hand: u64, cards: u16| !is_trumps && cards == 0 && hand & seen.trumps != 0;
        let (ruff_left, ruff_right, ruff_partner) = (ruffs(left, l), ruffs(right, r), ruffs(partner, p));
        let ruffed = ruff_left | ruff_right;
        // A suit in which the others have little choice makes a small tree.
        let spread = |cards: u16| if cards == 0 { weights::ANY_CARD } else { cards.count_ones() as i32 };
        let mut base = -(spread(l) + spread(r)) * weights::HALVES_A_CHOICE / 2;
        if ruffed {
            base += weights::RUFFED;
        }
        if ruff_partner && r != 0 {
            base += weights::PARTNER_RUFFS;
        }
        let falls = l & TOP != 0 && single(l) || r & TOP != 0 && single(r);
        let second_foe = l & SECOND != 0 && !single(l) || r & SECOND != 0 && !single(r);
        if r & (TOP | SECOND) != 0 && !single(r) {
            base += weights::TOP_PLAYS_LAST;
        } else if l & TOP != 0 && p & SECOND != 0 && !single(p) {
            base += weights::PARTNER_BEHIND_TOP;
        }
        if o & (o.wrapping_sub(1)) == 0 && own_trumps && !is_trumps && p & TOP != 0 && !single(p) {
            base += weights::RUFF_COMES_BACK;
        }
        while rest != 0 {
            let bit = 15 - rest.leading_zeros();
            let card = 1u16 << bit;
            rest ^= card;
            let rank = bit as i32 - 2;
            let run = o & (card >> 1) != 0;
            let wins = !ruffed && (card == TOP || p & TOP != 0 || ruff_partner);
            let weight = if wins {
                if o & TOP != 0 && card != TOP {
                    base + weights::UNDER_OWN_TOP + rank
                } else if falls {
                    base + weights::TOP_IS_RUFFED + rank
                } else if (o | p) & TOP != 0 {
                    let finesse = if l & SECOND != 0 { weights::FINESSE } else { 0 };
                    base + finesse + rank + if second_foe { weights::FOE_HAS_SECOND } else { weights::SIDE_HAS_TOP }
                } else {
                    base + weights::WINS_BY_RUFF + rank
                }
            } else {
                let after = next_best(o, p);
                if falls {
                    base + after + weights::TOP_FALLS + rank
                } else if o & TOP != 0 {
                    base + after + weights::KEEPS_TOP + rank
                } else if run && card == SECOND {
                    base + after + weights::DRIVES_OUT_TOP
                } else {
                    base + after + weights::SMALL - rank
                }
            };
            candidates.add(16 * number as u32 + bit, weight);
        }
    }
    let loose = choices & LOOSE;
    if loose != 0 {
        candidates.add(loose.trailing_zeros(), weights::NEEDLESS);
    }
}

/// A trick in progress as the hand to play sees it.
pub(super) struct Going {
    /// The lane that must be followed.
    pub(super) led: u64,
    pub(super) trumps: u64,
    /// The best card so far.
    pub(super) best: u64,
    /// Whether the own side played the best card so far.
    pub(super) ours: bool,
    /// The cards of the later hands of the other side.
    pub(super) foes: u64,
    /// The cards of the later hands of the own side.
    pub(super) friends: u64,
    /// Whether a later hand of the other side can ruff.
    ///
    /// It is out of the suit led and has trumps.
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
        candidates.add_all(choices & LOOSE, weights::NEEDLESS, true);
        if high == 0 || going.ours && going.best > foe && !going.ruffs {
            return candidates.add_all(choices & going.led, weights::FOLLOWS, true);
        }
        if friend > foe.max(going.best) && friend > lane_best(high) >> 1 && !going.ruffs {
            // The partner will win the trick.
            return candidates.add_all(choices & going.led, weights::FOLLOWS, true);
        }
        let sure = high & !(foe | foe.wrapping_sub(1));
        let sure = if foe == 0 { high } else { sure };
        if sure != 0 && !going.ruffs {
            candidates.add_all(sure, weights::WINS, true);
            candidates.add_all(high & !sure, weights::FOLLOWS, false);
        } else {
            candidates.add_all(high, weights::WINS_SO_FAR, false);
        }
        return candidates.add_all(low, weights::FOLLOWS, true);
    }
    let trumps = choices & going.trumps;
    let mut rest = choices & !going.trumps;
    if trumps != 0 {
        let over = if going.best & going.trumps != 0 { trumps & !(going.best | (going.best - 1)) } else { trumps };
        let needless = going.ours && going.best > lane_best(going.foes & going.led) && !going.ruffs;
        if needless {
            candidates.add_all(trumps, weights::NEEDLESS, true);
        } else {
            candidates.add_all(over, weights::RUFFS, true);
            candidates.add_all(trumps & !over, weights::NEEDLESS, true);
        }
    }
    // Small cards of long suits come first.
    while rest != 0 {
        let bit = rest.trailing_zeros();
        let card = 1u64 << bit;
        rest ^= card;
        let cards = hand & lanes::lane_of(card);
        let use_left = cards.count_ones() as i32 - (bit & 15) as i32;
        candidates.add(bit, weights::DISCARD + weights::DISCARD_STEP * use_left);
    }
}

/// Weighs the cards that may be played to a trick that both sides want to lose.
#[inline(always)]
pub(super) fn follows_to_lose(going: &Going, choices: u64, candidates: &mut Candidates) {
    let over = choices & (going.led | going.trumps) & !(going.best | going.best.wrapping_sub(1));
    candidates.add_all(choices & !over, weights::DUCKS, false);
    candidates.add_all(over, weights::TAKES, going.foes != 0);
}
