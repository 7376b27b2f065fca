//! Read access to the sums of a tally.

use overtrick_cards::table::{ByRole, MAX_SEATS, Role};
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};

use super::scores::{PRODUCTS, Products};
use super::{DealPoint, Ends, Histogram, MatchSums, Pattern, Tally};

impl Tally {
    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.score_sums.groups
    }

    /// Returns the ids of all groups, in order.
    pub fn group_ids(&self) -> impl Iterator<Item = GroupId> + use<> {
        GroupId::all(self.groups())
    }

    /// Returns the number of seatings.
    pub fn seatings(&self) -> usize {
        self.score_sums.seatings
    }

    /// Returns the number of players at the table.
    pub fn seats(&self) -> usize {
        self.score_sums.seats
    }

    /// Returns the number of teams at the table.
    pub fn teams(&self) -> usize {
        self.score_sums.teams
    }

    /// Returns the cells of a line-up in a group and a seating, and those that follow.
    fn cells(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> &[i64] {
        let sums = self.score_sums();
        &sums.cells[sums.cell(line_up, group, seating)..]
    }

    /// Returns the sum of the scores of a role.
    pub fn score(&self, line_up: LineUpId, group: GroupId, seating: SeatingId, role: Role) -> i64 {
        self.cells(line_up, group, seating)[role.index()]
    }

    /// Returns the number of deals.
    pub fn deals(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> u64 {
        self.cells(line_up, group, seating)[self.seats()] as u64
    }

    /// Returns the number of games that ended in each pattern of teams.
    pub fn games(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> impl Iterator<Item = u64> + '_ {
        let (first, patterns) = (self.seats() + 1, Pattern::count(self.teams()));
        self.cells(line_up, group, seating)[first..][..patterns].iter().map(|&count| count as u64)
    }

    /// Returns the sum over deals of the square of the weighted sum of the roles' scores.
    pub fn square(&self, line_up: LineUpId, seating: SeatingId, weights: ByRole<f64>) -> f64 {
        let products = self.score_sums.products(line_up, seating);
        let weights: [f64; MAX_SEATS] = weights.into_array();
        let term = |(&sum, (one, other)): (&Products, (usize, usize))| {
            let twice = if one == other { 1.0 } else { 2.0 };
            twice * weights[one] * weights[other] * sum as f64
        };
        products.iter().zip(PRODUCTS).map(term).sum()
    }

    /// Returns the ends of deals of a group, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn ends(&self, line_up: Option<LineUpId>, group: GroupId) -> Ends {
        let mut sum = Ends::default();
        self.all_ends().of(line_up, group, self.groups()).for_each(|ends| sum.add(ends));
        sum
    }

    /// Returns the course of the matches of a group, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn match_sums(&self, line_up: Option<LineUpId>, group: GroupId) -> MatchSums {
        let mut sum = MatchSums::default();
        self.all_matches().of(line_up, group, self.groups()).for_each(|matches| sum.add(matches));
        sum
    }

    /// Returns the course of deals in one trick, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn course(&self, line_up: Option<LineUpId>, group: GroupId, trick: usize) -> DealPoint {
        let mut sum = DealPoint::default();
        for part in 0..self.all_ends().0.len() / self.groups() {
            if line_up.is_none_or(|line_up| line_up.index() == part) {
                sum.add(&self.curves.of_deals(part, group, trick));
            }
        }
        sum
    }

    /// Returns the sum, over the deals of a line-up in a seating, of the square of a role's score.
    pub fn role_square(&self, line_up: LineUpId, seating: SeatingId, role: Role) -> i128 {
        self.score_sums.products(line_up, seating)[role.index()]
    }

    /// Returns the deal scores of a bot.
    pub fn scores(&self, bot: BotId) -> &Histogram {
        &self.score_sums.by_bot[bot.index()]
    }
}
