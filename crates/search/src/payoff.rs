//! The payoff that a search maximises.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Seat};

/// The worth of a deal to a seat.
///
/// It is the seat's own score minus `spite` times the average score of the others.
///
/// With a spite of 1 a seat plays for the difference, which comparisons of bots measure. With 0 only its own
/// score counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoff {
    seats: usize,
    spite: f32,
}

impl Payoff {
    /// Makes the payoff for a game with `seats` players.
    pub const fn new(seats: usize, spite: f32) -> Payoff {
        Payoff { seats, spite }
    }

    /// Returns the number of seats.
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// Returns the worth of `scores` to each seat.
    pub fn of(&self, scores: &BySeat<i32>) -> BySeat<f32> {
        let scores = scores.of(self.seats);
        let sum: i32 = scores.iter().sum();
        let others = self.spite / (self.seats - 1).max(1) as f32;
        let mut worth = BySeat::default();
        for (seat, &own) in Seat::ALL.into_iter().zip(scores) {
            worth[seat] = own as f32 - others * (sum - own) as f32;
        }
        worth
    }

    /// Returns the least and the greatest worth of a deal if scores lie in `range`.
    pub fn range(&self, range: &RangeInclusive<i32>) -> RangeInclusive<f32> {
        let (low, high) = (*range.start() as f32, *range.end() as f32);
        low - self.spite * high..=high - self.spite * low
    }

    /// Returns whether one seat's gain is always another's loss: two players who play for the difference.
    pub fn is_opposed(&self) -> bool {
        self.seats == 2 && self.spite == 1.0
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
        assert!(!Payoff::new(2, 0.5).is_opposed() && !Payoff::new(3, 1.0).is_opposed());
    }
}
