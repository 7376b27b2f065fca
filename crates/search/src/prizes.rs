//! Searches the last tricks of a play for two with a prize for each trick.
//!
//! This is alpha-beta on the difference of the scores. Positions before a lead are remembered. Cards of a
//! suit are equal if the other player holds no rank between them, and only one of them is tried. The search
//! leaves a position as soon as even all remaining prizes could not make it matter.

use overtrick_cards::{Card, CardSet};
use overtrick_game::Prizes;

/// The number of positions that are remembered.
const KNOWN: usize = 1 << 13;
/// The least number of remaining tricks of a remembered position. Shorter positions are searched again.
const WORTHWHILE: usize = 3;
/// Replaces the totals where they do not affect the remaining prizes.
const ANY: u32 = u32::MAX;
/// A bound beyond the difference of any two scores.
const BEYOND: i32 = 30_000;

/// The search and its memory.
///
/// Its answers never depend on its memory, but whether a budget suffices does.
#[derive(Default)]
pub struct PrizeSearch {
    memory: Vec<KnownPosition>,
    /// The terms that the memory holds for.
    terms: PrizeTerms,
    /// The generation of the current terms. Entries of earlier terms have other numbers.
    generation: u32,
}

/// The terms that positions must share for results of one to hold for another.
#[derive(Clone, Default, PartialEq)]
struct PrizeTerms {
    /// The points by number of tricks not yet complete.
    points: [i32; 13],
    lowest: i32,
}

/// The parts of a position before a lead by which the memory finds it.
struct PrizeKey {
    /// The index in the memory.
    place: usize,
    /// The hands. The top bit of the second is the player on lead.
    hands: [u64; 2],
    /// The totals, or [`ANY`].
    totals: u32,
    /// The difference of the totals where these do not matter, otherwise 0. Remembered bounds leave it out.
    so_far: i32,
}

/// A remembered position before a lead.
#[derive(Clone, Copy, Default)]
struct KnownPosition {
    hands: [u64; 2],
    totals: u32,
    generation: u32,
    /// The lower bound on the final difference of the scores.
    least: i16,
    /// The upper bound on it.
    most: i16,
    /// The number of the best card, or of the card that caused a cut-off.
    best: u8,
}

impl PrizeSearch {
    /// Returns the entry of a position, if there is one.
    #[inline(always)]
    fn known(&self, key: &PrizeKey) -> Option<&KnownPosition> {
        let known = &self.memory[key.place];
        let is_same = known.hands == key.hands && known.totals == key.totals && known.generation == self.generation;
        is_same.then_some(known)
    }

    /// Returns the entry of a position, or makes one with these bounds.
    #[inline(always)]
    fn remember(&mut self, key: &PrizeKey, least: i16, most: i16) -> &mut KnownPosition {
        if self.known(key).is_none() {
            let PrizeKey { hands, totals, .. } = *key;
            self.memory[key.place] = KnownPosition { hands, totals, generation: self.generation, least, most, best: 0 };
        }
        &mut self.memory[key.place]
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            // Without this, an old generation could get the same number.
            self.memory.clear();
            1
        });
    }

    /// Returns the first player's final score minus the second's, when both play as well as possible.
    ///
    /// `None` if the search would visit more than `nodes` positions.
    pub fn difference_within(&mut self, position: &Prizes, nodes: u64) -> Option<i32> {
        if self.memory.is_empty() {
            (self.memory, self.generation) = (vec![KnownPosition::default(); KNOWN], 1);
        }
        let tricks = position.tricks_left();
        let mut terms = PrizeTerms { points: [0; 13], lowest: position.lowest };
        for left in 1..=tricks {
            terms.points[left - 1] = position.points[tricks - left];
        }
        if terms != self.terms {
            self.terms = terms;
            self.forget();
        }
        let mut gains = [[0; 2]; 14];
        for left in 1..=tricks {
            let points = self.terms.points[left - 1];
            gains[left] = [gains[left - 1][0] + points.min(0), gains[left - 1][1] + points.max(0)];
        }
        let hands = position.hands.map(CardSet::bits);
        let mut search = AlphaBeta { search: self, gains, nodes };
        match position.led {
            Some(led) => search.follow(hands, position.turn, led, position.totals, -BEYOND, BEYOND),
            None => search.lead(hands, position.turn, position.totals, -BEYOND, BEYOND),
        }
    }
}

