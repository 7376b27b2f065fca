//! Sums over blocks. A block is all games played with one deal or match number.
//!
//! Blocks are independent of each other. The variance of a duel's margin cannot be computed from sums over
//! single games. Nor can the share of the variance of scores that is due to the cards.

use overtrick_cards::table::{ByRole, Role};
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::played::{Flaw, can_square};

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
    pub role_squares: [i128; 3],
}

impl Blocks {
    /// Makes empty sums in `groups` groups.
    pub(super) fn new(groups: usize) -> Blocks {
        Blocks { groups: vec![GroupBlocks::default(); groups], ..Blocks::default() }
    }

    /// Returns the sums over the blocks of a group.
    pub fn group(&self, group: GroupId) -> GroupBlocks {
        self.groups[group.index()]
    }

    /// Adds a finished block of a group.
    pub(super) fn add_to(&mut self, group: GroupId, block: &Block) {
        self.add(block);
        let sums = &mut self.groups[group.index()];
        sums.count += 1;
        for (sum, score) in sums.role_squares.iter_mut().zip(block.roles.into_array()) {
            *sum += i128::from(score) * i128::from(score);
        }
    }

    /// Adds a finished block to the sums over all groups.
    pub fn add(&mut self, block: &Block) {
        self.count += 1;
        self.margin += i128::from(block.margin);
        self.margin_squares += i128::from(block.margin) * i128::from(block.margin);
        self.widest_margin = self.widest_margin.max(block.margin.unsigned_abs());
    }

    pub(super) fn merge(&mut self, other: &Blocks) {
        self.count += other.count;
        self.margin += other.margin;
        self.margin_squares += other.margin_squares;
        self.widest_margin = self.widest_margin.max(other.widest_margin);
        for (own, more) in self.groups.iter_mut().zip(&other.groups) {
            own.count += more.count;
            for (sum, more) in own.role_squares.iter_mut().zip(more.role_squares) {
                *sum += more;
            }
        }
    }
}

impl GroupBlocks {
    /// Checks the sums of a group of `count` blocks whose roles scored `scores`. No block scored more than
    /// `most`.
    pub(super) fn check(&self, count: u64, scores: [i128; 3], most: i128) -> Result<(), Flaw> {
        let can = |(&squares, sum): (&i128, i128)| can_square(self.count.into(), sum, squares, most);
        match self.count == count && self.role_squares.iter().zip(scores).all(can) {
            true => Ok(()),
            false => Err("blocks of a group are not those of its deals"),
        }
    }
}

impl Blocks {
    /// Checks the sums over all groups against the total `margin`. No block has a margin above `most`.
    pub(super) fn check(&self, margin: i128, most: i128) -> Result<(), Flaw> {
        let widest = i128::from(self.widest_margin);
        let count = self.groups.iter().map(|group| u128::from(group.count)).sum::<u128>();
        let is_sound = count == u128::from(self.count)
            && self.margin == margin
            && widest <= most
            && self.margin_squares >= widest * widest
            && can_square(self.count.into(), margin, self.margin_squares, widest);
        if is_sound { Ok(()) } else { Err("margins are not those of its blocks") }
    }
}

/// The sums over the games of one block so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// By role: the sum of the scores over all deals.
    pub roles: ByRole<i64>,
    /// In a duel: the points of the first bot minus the points of the second, over all chairs; 0 in other
    /// formats.
    pub margin: i64,
}

impl Block {
    /// Adds a deal with scores and bots by role.
    ///
    /// `sign` is 1 for the first bot of a duel, -1 for the second, and 0 in other formats.
    #[inline]
    pub fn add_deal(&mut self, seats: usize, scores: ByRole<i32>, bots: ByRole<BotId>, sign: impl Fn(BotId) -> i64) {
        for role in Role::all(seats) {
            self.roles[role] += i64::from(scores[role]);
            self.margin += sign(bots[role]) * i64::from(scores[role]);
        }
    }
}
