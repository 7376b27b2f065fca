//! The interface of counters.

use overtrick_strategy::ids::GroupId;

use super::finished::{Block, DealDetails, FinishedDeal, FinishedGame};
use super::plan::{Section, TallyPlan};
use crate::Flaw;

/// A counter of a tally: integer sums over deals, games or blocks.
///
/// Counters have the same total in any order of adding. Their fields are part of the file form of tallies.
pub(super) trait Counter: Clone + PartialEq {
    /// Makes an empty counter.
    fn new(plan: &TallyPlan<'_>) -> Self;

    /// Counts a finished deal.
    #[inline(always)]
    fn add_deal(&mut self, _section: Section, _deal: &FinishedDeal, _details: &mut impl DealDetails) {}

    /// Counts a finished game.
    #[inline(always)]
    fn add_game(&mut self, _section: Section, _game: &FinishedGame) {}

    /// Counts a finished block of a group.
    ///
    /// There are margins of every two bots if every chair has a different bot, and the margin of a duel.
    #[inline(always)]
    fn add_block(&mut self, _number: u64, _group: GroupId, _sums: &Block, _margins: &[i64]) {}

    /// Adds another counter of the same plan.
    fn merge(&mut self, other: &Self);

    /// Clears the counter, so that it equals an empty one of the same plan.
    fn clear(&mut self);

    /// Returns true if it has the shape of the `empty` counter, so that the two can be merged.
    ///
    /// Large counters compare without a copy.
    fn is_like(&self, empty: &Self) -> bool {
        let mut cleared = self.clone();
        cleared.clear();
        cleared == *empty
    }

    /// Checks that nothing in it can break what reads it. The shape must be right.
    ///
    /// # Errors
    /// Returns the flaw.
    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        Ok(())
    }
}
