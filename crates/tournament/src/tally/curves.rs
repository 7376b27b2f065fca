//! Curves: counts of decisions and leads from trick to trick.
//!
//! They come from the deals of a run's first numbers, which are retraced when they are over. How many numbers
//! these are is fixed in advance, so the curves do not depend on threads. The playing loop counts nothing for
//! them.

use overtrick_cards::table::{BySeat, MAX_SEATS, Seat};
use overtrick_strategy::ids::{BotId, GroupId};
use serde::{Deserialize, Serialize};

use super::Schedule;
use super::played::Flaw;
use crate::Unit;

/// The most numbers whose deals are retraced.
const MOST_NUMBERS: usize = 1 << 10;
/// The number of single deals that are retraced, within the limits for numbers.
const DEALS: usize = 1 << 13;
/// The number of matches that are retraced, each with many deals.
const MATCHES: usize = 1 << 10;
/// The fewest numbers whose deals are retraced. Groups are made of numbers, so it holds for any number of
/// deals in each.
const FEWEST_NUMBERS: usize = 1 << 6;
/// The most decisions of a deal, and the most legal moves of a decision.
const MOST_DECISIONS: u64 = 256;
const MOST_MOVES: u64 = 128;
/// The points of a curve: the time before the first trick, then each of sixteen tricks.
const POINTS: usize = 17;

/// The course of one deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DealCourse {
    /// All decisions, in order.
    pub decisions: Vec<Decision>,
    /// By trick: the seats that lead after it, as a bit set; empty if all are equal.
    pub leaders: Vec<u8>,
    /// The seats with the best score, as a bit set; empty if all are equal.
    pub best: u8,
}

/// A decision in the course of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The number of the trick, from 1; 0 for calls and discards.
    pub trick: usize,
    /// The seat that decided.
    pub seat: Seat,
    /// The number of legal moves.
    pub legal: u32,
}

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
    /// Makes curves that count nothing.
    pub(super) fn none() -> Curves {
        Curves { limit: 0, groups: 0, bots: 0, by_bot: Vec::new(), by_deal: Vec::new() }
    }

    /// Makes empty curves for the deals of `schedule` in `groups` groups, for `bots` bots and `parts` parts.
    pub(super) fn new(schedule: &Schedule, groups: usize, bots: usize, parts: usize, unit: Unit) -> Curves {
        let games = match unit {
            Unit::Deal => DEALS,
            Unit::Match => MATCHES,
        };
        let limit = (games / schedule.games_a_number()).clamp(FEWEST_NUMBERS, MOST_NUMBERS);
        let groups = groups.min(limit);
        Curves {
            limit,
            groups,
            bots,
            by_bot: vec![BotPoint::default(); groups * bots * POINTS],
            by_deal: vec![DealPoint::default(); groups * parts * POINTS],
        }
    }

    /// Returns true if the deals of a number are retraced.
    #[inline]
    pub fn keeps(&self, number: u64) -> bool {
        number < self.limit as u64
    }

    /// Adds a deal of a number that is [kept](Self::keeps), with the bots by seat.
    pub(super) fn add(&mut self, part: usize, group: GroupId, bots: &BySeat<BotId>, deal: &DealCourse) {
        let of_group = group.index() * self.bots;
        let by_bot = |seat: Seat, trick: usize| (of_group + bots[seat].index()) * POINTS + trick;
        for &Decision { trick, seat, legal } in &deal.decisions {
            let point = &mut self.by_bot[by_bot(seat, trick)];
            point.decisions += 1;
            point.legal += u64::from(legal);
            point.forced += u64::from(legal == 1);
        }
        let by_deal = &mut self.by_deal[(part * self.groups + group.index()) * POINTS..][..POINTS];
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

    pub(super) fn merge(&mut self, other: &Curves) {
        self.by_bot.iter_mut().zip(&other.by_bot).for_each(|(sum, more)| sum.add(more));
        self.by_deal.iter_mut().zip(&other.by_deal).for_each(|(sum, more)| sum.add(more));
    }

    pub(super) fn clear(&mut self) {
        self.by_bot.fill(BotPoint::default());
        self.by_deal.fill(DealPoint::default());
    }

    /// Checks that the curves are possible for `parts` parts and `groups` groups. `deals` gives the deals by
    /// part and group.
    pub(super) fn check(&self, parts: usize, groups: usize, deals: impl Fn(usize, usize) -> i128) -> Result<(), Flaw> {
        for group in 0..self.groups.min(groups) {
            let mut all = [0_u64; POINTS];
            for part in 0..parts {
                let points = &self.by_deal[(part * self.groups + group) * POINTS..][..POINTS];
                let is_sound = i128::from(points[0].deals) <= deals(part, group)
                    && points[0].lead_changes == 0
                    && points.iter().all(|point| point.lead_changes <= point.deals)
                    && points.windows(2).all(|two| two[1].deals <= two[0].deals);
                if !is_sound {
                    return Err("deals from trick to trick are not those of any");
                }
                all.iter_mut().zip(points).for_each(|(sum, point)| *sum += point.deals);
            }
            for bot in 0..self.bots {
                let points = &self.by_bot[(group * self.bots + bot) * POINTS..][..POINTS];
                let is_sound = |(point, &deals): (&BotPoint, &u64)| {
                    let unforced = point.decisions.checked_sub(point.forced);
                    point.decisions <= deals.max(all[0]).saturating_mul(MOST_DECISIONS)
                        && point.legal <= point.decisions.saturating_mul(MOST_MOVES)
                        && unforced.is_some_and(|unforced| point.forced + 2 * unforced <= point.legal)
                        && point.leads <= point.wins
                        && point.wins <= deals.saturating_mul(MAX_SEATS as u64)
                };
                let wins = points[0].wins == 0 && points[1..].windows(2).all(|two| two[1].wins <= two[0].wins);
                if !(wins && points.iter().zip(&all).all(is_sound)) {
                    return Err("decisions from trick to trick are not those of any deals");
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_like(&self, other: &Curves) -> bool {
        (self.limit, self.groups, self.bots, self.by_bot.len(), self.by_deal.len())
            == (other.limit, other.groups, other.bots, other.by_bot.len(), other.by_deal.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[test]
    fn a_lead_that_changes_by_way_of_a_tie_has_changed() {
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let changes = |leaders: &[u8]| {
            let mut curves = Curves::new(&schedule, 4, 3, 1, Unit::Deal);
            let bots = BySeat::new([0, 1, 2].map(BotId::new));
            let deal = DealCourse { leaders: leaders.to_vec(), ..DealCourse::default() };
            curves.add(0, GroupId::new(0), &bots, &deal);
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
        let empty = Curves::new(&schedule, 4, 3, 1, Unit::Deal);
        assert!(empty.keeps(1023) && !empty.keeps(1024) && !Curves::none().keeps(0));
        let (bots, group) = (BySeat::new([2, 0, 1].map(BotId::new)), GroupId::new(3));
        let decision = |trick, seat, legal| Decision { trick, seat: Seat::new(seat), legal };
        let deal = DealCourse {
            decisions: vec![decision(0, 0, 4), decision(1, 0, 5), decision(1, 1, 1), decision(1, 2, 2)],
            // Seat 0 leads, all are equal, seats 1 and 2 lead, seat 1 leads, seat 0 leads again.
            leaders: vec![1, 0, 6, 2, 1],
            best: 6,
        };
        let mut curves = empty.clone();
        curves.add(0, group, &bots, &deal);
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
        assert!(twice.is_like(&empty) && !twice.is_like(&Curves::none()));
        twice.clear();
        assert_eq!(twice, empty);
    }
}
