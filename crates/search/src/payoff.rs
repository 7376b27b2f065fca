//! The payoff that a search maximises.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Seat, Teams};

/// The worth of a deal to a seat.
///
/// It is the score of the seat's team minus `spite` times the average score of the other teams.
///
/// With a spite of 1 a seat plays for the difference, which comparisons of bots measure. With 0 only its own
/// score counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoff {
    teams: Teams,
    spite: f32,
}

impl Payoff {
    /// Makes the payoff for a game with these teams, or with this number of players.
    pub fn new(teams: impl Into<Teams>, spite: f32) -> Payoff {
        Payoff { teams: teams.into(), spite }
    }

    /// Returns the worth of `scores` to each seat.
    pub fn of(&self, scores: &BySeat<i32>) -> BySeat<f32> {
        // Partners have the same score, so a team is judged by its first seat.
        let scores = scores.of(self.teams.count());
        let sum: i32 = scores.iter().sum();
        let others = self.spite / (scores.len() - 1).max(1) as f32;
        let mut worth = BySeat::default();
        for (seat, &own) in Seat::ALL.into_iter().zip(scores) {
            worth[seat] = own as f32 - others * (sum - own) as f32;
        }
        if self.teams.has_partners() { self.teams.spread(worth) } else { worth }
    }

    /// Returns the least and the greatest worth of a deal if scores lie in `range`.
    pub fn range(&self, range: &RangeInclusive<i32>) -> RangeInclusive<f32> {
        let (low, high) = (*range.start() as f32, *range.end() as f32);
        low - self.spite * high..=high - self.spite * low
    }

    /// Returns whether one team's gain is always the other's loss: two teams that play for the difference.
    pub fn is_opposed(&self) -> bool {
        self.teams.count() == 2 && self.spite == 1.0
    }

    /// Returns the first seat of the team of `seat`.
    #[inline]
    pub(crate) fn team(&self, seat: Seat) -> Seat {
        Seat::new(self.teams.of(seat.index()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_is_worth_the_lead_over_the_average_of_the_others() {
        let scores = BySeat::new([10, 4, -2]);
        assert_eq!(Payoff::new(3, 1.0).of(&scores), BySeat::new([9.0, 0.0, -9.0]));
        assert_eq!(Payoff::new(3, 0.0).of(&scores), BySeat::new([10.0, 4.0, -2.0]));
        assert_eq!(Payoff::new(2, 1.0).of(&BySeat::new([10, 4, 0])), BySeat::new([6.0, -6.0, 0.0]));
        assert_eq!(Payoff::new(3, 0.5).range(&(-2..=10)), -7.0..=11.0);
        assert!(Payoff::new(2, 1.0).is_opposed());
        let four = BySeat::new([9, 3, 6, 0]);
        assert_eq!(Payoff::new(4, 1.0).of(&four), BySeat::new([6.0, -2.0, 2.0, -6.0]));
        assert!(!Payoff::new(4, 1.0).is_opposed());
        let sides = Payoff::new(Teams::PARTNERS, 1.0);
        assert_eq!(sides.of(&BySeat::new([7, 2, 7, 2])), BySeat::new([5.0, -5.0, 5.0, -5.0]));
        assert!(sides.is_opposed() && !Payoff::new(Teams::PARTNERS, 0.5).is_opposed());
        assert!(!Payoff::new(2, 0.5).is_opposed() && !Payoff::new(3, 1.0).is_opposed());
    }
}
