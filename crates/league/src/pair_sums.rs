//! Sums of the differences of two bots over groups.

use serde::{Deserialize, Serialize};

use crate::confidence_sequence::DifferenceMoments;

/// A bound of a margin over a group. Sums of the cubes of differences below twice that fit an `i128`.
pub(crate) const LARGEST_MARGIN: i64 = 1 << 30;

/// A bound of the number of groups.
pub(crate) const MOST_GROUPS: u64 = 1 << 32;

/// The number of groups that measured two bots, and sums of powers of the differences of their margins.
///
/// All sums are integers, so their order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PairSums {
    pub groups: u64,
    pub different: u64,
    pub sum: i128,
    pub squares: i128,
    pub cubes: i128,
    pub largest: i64,
}

impl PairSums {
    /// Adds the difference of a group.
    pub fn add(&mut self, difference: i64) {
        let wide = i128::from(difference);
        let square = wide * wide;
        self.groups += 1;
        self.different += u64::from(difference != 0);
        self.sum += wide;
        self.squares += square;
        self.cubes += square * wide;
        self.largest = self.largest.max(difference.abs());
    }

    /// Returns the moments about the mean, with the largest difference that is thought possible.
    pub fn differences(&self, largest: i64) -> DifferenceMoments {
        let groups = self.groups.max(1) as f64;
        let mean = self.sum as f64 / groups;
        let squares = (self.squares as f64 - self.sum as f64 * mean).max(0.0);
        let cubes = self.cubes as f64 - 3.0 * mean * self.squares as f64 + 2.0 * groups * mean.powi(3);
        let largest = largest as f64;
        DifferenceMoments { groups: self.groups, different: self.different, mean, squares, cubes, largest }
    }

    /// Returns whether the sums could be those of any groups.
    pub fn is_sound(&self) -> bool {
        let groups = i128::from(self.groups);
        let largest = i128::from(self.largest);
        self.groups <= MOST_GROUPS
            && self.different <= self.groups
            && (0..=2 * LARGEST_MARGIN).contains(&self.largest)
            && self.sum.unsigned_abs() <= (groups * largest).unsigned_abs()
            && (0..=groups * largest.pow(2)).contains(&self.squares)
            && self.cubes.unsigned_abs() <= (groups * largest.pow(3)).unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_about_the_mean() {
        let mut sums = PairSums::default();
        for difference in [1, 2, 0, 9] {
            sums.add(difference);
        }
        let moments = sums.differences(9);
        assert_eq!((moments.groups, moments.different, moments.mean), (4, 3, 3.0));
        assert_eq!((moments.squares, moments.cubes), (50.0, 216.0 - 8.0 - 1.0 - 27.0));
        assert!(sums.is_sound());
        assert!(!PairSums { squares: -1, ..sums }.is_sound() && !PairSums { groups: 0, ..sums }.is_sound());
        assert!(!PairSums { sum: i128::MIN, ..sums }.is_sound() && !PairSums { cubes: i128::MIN, ..sums }.is_sound());
    }
}