struct AlphaBeta<'a> {
    search: &'a mut PrizeSearch,
    /// The least and the most that a player can gain, by number of tricks not yet complete.
    gains: [[i32; 2]; 14],
    /// The number of positions that may still be visited.
    nodes: u64,
}

impl AlphaBeta<'_> {
    /// Returns the first player's score minus the second's, if the deal ends with these totals.
    fn score_difference(&self, totals: [i32; 2]) -> i32 {
        let lowest = self.search.terms.lowest;
        totals[0].max(lowest) - totals[1].max(lowest)
    }

    /// Returns the final difference of the scores if `turn` leads, or `None` if the nodes are used up.
    ///
    /// The value is exact between `least` and `most`. Outside, it is a bound on the same side.
    fn lead(&mut self, hands: [u64; 2], turn: usize, totals: [i32; 2], mut least: i32, mut most: i32) -> Option<i32> {
        let left = hands[0].count_ones() as usize;
        if left == 0 {
            return Some(self.score_difference(totals));
        }
        if left == 1 {
            let [led, answer] = [hands[turn], hands[1 - turn]].map(|hand| hand.trailing_zeros() % 16);
            let mut totals = totals;
            totals[if answer >= led { 1 - turn } else { turn }] += self.search.terms.points[0];
            return Some(self.score_difference(totals));
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let [bad, good] = self.gains[left];
        let low = self.score_difference([totals[0] + bad, totals[1] + good]);
        let high = self.score_difference([totals[0] + good, totals[1] + bad]);
        if high <= least || low == high {
            return Some(high);
        }
        if low >= most {
            return Some(low);
        }
        let key = self.key(hands, turn, totals, bad);
        let remembers = left >= WORTHWHILE;
        let mut first = None;
        if remembers && let Some(known) = self.search.known(&key) {
            let (at_least, at_most) = (i32::from(known.least) + key.so_far, i32::from(known.most) + key.so_far);
            if at_least >= most || at_least == at_most {
                return Some(at_least);
            }
            if at_most <= least {
                return Some(at_most);
            }
            (least, most) = (least.max(at_least), most.min(at_most));
            first = Some(known.best);
        }
        let window = (least, most);
        let (mut best, mut chosen) = (if turn == 0 { -BEYOND } else { BEYOND }, 0);
        let mut cards = CardList::of(distinct(hands[turn], ranks(hands[1 - turn])));
        // High cards first if the prize is good, otherwise low cards.
        if self.search.terms.points[left - 1] < 0 {
            cards.turn_round();
        }
        if let Some(first) = first {
            cards.put_first(first);
        }
        for &number in cards.list() {
            let card = Card::from_index(number);
            let mut after = hands;
            after[turn] &= !(1 << number);
            let ahead = self.follow(after, 1 - turn, card, totals, least, most)?;
            let is_better = if turn == 0 { ahead > best } else { ahead < best };
            if is_better {
                (best, chosen) = (ahead, number);
            }
            if turn == 0 {
                least = least.max(ahead);
            } else {
                most = most.min(ahead);
            }
            if least >= most {
                break;
            }
        }
        if remembers {
            let so_far = key.so_far;
            let [low, high, value] = [low, high, best].map(|value| (value - so_far) as i16);
            let known = self.search.remember(&key, low, high);
            known.best = chosen;
            if best < window.1 {
                known.most = known.most.min(value);
            }
            if best > window.0 {
                known.least = known.least.max(value);
            }
        }
        Some(best)
    }

    /// Returns the key of a position, in which no player can lose more than `-bad` from now on.
    #[inline(always)]
    fn key(&self, hands: [u64; 2], turn: usize, totals: [i32; 2], bad: i32) -> PrizeKey {
        // Where neither player can fall below the lowest score, only the remaining prizes matter.
        let is_free = totals[0].min(totals[1]) + bad >= self.search.terms.lowest;
        let so_far = if is_free { totals[0] - totals[1] } else { 0 };
        let totals = if is_free { ANY } else { totals[0] as u16 as u32 | (totals[1] as u16 as u32) << 16 };
        let hands = [hands[0], hands[1] | (turn as u64) << 63];
        PrizeKey { place: place(hands, totals), hands, totals, so_far }
    }

    /// Returns the same if the other player has led `led` and `turn` plays to it.
    fn follow(
        &mut self,
        hands: [u64; 2],
        turn: usize,
        led: Card,
        totals: [i32; 2],
        mut least: i32,
        mut most: i32,
    ) -> Option<i32> {
        let left = hands[turn].count_ones() as usize;
        let points = self.search.terms.points[left - 1];
        let (suit, rank) = (led.index() / 16, led.index() % 16);
        let in_suit = hands[turn] & CardSet::lane(suit).bits();
        let legal = if in_suit == 0 { hands[turn] } else { in_suit };
        let other = ranks(hands[1 - turn]) | 1 << rank;
        let mut cards = CardList::of(distinct(legal, other));
        // A player who wants the prize begins with the lowest winning card, otherwise with the highest losing
        // card.
        let wins = |number: u8| usize::from(number) % 16 >= rank;
        if points >= 0 {
            cards.turn_round();
            let lower = cards.list().iter().take_while(|&&number| !wins(number)).count();
            cards.rotate(lower);
        } else {
            let higher = cards.list().iter().take_while(|&&number| wins(number)).count();
            cards.rotate(higher);
        }
        let mut best = if turn == 0 { -BEYOND } else { BEYOND };
        for &number in cards.list() {
            let mut after = hands;
            after[turn] &= !(1 << number);
            let winner = if wins(number) { turn } else { 1 - turn };
            let mut totals = totals;
            totals[winner] += points;
            let ahead = self.lead(after, winner, totals, least, most)?;
            if turn == 0 {
                best = best.max(ahead);
                least = least.max(ahead);
            } else {
                best = best.min(ahead);
                most = most.min(ahead);
            }
            if least >= most {
                break;
            }
        }
        Some(best)
    }
}

