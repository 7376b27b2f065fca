//! The ends of deals: ties, exceptions and deals without play.

use overtrick_cards::table::ByRole;
use serde::{Deserialize, Serialize};

use super::{Counter, DealDetails, FinishedDeal, FinishedGame, Section, Sections, TallyPlan};

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
    pub squares: ByRole<i128>,
}

impl Ends {
    pub(super) fn add(&mut self, more: &Ends) {
        self.deals += more.deals;
        self.tied += more.tied;
        self.exceptional += more.exceptional;
        self.passed_out += more.passed_out;
        self.cut_off += more.cut_off;
        for ((_, sum), (_, more)) in self.squares.iter_mut().zip(more.squares.iter()) {
            *sum += more;
        }
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
        ends.tied += u64::from(deal.outcome.is_tied(deal.teams));
        ends.exceptional += u64::from(deal.is_exceptional);
        ends.passed_out += u64::from(deal.is_passed_out);
        for ((_, sum), (_, &score)) in ends.squares.iter_mut().zip(deal.scores.iter()) {
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
}
