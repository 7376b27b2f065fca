//! Running sums of margins, from which means and intervals follow.

use overtrick_stats::ratings::freedom::from_sums;
use overtrick_stats::{Bounded, Estimate, FEWEST_DIFFERENT, given_above};
use overtrick_tournament::{Flaw, MOST_NUMBERS, ensure};
use serde::{Deserialize, Serialize};

/// A bound of the sums of powers of margins. Squares and products of numbers below it are finite.
const FARTHEST: f64 = 1e60;

/// The number of margins of single deal numbers, and the sums of their powers.
///
/// The margins are independent of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarginSums {
    /// The number of margins.
    pub count: u64,
    /// The number of margins that are not 0.
    pub different: u64,
    sum: f64,
    squares: f64,
    cubes: f64,
}

impl FromIterator<f64> for MarginSums {
    fn from_iter<I: IntoIterator<Item = f64>>(margins: I) -> MarginSums {
        let mut sums = MarginSums::default();
        sums.add(margins);
        sums
    }
}

impl MarginSums {
    /// Adds margins.
    pub fn add(&mut self, margins: impl IntoIterator<Item = f64>) {
        for margin in margins {
            let square = margin * margin;
            self.count += 1;
            self.different += u64::from(margin != 0.0);
            self.sum += margin;
            self.squares += square;
            self.cubes += square * margin;
        }
    }

    /// Checks that figures can be computed from them.
    ///
    /// # Errors
    /// If their numbers are too large, or not finite.
    pub fn check(&self) -> Result<(), Flaw> {
        let is_sound = self.count.max(self.different) <= MOST_NUMBERS
            && [self.sum, self.squares, self.cubes].iter().all(|sum| sum.abs() <= FARTHEST);
        ensure(is_sound, "sums of margins are not those of any deals")
    }

    /// Returns the mean; 0 without margins.
    pub fn mean(&self) -> f64 {
        if self.count > 0 { self.sum / self.count as f64 } else { 0.0 }
    }

    /// Returns the variance of a single margin.
    pub fn variance(&self) -> f64 {
        let count = self.count as f64;
        if self.count > 1 { ((self.squares - self.sum * self.sum / count) / (count - 1.0)).max(0.0) } else { 0.0 }
    }

    /// Returns the standard error of the mean.
    pub fn se(&self) -> f64 {
        if self.count > 0 { (self.variance() / self.count as f64).sqrt() } else { 0.0 }
    }

    /// Returns the mean with its interval.
    ///
    /// The interval is missing if there are few margins, if few of them are not 0, or if they are too skewed.
    pub fn estimate(&self) -> Estimate {
        let (count, mean) = (self.count as f64, self.mean());
        let squares = self.squares - self.sum * mean;
        let cubes = self.cubes - 3.0 * mean * self.squares + 2.0 * count * mean.powi(3);
        // If rounding leaves no freedom, there is no interval either.
        let freedom = from_sums(count, squares, cubes).max(1.0);
        let known = Estimate::with_freedom(mean, Some(self.se()), self.count as usize, freedom).if_known(self.count);
        let is_known = self.different >= FEWEST_DIFFERENT as u64;
        Estimate { half_width: known.half_width.filter(|_| is_known), ..known }
    }

    /// Returns the half-width of the 95% interval of the mean, if it is known.
    pub fn half_width(&self) -> Option<f64> {
        self.estimate().half_width
    }

    /// Returns the ends of the 95% interval of the mean, if it is known.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.half_width().map(|half| (self.mean() - half, self.mean() + half))
    }

    /// Returns the estimate of the mean, given that a gain is claimed; `None` if it is not.
    ///
    /// A gain is claimed if the mean is certainly above 0. So its estimate is never below 0.
    pub fn claimed(&self) -> Option<Bounded> {
        let half = self.half_width().filter(|&half| self.mean() > half)?;
        let held = given_above(self.mean(), half, half);
        Some(Bounded { value: held.value.max(0.0), ..held })
    }

    /// Returns whether the mean is certainly above 0: its interval is.
    pub fn is_above_zero(&self) -> bool {
        self.interval().is_some_and(|(low, _)| low > 0.0)
    }

    /// Returns the probability of a mean at least as high, if the truth were 0.
    ///
    /// It follows the normal distribution, and is 1 if all margins are 0.
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
        let mut sums = MarginSums::default();
        sums.add((0..40).map(|number| f64::from(number % 4)));
        assert_eq!((sums.count, sums.different, sums.mean()), (40, 30, 1.5));
        assert!((sums.variance() - 50.0 / 39.0).abs() < 1e-12);
        assert_eq!((sums.half_width(), sums.is_above_zero()), (None, false), "too few margins");
        assert!(sums.p_value() < 1e-10);
        sums.add((0..120).map(|number| f64::from(number % 4)));
        // 1.974996 is the quantile of Student's t with 159 degrees of freedom; these margins are not skewed.
        let se = (200.0 / 159.0 / 160.0f64).sqrt();
        assert!((sums.half_width().unwrap() - 1.974_996 * se).abs() < 1e-6, "{:?}", sums.estimate());
        assert!(sums.is_above_zero());
        let claimed = sums.claimed().unwrap();
        let (low, high) = claimed.interval.unwrap();
        assert!((claimed.value - 1.5).abs() < 1e-3 && low > 1.3 && high < 1.7, "{claimed:?}");
        assert_eq!((MarginSums::default().half_width(), MarginSums::default().claimed()), (None, None));
    }

    #[test]
    fn a_spread_of_few_margins_is_not_known() {
        let of = |different: usize, margin: fn(usize) -> f64| {
            let mut sums = MarginSums::default();
            sums.add((0..750).map(|number| if number < different { margin(number) } else { 0.0 }));
            sums
        };
        let both_ways = |number: usize| if number.is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(of(5, both_ways).interval(), None, "five differ");
        assert!(of(6, both_ways).interval().is_some(), "six do, and to both sides alike");
        assert_eq!(of(3, |_| 1.0).interval(), None, "too skewed");
        let many = of(100, |_| 1.0);
        let plain = 1.963_2 * many.se();
        assert!(many.half_width().is_some_and(|half| half > plain && half < 1.1 * plain), "{many:?}");
    }

    #[test]
    fn nothing_but_zeros_says_nothing() {
        let mut sums = MarginSums::default();
        sums.add([0.0; 100]);
        assert_eq!((sums.interval(), sums.is_above_zero(), sums.p_value()), (None, false, 1.0));
    }
}
