//! Tricks that can be counted without playing cards.

use super::lanes::SUITS;
use super::ranking::Ranking;

/// A lower bound on the tricks of one side.
///
/// `relevant` has the cards on which the bound depends: in each suit none or some of the best.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sure {
    pub(super) tricks: u32,
    pub(super) relevant: u64,
}

/// The cards of all hands, as seen by the hand to lead.
#[derive(Clone, Copy)]
pub(super) struct LeadView<'a, const N: usize> {
    pub(super) hands: &'a [u64; N],
    /// The hand to lead.
    pub(super) own: usize,
    /// Another hand of its side, or `N`.
    pub(super) partner: usize,
    /// By hand, whether it belongs to the other side.
    pub(super) foes: [bool; N],
    /// The lane of trumps, or 0.
    pub(super) trumps: u64,
    /// The number of cards of each hand in each suit, in four bits each.
    ///
    /// The numbers of a suit are together, hand by hand.
    pub(super) lengths: u64,
}

/// Returns a suit of a hand, with the best card in bit 15.
#[inline(always)]
pub(super) fn suit(hand: u64, number: usize) -> u16 {
    (hand >> (16 * number)) as u16 & 0xFFFE
}

/// Returns the best `count` of `length` cards.
#[inline(always)]
fn best(cards: u16, length: u32, count: u32) -> u16 {
    (count..length).fold(cards, |cards, _| cards & (cards - 1))
}

/// Returns the cards of the suit from the best down to the lowest of `cards`: `. # . #` gives `# # # #`.
#[inline(always)]
fn down_to(cards: u16) -> u16 {
    if cards == 0 { 0 } else { (cards & cards.wrapping_neg()).wrapping_neg() }
}

impl<const N: usize> LeadView<'_, N> {
    #[inline(always)]
    fn hand(&self, number: usize) -> u64 {
        if number < N { self.hands[number] } else { 0 }
    }

    /// Returns the number of cards of a hand in a suit.
    #[inline(always)]
    fn length(&self, hand: usize, suit: usize) -> u32 {
        if hand < N { (self.lengths >> (16 * suit + 4 * hand)) as u32 & 15 } else { 0 }
    }

    /// Returns the tricks that the side on lead can take at once.
    #[inline(always)]
    pub(super) fn quick_tricks(&self) -> Sure {
        let (own, partner) = (self.hands[self.own], self.hand(self.partner));
        let has_trumps = self.trumps != 0;
        let mut sure = Sure::default();
        if has_trumps {
            sure = top_trumps(&[suit(own, Ranking::TRUMP), suit(partner, Ranking::TRUMP)], self.all(Ranking::TRUMP));
        }
        // The tricks if this hand leads, and the tricks if its partner does.
        let (mut tricks, mut partners) = (0, 0);
        let mut entry = false;
        let mut partners_relevant = 0;
        for number in 0..(4 - usize::from(has_trumps)) {
            let (mut own, mut partner) = (suit(own, number), suit(partner, number));
            if own | partner == 0 {
                continue;
            }
            // `rounds` is the number of rounds of the suit in which no opponent can ruff. `longest` is the
            // number of rounds after which no opponent can follow.
            let (mut rounds, mut longest) = (16, 0);
            for hand in 0..N {
                if hand == self.own || hand == self.partner {
                    continue;
                }
                let length = self.length(hand, number);
                longest = longest.max(length);
                if self.hands[hand] & self.trumps != 0 {
                    rounds = rounds.min(length);
                }
            }
            if rounds == 0 {
                continue;
            }
            let lengths = [self.length(self.own, number), self.length(self.partner, number)];
            own = best(own, lengths[0], rounds);
            partner = best(partner, lengths[1], rounds);
            let tops = (own | partner).leading_ones();
            let tops = if tops == 0 { continue } else { u16::MAX << (16 - tops) };
            let winners = [own & tops, partner & tops];
            // For each of the two hands, the longest holding of the suit among all other hands.
            let beside = [longest.max(lengths[1]), longest.max(lengths[0])];
            let mut won = winners.map(u16::count_ones);
            let mut need = [0; 2];
            for side in 0..2 {
                need[side] = down_to(best(winners[side], won[side], beside[side]));
                // When no other hand has a card of the suit left, the rest of it wins.
                if won[side] >= beside[side] && rounds == 16 {
                    won[side] = lengths[side];
                }
            }
            sure.relevant |= u64::from(need[0]) << (16 * number);
            partners_relevant |= u64::from(need[1]) << (16 * number);
            tricks += in_suit([own, partner], won);
            partners += in_suit([partner, own], [won[1], won[0]]);
            // With a low card this hand can put the partner on lead.
            entry |= won[1] > 0 && own != 0 && partner > own & own.wrapping_neg();
        }
        if entry {
            tricks = tricks.max(partners);
            sure.relevant |= partners_relevant;
        }
        sure.tricks += tricks;
        sure
    }

    /// Returns the tricks that the other side wins after any lead.
    #[inline(always)]
    pub(super) fn later_tricks(&self) -> Sure {
        let all = self.all(Ranking::TRUMP);
        if self.trumps != 0 && all != 0 {
            let theirs: [u16; N] =
                std::array::from_fn(|hand| if self.foes[hand] { suit(self.hands[hand], Ranking::TRUMP) } else { 0 });
            return top_trumps(&theirs, all);
        }
        // The other side has the best card of every suit that can be led.
        let own = self.hands[self.own];
        let mut theirs = 0;
        for (hand, &foe) in self.hands.iter().zip(&self.foes) {
            theirs |= if foe { *hand } else { 0 };
        }
        let mut led = 0;
        for number in 0..4 {
            if suit(own, number) != 0 {
                led |= 0x8000 << (16 * number);
            }
        }
        if led == 0 || own & !SUITS != 0 || led & !theirs != 0 {
            return Sure::default();
        }
        let one = (self.hands.iter().zip(&self.foes)).any(|(hand, &foe)| foe && led & !hand == 0);
        Sure { tricks: if one { led.count_ones() } else { 1 }, relevant: led }
    }

    /// Returns a suit of all hands.
    #[inline(always)]
    fn all(&self, number: usize) -> u16 {
        suit(self.hands.iter().fold(0, |all, hand| all | hand), number)
    }
}

