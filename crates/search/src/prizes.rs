//! The last tricks of a play for two with a prize for each trick: alpha-beta on the difference of the scores.
//!
//! Positions before a lead are remembered. Cards of a suit between whose ranks the other holds none are as good as one
//! another, so only one of them is tried; and a position is left as soon as not even all prizes that are still to be
//! won could make it matter.

use overtrick_cards::{Card, CardSet};
use overtrick_game::Prizes;

/// Positions that are remembered.
const KNOWN: usize = 1 << 13;
/// Positions with fewer tricks to come are searched again rather than remembered.
const WORTHWHILE: usize = 3;
/// Stands in place of the totals where they make no difference to what is still to be won.
const ANY: u32 = u32::MAX;
/// More than any two scores can be apart.
const BEYOND: i32 = 30_000;

/// The search, with its memory. Its answers never depend on what it remembers, but whether a budget suffices does.
pub struct PrizeSearch {
    memory: Vec<Known>,
    /// What is remembered holds for these: the points by number of tricks still to be completed, and the lowest score.
    terms: ([i32; 13], i32),
    /// Entries of earlier terms have other numbers.
    generation: u32,
}

/// What is remembered of a position before a lead.
#[derive(Clone, Copy, Default)]
struct Known {
    hands: [u64; 2],
    totals: u32,
    generation: u32,
    /// What the first player's lead will be is at least and at most this; less their lead so far where totals make no
    /// difference.
    least: i16,
    most: i16,
    /// The number of the card that was best, or cut off.
    best: u8,
}

impl Default for PrizeSearch {
    fn default() -> PrizeSearch {
        PrizeSearch::new()
    }
}

impl PrizeSearch {
    /// A search that remembers nothing.
    pub fn new() -> PrizeSearch {
        PrizeSearch { memory: Vec::new(), terms: ([0; 13], 0), generation: 0 }
    }

    /// What is remembered of a position.
    fn known(&self, place: usize, hands: [u64; 2], totals: u32) -> Option<&Known> {
        let known = &self.memory[place];
        (known.hands == hands && known.totals == totals && known.generation == self.generation).then_some(known)
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            // No generation of long ago comes back.
            self.memory.clear();
            1
        });
    }

    /// By how much the first player's score will be above the second's when both play as well as possible; `None` if
    /// that would take a look at more than `nodes` positions.
    pub fn lead_within(&mut self, position: &Prizes, nodes: u64) -> Option<i32> {
        if self.memory.is_empty() {
            (self.memory, self.generation) = (vec![Known::default(); KNOWN], 1);
        }
        let tricks = position.tricks_left();
        let mut terms = ([0; 13], position.lowest);
        for left in 1..=tricks {
            terms.0[left - 1] = position.points[tricks - left];
        }
        if terms != self.terms {
            self.terms = terms;
            self.forget();
        }
        let mut gains = [[0; 2]; 14];
        for left in 1..=tricks {
            let points = terms.0[left - 1];
            gains[left] = [gains[left - 1][0] + points.min(0), gains[left - 1][1] + points.max(0)];
        }
        let hands = position.hands.map(CardSet::bits);
        let mut search = Search { memory: self, gains, nodes };
        match position.led {
            Some(led) => search.follow(hands, position.turn, led, position.totals, -BEYOND, BEYOND),
            None => search.lead(hands, position.turn, position.totals, -BEYOND, BEYOND),
        }
    }
}

struct Search<'a> {
    memory: &'a mut PrizeSearch,
    /// By number of tricks still to be completed: the least and the most that one can win in them.
    gains: [[i32; 2]; 14],
    /// Positions that may still be looked at.
    nodes: u64,
}

