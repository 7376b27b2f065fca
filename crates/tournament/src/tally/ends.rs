//! The ends of deals: ties, exceptions and deals without play.

use serde::{Deserialize, Serialize};

use super::check::Sums;
use super::played::can_square;
use super::{Counter, DealDetails, Due, FinishedDeal, FinishedGame, Flaw, Section, Sections, TallyPlan, ensure};
use crate::Unit;

/// Counts of the ends of deals in one section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ends {
    /// The number of deals.
    pub deals: u64,
    /// The number of deals in which the best score was shared.
    pub tied: u64,
    /// The number of deals that the game calls exceptional.
    pub exceptional: u64,
    /// The number of deals without a declarer and without a trick.
    pub passed_out: u64,
    /// The number of matches that were stopped because they had too many deals.
    pub cut_off: u64,
    /// By role: the sum of the squares of its scores.
    pub squares: [i128; 3],
}

impl Ends {
    pub(super) fn add(&mut self, more: &Ends) {
        self.deals += more.deals;
        self.tied += more.tied;
        self.exceptional += more.exceptional;
        self.passed_out += more.passed_out;
        self.cut_off += more.cut_off;
        for (sum, more) in self.squares.iter_mut().zip(more.squares) {
            *sum += more;
        }
    }

    /// Checks the ends in a section with these sums.
    fn check(&self, sums: &Sums, due: &Due<'_>) -> Result<(), Flaw> {
        ensure(i128::from(self.deals) == sums.deals, "ends of deals are not as many as its deals")?;
        let counts = [self.tied, self.exceptional, self.passed_out];
        ensure(counts.iter().all(|&count| count <= self.deals), "ends of deals are more than its deals")?;
        let is_deal = due.plan().unit == Unit::Deal;
        ensure(!is_deal || i128::from(self.tied) == sums.tied, "ties are not those of its games")?;
        for (score, square) in sums.scores.into_iter().zip(self.squares) {
            let can = can_square(sums.deals, score, square, due.plan().farthest());
            ensure(can, "squares of scores are not those of any")?;
        }
        let matches = if is_deal { 0 } else { sums.games };
        ensure(i128::from(self.cut_off) <= matches, "matches that were cut off are more than its matches")
    }
}

impl Counter for Sections<Ends> {
    fn new(plan: &TallyPlan<'_>) -> Sections<Ends> {
        Sections(vec![Ends::default(); plan.sections()])
    }

    #[inline(always)]
    fn add_deal(&mut self, section: Section, deal: &FinishedDeal, _details: &mut impl DealDetails) {
        let ends = &mut self.0[section.index];
        ends.deals += 1;
        ends.tied += u64::from(deal.outcome.is_tied(deal.seats));
        ends.exceptional += u64::from(deal.is_exceptional);
        ends.passed_out += u64::from(deal.is_passed_out);
        for (sum, score) in ends.squares.iter_mut().zip(deal.scores.into_array()) {
            *sum += i128::from(i64::from(score) * i64::from(score));
        }
    }

    #[inline(always)]
    fn add_game(&mut self, section: Section, game: &FinishedGame) {
        let was_cut_off = game.match_end.is_some_and(|end| end.was_cut_off);
        self.0[section.index].cut_off += u64::from(was_cut_off);
    }

    fn merge(&mut self, other: &Sections<Ends>) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| sum.add(more));
    }

    fn clear(&mut self) {
        self.0.fill(Ends::default());
    }

    fn check(&self, due: &Due<'_>) -> Result<(), Flaw> {
        for (part, ends) in self.0.chunks(due.plan().groups).enumerate() {
            let mut squares = [0_i128; 3];
            for (ends, sums) in ends.iter().zip(due.of_part(part)) {
                ends.check(sums, due)?;
                squares.iter_mut().zip(ends.squares).for_each(|(sum, square)| *sum += square);
            }
            ensure(squares == due.squares[part], "squares of scores by group are not those by line-up")?;
        }
        Ok(())
    }
}
