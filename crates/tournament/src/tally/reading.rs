//! Read access to the sums of a tally.

use overtrick_cards::table::{ByRole, Role};
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};

use super::{
    Blocks, Contracts, Curves, DealPoint, Ends, GivenAway, Histogram, MatchSums, PRODUCTS, Pattern, Products, Sample,
    Swings, Tally,
};

impl Tally {
    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Returns the ids of all groups, in order.
    pub fn group_ids(&self) -> impl Iterator<Item = GroupId> + use<> {
        GroupId::all(self.groups)
    }

    /// Returns the number of seatings.
    pub fn seatings(&self) -> usize {
        self.seatings
    }

    /// Returns the number of players at the table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Returns the sum of the scores of a role.
    pub fn score(&self, line_up: LineUpId, group: GroupId, seating: SeatingId, role: Role) -> i64 {
        self.cells[self.cell(line_up, group, seating) + role.index()]
    }

    /// Returns the number of deals.
    pub fn deals(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> u64 {
        self.cells[self.cell(line_up, group, seating) + self.seats] as u64
    }

    /// Returns the number of games that ended in each pattern.
    pub fn games(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> impl Iterator<Item = u64> + '_ {
        let start = self.cell(line_up, group, seating) + self.seats + 1;
        self.cells[start..start + Pattern::count(self.seats)].iter().map(|&count| count as u64)
    }

    /// Returns the sum over deals of the square of the weighted sum of the roles' scores.
    pub fn square(&self, line_up: LineUpId, seating: SeatingId, weights: ByRole<f64>) -> f64 {
        let products = &self.products[line_up.index() * self.seatings + seating.index()];
        let weights = weights.into_array();
        let term = |(&sum, (one, other)): (&Products, (usize, usize))| {
            let twice = if one == other { 1.0 } else { 2.0 };
            twice * weights[one] * weights[other] * sum as f64
        };
        products.iter().zip(PRODUCTS).map(term).sum()
    }

    /// Returns the sums over contracts.
    pub fn contracts(&self) -> &Contracts {
        &self.contracts
    }

    /// Returns the ends of deals of a group, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn ends(&self, line_up: Option<LineUpId>, group: GroupId) -> Ends {
        let parts = self.ends.chunks(self.groups).enumerate();
        let mut sum = Ends::default();
        parts
            .filter(|&(part, _)| line_up.is_none_or(|line_up| line_up.index() == part))
            .for_each(|(_, ends)| sum.add(&ends[group.index()]));
        sum
    }

    /// Returns the course of the matches of a group, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn match_sums(&self, line_up: Option<LineUpId>, group: GroupId) -> MatchSums {
        let mut sum = MatchSums::default();
        let parts = self.matches.chunks(self.groups).enumerate();
        parts
            .filter(|&(part, _)| line_up.is_none_or(|line_up| line_up.index() == part))
            .for_each(|(_, matches)| sum.add(&matches[group.index()]));
        sum
    }

    /// Returns the sums over blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Returns the single deals that are kept.
    pub fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Returns the course of the first deals from trick to trick, by bot.
    pub fn curves(&self) -> &Curves {
        &self.curves
    }

    /// Returns the deals in which two bots differ most.
    pub fn swings(&self) -> &Swings {
        &self.swings
    }

    /// Returns the losses by the plays of the first deals, by bot.
    pub fn given_away(&self) -> &GivenAway {
        &self.given_away
    }

    /// Returns the course of deals in one trick, over all line-ups or over `line_up`.
    ///
    /// A `line_up` must be of a single bot.
    pub fn course(&self, line_up: Option<LineUpId>, group: GroupId, trick: usize) -> DealPoint {
        let mut sum = DealPoint::default();
        (0..self.ends.len() / self.groups)
            .filter(|&part| line_up.is_none_or(|line_up| line_up.index() == part))
            .for_each(|part| sum.add(&self.curves.of_deals(part, group, trick)));
        sum
    }

    /// Returns the sum, over the deals of a line-up in a seating, of the square of a role's score.
    pub fn role_square(&self, line_up: LineUpId, seating: SeatingId, role: Role) -> i128 {
        self.products[line_up.index() * self.seatings + seating.index()][role.index()]
    }

    /// Returns the deal scores of a bot.
    pub fn scores(&self, bot: BotId) -> &Histogram {
        &self.scores[bot.index()]
    }
}
