//! The payoff that a search tries to make large.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Seat};

/// What a deal is worth to a seat: its own score, less `spite` times the average of the others'. With a spite of 1 it
/// plays for the difference, which is what a comparison of bots measures; with 0 only its own score counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payoff {
    seats: usize,
    spite: f32,
}

impl Payoff {
    /// The payoff in a game for `seats` players.
    pub const fn new(seats: usize, spite: f32) -> Payoff {
        Payoff { seats, spite }
    }

    /// The number of seats.
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// By seat: what `scores` are worth.
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

    /// The least and the most that a deal can be worth if scores run over `range`.
    pub fn range(&self, range: &RangeInclusive<i32>) -> RangeInclusive<f32> {
        let (low, high) = (*range.start() as f32, *range.end() as f32);
        low - self.spite * high..=high - self.spite * low
    }

    /// Whether one seat's gain is always another's loss: two players who play for the difference.
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