impl Search<'_> {
    /// The lead of the first player.
    fn ahead(&self, totals: [i32; 2]) -> i32 {
        let lowest = self.memory.terms.1;
        totals[0].max(lowest) - totals[1].max(lowest)
    }

    /// The lead of the first player in the end if `turn` leads: exact if it lies between `least` and `most`, else a
    /// bound beyond the same one of them.
    fn lead(&mut self, hands: [u64; 2], turn: usize, totals: [i32; 2], mut least: i32, mut most: i32) -> Option<i32> {
        let left = hands[0].count_ones() as usize;
        if left == 0 {
            return Some(self.ahead(totals));
        }
        if left == 1 {
            let [led, answer] = [hands[turn], hands[1 - turn]].map(|hand| hand.trailing_zeros() % 16);
            let mut totals = totals;
            totals[if answer >= led { 1 - turn } else { turn }] += self.memory.terms.0[0];
            return Some(self.ahead(totals));
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let [bad, good] = self.gains[left];
        let low = self.ahead([totals[0] + bad, totals[1] + good]);
        let high = self.ahead([totals[0] + good, totals[1] + bad]);
        if high <= least || low == high {
            return Some(high);
        }
        if low >= most {
            return Some(low);
        }
        // Where neither can fall below the lowest score, only what is still to be won matters.
        let is_free = totals[0].min(totals[1]) + bad >= self.memory.terms.1;
        let so_far = if is_free { totals[0] - totals[1] } else { 0 };
        let told = if is_free { ANY } else { totals[0] as u16 as u32 | (totals[1] as u16 as u32) << 16 };
        let key = [hands[0], hands[1] | (turn as u64) << 63];
        let place = place(key, told);
        let remembers = left >= WORTHWHILE;
        let mut first = None;
        if remembers && let Some(known) = self.memory.known(place, key, told) {
            let (at_least, at_most) = (i32::from(known.least) + so_far, i32::from(known.most) + so_far);
            if at_least >= most || at_least == at_most {
                return Some(at_least);
            }
            if at_most <= least {
                return Some(at_most);
            }
            (least, most) = (least.max(at_least), most.min(at_most));
            first = Some(known.best);
        }
        let asked = (least, most);
        let (mut best, mut chosen) = (if turn == 0 { -BEYOND } else { BEYOND }, 0);
        let mut cards = Cards::of(distinct(hands[turn], ranks(hands[1 - turn])));
        // A good prize is led for by high cards.
        if self.memory.terms.0[left - 1] < 0 {
            cards.turn_round();
        }
        if let Some(first) = first {
            cards.put_first(first);
        }
        for &number in cards.list() {
            let card = card(number);
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
            let generation = self.memory.generation;
            let known = self.memory.known(place, key, told).copied();
            let mut known = known.unwrap_or(Known {
                hands: key,
                totals: told,
                generation,
                least: (low - so_far) as i16,
                most: (high - so_far) as i16,
                best: chosen,
            });
            known.best = chosen;
            if best < asked.1 {
                known.most = known.most.min((best - so_far) as i16);
            }
            if best > asked.0 {
                known.least = known.least.max((best - so_far) as i16);
            }
            self.memory.memory[place] = known;
        }
        Some(best)
    }

    /// The same if the other has led `led` and `turn` plays to it.
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
        let points = self.memory.terms.0[left - 1];
        let (suit, rank) = (led.index() / 16, led.index() % 16);
        let in_suit = hands[turn] & CardSet::lane(suit).bits();
        let legal = if in_suit == 0 { hands[turn] } else { in_suit };
        let other = ranks(hands[1 - turn]) | 1 << rank;
        let mut cards = Cards::of(distinct(legal, other));
        // Whoever wants the prize begins with the lowest card that wins it; else with the highest that does not.
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

/// Some cards by their numbers, in the order in which they are tried.
struct Cards {
    numbers: [u8; 16],
    len: usize,
}

impl Cards {
    /// The cards of a set from the highest rank down.
    fn of(set: u64) -> Cards {
        let mut cards = Cards { numbers: [0; 16], len: 0 };
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

    /// Puts a card first, if it is among them.
    fn put_first(&mut self, number: u8) {
        if let Some(at) = self.list().iter().position(|&other| other == number) {
            self.numbers[..=at].rotate_right(1);
        }
    }
}

fn card(number: u8) -> Card {
    CardSet::from_bits(1 << number).first().expect("one card")
}

/// The ranks of some cards of any suit, a bit each.
fn ranks(cards: u64) -> u16 {
    let halves = cards | cards >> 32;
    ((halves | halves >> 16) & 0x1FFF) as u16
}

/// Of the cards of each suit between whose ranks `other`, the ranks that the other player can still show, has none, the
/// highest.
fn distinct(cards: u64, other: u16) -> u64 {
    let mut kept = 0;
    for suit in 0..4 {
        let mut rest = (cards >> (16 * suit) & 0x1FFF) as u16;
        let mut above = 16;
        while rest != 0 {
            let rank = 15 - rest.leading_zeros();
            rest ^= 1 << rank;
            // The ranks from this one to the card above it.
            let between = if above == 16 { 0 } else { (1u32 << (above + 1)) - (1 << rank) };
            if above == 16 || u32::from(other) & between != 0 {
                kept |= 1 << (16 * suit + rank);
            }
            above = rank;
        }
    }
    kept
}

/// Where a position stands in the memory.
fn place(key: [u64; 2], totals: u32) -> usize {
    let mix = |mixed: u64, part: u64| (mixed ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let mixed = mix(mix(mix(0, key[0]), key[1]), u64::from(totals));
    (mixed ^ mixed >> 32) as usize % KNOWN
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::{Deck, Pack, SeedSource};

    /// The lead by trying every line.
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
        let mut search = PrizeSearch::new();
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
            assert_eq!(search.lead_within(&position, u64::MAX), Some(expected), "{position:?}");
            // What is remembered of one position is asked for in the next.
            assert_eq!(search.lead_within(&position, u64::MAX), Some(expected), "{position:?}");
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
        let mut search = PrizeSearch::new();
        assert_eq!(search.lead_within(&position, 20), None);
        let lead = search.lead_within(&position, u64::MAX);
        assert!(lead.is_some());
        assert_eq!(PrizeSearch::new().lead_within(&position, u64::MAX), lead);
    }
}
