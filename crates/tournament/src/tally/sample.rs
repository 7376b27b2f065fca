//! Single deals that are kept, so that matches can be assembled from them.
//!
//! Sums over deals do not show how often a bot would be first to reach the target of a match. So the deals of
//! a run's first numbers are kept, with every score of every line-up in every seating. How many these are is
//! fixed in advance, so that memory does not grow with the run.

use overtrick_cards::table::{ByRole, MAX_SEATS, Role};
use overtrick_strategy::ids::{LineUpId, SeatingId};
use serde::{Deserialize, Serialize};

use super::{Counter, DealDetails, FinishedDeal, Section, TallyPlan};
use crate::{Flaw, Schedule, ensure};

/// The most numbers that are kept.
const MOST_NUMBERS: usize = 1 << 14;
/// The most memory of the sample of one variant, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The data of a single deal that a match needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledDeal {
    /// By role: the score.
    pub scores: ByRole<i32>,
    /// The role of the declarer, if there was one.
    pub declarer: Option<Role>,
    /// Whether the deal counts towards a fixed number of deals.
    pub counts: bool,
    /// Whether the deal would have counted earlier in the match.
    ///
    /// It is set for a deal played as the last of a match that would have been thrown in earlier in it.
    /// `None` if it would have been played in the same way.
    pub thrown_in_earlier: Option<bool>,
}

/// The deals of the first numbers of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Numbers below this are kept.
    limit: usize,
    /// The number of games for each number: line-ups times seatings.
    games: usize,
    seatings: usize,
    /// By number: its games, by line-up and seating by role; empty if the number was not played.
    numbers: Vec<Vec<SampledDeal>>,
}

/// Returns the bytes that are counted for a deal at a table of `seats`.
///
/// For two and three they are the size before tables had a fourth seat, since results depend on it.
const fn bytes_a_deal(seats: usize) -> usize {
    if seats > 3 { size_of::<SampledDeal>() } else { 16 }
}

impl Sample {
    /// Makes a sample that keeps nothing.
    fn none() -> Sample {
        Sample { limit: 0, games: 0, seatings: 1, numbers: Vec::new() }
    }

    /// Makes an empty sample of `schedule`.
    fn of_schedule(schedule: &Schedule) -> Sample {
        let games = schedule.cells();
        let limit = MOST_NUMBERS.min(MOST_BYTES / (games * bytes_a_deal(schedule.seats)));
        Sample { limit, games, seatings: schedule.seatings.len(), numbers: Vec::new() }
    }

    /// Returns true if the deals of a number are kept.
    #[inline]
    pub fn keeps(&self, number: u64) -> bool {
        number < self.limit as u64
    }

    /// Keeps a deal of a number that is [kept](Self::keeps), played by `line_up` in `seating` (by role).
    fn add(&mut self, number: u64, line_up: LineUpId, seating: SeatingId, deal: SampledDeal) {
        let number = number as usize;
        if self.numbers.len() <= number {
            self.numbers.resize_with(number + 1, Vec::new);
        }
        let games = &mut self.numbers[number];
        if games.is_empty() {
            games.resize(self.games, SampledDeal::default());
        }
        games[line_up.index() * self.seatings + seating.index()] = deal;
    }

    /// Returns the deals of a number by line-up, then seating. `None` if it was not played or is not kept.
    pub fn number(&self, number: usize) -> Option<&[SampledDeal]> {
        self.numbers.get(number).map(Vec::as_slice).filter(|games| !games.is_empty())
    }

    /// Returns the numbers that were played, in order.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.numbers.len()).filter(|&number| !self.numbers[number].is_empty())
    }
}

impl SampledDeal {
    /// Returns true if a deal can have these scores and this declarer.
    fn is_sound(&self, plan: &TallyPlan<'_>) -> bool {
        let scores: [i32; MAX_SEATS] = self.scores.into_array();
        let (scores, others) = scores.split_at(plan.schedule.seats);
        scores.iter().all(|score| plan.range.contains(score))
            && others.iter().all(|&score| score == 0)
            && self.declarer.is_none_or(|role| role.index() < plan.schedule.seats)
    }
}

