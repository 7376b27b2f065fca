//! The tally of results: integer sums, whose size does not grow with the number of deals.

mod blocks;
mod check;
mod clock;
mod contracts;
mod curves;
mod ends;
mod faults;
mod given_away;
mod histogram;
mod matches;
mod pattern;
mod played;
mod reading;
mod sample;
mod swings;

use overtrick_cards::table::{ByRole, BySeat, Role, Seat};
use overtrick_game::ContractResult;
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};
use serde::{Deserialize, Serialize};

use super::{Format, Schedule, Unit};

pub use blocks::{Block, Blocks, GroupBlocks};
pub use clock::Clock;
pub use contracts::{ContractCell, Contracts};
pub use curves::{BotPoint, Curves, DealCourse, DealPoint, Decision};
pub use ends::Ends;
pub use faults::{FaultPosition, Faults, NotedFault};
pub use given_away::{GivenAway, JudgedDeal, JudgedPlay, Loss};
pub use histogram::Histogram;
pub use matches::MatchSums;
pub use pattern::Pattern;
pub use played::{Flaw, ensure};
pub(super) use played::{OpenSums, Played};
pub use sample::{Sample, SampledDeal};
pub use swings::{Margins, Swing, Swings};

/// The pairs of roles whose products are summed, including squares.
const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// A sum of products. Scores of 100,000 overflow 64 bits after a billion deals.
type Products = i128;

/// The results of one variant.
///
/// There is a cell for each line-up, group (deal or match number modulo the number of groups) and seating by
/// role. It has, in this order:
///
/// - the sum of the deal scores of every role
/// - the number of deals
/// - the number of games that ended in each [`Pattern`]
///
/// A game is a deal or, in matches, a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    seats: usize,
    groups: usize,
    seatings: usize,
    cells: Vec<i64>,
    /// By line-up and seating by role: the sums over deals of the products of two roles' scores, in the order
    /// of [`PRODUCTS`].
    products: Vec<[Products; PRODUCTS.len()]>,
    /// By bot: its deal scores.
    scores: Vec<Histogram>,
    contracts: Contracts,
    /// By part and group: the ends of deals.
    ///
    /// Each line-up of a single bot is a part, since such line-ups have nothing in common. All other line-ups
    /// are one part.
    ends: Vec<Ends>,
    /// By part and group: the course of matches.
    matches: Vec<MatchSums>,
    blocks: Blocks,
    /// Single deals that are kept, if matches are assembled from them.
    sample: Sample,
    /// The course of deals from trick to trick, if it is counted.
    curves: Curves,
    /// The deals in which two bots differ most, if they are kept.
    swings: Swings,
    /// The losses by the plays of the first deals, if they are counted.
    given_away: GivenAway,
}

impl Tally {
    /// Makes an empty tally of `schedule` in `groups` groups, for `bots` bots.
    ///
    /// Deal scores lie in `range`, and the game has `kinds` kinds of contract.
    ///
    /// # Panics
    /// If there are more than 65,536 groups.
    pub fn new(
        schedule: &Schedule,
        groups: usize,
        bots: usize,
        range: std::ops::RangeInclusive<i32>,
        kinds: usize,
    ) -> Tally {
        assert!(groups <= GroupId::LAST.index() + 1, "{groups} groups are more than there are ids for");
        let seatings = schedule.seatings.len();
        let cells = schedule.line_ups.len() * groups * seatings * width(schedule.seats);
        let (low, high) = range.into_inner();
        let parts = if schedule.members() == 1 { schedule.line_ups.len() } else { 1 };
        Tally {
            seats: schedule.seats,
            groups,
            seatings,
            cells: vec![0; cells],
            products: vec![[0; PRODUCTS.len()]; schedule.cells()],
            scores: vec![Histogram::new(i64::from(low), i64::from(high)); bots],
            contracts: Contracts::new(groups, bots, kinds),
            ends: vec![Ends::default(); groups * parts],
            matches: vec![MatchSums::default(); groups * parts],
            blocks: Blocks::new(groups),
            sample: Sample::none(),
            curves: Curves::none(),
            swings: Swings::none(),
            given_away: GivenAway::new(0, bots),
        }
    }

    /// Returns the tally, which also keeps the deals in which two bots differ most.
    pub fn with_swings(self, format: Format, bots: usize) -> Tally {
        Tally { swings: Swings::new(format, bots), ..self }
    }

