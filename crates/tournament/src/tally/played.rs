//! The games that a tally from a file must contain, and the limits of any sums.

use std::ops::{Range, RangeInclusive};

use overtrick_cards::table::ByRole;
use overtrick_strategy::ids::{BotId, LineUpId};

use crate::{Format, Schedule, Unit};

/// A description of invalid numbers that were read, in words that continue "its".
pub type Flaw = &'static str;

/// Returns the flaw as an error unless `holds`.
pub fn ensure(holds: bool, flaw: Flaw) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(flaw) }
}

/// A number with unfinished games, and the sums over its finished games.
pub struct OpenSums<'a> {
    /// The deal or match number.
    pub number: u64,
    /// The unfinished games, by index among the games of a number.
    pub left: &'a [u32],
    /// By role: the sum of the scores.
    pub roles: ByRole<i64>,
    /// In a duel: the margin.
    pub margin: i64,
    /// The margins of every two bots, if every chair has a different bot.
    pub margins: &'a [i64],
}

/// The games that a tally must contain.
pub struct Played<'a> {
    /// The line-ups and seatings.
    pub schedule: &'a Schedule,
    /// The format of the tournament.
    pub format: Format,
    /// Whether games are deals or matches.
    pub unit: Unit,
    /// The number of bots.
    pub bots: usize,
    /// The range of scores of a deal.
    pub range: RangeInclusive<i32>,
    /// The numbers that were begun.
    pub numbers: &'a [Range<u64>],
    /// The begun numbers with unfinished games.
    pub open: &'a [OpenSums<'a>],
}

impl Played<'_> {
    /// Returns true if a number was begun.
    pub(super) fn has(&self, number: u64) -> bool {
        self.numbers.iter().any(|range| range.contains(&number))
    }

    /// Returns true if all games of a number are finished.
    pub(super) fn has_closed(&self, number: u64) -> bool {
        self.has(number) && self.open.binary_search_by_key(&number, |open| open.number).is_err()
    }

    /// Returns the largest absolute value of a score.
    pub(super) fn farthest(&self) -> i128 {
        i128::from(self.range.start().unsigned_abs().max(self.range.end().unsigned_abs()))
    }

    /// Returns true if `deals` deals can have scores with this sum.
    pub(super) fn can_sum(&self, sum: i128, deals: i128) -> bool {
        (deals * i128::from(*self.range.start())..=deals * i128::from(*self.range.end())).contains(&sum)
    }

    /// Returns, by group, the number of numbers whose games are all finished.
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

    /// Returns, by group and line-up, the number of finished games.
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

/// Returns true if `count` values with this sum can have this sum of squares.
///
/// No value is farther from 0 than `farthest`.
pub(super) fn can_square(count: i128, sum: i128, squares: i128, farthest: i128) -> bool {
    let most = farthest.checked_mul(farthest).and_then(|most| most.checked_mul(count));
    let least = sum.checked_mul(sum).zip(squares.checked_mul(count));
    squares >= 0
        && squares & 1 == sum & 1
        && most.is_none_or(|most| squares <= most)
        && least.is_none_or(|(square, most)| square <= most)
}

impl Played<'_> {
    /// Returns the possible declarers of a contract, with the number of other players. `None` stands for no
    /// declarer.
    pub(super) fn declarers(&self) -> impl Iterator<Item = (Option<BotId>, i128)> {
        let seats = self.schedule.seats as i128;
        BotId::all(self.bots).map(move |bot| (Some(bot), seats - 1)).chain([(None, seats)])
    }
}
