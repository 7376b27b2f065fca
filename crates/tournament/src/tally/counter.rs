//! The interface of counters.

use overtrick_strategy::ids::GroupId;

use super::check::Due;
use super::finished::{Block, DealDetails, FinishedDeal, FinishedGame};
use super::plan::{Section, TallyPlan};
use super::played::Flaw;

/// A counter of a tally: integer sums over deals, games or blocks.
///
/// Counters have the same total in any order of adding. Their fields are part of the file form of tallies.
pub(super) trait Counter {
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

    /// Clears the counter.
    fn clear(&mut self);

    /// Returns true if it has the same shape as `other`, so that the two can be merged.
    fn is_like(&self, other: &Self) -> bool;

    /// Checks that the counts are possible for a tally with the sums in `due`. The shape must be right.
    ///
    /// # Errors
    /// Returns the flaw.
    fn check(&self, due: &Due<'_>) -> Result<(), Flaw>;
}