/// Returns the cards on which it depends that a hand certainly wins no trick, or `None`.
///
/// The hand must not be on lead and must hold no trumps, and every card must belong to a suit.
///
/// The hand wins no trick if it always has a lower card to follow with, or no card of the suit at all.
/// Counted from the lowest card of a suit upwards, it then never has fewer cards than the others.
#[inline(always)]
pub(super) fn stays_out(own: u64, others: u64) -> Option<u64> {
    let mut relevant = 0;
    for number in 0..4 {
        let (own, others) = (suit(own, number), suit(others, number));
        if own == 0 || others == 0 {
            continue;
        }
        // Counts from the lowest card upwards by how many cards the hand is ahead of the others.
        let (mut ahead, mut rest, mut left) = (0, own | others, own.count_ones());
        while rest != 0 && left > 0 {
            let card = rest & rest.wrapping_neg();
            rest ^= card;
            if own & card != 0 {
                (ahead, left) = (ahead + 1, left - 1);
            } else if ahead == 0 {
                return None;
            } else {
                ahead -= 1;
            }
        }
        relevant |= u64::from(down_to(own | others)) << (16 * number);
    }
    Some(relevant)
}

/// Returns the tricks that the trumps `theirs` of one side's hands win as the best of `all` trumps.
#[inline(always)]
fn top_trumps(theirs: &[u16], all: u16) -> Sure {
    if theirs.contains(&all) {
        return Sure { tricks: all.count_ones(), relevant: 0 };
    }
    let mut tops = theirs.iter().fold(0, |both, trumps| both | trumps).leading_ones();
    while tops > 0 {
        // Two of the best trumps may fall in one trick. But a hand plays at most one card to each trick. If
        // it holds at least `tops` trumps, the best ones fall in at least `tops` tricks.
        let best = u16::MAX << (16 - tops);
        if theirs.iter().any(|&trumps| trumps & best != 0 && trumps.count_ones() >= tops) {
            return Sure { tricks: tops, relevant: u64::from(best) << (16 * Ranking::TRUMP) };
        }
        tops -= 1;
    }
    Sure::default()
}

/// Returns the tricks in a suit of two hands, of which the first leads. `won` has the number of winners of
/// each hand.
#[inline(always)]
fn in_suit([own, partner]: [u16; 2], won: [u32; 2]) -> u32 {
    if won[1] == 0 {
        return won[0];
    }
    if won[0] == 0 {
        return if own == 0 { 0 } else { won[1] };
    }
    let lowest = |cards: u16| cards & cards.wrapping_neg();
    // One hand cannot avoid overtaking the other, or cannot reach it.
    if own < lowest(partner) {
        return won[1];
    }
    if lowest(own) > partner {
        return won[0];
    }
    // If the partner has no small card, a winner falls.
    let falls = u32::from(won[1] == partner.count_ones());
    own.count_ones().min(won[0] + won[1] - falls)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACE: u16 = 0x8000;
    const KING: u16 = 0x4000;
    const QUEEN: u16 = 0x2000;
    const JACK: u16 = 0x1000;
    const TEN: u16 = 0x0800;

    #[test]
    fn best_trumps_of_one_side_may_fall_together() {
        let all = ACE | KING | QUEEN | JACK | TEN;
        let tricks = |theirs: &[u16]| top_trumps(theirs, all).tricks;
        assert_eq!(tricks(&[ACE, KING]), 1);
        assert_eq!(tricks(&[ACE, KING | TEN]), 2);
        // The number of trumps of a third hand does not matter.
        assert_eq!(tricks(&[ACE, KING, JACK | TEN]), 1);
        assert_eq!(tricks(&[all, 0]), 5);
        assert_eq!(tricks(&[KING | QUEEN, JACK]), 0);
    }

    #[test]
    fn a_hand_with_something_lower_each_time_stays_out() {
        let hand = |cards: u16| u64::from(cards);
        assert!(stays_out(hand(QUEEN | TEN), hand(ACE | KING | JACK)).is_some());
        assert_eq!(stays_out(hand(QUEEN), hand(ACE | KING | JACK)), None);
        assert_eq!(stays_out(hand(ACE | TEN), hand(KING | QUEEN | JACK)), None);
        // Only this hand has the suit, so no other hand can lead it. It does not follow the others' suit.
        assert!(stays_out(hand(ACE), hand(ACE) << 16).is_some());
    }
}
