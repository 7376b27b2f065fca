//! The scores and the outcomes of games, by line-up, group and seating, and by bot.

use overtrick_cards::table::Role;
use overtrick_strategy::ids::{GroupId, LineUpId, SeatingId};
use serde::{Deserialize, Serialize};

use super::check::{BotSums, Sums};
use super::played::can_square;
use super::{
    Counter, DealDetails, Due, FinishedDeal, FinishedGame, Flaw, Histogram, Pattern, PlayedNumbers, Section, TallyPlan,
    ensure,
};
use crate::Unit;

/// The pairs of roles whose products are summed, including squares.
pub(super) const PRODUCTS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// A sum of products. Scores of 100,000 overflow 64 bits after a billion deals.
pub(super) type Products = i128;

/// The scores and the outcomes of games.
///
/// There is a cell for each line-up, group and seating by role. It has, in this order:
///
/// - the sum of the deal scores of every role
/// - the number of deals
/// - the number of games that ended in each [`Pattern`]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScoreSums {
    pub(super) seats: usize,
    pub(super) groups: usize,
    pub(super) seatings: usize,
    pub(super) cells: Vec<i64>,
    /// By line-up and seating by role: the sums over deals of the products of two roles' scores, in the order
    /// of [`PRODUCTS`].
    products: Vec<[Products; PRODUCTS.len()]>,
    /// By bot: its deal scores.
    pub(super) by_bot: Vec<Histogram>,
}

/// Returns the size of a cell.
pub(super) const fn width(seats: usize) -> usize {
    seats + 1 + Pattern::count(seats)
}

impl ScoreSums {
    /// Returns the index in `cells` of the first value of a cell.
    #[inline]
    pub(super) fn cell(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> usize {
        ((line_up.index() * self.groups + group.index()) * self.seatings + seating.index()) * width(self.seats)
    }

    /// Returns the sums of the products of two roles' scores, in the order of [`PRODUCTS`].
    #[inline]
    pub(super) fn products(&self, line_up: LineUpId, seating: SeatingId) -> &[Products; PRODUCTS.len()] {
        &self.products[line_up.index() * self.seatings + seating.index()]
    }

    /// Returns the sums that the other counters must agree with.
    ///
    /// # Errors
    /// Returns the flaw if the sums by line-up are not possible for the games that were played.
    pub(super) fn due<'a>(&self, played: &'a PlayedNumbers<'a>) -> Result<Due<'a>, Flaw> {
        let mut due = Due::new(played);
        let games = played.games(&due.closed);
        for line_up in played.plan.schedule.line_up_ids() {
            let mut of_groups = vec![Sums::default(); self.groups];
            for seating in played.plan.schedule.seating_ids() {
                let mut of_seating = Sums::default();
                for (group, of_group) in GroupId::all(self.groups).zip(&mut of_groups) {
                    let cell = self.sums_of(self.cell(line_up, group, seating), &played.plan)?;
                    of_seating.add(&cell);
                    of_group.add(&cell);
                }
                let products = self.products(line_up, seating);
                check_products(&of_seating, products, played.plan.farthest())?;
                due.add_seating(line_up, seating, &of_seating, products);
            }
            for ((group, sums), games) in GroupId::all(self.groups).zip(&of_groups).zip(&games) {
                let is_due = sums.games == i128::from(games[line_up.index()]);
                ensure(is_due, "games are not those that were played")?;
                ensure(sums.deals >= sums.games, "deals are fewer than its games")?;
                due.add_group(line_up, group, sums);
            }
        }
        Ok(due)
    }

    /// Returns the sums of the cell that begins at the index `start`.
    fn sums_of(&self, start: usize, plan: &TallyPlan<'_>) -> Result<Sums, Flaw> {
        let cell = &self.cells[start..start + width(self.seats)];
        let (scores, counts) = cell.split_at(self.seats);
        ensure(counts.iter().all(|&count| (0..1 << 62).contains(&count)), "counts are below 0, or too large")?;
        let mut sums = Sums { deals: counts[0].into(), ..Sums::default() };
        for (number, &count) in counts[1..].iter().enumerate() {
            sums.games += i128::from(count);
            sums.tied += if Pattern::is_tied_at(number, self.seats) { i128::from(count) } else { 0 };
        }
        for (sum, &score) in sums.scores.iter_mut().zip(scores) {
            *sum = score.into();
            ensure(plan.can_sum(*sum, sums.deals), "scores are beyond what its deals can give")?;
        }
        ensure(plan.unit == Unit::Match || sums.games == sums.deals, "games are not its deals")?;
        Ok(sums)
    }
}

impl Counter for ScoreSums {
    fn new(plan: &TallyPlan<'_>) -> ScoreSums {
        let &TallyPlan { schedule, groups, .. } = plan;
        let scores = Histogram::new(i64::from(*plan.range.start()), i64::from(*plan.range.end()));
        ScoreSums {
            seats: schedule.seats,
            groups,
            seatings: schedule.seatings.len(),
            cells: vec![0; schedule.cells() * groups * width(schedule.seats)],
            products: vec![[0; PRODUCTS.len()]; schedule.cells()],
            by_bot: vec![scores; plan.bots],
        }
    }