/// Card numbers in the order in which they are tried.
struct CardList {
    numbers: [u8; 16],
    len: usize,
}

impl CardList {
    /// Lists the cards of a set from the highest rank down.
    fn of(set: u64) -> CardList {
        let mut cards = CardList { numbers: [0; 16], len: 0 };
        let mut rest = set;
        while rest != 0 {
            let number = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let mut at = cards.len;
            while at > 0 && cards.numbers[at - 1] % 16 < number % 16 {
                cards.numbers[at] = cards.numbers[at - 1];
                at -= 1;
            }
            cards.numbers[at] = number;
            cards.len += 1;
        }
        cards
    }

    fn list(&self) -> &[u8] {
        &self.numbers[..self.len]
    }

    fn turn_round(&mut self) {
        self.numbers[..self.len].reverse();
    }

    fn rotate(&mut self, by: usize) {
        self.numbers[..self.len].rotate_left(by);
    }

    /// Moves a card to the front, if it is in the list.
    fn put_first(&mut self, number: u8) {
        if let Some(at) = self.list().iter().position(|&other| other == number) {
            self.numbers[..=at].rotate_right(1);
        }
    }
}

/// Returns the ranks of cards of all suits, one bit for each.
fn ranks(cards: u64) -> u16 {
    let halves = cards | cards >> 32;
    ((halves | halves >> 16) & 0x1FFF) as u16
}

/// Keeps the highest of each set of equal cards.
///
/// Cards of a suit are equal if `other`, the ranks that the other player can still show, has none between
/// their ranks.
fn distinct(cards: u64, other: u16) -> u64 {
    let mut kept = 0;
    for suit in 0..4 {
        let mut rest = (cards >> (16 * suit) & 0x1FFF) as u16;
        let mut above = 16;
        while rest != 0 {
            let rank = 15 - rest.leading_zeros();
            rest ^= 1 << rank;
            // The ranks from this card to the card above it.
            let between = if above == 16 { 0 } else { (1u32 << (above + 1)) - (1 << rank) };
            if above == 16 || u32::from(other) & between != 0 {
                kept |= 1 << (16 * suit + rank);
            }
            above = rank;
        }
    }
    kept
}

