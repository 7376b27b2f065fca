//! Running sums of margins, from which means and intervals come.

use overtrick_stats::{is_plausible, is_plausible_square, student_t_975};
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

/// The fewest margins from which an interval is computed.
const FEWEST: u64 = 30;

/// The number, sum and sum of squares of margins of single deal numbers, which are independent of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// How many.
    pub count: u64,
    sum: f64,
    squares: f64,
}

impl Sums {
    /// Adds margins.
    pub fn add(&mut self, margins: impl IntoIterator<Item = f64>) {
        for margin in margins {
            self.count += 1;
            self.sum += margin;
            self.squares += margin * margin;
        }
    }

    /// Checks that they can be the sums of so many margins.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, count: u64) -> Result<(), Flaw> {
        let margins = self.count as f64;
        // The square of a sum is at most the sum of the squares times their number, but for rounding.
        let is_sound = match self.count {
            0 => self.sum == 0.0 && self.squares == 0.0,
            _ => {
                is_plausible(self.mean())
                    && is_plausible_square(self.squares / margins)
                    && self.sum * self.sum / margins <= self.squares * (1.0 + 1e-9)
            }
        };
        ensure(self.count == count && is_sound, "sums of margins are not those of its deals")
    }

    /// The mean; 0 if there are none.
    pub fn mean(&self) -> f64 {
        if self.count > 0 { self.sum / self.count as f64 } else { 0.0 }
    }

    /// The variance of one margin.
    pub fn variance(&self) -> f64 {
        let count = self.count as f64;
        if self.count > 1 { ((self.squares - self.sum * self.sum / count) / (count - 1.0)).max(0.0) } else { 0.0 }
    }

    /// The standard error of the mean.
    pub fn se(&self) -> f64 {
        if self.count > 0 { (self.variance() / self.count as f64).sqrt() } else { 0.0 }
    }

    /// Half the width of the 95% interval of the mean, by Student's t; `None` if there are too few.
    pub fn half_width(&self) -> Option<f64> {
        (self.count >= FEWEST).then(|| student_t_975(self.count as f64 - 1.0) * self.se())
    }

    /// The mean and the ends of its interval.
    pub fn interval(&self) -> Option<(f64, f64, f64)> {
        self.half_width().map(|half| (self.mean(), self.mean() - half, self.mean() + half))
    }

    /// Whether the mean lies above 0 for sure: its interval does.
    pub fn is_above_zero(&self) -> bool {
        self.interval().is_some_and(|(_, low, _)| low > 0.0)
    }

    /// The chance of a mean at least as high if the truth were 0, by the normal distribution; 1 if all were 0.
    pub fn p_value(&self) -> f64 {
        match self.se() {
            se if se > 0.0 => libm::erfc(self.mean() / se / std::f64::consts::SQRT_2) / 2.0,
            _ => f64::from(u8::from(self.mean() <= 0.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_margins() {
        let mut sums = Sums::default();
        sums.add((0..40).map(|number| f64::from(number % 4)));
        assert_eq!((sums.count, sums.mean()), (40, 1.5));
        assert!((sums.variance() - 50.0 / 39.0).abs() < 1e-12);
        // 2.022691 is the quantile of Student's t with 39 degrees of freedom.
        assert!((sums.half_width().unwrap() - 2.022_691 * (50.0 / 39.0 / 40.0f64).sqrt()).abs() < 1e-6);
        assert!(sums.is_above_zero() && sums.p_value() < 1e-10);
        assert_eq!(Sums::default().half_width(), None);
    }

    #[test]
    fn nothing_but_zeros_says_nothing() {
        let mut sums = Sums::default();
        sums.add([0.0; 100]);
        assert_eq!((sums.interval(), sums.is_above_zero(), sums.p_value()), (Some((0.0, 0.0, 0.0)), false, 1.0));
    }
}
