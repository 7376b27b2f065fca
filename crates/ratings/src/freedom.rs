//! How far the spread over groups can be trusted where scores are skewed.
//!
//! Some bots score much in rare deals only. Where a run has too few of these deals, both the mean and the
//! spread of the groups are too low. An interval then misses the truth on one side more often than it gains
//! on the other.
//!
//! To the second order in the skewness g, the quantile t of G groups should be wider by t (t^4 + 2 t^2 - 3)
//! g^2 / 18 G. See Hall (1992), *The Bootstrap and Edgeworth Expansion*, 2.6. These are the terms of an
//! Edgeworth expansion of Student's t that do not cancel between the two ends. At 95%, hardly anything is
//! left of the kurtosis.
//!
//! Fewer degrees of freedom have the same effect, within a seventh: 1 / (G - 1) + g^2 / G for their inverse.
//! Where the skewness is beyond the expansion, Student's t still has a quantile.

/// The fewest degrees of freedom for an interval, found by experiment (docs/statistics.md).
const FEWEST: f64 = 4.0;

/// The fewest scores for the interval of a mean, or of each of two means that are compared.
///
/// An event with a chance of 1 in 50 is absent from this number of scores in 1 of 20 cases. If large scores
/// are rarer than that, the spread may be that of the small scores alone.
pub const FEWEST_SCORES: u64 = 150;

/// Returns the degrees of freedom of a spread over groups.
///
/// `residuals` are the contributions of the groups to the error of the estimate.
pub fn freedom(residuals: impl Iterator<Item = f64>) -> f64 {
    let (mut groups, mut squares, mut cubes) = (0.0_f64, 0.0_f64, 0.0);
    for residual in residuals {
        let square = residual * residual;
        (groups, squares, cubes) = (groups + 1.0, squares + square, cubes + square * residual);
    }
    from_sums(groups, squares, cubes)
}

/// Returns the same degrees of freedom from the number of groups and sums over them.
///
/// The sums are those of the squares and of the cubes of the contributions to the error.
pub fn from_sums(groups: f64, squares: f64, cubes: f64) -> f64 {
    if squares == 0.0 || groups < 2.0 {
        return (groups - 1.0).max(0.0);
    }
    // The square of the skewness over the number of groups.
    let skewness = (cubes / squares).powi(2) / squares;
    1.0 / (1.0 / (groups - 1.0) + skewness)
}

/// Returns whether an interval may rest on a spread with these degrees of freedom.
pub fn is_enough(freedom: f64) -> bool {
    freedom >= FEWEST
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the degrees of freedom of numbers about their mean.
    fn of(numbers: &[i32]) -> f64 {
        let mean = numbers.iter().sum::<i32>() as f64 / numbers.len() as f64;
        freedom(numbers.iter().map(|&number| f64::from(number) - mean))
    }

    #[test]
    fn worked_examples() {
        // By scipy 1.17 the skewness is 1.577068, 1.762448 and 4.694855.
        let close = |numbers: &[i32], expected: f64| assert!((of(numbers) - expected).abs() < 1e-9, "{}", of(numbers));
        close(&[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 97], 4.502208425766466);
        close(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512], 2.3711654354428733);
        let four_of_hundred: Vec<i32> = (0..100).map(|group| if group < 4 { 10 } else { 0 }).collect();
        close(&four_of_hundred, 4.3380621131621195);
    }

    #[test]
    fn as_wide_as_the_expansion_says() {
        use crate::interval::student_t_975;
        // The formula is within a seventh of the expansion in 400 groups of skewness 1 to 3.
        for skewness in [1.0, 2.0, 3.0_f64] {
            let t = student_t_975(399.0);
            let added = t * (t.powi(4) + 2.0 * t * t - 3.0) * skewness * skewness / 18.0 / 400.0;
            let narrower = 1.0 / (1.0 / 399.0 + skewness * skewness / 400.0);
            assert!(((student_t_975(narrower) - t) / added - 1.0).abs() < 0.15, "{skewness}");
        }
    }

    #[test]
    fn no_more_than_groups_less_one() {
        assert_eq!(of(&[0, 1, 0, 1, 0, 1, 0, 1]), 7.0);
        assert_eq!([of(&[3; 9]), of(&[3]), freedom([].into_iter())], [8.0, 0.0, 0.0]);
        // Over many deals, squares of differences in points a deal are tiny.
        let tiny = |scale: f64| freedom([2.0, 1.0, 0.0, -1.0, -9.0, 3.0, 1.0, 3.0].map(|x| x * scale).into_iter());
        assert!((tiny(1e-60) - tiny(1.0)).abs() < 1e-9);
    }
}
