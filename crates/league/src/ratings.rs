//! Ratings of bots by their values.

use overtrick_ratings::Estimate;
use serde::{Deserialize, Serialize};

use crate::pair_sums::{LARGEST_MARGIN, MOST_GROUPS};

/// The number of groups that measured a bot, with sums of its margins and their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ValueSums {
    pub groups: u64,
    pub sum: i128,
    pub squares: i128,
}

impl ValueSums {
    /// Adds the margin of a group.
    pub fn add(&mut self, margin: i64) {
        let wide = i128::from(margin);
        self.groups += 1;
        self.sum += wide;
        self.squares += wide * wide;
    }

    /// Returns the mean of a group; 0 without groups.
    pub fn mean(&self) -> f64 {
        if self.groups > 0 { self.sum as f64 / self.groups as f64 } else { 0.0 }
    }

    /// Returns the value with its 95% interval, with margins divided by `unit`.
    pub fn estimate(&self, unit: f64) -> Estimate {
        let groups = self.groups as f64;
        let mean = self.mean();
        let squares = (self.squares as f64 - self.sum as f64 * mean).max(0.0);
        let se = (self.groups > 1).then(|| (squares / (groups * (groups - 1.0))).sqrt() / unit);
        Estimate::from_groups(mean / unit, se, usize::try_from(self.groups).unwrap_or(usize::MAX))
    }

    /// Returns whether the sums could be those of any groups.
    pub fn is_sound(&self) -> bool {
        let (groups, largest) = (i128::from(self.groups), i128::from(LARGEST_MARGIN));
        self.groups <= MOST_GROUPS
            && self.sum.unsigned_abs() <= (groups * largest).unsigned_abs()
            && (0..=groups * largest.pow(2)).contains(&self.squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_error_of_a_mean() {
        let mut sums = ValueSums::default();
        for margin in [2, 4, 6, 8, 2, 4, 6, 8] {
            sums.add(margin);
        }
        let estimate = sums.estimate(2.0);
        // The variance of a group is 40 / 7, and of the mean an eighth of it.
        assert_eq!((estimate.mean, estimate.groups), (2.5, 8));
        assert!((estimate.se.unwrap() - (40.0f64 / 56.0).sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(ValueSums::default().estimate(1.0).half_width, None);
        assert!(sums.is_sound() && !ValueSums { squares: -1, ..sums }.is_sound());
        assert!(!ValueSums { sum: i128::MIN, ..sums }.is_sound());
    }
}