    /// Returns the tally, which also keeps the first deals singly.
    pub fn with_sample(self, schedule: &Schedule) -> Tally {
        Tally { sample: Sample::new(schedule), ..self }
    }

    /// Returns the tally, which also counts the course of the first deals from trick to trick.
    pub fn with_curves(self, schedule: &Schedule, bots: usize, unit: Unit) -> Tally {
        let parts = self.ends.len() / self.groups;
        Tally { curves: Curves::new(schedule, self.groups, bots, parts, unit), ..self }
    }

    /// Returns the tally, which also counts the losses by plays in the deals of the first `limit` numbers.
    pub fn with_given_away(self, limit: u64, bots: usize) -> Tally {
        Tally { given_away: GivenAway::new(limit, bots), ..self }
    }

    /// Returns the size of a tally's cells in bytes.
    pub fn bytes(schedule: &Schedule, groups: usize, bots: usize, kinds: usize) -> usize {
        schedule.cells() * groups * width(schedule.seats) * size_of::<i64>() + Contracts::bytes(groups, bots, kinds)
    }

    /// Returns the group of a deal or match number.
    #[inline]
    pub fn group(&self, number: u64) -> GroupId {
        GroupId::new((number % self.groups as u64) as usize)
    }

    #[inline]
    fn cell(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> usize {
        ((line_up.index() * self.groups + group.index()) * self.seatings + seating.index()) * width(self.seats)
    }

    /// Adds a deal, played by `line_up` in `seating` (by role), with scores and bots by role.
    #[inline(always)]
    pub fn add_deal(
        &mut self,
        line_up: LineUpId,
        group: GroupId,
        seating: SeatingId,
        scores: ByRole<i32>,
        bots: ByRole<BotId>,
    ) {
        let start = self.cell(line_up, group, seating);
        let cell = &mut self.cells[start..start + width(self.seats)];
        for role in Role::all(self.seats) {
            cell[role.index()] += i64::from(scores[role]);
            self.scores[bots[role].index()].add(i64::from(scores[role]), 1);
        }
        cell[self.seats] += 1;
        let products = &mut self.products[line_up.index() * self.seatings + seating.index()];
        let scores = scores.into_array();
        for (sum, (one, other)) in products.iter_mut().zip(PRODUCTS) {
            *sum += Products::from(i64::from(scores[one]) * i64::from(scores[other]));
        }
    }

    /// Returns the part that a line-up belongs to.
    #[inline]
    fn part(&self, line_up: LineUpId) -> usize {
        if self.ends.len() == self.groups { 0 } else { line_up.index() }
    }

    /// Returns the ends of deals of a line-up in a group.
    #[inline]
    fn ends_of(&mut self, line_up: LineUpId, group: GroupId) -> &mut Ends {
        let part = self.part(line_up);
        &mut self.ends[part * self.groups + group.index()]
    }

    /// Adds the end of a deal of a line-up.
    ///
    /// It has the scores by role with their order, whether the game calls it exceptional, and whether it was
    /// passed out.
    #[inline(always)]
    pub fn add_end(
        &mut self,
        line_up: LineUpId,
        group: GroupId,
        scores: ByRole<i32>,
        outcome: Pattern,
        exceptional: bool,
        passed_out: bool,
    ) {
        let squares = scores.into_array().map(|score| i128::from(i64::from(score) * i64::from(score)));
        let is_tied = outcome.is_tied(self.seats);
        let ends = self.ends_of(line_up, group);
        ends.deals += 1;
        ends.tied += u64::from(is_tied);
        ends.exceptional += u64::from(exceptional);
        ends.passed_out += u64::from(passed_out);
        for (sum, square) in ends.squares.iter_mut().zip(squares) {
            *sum += square;
        }
    }

    /// Adds a match of `deals` deals, with the totals at half time and the places at the end, by seat.
    pub fn add_match(
        &mut self,
        line_up: LineUpId,
        group: GroupId,
        deals: u32,
        half_time: &BySeat<i32>,
        places: &BySeat<u8>,
    ) {
        let at = self.part(line_up) * self.groups + group.index();
        self.matches[at].add_match(deals, half_time.of(self.seats), places.of(self.seats));
    }

    /// Adds a match that was stopped because it had too many deals.
    pub fn add_cut_off(&mut self, line_up: LineUpId, group: GroupId) {
        self.ends_of(line_up, group).cut_off += 1;
    }

    /// Adds the finished block of a number, with the [margins](Swings) of every two bots.
    #[inline]
    pub fn add_block(&mut self, number: u64, block: &Block, margins: &[i64]) {
        self.blocks.add_to(self.group(number), block);
        self.swings.add_block(number, margins);
    }

    /// Adds the result of a deal's contract, with the scores and the bots by seat.
    #[inline]
    pub fn add_contract(&mut self, group: GroupId, deal: ContractResult, scores: &BySeat<i32>, bots: &BySeat<BotId>) {
        self.contracts.add(group, self.seats, deal, scores, bots);
    }

    /// Keeps a deal for matches assembled from single deals, if its number is among the first. `deal` makes
    /// it.
    #[inline]
    pub fn add_sample(
        &mut self,
        line_up: LineUpId,
        number: u64,
        seating: SeatingId,
        deal: impl FnOnce() -> SampledDeal,
    ) {
        if self.sample.keeps(number) {
            self.sample.add(number, line_up, seating, deal());
        }
    }

    /// Adds the course of a deal whose number the [curves](Self::curves) keep, with the bots by seat.
    pub fn add_course(&mut self, line_up: LineUpId, group: GroupId, bots: &BySeat<BotId>, deal: &DealCourse) {
        let part = self.part(line_up);
        self.curves.add(part, group, bots, deal);
    }

    /// Adds the [losses](Self::given_away) by the plays of a deal, with the bots by seat. Its number must be
    /// kept for that.
    pub fn add_judged(&mut self, number: u64, dealer: Seat, bots: &BySeat<BotId>, deal: &JudgedDeal) {
        self.given_away.add(number, self.seats, dealer, bots, deal);
    }

    /// Adds the outcome of a game (a deal or a match), by role in its first deal.
    #[inline]
    pub fn add_game(&mut self, line_up: LineUpId, group: GroupId, seating: SeatingId, outcome: Pattern) {
        let start = self.cell(line_up, group, seating);
        self.cells[start + self.seats + 1 + outcome.index()] += 1;
    }

    /// Adds another tally of the same schedule.
    pub fn merge(&mut self, other: &Tally) {
        assert_eq!(self.cells.len(), other.cells.len(), "tallies of one schedule");
        for (sum, more) in self.cells.iter_mut().zip(&other.cells) {
            *sum += more;
        }
        for (sum, more) in self.products.as_flattened_mut().iter_mut().zip(other.products.as_flattened()) {
            *sum += more;
        }
        for (histogram, more) in self.scores.iter_mut().zip(&other.scores) {
            histogram.merge(more);
        }
        self.contracts.merge(&other.contracts);
        for (sum, more) in self.ends.iter_mut().zip(&other.ends) {
            sum.add(more);
        }
        for (sums, more) in self.matches.iter_mut().zip(&other.matches) {
            sums.add(more);
        }
        self.blocks.merge(&other.blocks);
        self.sample.merge(&other.sample);
        self.curves.merge(&other.curves);
        self.swings.merge(&other.swings);
        self.given_away.merge(&other.given_away);
    }

    /// Clears the tally.
    pub fn clear(&mut self) {
        self.cells.fill(0);
        self.products.fill([0; PRODUCTS.len()]);
        self.scores.iter_mut().for_each(Histogram::clear);
        self.contracts.clear();
        self.ends.fill(Ends::default());
        self.matches.fill(MatchSums::default());
        self.blocks = Blocks::new(self.groups);
        self.sample.clear();
        self.curves.clear();
        self.swings.clear();
        self.given_away.clear();
    }

    /// Returns true if it has the same shape as `other`, so that the two can be merged.
    pub fn is_like(&self, other: &Tally) -> bool {
        (self.seats, self.groups, self.seatings, self.cells.len())
            == (other.seats, other.groups, other.seatings, other.cells.len())
            && self.products.len() == other.products.len()
            && self.ends.len() == other.ends.len()
            && self.matches.len() == other.matches.len()
            && self.sample.is_like(&other.sample)
            && self.curves.is_like(&other.curves)
            && self.swings.is_like(&other.swings)
            && self.given_away.is_like(&other.given_away)
            && self.contracts.is_like(&other.contracts)
            && self.scores.len() == other.scores.len()
            && self.scores.iter().zip(&other.scores).all(|(one, other)| one.is_like(other))
    }
}

const fn width(seats: usize) -> usize {
    seats + 1 + Pattern::count(seats)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values by seat if the dealer has seat 0.
    fn by_seat<T: Copy>(values: ByRole<T>) -> BySeat<T> {
        values.by_seat(Seat::Seat0, 3)
    }

    #[test]
    fn far_scores_of_many_deals_do_not_overflow() {
        let schedule = Schedule::new(crate::Format::Duel, 2, None, 2).unwrap();
        let mut tally = Tally::new(&schedule, 1, 2, -100_000..=100_000, 1);
        let (line_up, group, seating) = (LineUpId::default(), GroupId::default(), SeatingId::default());
        let (scores, bots) = (ByRole::new([-100_000, 100_000, 0]), ByRole::new([0, 1, 0].map(BotId::new)));
        tally.add_deal(line_up, group, seating, scores, bots);
        tally.add_end(line_up, group, scores, Pattern::of(scores, 2), false, false);
        // A trillion deals.
        for _ in 0..40 {
            tally.merge(&tally.clone());
        }
        let square = 10_i128.pow(10) << 40;
        assert_eq!(tally.role_square(line_up, seating, Role::Forehand), square);
        assert_eq!(tally.ends(None, group).squares, [square, square, 0]);
        let difference = tally.square(line_up, seating, ByRole::new([1.0, -1.0, 0.0]));
        assert_eq!(difference, 4.0 * square as f64);
    }

    #[test]
    fn tallies_add_up_in_any_order() {
        let schedule = Schedule::new(crate::Format::RoundRobin, 4, None, 3).unwrap();
        let empty = Tally::new(&schedule, 4, 4, -3..=20, 2).with_swings(Format::Duel, 2);
        let (mut all, unplayed) = (empty.clone(), empty.clone());
        let mut parts = [empty.clone(), empty];
        for number in 0..40u64 {
            let scores = ByRole::new([(number % 7) as i32, -(number as i32 % 3), 20]);
            let (line_up, seating) = (LineUpId::new(number as usize % 4), SeatingId::new(number as usize % 6));
            let (bots, group) = (ByRole::new([0, 1, 3].map(BotId::new)), all.group(number));
            for tally in [&mut all, &mut parts[(number % 3 == 0) as usize]] {
                tally.add_deal(line_up, group, seating, scores, bots);
                let outcome = Pattern::of(scores, 3);
                tally.add_game(line_up, group, seating, outcome);
                tally.add_end(line_up, group, scores, outcome, number.is_multiple_of(3), number.is_multiple_of(5));
                let mut block = Block::default();
                block.add_deal(3, scores, bots, |bot| bot.index() as i64 - 1);
                tally.add_block(number, &block, &[number as i64 - 20]);
                let (declarer, made) = (Seat::ALL.get(number as usize % 4).copied(), number % 5 == 0);
                tally.add_contract(
                    group,
                    ContractResult { kind: (number % 2) as u8, declarer, made },
                    &by_seat(scores),
                    &by_seat(bots),
                );
            }
        }
        let [mut one, mut other] = parts;
        let first = one.clone();
        one.merge(&other);
        other.merge(&first);
        assert_eq!(one, all);
        assert_eq!(other, all);
        assert_eq!(all.scores(BotId::new(3)).count(), 40);
        assert!(one.is_like(&first));
        one.clear();
        assert_eq!(one, unplayed);
        // Every fourth deal has no declarer. Seat 2 (bot 3) declares every fourth from the third, and makes
        // numbers 10 and 30.
        let sum = |pick: &dyn Fn(Option<BotId>, usize) -> bool| -> (i64, i64) {
            let cells = all.group_ids().map(|group| all.contracts().sum(group, pick));
            cells.fold((0, 0), |(deals, made), cell| (deals + cell.deals, made + cell.made))
        };
        let third = Some(BotId::new(3));
        assert_eq!(sum(&|_, _| true), (40, 8));
        assert_eq!(sum(&|bot, _| bot.is_none()), (10, 2));
        assert_eq!(sum(&|bot, _| bot == third), (10, 2));
        assert_eq!(sum(&|bot, kind| bot == third && kind == 1), (0, 0));
        let cell = all.contracts().sum(GroupId::new(2), |bot, _| bot == third);
        assert_eq!(cell.declarer, 20 * cell.deals);
        let games = |(l, s)| all.group_ids().map(|group| all.games(l, group, s).sum::<u64>()).sum::<u64>();
        assert_eq!(schedule.cell_ids().map(games).sum::<u64>(), 40);
    }
}
