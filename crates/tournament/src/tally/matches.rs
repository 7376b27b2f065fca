//! The course of matches: their lengths, and whether the leader at half time wins.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Counter, FinishedGame, Section, Sections, TallyPlan};

/// Sums over matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSums {
    /// By number of deals: the number of matches with that length.
    pub lengths: BTreeMap<u32, u64>,
    /// The number of matches in which the totals at half time were not all equal.
    pub parted: u64,
    /// The number of these matches with a winner, alone or shared, who had the highest total at half time.
    pub leader_won: u64,
    /// The number of these matches with a winner, alone or shared, who had the lowest total at half time.
    pub comebacks: u64,
}

impl MatchSums {
    /// Adds a match of `deals` deals, with the totals at half time and the places at the end, by seat.
    pub fn add_match(&mut self, deals: u32, half_time: &[i32], places: &[u8]) {
        *self.lengths.entry(deals).or_default() += 1;
        let (highest, lowest) = (half_time.iter().max(), half_time.iter().min());
        if highest == lowest {
            return;
        }
        let winners = || half_time.iter().zip(places).filter(|&(_, &place)| place == 0).map(|(total, _)| Some(total));
        self.parted += 1;
        self.leader_won += u64::from(winners().any(|total| total == highest));
        self.comebacks += u64::from(winners().any(|total| total == lowest));
    }

    /// Adds other sums.
    pub fn add(&mut self, more: &MatchSums) {
        for (&deals, count) in &more.lengths {
            *self.lengths.entry(deals).or_default() += count;
        }
        self.parted += more.parted;
        self.leader_won += more.leader_won;
        self.comebacks += more.comebacks;
    }

    /// Returns the number of matches.
    pub fn matches(&self) -> u64 {
        self.lengths.values().sum()
    }

    /// Returns the number of matches that had at most `deals` deals.
    pub fn up_to(&self, deals: u32) -> u64 {
        self.lengths.range(..=deals).map(|(_, count)| count).sum()
    }
}

impl Counter for Sections<MatchSums> {
    fn new(plan: &TallyPlan<'_>) -> Sections<MatchSums> {
        Sections(vec![MatchSums::default(); plan.sections()])
    }

    #[inline(always)]
    fn add_game(&mut self, section: Section, game: &FinishedGame) {
        if let Some(end) = &game.match_end {
            self.0[section.index].add_match(end.deals, end.half_time.of(game.seats), end.places.of(game.seats));
        }
    }

    fn merge(&mut self, other: &Sections<MatchSums>) {
        self.0.iter_mut().zip(&other.0).for_each(|(sums, more)| sums.add(more));
    }

    fn clear(&mut self) {
        self.0.fill(MatchSums::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_and_comebacks() {
        let mut sums = MatchSums::default();
        let mut one = MatchSums::default();
        for (deals, half_time, places) in [
            (4, [3, 2, 1], [0, 1, 2]),
            (5, [3, 2, 1], [1, 0, 2]),
            (5, [3, 2, 1], [1, 1, 0]),
            // Two share the lead, two the last place, all are equal, a win is shared.
            (9, [3, 3, 1], [1, 0, 2]),
            (9, [3, 1, 1], [2, 0, 1]),
            (1, [0, 0, 0], [0, 1, 2]),
            (4, [3, 2, 1], [0, 2, 0]),
        ] {
            one = MatchSums::default();
            one.add_match(deals, &half_time, &places);
            sums.add(&one);
        }
        assert_eq!((one.parted, one.leader_won, one.comebacks), (1, 1, 1));
        assert_eq!((sums.parted, sums.leader_won, sums.comebacks), (6, 3, 3));
        assert_eq!((sums.matches(), sums.up_to(4), sums.up_to(0)), (7, 3, 0));
        assert_eq!(sums.lengths, BTreeMap::from([(1, 1), (4, 2), (5, 2), (9, 2)]));
    }
}
