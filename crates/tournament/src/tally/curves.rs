//! Curves: counts of decisions and leads from trick to trick.
//!
//! They come from the deals of a run's first numbers, which are retraced when they are over. How many numbers
//! these are is fixed in advance, so the curves do not depend on threads. The playing loop counts nothing for
//! them.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::{Counter, DealCourse, DealDetails, Decision, FinishedDeal, Section, TallyPlan};
use crate::{Flaw, Unit, ensure};

/// The most numbers whose deals are retraced.
const MOST_NUMBERS: usize = 1 << 10;
/// The number of single deals that are retraced, within the limits for numbers.
const DEALS: usize = 1 << 13;
/// The number of matches that are retraced, each with many deals.
const MATCHES: usize = 1 << 10;
/// The fewest numbers whose deals are retraced. Groups are made of numbers, so it holds for any number of
/// deals in each.
const FEWEST_NUMBERS: usize = 1 << 6;
/// The points of a curve: the time before the first trick, then each of sixteen tricks.
const POINTS: usize = 17;

/// Sums over the decisions and wins of a bot in one trick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotPoint {
    /// The number of decisions.
    pub decisions: u64,
    /// The number of legal moves, summed over the decisions.
    pub legal: u64,
    /// The number of decisions with a single legal move.
    pub forced: u64,
    /// The number of deals with this trick that the bot won, alone or with some others.
    pub wins: u64,
    /// The number of these deals in which the bot led after this trick, alone or with some others.
    pub leads: u64,
}

impl BotPoint {
    /// Adds the sums of another bot, trick or group.
    pub fn add(&mut self, more: &BotPoint) {
        self.decisions += more.decisions;
        self.legal += more.legal;
        self.forced += more.forced;
        self.wins += more.wins;
        self.leads += more.leads;
    }
}

/// Sums over deals in one trick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealPoint {
    /// The number of deals with this trick.
    pub deals: u64,
    /// The number of these deals in which the lead passed to others, at once or through a tie.
    pub lead_changes: u64,
}

impl DealPoint {
    /// Adds the sums of another trick or group.
    pub fn add(&mut self, more: &DealPoint) {
        self.deals += more.deals;
        self.lead_changes += more.lead_changes;
    }
}

/// The curves of one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curves {
    /// Deals of numbers below this are retraced.
    limit: usize,
    /// The number of groups that contain those numbers.
    groups: usize,
    bots: usize,
    /// By group, bot and trick.
    by_bot: Vec<BotPoint>,
    /// By part (as for the end of a deal), group and trick.
    by_deal: Vec<DealPoint>,
}

impl Curves {
    /// Returns true if the deals of a number are retraced.
    #[inline]
    pub fn keeps(&self, number: u64) -> bool {
        number < self.limit as u64
    }

    /// Adds the course of a deal, with the bots by seat.
    #[cold]
    fn add(&mut self, section: Section, bots: &BySeat<BotId>, deal: &DealCourse) {
        let of_group = section.group.index() * self.bots;
        let by_bot = |seat: Seat, trick: usize| (of_group + bots[seat].index()) * POINTS + trick;
        for &Decision { trick, seat, legal } in &deal.decisions {
            let point = &mut self.by_bot[by_bot(seat, trick)];
            point.decisions += 1;
            point.legal += u64::from(legal);
            point.forced += u64::from(legal == 1);
        }
        let by_deal = &mut self.by_deal[(section.part * self.groups + section.group.index()) * POINTS..][..POINTS];
        by_deal[0].deals += 1;
        let mut ahead = 0;
        for (trick, &leaders) in (1..).zip(&deal.leaders) {
            by_deal[trick].deals += 1;
            // A seat that shares a lead has not lost it. So a lead that passes on through a tie has changed.
            let still = leaders & ahead;
            by_deal[trick].lead_changes += u64::from(leaders != 0 && ahead != 0 && still == 0);
            ahead = match (leaders, still) {
                (0, _) => ahead,
                (_, 0) => leaders,
                _ => still,
            };
            for seat in Seat::ALL.into_iter().filter(|seat| deal.best >> seat.index() & 1 == 1) {
                let point = &mut self.by_bot[by_bot(seat, trick)];
                point.wins += 1;
                point.leads += u64::from(leaders >> seat.index() & 1);
            }
        }
    }

    /// Returns the sums of a bot in a group; trick 0 is the time before the first trick.
    ///
    /// They are zero in groups that contain none of the numbers.
    pub fn of_bot(&self, group: GroupId, bot: BotId, trick: usize) -> BotPoint {
        let at = (group.index() * self.bots + bot.index()) * POINTS + trick;
        self.by_bot.get(at).copied().unwrap_or_default()
    }

    /// Returns the sums over the deals of a part in a group.
    pub(super) fn of_deals(&self, part: usize, group: GroupId, trick: usize) -> DealPoint {
        if group.index() < self.groups {
            self.by_deal[(part * self.groups + group.index()) * POINTS + trick]
        } else {
            DealPoint::default()
        }
    }

    /// Returns the numbers of all tricks, with 0 for the time before the first trick.
    pub fn tricks() -> std::ops::Range<usize> {
        0..POINTS
    }
}

