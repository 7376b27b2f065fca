//! What a tally that was read from a file must be of, and what any sums can be.

use std::ops::{Range, RangeInclusive};

use overtrick_cards::table::ByRole;
use overtrick_strategy::ids::{BotId, LineUpId};

use crate::{Format, Schedule, Unit};

/// What is wrong with numbers that were read, in words that go on from "its".
pub type Flaw = &'static str;

/// The flaw, unless something holds.
pub fn ensure(holds: bool, flaw: Flaw) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(flaw) }
}

/// A number of which games are left: the sums over the others.
pub struct OpenSums<'a> {
    /// The number.
    pub number: u64,
    /// The games that are left, by their place among those of a number.
    pub left: &'a [u32],
    /// By role: the scores.
    pub roles: ByRole<i64>,
    /// In a duel: the margin.
    pub margin: i64,
    /// The margins of every two bots, where different bots sit in every chair.
    pub margins: &'a [i64],
}

/// What a tally must be of.
pub struct Played<'a> {
    /// Who played whom.
    pub schedule: &'a Schedule,
    /// The format of the tournament.
    pub format: Format,
    /// Whether games are deals or matches.
    pub unit: Unit,
    /// The number of bots.
    pub bots: usize,
    /// The scores that a deal can have.
    pub range: RangeInclusive<i32>,
    /// The numbers that were begun.
    pub numbers: &'a [Range<u64>],
    /// Those of them of which games are left.
    pub open: &'a [OpenSums<'a>],
}

impl Played<'_> {
    /// Whether a number was begun.
    pub(super) fn has(&self, number: u64) -> bool {
        self.numbers.iter().any(|range| range.contains(&number))
    }

    /// Whether all games of a number are over.
    pub(super) fn has_closed(&self, number: u64) -> bool {
        self.has(number) && self.open.binary_search_by_key(&number, |open| open.number).is_err()
    }

    /// The most that a score can be, whatever its sign.
    pub(super) fn farthest(&self) -> i128 {
        i128::from(self.range.start().unsigned_abs().max(self.range.end().unsigned_abs()))
    }

    /// Whether so many deals can have scores of this sum.
    pub(super) fn can_sum(&self, sum: i128, deals: i128) -> bool {
        (deals * i128::from(*self.range.start())..=deals * i128::from(*self.range.end())).contains(&sum)
    }

    /// By group: the numbers whose games are all over.
    pub(super) fn closed(&self, groups: usize) -> Vec<u64> {
        let count = groups as u64;
        let below = |end: u64, group: u64| if end > group { (end - group - 1) / count + 1 } else { 0 };
        let mut closed: Vec<u64> = (0..count)
            .map(|group| self.numbers.iter().map(|range| below(range.end, group) - below(range.start, group)).sum())
            .collect();
        for open in self.open {
            let closed = &mut closed[(open.number % count) as usize];
            *closed = closed.saturating_sub(1);
        }
        closed
    }

    /// By group and line-up: the games that are over.
    pub(super) fn games(&self, closed: &[u64]) -> Vec<Vec<u64>> {
        let line_ups: Vec<LineUpId> = self.schedule.games().map(|(line_up, _)| line_up).collect();
        let each = |line_up| self.schedule.played(line_up).len() as u64;
        let all = |count: u64| self.schedule.line_up_ids().map(|line_up| count * each(line_up)).collect();
        let mut games: Vec<Vec<u64>> = closed.iter().map(|&count| all(count)).collect();
        for open in self.open {
            let of_group = &mut games[(open.number % closed.len() as u64) as usize];
            self.schedule.line_up_ids().for_each(|line_up| of_group[line_up.index()] += each(line_up));
            open.left.iter().for_each(|&game| of_group[line_ups[game as usize].index()] -= 1);
        }
        games
    }
}

/// Whether values of this sum can have this sum of squares, if there are so many and none is farther from 0.
pub(super) fn can_square(count: i128, sum: i128, squares: i128, farthest: i128) -> bool {
    let most = farthest.checked_mul(farthest).and_then(|most| most.checked_mul(count));
    let least = sum.checked_mul(sum).zip(squares.checked_mul(count));
    squares >= 0
        && squares & 1 == sum & 1
        && most.is_none_or(|most| squares <= most)
        && least.is_none_or(|(square, most)| square <= most)
}

impl Played<'_> {
    /// The bots that may have declared a contract, and how many others there are: `None` for nobody.
    pub(super) fn declarers(&self) -> impl Iterator<Item = (Option<BotId>, i128)> {
        let seats = self.schedule.seats as i128;
        BotId::all(self.bots).map(move |bot| (Some(bot), seats - 1)).chain([(None, seats)])
    }
}
