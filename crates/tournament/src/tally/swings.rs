//! Swings: the deals in which two bots differ most, in either direction.

use overtrick_cards::table::{ByRole, MAX_SEATS};
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::{Block, Counter, TallyPlan};
use crate::{Flaw, Format, MOST_NUMBERS, ensure};

/// The most deals that are kept for a pair of bots, in each direction.
const MOST_DEALS: usize = 10;
/// The most deals that are kept of all pairs, in each direction. Each pair keeps at least one.
const MOST_SWINGS: usize = 10_000;

/// A deal (or match) in which one bot was ahead of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swing {
    /// The lead in points, over all games of the number in which both bots played.
    pub margin: i64,
    /// The deal or match number.
    pub number: u64,
}

impl Swing {
    /// Returns true if it sorts before `other`: by margin, then by number.
    fn is_before(&self, other: &Swing) -> bool {
        (other.margin, self.number) < (self.margin, other.number)
    }
}

/// The deals with the largest margins, for every two bots.
///
/// A deal is kept or dropped only by its margin and its number. So swings of parts of a run add up to the
/// swings of the run, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swings {
    bots: usize,
    /// The most deals of a list.
    kept: usize,
    /// By pair: the deals in which the bot with the lower id is ahead, then the deals in which the other bot
    /// is ahead.
    ///
    /// The largest margin comes first.
    lists: Vec<[Vec<Swing>; 2]>,
}

/// The margins of every two bots in a block that is being played, in the order of pairs.
pub type Margins = Vec<i64>;

impl Swings {
    /// Makes empty swings of `bots` bots in a tournament of this format. In a mirror no two bots meet.
    fn of_format(format: Format, bots: usize) -> Swings {
        if format == Format::Mirror {
            return Swings { bots: 0, kept: 0, lists: Vec::new() };
        }
        let pairs = bots * bots.saturating_sub(1) / 2;
        let kept = (MOST_SWINGS / pairs.max(1)).clamp(1, MOST_DEALS);
        Swings { bots, kept, lists: vec![Default::default(); pairs] }
    }

    /// Returns the number of pairs of bots whose deals are kept.
    pub fn pairs(&self) -> usize {
        self.lists.len()
    }

    /// Adds the scores of a deal of different bots, by role, to the margins of its block.
    ///
    /// There is a bot for each of the `teams`. The first seat of each team from the dealer stands for it.
    #[inline]
    pub fn add_margins(&self, margins: &mut Margins, teams: usize, scores: ByRole<i32>, bots: ByRole<BotId>) {
        let (scores, bots): ([i32; MAX_SEATS], [BotId; MAX_SEATS]) = (scores.into_array(), bots.into_array());
        for (one, other) in [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)] {
            if other < teams {
                let ahead = i64::from(scores[one]) - i64::from(scores[other]);
                let sign = if bots[one] < bots[other] { 1 } else { -1 };
                margins[self.pair(bots[one].min(bots[other]), bots[one].max(bots[other]))] += sign * ahead;
            }
        }
    }

    /// Keeps a deal if its margin is among the largest.
    #[inline]
    fn add(&mut self, pair: usize, side: usize, swing: Swing) {
        let list = &mut self.lists[pair][side];
        let is_kept = match list.last() {
            Some(last) if list.len() == self.kept => swing.is_before(last),
            _ => swing.margin > 0,
        };
        if is_kept {
            insert(list, swing, self.kept);
        }
    }

    /// Returns the index of a pair, with the lower id first.
    #[inline]
    fn pair(&self, low: BotId, high: BotId) -> usize {
        let (low, high) = (low.index(), high.index());
        low * (2 * self.bots - low - 1) / 2 + high - low - 1
    }

    /// Returns the deals in which a bot was ahead of another, with the largest margin first.
    pub fn of(&self, ahead: BotId, behind: BotId) -> &[Swing] {
        if self.lists.is_empty() {
            return &[];
        }
        &self.lists[self.pair(ahead.min(behind), ahead.max(behind))][usize::from(ahead > behind)]
    }
}

impl Counter for Swings {
    fn new(plan: &TallyPlan<'_>) -> Swings {
        Swings::of_format(plan.format, plan.bots)
    }

    #[inline(always)]
    fn add_block(&mut self, number: u64, _group: GroupId, _sums: &Block, margins: &[i64]) {
        for (pair, &margin) in margins.iter().enumerate() {
            self.add(pair, usize::from(margin < 0), Swing { margin: margin.abs(), number });
        }
    }

