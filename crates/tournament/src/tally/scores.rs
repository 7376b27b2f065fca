//! The scores and the outcomes of games, by line-up, group and seating, and by bot.

use overtrick_cards::table::{MAX_SEATS, Role};
use overtrick_strategy::ids::{GroupId, LineUpId, SeatingId};
use serde::{Deserialize, Serialize};

use super::{Counter, DealDetails, FinishedDeal, FinishedGame, Histogram, Pattern, Section, TallyPlan};
use crate::{Flaw, ensure};

/// The pairs of roles whose products are summed, including squares: those of two and three seats first.
pub(super) const PRODUCTS: [(usize, usize); 10] =
    [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2), (3, 3), (0, 3), (1, 3), (2, 3)];

/// The number of these pairs at tables for two and three.
const PRODUCTS_OF_THREE: usize = 6;

/// A sum of products. Scores of 100,000 overflow 64 bits after a billion deals.
pub(super) type Products = i128;

/// The scores and the outcomes of games.
///
/// There is a cell for each line-up, group and seating by role. It has, in this order:
///
/// - the sum of the deal scores of every role
/// - the number of deals
/// - the number of games that ended in each [`Pattern`] of teams
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScoreSums {
    pub(super) seats: usize,
    pub(super) teams: usize,
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
pub(super) const fn width(seats: usize, teams: usize) -> usize {
    seats + 1 + Pattern::count(teams)
}

/// Adds the products of these pairs of scores to their sums.
#[inline(always)]
fn add_products(sums: &mut [Products], pairs: &[(usize, usize)], scores: &[i32; MAX_SEATS]) {
    for (sum, &(one, other)) in sums.iter_mut().zip(pairs) {
        *sum += Products::from(i64::from(scores[one]) * i64::from(scores[other]));
    }
}

impl ScoreSums {
    #[inline(always)]
    fn width(&self) -> usize {
        width(self.seats, self.teams)
    }

    /// Returns the index in `cells` of the first value of a cell.
    #[inline]
    pub(super) fn cell(&self, line_up: LineUpId, group: GroupId, seating: SeatingId) -> usize {
        ((line_up.index() * self.groups + group.index()) * self.seatings + seating.index()) * self.width()
    }

    /// Returns the sums of the products of two roles' scores, in the order of [`PRODUCTS`].
    #[inline]
    pub(super) fn products(&self, line_up: LineUpId, seating: SeatingId) -> &[Products; PRODUCTS.len()] {
        &self.products[line_up.index() * self.seatings + seating.index()]
    }
}

impl Counter for ScoreSums {
    fn new(plan: &TallyPlan<'_>) -> ScoreSums {
        let &TallyPlan { schedule, groups, .. } = plan;
        let scores = Histogram::new(i64::from(*plan.range.start()), i64::from(*plan.range.end()));
        ScoreSums {
            seats: schedule.seats,
            teams: schedule.teams.count(),
            groups,
            seatings: schedule.seatings.len(),
            cells: vec![0; schedule.cells() * groups * width(schedule.seats, schedule.teams.count())],
            products: vec![[0; PRODUCTS.len()]; schedule.cells()],
            by_bot: vec![scores; plan.bots],
        }
    }

    #[inline(always)]
    fn add_deal(&mut self, section: Section, deal: &FinishedDeal, _details: &mut impl DealDetails) {
        let start = self.cell(deal.line_up, section.group, deal.seating);
        let width = self.width();
        let cell = &mut self.cells[start..start + width];
        for role in Role::all(self.seats) {
            let score = i64::from(deal.scores[role]);
            cell[role.index()] += score;
            self.by_bot[deal.bots[role].index()].add(score, 1);
        }
        cell[self.seats] += 1;
        let products = &mut self.products[deal.line_up.index() * self.seatings + deal.seating.index()];
        let scores: [i32; MAX_SEATS] = deal.scores.into_array();
        let (of_three, of_fourth) = products.split_at_mut(PRODUCTS_OF_THREE);
        add_products(of_three, &PRODUCTS[..PRODUCTS_OF_THREE], &scores);
        if self.seats > 3 {
            add_products(of_fourth, &PRODUCTS[PRODUCTS_OF_THREE..], &scores);
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
        (self.seats, self.teams, self.groups, self.seatings, self.cells.len())
            == (empty.seats, empty.teams, empty.groups, empty.seatings, empty.cells.len())
            && self.products.len() == empty.products.len()
            && self.by_bot.len() == empty.by_bot.len()
            && self.by_bot.iter().zip(&empty.by_bot).all(|(one, other)| one.is_like(other))
    }

    fn check(&self, _plan: &TallyPlan<'_>) -> Result<(), Flaw> {
        let is_sound = |cell: &[i64]| {
            let (scores, counts) = cell.split_at(self.seats);
            counts.iter().all(|&count| count >= 0) && (counts[0] > 0 || scores.iter().all(|&score| score == 0))
        };
        ensure(self.cells.chunks(self.width()).all(is_sound), "scores are impossible")
    }
}