impl Counter for Sample {
    fn new(plan: &TallyPlan<'_>) -> Sample {
        if plan.is_sampled { Sample::of_schedule(plan.schedule) } else { Sample::none() }
    }

    #[inline]
    fn add_deal(&mut self, _section: Section, deal: &FinishedDeal, details: &mut impl DealDetails) {
        if !self.keeps(deal.number) {
            return;
        }
        let declarer = deal.contract.and_then(|contract| contract.declarer);
        let sampled = SampledDeal {
            scores: deal.scores,
            declarer: declarer.map(|seat| Role::of(seat, deal.dealer, deal.seats)),
            counts: details.counts(),
            thrown_in_earlier: details.thrown_in_earlier(),
        };
        self.add(deal.number, deal.line_up, deal.seating, sampled);
    }

    /// Adds the games of another sample of the same schedule. Both may have games of the same number.
    ///
    /// A missing game has only zeros. A game that really has only zeros is the same.
    fn merge(&mut self, other: &Sample) {
        if self.numbers.len() < other.numbers.len() {
            self.numbers.resize_with(other.numbers.len(), Vec::new);
        }
        for (own, more) in self.numbers.iter_mut().zip(&other.numbers).filter(|(_, more)| !more.is_empty()) {
            own.resize(more.len(), SampledDeal::default());
            for (own, &more) in own.iter_mut().zip(more).filter(|(_, more)| **more != SampledDeal::default()) {
                *own = more;
            }
        }
    }

    fn clear(&mut self) {
        self.numbers.clear();
    }

    fn check(&self, plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let can_be = |deals: &Vec<SampledDeal>| {
            deals.is_empty() || deals.len() == self.games && deals.iter().all(|deal| deal.is_sound(plan))
        };
        let is_kept = self.numbers.len() <= self.limit;
        ensure(is_kept && self.numbers.iter().all(can_be), "single deals do not fit its line-ups")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn deal(score: i32) -> SampledDeal {
        SampledDeal { scores: ByRole::new([score, 0, -score]), counts: true, ..SampledDeal::default() }
    }

    #[test]
    fn samples_add_up_and_keep_no_more_than_their_limit() {
        let schedule = Schedule::new(Format::Duel, 2, None, 2).unwrap();
        let empty = Sample::of_schedule(&schedule);
        assert!(empty.keeps(MOST_NUMBERS as u64 - 1) && !empty.keeps(MOST_NUMBERS as u64));
        assert!(!Sample::none().keeps(0));
        let (mut all, mut even, mut odd) = (empty.clone(), empty.clone(), empty.clone());
        for number in 0..9 {
            for (line_up, seating) in schedule.cell_ids() {
                let deal = deal(number as i32 * 2 + seating.index() as i32);
                all.add(number, line_up, seating, deal);
                if number % 2 == 0 { &mut even } else { &mut odd }.add(number, line_up, seating, deal);
            }
        }
        assert_eq!(odd.numbers().collect::<Vec<_>>(), [1, 3, 5, 7]);
        assert_eq!((odd.number(2), odd.number(99)), (None, None));
        odd.merge(&even);
        assert_eq!(odd, all);
        assert_eq!(all.number(3).unwrap(), [deal(6), deal(7)]);
        all.clear();
        assert_eq!(all, empty);
        // Many bots leave room for fewer numbers.
        let crowd = Schedule::new(Format::RoundRobin, 60, None, 2).unwrap();
        let limit = MOST_BYTES / (crowd.games_a_number() * 16);
        assert!(
            limit < 1000
                && Sample::of_schedule(&crowd).keeps(limit as u64 - 1)
                && !Sample::of_schedule(&crowd).keeps(limit as u64)
        );
    }
}
