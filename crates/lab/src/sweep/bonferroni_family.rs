//! A family of differences, and which of them are distinguished from 0.

use overtrick_stats::{Contrast, bonferroni};
use statrs::distribution::{ContinuousCDF, Normal};

/// A family of differences whose intervals all hold at once ([`bonferroni`]).
///
/// The quantile of an interval is slow to find, and most of many differences are small. So differences that
/// cannot be distinguished from 0 are skipped.
pub struct BonferroniFamily {
    count: usize,
    /// The quantile of the normal distribution, which is below the quantiles of Student's t.
    least: f64,
}

impl BonferroniFamily {
    /// Returns a family of `count` differences, at least one.
    pub fn new(count: usize) -> BonferroniFamily {
        BonferroniFamily { count, least: Normal::standard().inverse_cdf(1.0 - 0.025 / count as f64) }
    }

    /// Returns the number of differences.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns a family that is larger by the factor `times`.
    pub fn times(&self, times: usize) -> BonferroniFamily {
        BonferroniFamily::new(self.count * times)
    }

    /// Returns the side of 0 on which the interval of a difference may lie.
    ///
    /// 1 is above, -1 is below, and 0 means that the interval contains 0.
    pub fn side(&self, difference: &Contrast) -> f64 {
        let estimate = difference.estimate();
        match estimate.se {
            Some(se) if estimate.mean.abs() > self.least * se => estimate.mean.signum(),
            _ => 0.0,
        }
    }

    /// Returns the interval of a difference.
    ///
    /// `None` if too little is known for an interval, or if it certainly contains 0.
    pub fn interval(&self, difference: &Contrast) -> Option<(f64, f64)> {
        (self.side(difference) != 0.0).then(|| bonferroni(difference, self.count)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;
    use overtrick_stats::{GroupSum, normal};

    #[test]
    fn differences_that_are_passed_over_are_not_distinguished_from_0() {
        let mut stream = SeedSource::new(1, "test", "apart").stream(0, 0);
        let (mut passed_over, mut distinguished) = (0, 0);
        for number in 0..300 {
            let mean = 0.003 * f64::from(number % 100);
            let count = [1, 100, 100_000][number as usize / 100];
            let mut group = || GroupSum::new((1e4 * (mean + 0.2 * normal(&mut stream))) as i64, 10_000);
            let groups: Vec<GroupSum> = (0..32).map(|_| group()).collect();
            let difference = Contrast::of_mean(&groups).unwrap();
            let differs = |(low, high): (f64, f64)| low > 0.0 || high < 0.0;
            let all = bonferroni(&difference, count);
            let own = BonferroniFamily::new(count).interval(&difference);
            assert_eq!(own.is_some_and(differs), all.is_some_and(differs), "{mean} {count}");
            assert!(own.is_none() || own == all, "{mean} {count}");
            passed_over += usize::from(own.is_none());
            distinguished += usize::from(own.is_some_and(differs));
        }
        assert!(passed_over > 50 && distinguished > 50, "{passed_over} {distinguished}");
    }
}
