//! Sums over contracts: the number of deals and successes of each kind, and the scores.

use std::iter::Sum;

use overtrick_cards::table::Role;
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::{Counter, DealDetails, FinishedDeal, Section, TallyPlan};
use crate::{Flaw, ensure};

/// Integer sums over deals of one kind of contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractCell {
    /// The number of deals.
    pub deals: i64,
    /// The number of deals in which the declarer made the contract.
    pub made: i64,
    /// The sum of the declarers' scores.
    pub declarer: i64,
    /// The sum of the scores of all others, or of all players if there is no declarer. A declarer's partner
    /// is not one of the others.
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
    /// Returns the size of the cells in bytes.
    pub(super) fn bytes(groups: usize, bots: usize, kinds: usize) -> usize {
        groups * (bots + 1) * kinds * size_of::<ContractCell>()
    }

    fn index(&self, group: GroupId, bot: Option<BotId>, kind: usize) -> usize {
        (group.index() * (self.bots + 1) + bot.map_or(self.bots, BotId::index)) * self.kinds + kind
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

impl Counter for Contracts {
    fn new(plan: &TallyPlan<'_>) -> Contracts {
        let &TallyPlan { groups, bots, kinds, .. } = plan;
        // The row after the last bot is for deals without a declarer.
        Contracts { bots, kinds, cells: vec![ContractCell::default(); groups * (bots + 1) * kinds] }
    }

    #[inline]
    fn add_deal(&mut self, section: Section, deal: &FinishedDeal, _details: &mut impl DealDetails) {
        let Some(contract) = deal.contract else { return };
        let declarer = contract.declarer.map(|seat| Role::of(seat, deal.dealer, deal.seats));
        let bot = declarer.map(|role| deal.bots[role]);
        let index = self.index(section.group, bot, usize::from(contract.kind));
        let cell = &mut self.cells[index];
        cell.deals += 1;
        cell.made += i64::from(contract.made);
        let partner = declarer.filter(|_| deal.teams < deal.seats);
        let partner = partner.map(|role| Role::ALL[(role.index() + deal.teams) % deal.seats]);
        for role in Role::all(deal.seats) {
            if declarer == Some(role) {
                cell.declarer += i64::from(deal.scores[role]);
            } else if partner != Some(role) {
                cell.others += i64::from(deal.scores[role]);
            }
        }
    }

    fn merge(&mut self, other: &Contracts) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| cell.add(more));
    }

    fn clear(&mut self) {
        self.cells.fill(ContractCell::default());
    }

    fn is_like(&self, empty: &Contracts) -> bool {
        (self.bots, self.kinds, self.cells.len()) == (empty.bots, empty.kinds, empty.cells.len())
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let is_sound = |cell: &ContractCell| {
            (0..=cell.deals).contains(&cell.made) && (cell.deals > 0 || *cell == ContractCell::default())
        };
        ensure(self.cells.iter().all(is_sound), "contracts are impossible")
    }
}
