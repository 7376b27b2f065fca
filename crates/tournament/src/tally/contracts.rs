//! Sums over contracts: the number of deals and successes of each kind, and the scores.

use std::iter::Sum;

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::ContractResult;
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::played::{Flaw, Played};

/// Integer sums over deals of one kind of contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractCell {
    /// The number of deals.
    pub deals: i64,
    /// The number of deals in which the declarer made the contract.
    pub made: i64,
    /// The sum of the declarers' scores.
    pub declarer: i64,
    /// The sum of the scores of all others, or of all players if there is no declarer.
    pub others: i64,
}

impl ContractCell {
    fn add(&mut self, other: &ContractCell) {
        self.deals += other.deals;
        self.made += other.made;
        self.declarer += other.declarer;
        self.others += other.others;
    }
}

impl Sum for ContractCell {
    fn sum<I: Iterator<Item = ContractCell>>(cells: I) -> ContractCell {
        cells.fold(ContractCell::default(), |mut sum, cell| {
            sum.add(&cell);
            sum
        })
    }
}

/// The contracts of one variant, by group of deals, declarer's bot and kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contracts {
    bots: usize,
    kinds: usize,
    cells: Vec<ContractCell>,
}

impl Contracts {
    /// Makes empty sums for a game with `kinds` kinds of contract.
    pub(super) fn new(groups: usize, bots: usize, kinds: usize) -> Contracts {
        // The row after the last bot is for deals without a declarer.
        Contracts { bots, kinds, cells: vec![ContractCell::default(); groups * (bots + 1) * kinds] }
    }

    /// Returns the size of the cells in bytes.
    pub(super) fn bytes(groups: usize, bots: usize, kinds: usize) -> usize {
        groups * (bots + 1) * kinds * size_of::<ContractCell>()
    }

    fn index(&self, group: GroupId, bot: Option<BotId>, kind: usize) -> usize {
        (group.index() * (self.bots + 1) + bot.map_or(self.bots, BotId::index)) * self.kinds + kind
    }

    /// Adds a finished deal, with the scores and the bots by seat.
    #[inline]
    pub(super) fn add(
        &mut self,
        group: GroupId,
        seats: usize,
        deal: ContractResult,
        scores: &BySeat<i32>,
        bots: &BySeat<BotId>,
    ) {
        let bot = deal.declarer.map(|seat| bots[seat]);
        let index = self.index(group, bot, usize::from(deal.kind));
        let cell = &mut self.cells[index];
        cell.deals += 1;
        cell.made += i64::from(deal.made);
        for seat in Seat::all(seats) {
            let side = if deal.declarer == Some(seat) { &mut cell.declarer } else { &mut cell.others };
            *side += i64::from(scores[seat]);
        }
    }

    pub(super) fn merge(&mut self, other: &Contracts) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| cell.add(more));
    }

    pub(super) fn clear(&mut self) {
        self.cells.fill(ContractCell::default());
    }

    /// Checks the cells of a group of `deals` deals.
    pub(super) fn check(&self, played: &Played<'_>, group: GroupId, deals: i128) -> Result<(), Flaw> {
        let mut all = 0;
        for (bot, others) in played.declarers() {
            for kind in 0..self.kinds {
                let cell = &self.cells[self.index(group, bot, kind)];
                let count = i128::from(cell.deals);
                let own = if bot.is_some() { count } else { 0 };
                let is_sound = (0..=cell.deals).contains(&cell.made)
                    && played.can_sum(cell.declarer.into(), own)
                    && played.can_sum(cell.others.into(), count * others);
                if !is_sound {
                    return Err("contracts are not those of any deals");
                }
                all += count;
            }
        }
        if all <= deals { Ok(()) } else { Err("contracts are more than its deals") }
    }

    pub(super) fn is_like(&self, other: &Contracts) -> bool {
        (self.bots, self.kinds, self.cells.len()) == (other.bots, other.kinds, other.cells.len())
    }

    /// Returns the sums of a group over the bots and kinds picked. The bot is `None` for deals without a
    /// declarer.
    pub fn sum(&self, group: GroupId, pick: impl Fn(Option<BotId>, usize) -> bool) -> ContractCell {
        let mut sum = ContractCell::default();
        for bot in BotId::all(self.bots).map(Some).chain([None]) {
            for kind in (0..self.kinds).filter(|&kind| pick(bot, kind)) {
                sum.add(&self.cells[self.index(group, bot, kind)]);
            }
        }
        sum
    }
}
