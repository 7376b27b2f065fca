//! The margins of line-ups in which a bot sits twice.

use overtrick_strategy::ids::GroupId;
use serde::{Deserialize, Serialize};

use super::{Counter, TallyPlan};
use crate::{Flaw, ensure};

/// The sums of a line-up in which a bot sits twice, in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyCell {
    /// The sum of the margins ([`CopyLineUp::margin`](crate::CopyLineUp::margin)).
    pub margin: i64,
    /// The number of games.
    pub games: u64,
}

/// The margins of line-ups in which a bot sits twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copies {
    groups: usize,
    /// By line-up, then group.
    cells: Vec<CopyCell>,
}

impl Copies {
    /// Returns the size of the cells of a number of line-ups, in bytes.
    pub(super) fn bytes(line_ups: usize, groups: usize) -> usize {
        line_ups * groups * size_of::<CopyCell>()
    }

    /// Returns by group the sums of the line-up with this number.
    pub fn line_up(&self, number: usize) -> &[CopyCell] {
        &self.cells[number * self.groups..][..self.groups]
    }

    /// Adds a game of the line-up with this number, with its margin.
    pub(super) fn add(&mut self, number: usize, group: GroupId, margin: i64) {
        let cell = &mut self.cells[number * self.groups + group.index()];
        cell.margin += margin;
        cell.games += 1;
    }
}

impl Counter for Copies {
    fn new(plan: &TallyPlan<'_>) -> Copies {
        let line_ups = plan.schedule.copies().count();
        Copies { groups: plan.groups, cells: vec![CopyCell::default(); line_ups * plan.groups] }
    }

    fn merge(&mut self, other: &Copies) {
        for (own, more) in self.cells.iter_mut().zip(&other.cells) {
            own.margin += more.margin;
            own.games += more.games;
        }
    }

    fn clear(&mut self) {
        self.cells.fill(CopyCell::default());
    }

    fn is_like(&self, empty: &Copies) -> bool {
        self.groups == empty.groups && self.cells.len() == empty.cells.len()
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let is_sound = |cell: &CopyCell| cell.games > 0 || cell.margin == 0;
        ensure(self.cells.iter().all(is_sound), "margins of line-ups with copies are impossible")
    }
}
