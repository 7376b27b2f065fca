//! All pairs of a league: their sums, and what is settled of them.

use serde::{Deserialize, Serialize};

use crate::confidence_sequence::half_width;
use crate::pair_sums::PairSums;

/// The bot of a pair that is better by its interval, and the sums at the look that showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairVerdict {
    /// Whether the bot with the lower index is better.
    pub is_first: bool,
    /// The number of the round.
    pub round: u64,
    /// The sums at that look.
    pub sums: PairSums,
    /// The largest difference that was thought possible at that look.
    pub largest: i64,
}

/// Two bots. The *first* is the one with the lower index; differences are the first less the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairState {
    pub sums: PairSums,
    pub decision: Option<PairVerdict>,
    /// Whether the value of the first is certainly at most that of the second plus the resolution.
    first_is_within: bool,
    /// The same with the bots exchanged.
    second_is_within: bool,
}

/// All pairs of a league.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaguePairs {
    /// By second bot, then by first bot.
    states: Vec<PairState>,
}

impl LeaguePairs {
    /// Returns the pairs of `bots` bots before the first deal.
    pub fn new(bots: usize) -> LeaguePairs {
        LeaguePairs { states: vec![PairState::default(); bots * bots.saturating_sub(1) / 2] }
    }

    /// Returns the state of the pair with `first` below `second`.
    pub fn state(&self, first: usize, second: usize) -> &PairState {
        &self.states[place(first, second)]
    }

    /// Returns whether `one` is better than `other` by the interval of the pair.
    pub fn is_above(&self, one: usize, other: usize) -> bool {
        let is_first = one < other;
        let state = self.state(one.min(other), one.max(other));
        state.decision.is_some_and(|decision| decision.is_first == is_first)
    }

    /// Returns whether the value of `one` is certainly at most that of `other` plus the resolution.
    pub fn is_within(&self, one: usize, other: usize) -> bool {
        let state = self.state(one.min(other), one.max(other));
        if one < other { state.first_is_within } else { state.second_is_within }
    }

    /// Returns whether the order of two bots is settled up to the resolution.
    pub fn is_settled(&self, one: usize, other: usize) -> bool {
        self.is_above(one, other)
            || self.is_above(other, one)
            || (self.is_within(one, other) && self.is_within(other, one))
    }

    /// Adds the margins of a group, by bot.
    pub fn add(&mut self, margins: &[Option<i64>]) {
        let mut states = self.states.iter_mut();
        for (second, margin) in margins.iter().enumerate() {
            for (other, state) in margins[..second].iter().zip(&mut states) {
                if let (Some(other), Some(margin)) = (other, margin) {
                    state.sums.add(other - margin);
                }
            }
        }
    }

    /// Returns the largest difference that a pair has shown in a group, at least 1.
    pub fn largest(&self) -> i64 {
        self.states.iter().map(|state| state.sums.largest).max().unwrap_or(0).max(1)
    }

    /// Looks at all pairs, each with its confidence sequence of this level.
    ///
    /// `resolution` is in units of margins of a group.
    pub fn look(&mut self, level: f64, resolution: f64, round: u64) {
        let largest = self.largest();
        for state in &mut self.states {
            let differences = state.sums.differences(largest);
            let Some(half) = half_width(&differences, level) else { continue };
            let (low, high) = (differences.mean - half, differences.mean + half);
            state.first_is_within |= high <= resolution;
            state.second_is_within |= low >= -resolution;
            if state.decision.is_none() && (low > 0.0 || high < 0.0) {
                state.decision = Some(PairVerdict { is_first: low > 0.0, round, sums: state.sums, largest });
            }
        }
    }

    /// Returns whether these could be the pairs of a league of `bots` bots after `groups` groups.
    pub fn is_sound(&self, bots: usize, groups: u64) -> bool {
        let is_sound = |sums: &PairSums| sums.is_sound() && sums.groups <= groups;
        self.states.len() == bots * bots.saturating_sub(1) / 2
            && self
                .states
                .iter()
                .all(|state| is_sound(&state.sums) && state.decision.is_none_or(|decision| is_sound(&decision.sums)))
    }
}

/// Returns the place of the pair of two bots, the first below the second.
fn place(first: usize, second: usize) -> usize {
    debug_assert!(first < second, "a pair is two bots");
    second * (second - 1) / 2 + first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pairs of three bots after `groups` groups in which bot 1 is ahead and the others are equal.
    fn played(groups: u64) -> LeaguePairs {
        let mut pairs = LeaguePairs::new(3);
        for group in 0..groups {
            let noise = if group.is_multiple_of(2) { 2 } else { -2 };
            pairs.add(&[Some(0), Some(3 + noise), Some(0)]);
        }
        pairs
    }

    #[test]
    fn a_pair_is_decided_once() {
        let mut pairs = played(200);
        pairs.look(0.01, 0.0, 5);
        assert!(pairs.is_above(1, 0) && pairs.is_above(1, 2));
        assert!(!pairs.is_above(0, 1) && !pairs.is_above(0, 2) && !pairs.is_above(2, 0));
        assert!(pairs.is_within(0, 1) && !pairs.is_within(1, 0) && pairs.is_settled(0, 1));
        let decision = pairs.state(0, 1).decision.unwrap();
        assert_eq!((decision.is_first, decision.round, decision.sums.groups), (false, 5, 200));
        pairs.look(0.01, 0.0, 6);
        assert_eq!(pairs.state(0, 1).decision.unwrap().round, 5);
    }

    #[test]
    fn equal_bots_are_settled_by_resolution_alone() {
        let mut pairs = played(500);
        pairs.look(0.01, 0.0, 1);
        assert!(!pairs.is_settled(0, 2), "without a resolution they never are");
        pairs.look(0.01, 0.3, 2);
        assert!(pairs.is_settled(0, 2) && !pairs.is_above(0, 2), "the largest difference is 5, in 1 of 17 groups");
        let mut pairs = played(70);
        pairs.look(0.01, 0.3, 1);
        assert!(!pairs.is_settled(0, 2), "and not so early");
    }

    #[test]
    fn groups_count_for_pairs_that_they_measure() {
        let mut pairs = LeaguePairs::new(3);
        pairs.add(&[Some(1), None, Some(3)]);
        pairs.add(&[None, Some(1), Some(3)]);
        assert_eq!(
            (pairs.state(0, 1).sums.groups, pairs.state(0, 2).sums.sum, pairs.state(1, 2).sums.sum),
            (0, -2, -2)
        );
        assert!(pairs.is_sound(3, 2) && !pairs.is_sound(3, 0) && !pairs.is_sound(4, 2));
    }
}
