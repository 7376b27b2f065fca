//! The games that a tally from a file must contain, and the limits of any sums.

use std::ops::Range;

use overtrick_cards::table::ByRole;
use overtrick_strategy::ids::LineUpId;

use super::plan::TallyPlan;

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

/// The numbers whose games a tally must contain.
pub struct PlayedNumbers<'a> {
    /// The plan of the tally.
    pub plan: TallyPlan<'a>,
    /// The numbers that were begun.
    pub numbers: &'a [Range<u64>],
    /// The begun numbers with unfinished games.
    pub open: &'a [OpenSums<'a>],
}

impl PlayedNumbers<'_> {
    /// Returns true if a number was begun.
    pub(super) fn has(&self, number: u64) -> bool {
        self.numbers.iter().any(|range| range.contains(&number))
    }

    /// Returns true if all games of a number are finished.
    pub(super) fn has_closed(&self, number: u64) -> bool {
        self.has(number) && self.open.binary_search_by_key(&number, |open| open.number).is_err()
    }

    /// Returns, by group, the number of numbers whose games are all finished.
    pub(super) fn closed(&self, groups: usize) -> Vec<u64> {
        let count = groups as u64;
        let mut closed = vec![0; groups];
        for (group, closed) in (0..count).zip(&mut closed) {
            *closed = self
                .numbers
                .iter()
                .map(|range| below(range.end, group, count) - below(range.start, group, count))
                .sum();
        }
        for open in self.open {
            let closed = &mut closed[(open.number % count) as usize];
            *closed = closed.saturating_sub(1);
        }
        closed
    }

    /// Returns, by group and line-up, the number of finished games. `closed` has the numbers whose games are
    /// all finished, by group.
    pub(super) fn games(&self, closed: &[u64]) -> Vec<Vec<u64>> {
        let schedule = self.plan.schedule;
        let line_ups: Vec<LineUpId> = schedule.games().map(|(line_up, _)| line_up).collect();
        let each: Vec<u64> = schedule.line_up_ids().map(|line_up| schedule.played(line_up).len() as u64).collect();
        let mut games: Vec<Vec<u64>> = Vec::with_capacity(closed.len());
        for count in closed {
            games.push(each.iter().map(|each| count * each).collect());
        }
        for open in self.open {
            let of_group = &mut games[(open.number % closed.len() as u64) as usize];
            of_group.iter_mut().zip(&each).for_each(|(games, each)| *games += each);
            open.left.iter().for_each(|&game| of_group[line_ups[game as usize].index()] -= 1);
        }
        games
    }
}

/// Returns the number of numbers of a group below `end`, if there are `groups` groups.
fn below(end: u64, group: u64, groups: u64) -> u64 {
    if end > group { (end - group - 1) / groups + 1 } else { 0 }
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