/// Returns the index of a position in the memory.
fn place(key: [u64; 2], totals: u32) -> usize {
    let mix = |mixed: u64, part: u64| (mixed ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let mixed = mix(mix(mix(0, key[0]), key[1]), u64::from(totals));
    (mixed ^ mixed >> 32) as usize % KNOWN
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::{Deck, Pack, SeedSource};

    /// Computes the lead by enumeration.
    fn enumerated(position: &Prizes) -> i32 {
        let tricks = position.tricks_left();
        let turn = position.turn;
        if tricks == 0 {
            let [one, other] = position.totals.map(|total| total.max(position.lowest));
            return one - other;
        }
        let follows =
            position.led.map_or(CardSet::EMPTY, |led| position.hands[turn] & CardSet::suit(led.suit().unwrap()));
        let legal = if follows.is_empty() { position.hands[turn] } else { follows };
        let lines = legal.iter().map(|card| {
            let mut after = *position;
            after.hands[turn] = after.hands[turn].without(card);
            match position.led {
                None => (after.led, after.turn) = (Some(card), 1 - turn),
                Some(led) => {
                    let winner = if card.rank() >= led.rank() { turn } else { 1 - turn };
                    after.totals[winner] += after.points[0];
                    after.points.copy_within(1.., 0);
                    after.points[12] = 0;
                    (after.led, after.turn) = (None, winner);
                }
            }
            enumerated(&after)
        });
        if turn == 0 { lines.max().unwrap() } else { lines.min().unwrap() }
    }

    #[test]
    fn the_lead_is_that_of_an_enumeration() {
        let mut rng = SeedSource::new(1, "test", "prizes").stream(0, 0);
        let mut search = PrizeSearch::default();
        let mut below = 0;
        for number in 0..3000 {
            let tricks = 1 + number % 5;
            let mut pack = Pack::new(Deck::Without789.cards(), &mut rng);
            let mut hands = [pack.take(tricks), pack.take(tricks)];
            let mut draw = |most: i32| rng.random_below(2 * most as u64 + 1) as i32 - most;
            let mut points = [0; 13];
            points[..tricks as usize].fill_with(|| draw(13));
            let lowest = if draw(1) == 0 { -100 } else { 0 };
            let totals = [draw(20), draw(20)];
            let turn = usize::from(draw(1) > 0);
            let led = if draw(1) > 0 { hands[1 - turn].first() } else { None };
            if let Some(led) = led {
                hands[1 - turn] = hands[1 - turn].without(led);
            }
            let position = Prizes { hands, turn, led, points, totals, lowest };
            let expected = enumerated(&position);
            assert_eq!(search.difference_within(&position, u64::MAX), Some(expected), "{position:?}");
            // The second call reads the memory of the first.
            assert_eq!(search.difference_within(&position, u64::MAX), Some(expected), "{position:?}");
            below += usize::from(totals.iter().any(|total| *total < lowest));
        }
        assert!(below > 300, "{below}");
    }

    #[test]
    fn a_budget_that_does_not_suffice_gives_nothing() {
        let mut rng = SeedSource::new(1, "test", "prizes").stream(1, 0);
        let mut pack = Pack::new(Deck::Without789.cards(), &mut rng);
        let hands = [pack.take(8), pack.take(8)];
        let mut points = [0; 13];
        points[..8].copy_from_slice(&[5, -3, 9, 2, -7, 11, -1, 4]);
        let position = Prizes { hands, turn: 0, led: None, points, totals: [0, 0], lowest: 0 };
        let mut search = PrizeSearch::default();
        assert_eq!(search.difference_within(&position, 20), None);
        let lead = search.difference_within(&position, u64::MAX);
        assert!(lead.is_some());
        assert_eq!(PrizeSearch::default().difference_within(&position, u64::MAX), lead);
    }
}