    #[inline(always)]
    fn add_deal(&mut self, section: Section, deal: &FinishedDeal, _details: &mut impl DealDetails) {
        let start = self.cell(deal.line_up, section.group, deal.seating);
        let cell = &mut self.cells[start..start + width(self.seats)];
        for role in Role::all(self.seats) {
            let score = i64::from(deal.scores[role]);
            cell[role.index()] += score;
            self.by_bot[deal.bots[role].index()].add(score, 1);
        }
        cell[self.seats] += 1;
        let products = &mut self.products[deal.line_up.index() * self.seatings + deal.seating.index()];
        let scores = deal.scores.into_array();
        for (sum, (one, other)) in products.iter_mut().zip(PRODUCTS) {
            *sum += Products::from(i64::from(scores[one]) * i64::from(scores[other]));
        }
    }

    #[inline(always)]
    fn add_game(&mut self, section: Section, game: &FinishedGame) {
        let start = self.cell(game.line_up, section.group, game.seating);
        self.cells[start + self.seats + 1 + game.outcome.index()] += 1;
    }

    fn merge(&mut self, other: &ScoreSums) {
        assert_eq!(self.cells.len(), other.cells.len(), "tallies of one schedule");
        for (sum, more) in self.cells.iter_mut().zip(&other.cells) {
            *sum += more;
        }
        for (sum, more) in self.products.as_flattened_mut().iter_mut().zip(other.products.as_flattened()) {
            *sum += more;
        }
        for (histogram, more) in self.by_bot.iter_mut().zip(&other.by_bot) {
            histogram.merge(more);
        }
    }

    fn clear(&mut self) {
        self.cells.fill(0);
        self.products.fill([0; PRODUCTS.len()]);
        self.by_bot.iter_mut().for_each(Histogram::clear);
    }

    fn is_like(&self, empty: &ScoreSums) -> bool {
        (self.seats, self.groups, self.seatings, self.cells.len())
            == (empty.seats, empty.groups, empty.seatings, empty.cells.len())
            && self.products.len() == empty.products.len()
            && self.by_bot.len() == empty.by_bot.len()
            && self.by_bot.iter().zip(&empty.by_bot).all(|(one, other)| one.is_like(other))
    }

    fn check(&self, due: &Due<'_>) -> Result<(), Flaw> {
        for (histogram, due) in self.by_bot.iter().zip(&due.by_bot) {
            let mut sums = BotSums::default();
            for (score, count) in histogram.iter() {
                let (score, count) = (i128::from(score), i128::from(count));
                sums.deals += count;
                sums.score = sums.score.saturating_add(score * count);
                sums.squares = sums.squares.saturating_add((score * score).saturating_mul(count));
            }
            ensure(sums == *due, "scores by bot are not those by line-up")?;
        }
        Ok(())
    }
}

/// Checks the products of the scores of a line-up in a seating. No score is farther from 0 than `farthest`.
fn check_products(sums: &Sums, products: &[Products; PRODUCTS.len()], farthest: i128) -> Result<(), Flaw> {
    let flaw = "products of scores are not those of any";
    for (&product, (one, other)) in products.iter().zip(PRODUCTS) {
        if one == other {
            ensure(can_square(sums.deals, sums.scores[one], product, farthest), flaw)?;
            continue;
        }
        // The Cauchy-Schwarz inequality for the deviations from the means.
        let about = |product: i128, one: usize, other: usize| {
            sums.deals.checked_mul(product)?.checked_sub(sums.scores[one].checked_mul(sums.scores[other])?)
        };
        let squares = [one, other].map(|role| about(products[role], role, role));
        let most = squares[0].zip(squares[1]).and_then(|(one, other)| one.checked_mul(other));
        let square = about(product, one, other).and_then(|about| about.checked_mul(about));
        ensure(square.zip(most).is_none_or(|(square, most)| square <= most), flaw)?;
        let most = products[one].max(products[other]);
        ensure(product.unsigned_abs() <= most.unsigned_abs(), flaw)?;
    }
    Ok(())
}
