//! Losses by plays in double-dummy analysis: sums over the deals of a run's first numbers.
//!
//! The loss by a card is the difference to the seat's result with the best card, if all play perfectly from
//! then on. It is in tricks if there are two sides, and in points in a game that has none.

use overtrick_cards::table::{BySeat, MAX_SEATS, Role};
use overtrick_strategy::ids::BotId;
use serde::{Deserialize, Serialize};

use super::{Counter, DealDetails, FinishedDeal, JudgedDeal, Section, TallyPlan};
use crate::{Flaw, ensure};

/// The most groups of numbers: enough for an interval, and few enough to keep the sums small.
const MOST_GROUPS: usize = 64;
/// The most tricks of a deal.
const TRICKS: usize = 16;

/// Sums over the cards that a bot played to one trick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The number of analysed cards.
    pub plays: u64,
    /// The sum of the losses, in [parts](super::parts_of_a_point) of a trick or a point.
    pub parts: u64,
}

impl Loss {
    /// Adds the sums of another trick or group.
    pub fn add(&mut self, more: &Loss) {
        self.plays += more.plays;
        self.parts += more.parts;
    }
}

/// Sums over the deals of a bot in one role, on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Cell {
    /// The number of deals with an analysed card of any seat.
    deals: u64,
    /// By trick, from the first.
    tricks: [Loss; TRICKS],
}

impl Cell {
    const EMPTY: Cell = Cell { deals: 0, tricks: [Loss { plays: 0, parts: 0 }; TRICKS] };
}

/// The losses by the plays of one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAway {
    /// The deals of numbers below this are analysed.
    limit: u64,
    /// The number of groups of numbers.
    groups: usize,
    bots: usize,
    /// By group, bot, role and side. The declarer's side comes second.
    cells: Vec<Cell>,
}

impl GivenAway {
    /// The most numbers whose deals are analysed. More would take longer than any user waits.
    pub const MOST: u64 = 1 << 20;

    /// Makes empty sums for `bots` bots and the deals of the first `limit` numbers.
    fn of_first(limit: u64, bots: usize) -> GivenAway {
        let groups = limit.min(MOST_GROUPS as u64) as usize;
        GivenAway { limit, groups, bots, cells: vec![Cell::EMPTY; groups * bots * MAX_SEATS * 2] }
    }

    /// Returns true if the deals of a number are analysed.
    #[inline]
    pub fn keeps(&self, number: u64) -> bool {
        number < self.limit
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    fn cell(&self, group: usize, bot: BotId, role: Role, is_declarer: bool) -> usize {
        ((group * self.bots + bot.index()) * MAX_SEATS + role.index()) * 2 + usize::from(is_declarer)
    }

    /// Adds the losses by the plays of a deal of a number that is [kept](Self::keeps).
    #[cold]
    fn add(&mut self, deal: &FinishedDeal, judged: &JudgedDeal) {
        if judged.plays.is_empty() {
            return;
        }
        let group = (deal.number % self.groups as u64) as usize;
        let bots = deal.bots.by_seat(deal.dealer, deal.seats);
        let cells = BySeat::from_fn(|seat| {
            let role = Role::of(seat, deal.dealer, deal.seats);
            self.cell(group, bots[seat], role, judged.declarers[seat])
        });
        cells.of(deal.seats).iter().for_each(|&cell| self.cells[cell].deals += 1);
        for play in &judged.plays {
            let more = Loss { plays: 1, parts: play.parts.into() };
            self.cells[cells[play.seat]].tricks[play.trick - 1].add(&more);
        }
    }

    /// Returns, by group, the number of a bot's deals and its losses in each trick from the first.
    ///
    /// Only roles and sides (whether it is the declarer's) that `pick` accepts are counted.
    pub fn of_bot(&self, bot: BotId, pick: impl Fn(Role, bool) -> bool) -> Vec<(u64, [Loss; TRICKS])> {
        let sides = || Role::all(MAX_SEATS).flat_map(|role| [(role, false), (role, true)]);
        let of_group = |group: usize| {
            let mut sums = (0, [Loss::default(); TRICKS]);
            for (role, is_declarer) in sides().filter(|&(role, is_declarer)| pick(role, is_declarer)) {
                let cell = &self.cells[self.cell(group, bot, role, is_declarer)];
                sums.0 += cell.deals;
                sums.1.iter_mut().zip(&cell.tricks).for_each(|(sum, more)| sum.add(more));
            }
            sums
        };
        (0..self.groups).map(of_group).collect()
    }
}

impl Counter for GivenAway {
    fn new(plan: &TallyPlan<'_>) -> GivenAway {
        GivenAway::of_first(plan.analyse, plan.bots)
    }

    #[inline]
    fn add_deal(&mut self, _section: Section, deal: &FinishedDeal, details: &mut impl DealDetails) {
        if self.keeps(deal.number)
            && let Some(judged) = details.judged()
        {
            self.add(deal, &judged);
        }
    }

    fn merge(&mut self, other: &GivenAway) {
        for (sum, more) in self.cells.iter_mut().zip(&other.cells) {
            sum.deals += more.deals;
            sum.tricks.iter_mut().zip(&more.tricks).for_each(|(sum, more)| sum.add(more));
        }
    }

    fn clear(&mut self) {
        self.cells.fill(Cell::EMPTY);
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let is_sound = |cell: &Cell| cell.deals > 0 || *cell == Cell::EMPTY;
        ensure(self.cells.iter().all(is_sound), "tricks given away are impossible")
    }
}

#[cfg(test)]
mod tests {
    use overtrick_cards::table::{ByRole, Seat};

    use super::super::finished::JudgedPlay;
    use super::super::tests::finished;
    use super::*;

    #[test]
    fn plays_are_counted_by_bot_role_side_and_trick() {
        let mut sums = GivenAway::of_first(3, 2);
        assert!(sums.keeps(2) && !sums.keeps(3) && sums.groups() == 3);
        let play = |trick, seat, parts| JudgedPlay { trick, seat: Seat::new(seat), parts };
        let deal = JudgedDeal {
            plays: vec![play(1, 0, 2), play(1, 1, 0), play(16, 1, 4)],
            declarers: BySeat::new([false, true, false]),
        };
        let finished = finished(1, 3, ByRole::default(), ByRole::new([0, 1, 0].map(BotId::new)));
        sums.add(&finished, &deal);
        sums.add(&finished, &JudgedDeal::default());
        let of = |sums: &GivenAway, bot, pick: fn(Role, bool) -> bool| {
            let (deals, tricks) = sums.of_bot(BotId::new(bot), pick)[1];
            (deals, [tricks[0], tricks[15]].map(|loss| (loss.plays, loss.parts)))
        };
        assert_eq!(of(&sums, 0, |_, _| true), (2, [(1, 2), (0, 0)]));
        assert_eq!(of(&sums, 1, |_, is_declarer| is_declarer), (1, [(1, 0), (1, 4)]));
        assert_eq!(of(&sums, 1, |role, _| role == Role::Dealer), (0, [(0, 0), (0, 0)]));
        assert_eq!(sums.of_bot(BotId::new(0), |_, _| true)[0].0, 0);
        let mut twice = sums.clone();
        twice.merge(&sums);
        assert_eq!(of(&twice, 1, |_, _| true), (2, [(2, 0), (2, 8)]));
        twice.clear();
        assert_eq!(twice, GivenAway::of_first(3, 2));
    }
}