impl Counter for Curves {
    fn new(plan: &TallyPlan<'_>) -> Curves {
        let games = match plan.unit {
            Unit::Deal => DEALS,
            Unit::Match => MATCHES,
        };
        let limit = (games / plan.schedule.games_a_number()).clamp(FEWEST_NUMBERS, MOST_NUMBERS);
        let (groups, bots) = (plan.groups.min(limit), plan.bots);
        Curves {
            limit,
            groups,
            bots,
            by_bot: vec![BotPoint::default(); groups * bots * POINTS],
            by_deal: vec![DealPoint::default(); groups * plan.parts() * POINTS],
        }
    }

    #[inline]
    fn add_deal(&mut self, section: Section, deal: &FinishedDeal, details: &mut impl DealDetails) {
        if self.keeps(deal.number)
            && let Some(course) = details.course()
        {
            self.add(section, &deal.bots.by_seat(deal.dealer, deal.seats), &course);
        }
    }

    fn merge(&mut self, other: &Curves) {
        self.by_bot.iter_mut().zip(&other.by_bot).for_each(|(sum, more)| sum.add(more));
        self.by_deal.iter_mut().zip(&other.by_deal).for_each(|(sum, more)| sum.add(more));
    }

    fn clear(&mut self) {
        self.by_bot.fill(BotPoint::default());
        self.by_deal.fill(DealPoint::default());
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let is_sound = |point: &BotPoint| point.decisions > 0 || point.legal == 0;
        ensure(self.by_bot.iter().all(is_sound), "moves by decision are impossible")
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::plan;
    use super::*;
    use crate::{Format, Schedule};

    #[test]
    fn a_lead_that_changes_by_way_of_a_tie_has_changed() {
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let section = Section::new(0, GroupId::default(), 4);
        let changes = |leaders: &[u8]| {
            let mut curves = Curves::new(&plan(&schedule, 3, 4));
            let bots = BySeat::new([0, 1, 2].map(BotId::new));
            let deal = DealCourse { leaders: leaders.to_vec(), ..DealCourse::default() };
            curves.add(section, &bots, &deal);
            Curves::tricks().map(|trick| curves.of_deals(0, GroupId::new(0), trick).lead_changes).sum::<u64>()
        };
        // Seat 0 leads, shares the lead with seat 1, and then seat 1 leads alone.
        assert_eq!(changes(&[1, 3, 2]), 1);
        // The same through a tie of all; seat 0 leads again; a lead that is shared from the first narrows.
        assert_eq!([changes(&[1, 0, 2]), changes(&[1, 3, 1]), changes(&[3, 1]), changes(&[3, 1, 2])], [1, 0, 0, 1]);
        // Seat 0 loses the lead to two at once, and one of them keeps it.
        assert_eq!([changes(&[1, 6, 4]), changes(&[1, 3, 6])], [1, 1]);
    }

    #[test]
    fn a_deal_is_counted_trick_by_trick() {
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let empty = Curves::new(&plan(&schedule, 3, 4));
        assert!(empty.keeps(1023) && !empty.keeps(1024));
        let (bots, group) = (BySeat::new([2, 0, 1].map(BotId::new)), GroupId::new(3));
        let decision = |trick, seat, legal| Decision { trick, seat: Seat::new(seat), legal };
        let deal = DealCourse {
            decisions: vec![decision(0, 0, 4), decision(1, 0, 5), decision(1, 1, 1), decision(1, 2, 2)],
            // Seat 0 leads, all are equal, seats 1 and 2 lead, seat 1 leads, seat 0 leads again.
            leaders: vec![1, 0, 6, 2, 1],
            best: 6,
        };
        let mut curves = empty.clone();
        curves.add(Section::new(0, group, 4), &bots, &deal);
        let point = |seat, trick| curves.of_bot(group, bots[Seat::new(seat)], trick);
        assert_eq!(point(0, 0), BotPoint { decisions: 1, legal: 4, ..BotPoint::default() });
        assert_eq!(point(1, 1), BotPoint { decisions: 1, legal: 1, forced: 1, wins: 1, leads: 0 });
        let wins = |seat| [1, 2, 3, 4, 5, 6].map(|trick| (point(seat, trick).wins, point(seat, trick).leads));
        assert_eq!(wins(0), [(0, 0); 6]);
        assert_eq!(wins(1), [(1, 0), (1, 0), (1, 1), (1, 1), (1, 0), (0, 0)]);
        assert_eq!(wins(2), [(1, 0), (1, 0), (1, 1), (1, 0), (1, 0), (0, 0)]);
        let changes = [0, 1, 2, 3, 4, 5, 6].map(|trick| curves.of_deals(0, group, trick)).map(|p| p.lead_changes);
        assert_eq!(changes, [0, 0, 0, 1, 0, 1, 0]);
        assert_eq!(curves.of_deals(0, GroupId::new(9), 0), DealPoint::default());
        let mut twice = curves.clone();
        twice.merge(&curves);
        assert_eq!(twice.of_deals(0, group, 5), DealPoint { deals: 2, lead_changes: 2 });
        twice.clear();
        assert_eq!(twice, empty);
    }
}
