//! Sums over blocks. A block is all games played with one deal or match number.
//!
//! Blocks are independent of each other. The variance of a duel's margin cannot be computed from sums over
//! single games. Nor can the share of the variance of scores that is due to the cards.

use overtrick_strategy::ids::GroupId;
use serde::{Deserialize, Serialize};

use super::played::can_square;
use super::{Block, Counter, Due, Flaw, OpenSums, TallyPlan, ensure};
use crate::Format;

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

    /// Checks the sums over all groups against the total `margin`. No block has a margin above `most`.
    fn check_total(&self, margin: i128, most: i128) -> Result<(), Flaw> {
        let widest = i128::from(self.widest_margin);
        let count: u128 = self.groups.iter().map(|group| u128::from(group.count)).sum();
        let is_sound = count == u128::from(self.count)
            && self.margin == margin
            && widest <= most
            && self.margin_squares >= widest * widest
            && can_square(self.count.into(), margin, self.margin_squares, widest);
        ensure(is_sound, "margins are not those of its blocks")
    }
}

impl GroupBlocks {
    /// Checks the sums of a group of `count` blocks whose roles scored `scores`. No block scored more than
    /// `most`.
    fn check(&self, count: u64, scores: [i128; 3], most: i128) -> Result<(), Flaw> {
        let can = |(&squares, sum): (&i128, i128)| can_square(self.count.into(), sum, squares, most);
        let is_sound = self.count == count && self.role_squares.iter().zip(scores).all(can);
        ensure(is_sound, "blocks of a group are not those of its deals")
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
        for (sum, score) in sums.role_squares.iter_mut().zip(block.roles.into_array()) {
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
            for (sum, more) in own.role_squares.iter_mut().zip(more.role_squares) {
                *sum += more;
            }
        }
    }

    fn clear(&mut self) {
        *self = Blocks::empty(self.groups.len());
    }

    fn check(&self, due: &Due<'_>) -> Result<(), Flaw> {
        let (farthest, open) = (due.plan().farthest(), due.played.open);
        for (group, sums) in GroupId::all(self.groups.len()).zip(&self.groups) {
            let of_group = due.of_group(group);
            let most = of_group.deals * farthest;
            let mut closed = of_group.scores;
            for open in open.iter().filter(|open| open.number % self.groups.len() as u64 == group.index() as u64) {
                take_out(&mut closed, open, most * 3)?;
            }
            sums.check(due.closed[group.index()], closed, most)?;
        }
        let is_duel = due.plan().format == Format::Duel;
        ensure(is_duel || open.iter().all(|open| open.margin == 0), "margins are those of no duel")?;
        let in_open: i128 = open.iter().map(|open| i128::from(open.margin)).sum();
        self.check_total(if is_duel { due.ahead - in_open } else { 0 }, 3 * due.deals() * farthest)
    }
}

/// Takes the sums of an open number out of `scores` by role. No sum may exceed `most`.
fn take_out(scores: &mut [i128; 3], open: &OpenSums<'_>, most: i128) -> Result<(), Flaw> {
    let roles = open.roles.into_array();
    for sum in roles.iter().chain(open.margins).chain([&open.margin]) {
        ensure(i128::from(*sum).abs() <= most, "sums of a number in progress are too large")?;
    }
    scores.iter_mut().zip(roles).for_each(|(sum, open)| *sum -= i128::from(open));
    Ok(())
}
