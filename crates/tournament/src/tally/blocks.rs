//! Sums over blocks. A block is all games played with one deal or match number.
//!
//! Blocks are independent of each other. The variance of a duel's margin cannot be computed from sums over
//! single games. Nor can the share of the variance of scores that is due to the cards.

use overtrick_cards::table::ByRole;
use overtrick_strategy::ids::GroupId;
use serde::{Deserialize, Serialize};

use super::{Block, Counter, TallyPlan};
use crate::{Flaw, ensure};

/// Integer sums over blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// The number of blocks.
    pub count: u64,
    /// In a duel: the sum of the margins, in points.
    pub margin: i128,
    /// In a duel: the sum of the squares of the margins.
    pub margin_squares: i128,
    /// In a duel: the largest absolute margin.
    pub widest_margin: u64,
    /// By group: its sums.
    pub groups: Vec<GroupBlocks>,
}

/// Integer sums over the blocks of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupBlocks {
    /// The number of blocks.
    pub count: u64,
    /// By role: the sum over blocks of the square of the role's total score in the block.
    pub role_squares: ByRole<i128>,
}

impl Blocks {
    /// Makes empty sums in `groups` groups.
    fn empty(groups: usize) -> Blocks {
        Blocks { groups: vec![GroupBlocks::default(); groups], ..Blocks::default() }
    }

    /// Returns the sums over the blocks of a group.
    pub fn group(&self, group: GroupId) -> GroupBlocks {
        self.groups[group.index()]
    }

    /// Adds a finished block to the sums over all groups.
    pub fn add(&mut self, block: &Block) {
        self.count += 1;
        self.margin += i128::from(block.margin);
        self.margin_squares += i128::from(block.margin) * i128::from(block.margin);
        self.widest_margin = self.widest_margin.max(block.margin.unsigned_abs());
    }
}

impl Counter for Blocks {
    fn new(plan: &TallyPlan<'_>) -> Blocks {
        Blocks::empty(plan.groups)
    }

    #[inline(always)]
    fn add_block(&mut self, _number: u64, group: GroupId, block: &Block, _margins: &[i64]) {
        self.add(block);
        let sums = &mut self.groups[group.index()];
        sums.count += 1;
        for ((_, sum), (_, &score)) in sums.role_squares.iter_mut().zip(block.roles.iter()) {
            *sum += i128::from(score) * i128::from(score);
        }
    }

    fn merge(&mut self, other: &Blocks) {
        self.count += other.count;
        self.margin += other.margin;
        self.margin_squares += other.margin_squares;
        self.widest_margin = self.widest_margin.max(other.widest_margin);
        for (own, more) in self.groups.iter_mut().zip(&other.groups) {
            own.count += more.count;
            for ((_, sum), (_, more)) in own.role_squares.iter_mut().zip(more.role_squares.iter()) {
                *sum += more;
            }
        }
    }

    fn clear(&mut self) {
        *self = Blocks::empty(self.groups.len());
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let count: u64 = self.groups.iter().map(|group| group.count).sum();
        ensure(count == self.count, "groups of deals are not all of its deals")?;
        ensure(self.margin.unsigned_abs() < 1 << 60, "margin is larger than any run's")
    }
}