    fn merge(&mut self, other: &Swings) {
        for (pair, lists) in other.lists.iter().enumerate() {
            for (side, list) in lists.iter().enumerate() {
                list.iter().for_each(|&swing| self.add(pair, side, swing));
            }
        }
    }

    fn clear(&mut self) {
        self.lists.iter_mut().flatten().for_each(Vec::clear);
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        // Their deals are played again.
        let is_number = |swing: &Swing| swing.number < MOST_NUMBERS;
        ensure(self.lists.iter().flatten().flatten().all(is_number), "swings have impossible deal numbers")
    }
}

#[cold]
#[inline(never)]
fn insert(list: &mut Vec<Swing>, swing: Swing, kept: usize) {
    let at = list.partition_point(|other| other.is_before(&swing));
    list.insert(at, swing);
    list.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the margins of three bots in a deal, which are often equal to another deal's.
    fn margins(number: u64) -> Margins {
        (0..3).map(|pair| ((number * 31 + pair * 17) % 23) as i64 - 11).collect()
    }

    fn add(swings: &mut Swings, number: u64, margins: &[i64]) {
        swings.add_block(number, GroupId::default(), &Block::default(), margins);
    }

    #[test]
    fn the_largest_margins_are_kept_in_any_order_of_adding() {
        let empty = Swings::of_format(Format::RoundRobin, 3);
        let (mut all, mut parts) = (empty.clone(), [empty.clone(), empty.clone()]);
        for number in (0..100).rev() {
            add(&mut all, number, &margins(number));
            add(&mut parts[usize::from(number % 3 == 0)], number, &margins(number));
        }
        let [mut one, other] = parts;
        one.merge(&other);
        assert_eq!(one, all);
        let bot = BotId::new;
        for (pair, (low, high)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            for (ahead, behind, sign) in [(low, high, 1), (high, low, -1)] {
                let mut expected: Vec<Swing> =
                    (0..100).map(|number| Swing { margin: sign * margins(number)[pair], number }).collect();
                expected.sort_by_key(|swing| (-swing.margin, swing.number));
                expected.truncate(MOST_DEALS);
                assert_eq!(all.of(bot(ahead), bot(behind)), expected, "{ahead} ahead of {behind}");
            }
        }
        all.clear();
        assert_eq!(all, empty);
    }

    #[test]
    fn deals_in_which_nobody_is_ahead_are_not_kept() {
        let mut swings = Swings::of_format(Format::Duel, 2);
        add(&mut swings, 1, &[0]);
        add(&mut swings, 2, &[3]);
        assert_eq!(swings.of(BotId::new(0), BotId::new(1)), [Swing { margin: 3, number: 2 }]);
        assert!(swings.of(BotId::new(1), BotId::new(0)).is_empty());
    }

    #[test]
    fn margins_are_those_of_each_two() {
        let swings = Swings::of_format(Format::RoundRobin, 4);
        let mut margins = vec![0; swings.pairs()];
        swings.add_margins(&mut margins, 3, ByRole::new([5, -2, 1]), ByRole::new([3, 0, 2].map(BotId::new)));
        // The pairs: 0 and 1, 0 and 2, 0 and 3, 1 and 2, 1 and 3, 2 and 3.
        assert_eq!(margins, [0, -3, -7, 0, 0, -4]);
        swings.add_margins(&mut margins, 2, ByRole::new([1, 4, 0]), ByRole::new([1, 0, 0].map(BotId::new)));
        assert_eq!(margins, [3, -3, -7, 0, 0, -4]);
        // Four bots, each for itself, then bots 1 and 3 as two sides of partners.
        let swings = Swings::of_format(Format::RoundRobin, 4);
        let mut margins = vec![0; swings.pairs()];
        swings.add_margins(&mut margins, 4, ByRole::new([10, 4, 7, 0]), ByRole::new([2, 0, 3, 1].map(BotId::new)));
        assert_eq!(margins, [4, -6, -3, -10, -7, 3]);
        swings.add_margins(&mut margins, 2, ByRole::new([9, 2, 9, 2]), ByRole::new([3, 1, 3, 1].map(BotId::new)));
        assert_eq!(margins, [4, -6, -3, -10, -14, 3]);
    }

    #[test]
    fn large_fields_keep_fewer() {
        let kept = |bots| Swings::of_format(Format::RoundRobin, bots).kept;
        assert_eq!([2, 40, 50, 300].map(kept), [10, 10, 8, 1]);
    }
}
