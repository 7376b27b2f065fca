//! Intervals of a mean that hold at every look.
//!
//! A confidence sequence of level `a` is a sequence of intervals, one after each number of groups. With
//! probability `1 - a` *all* of them contain the mean, so it may be looked at as often as one likes.
//!
//! **Margins that vary.** Let `n` groups have differences `x` with `S` the sum of `x - m` and `V` the sum of
//! their squares. If the differences are normal with mean `m` and any variance, then for any `c > 0`
//!
//! ```text
//! M = sqrt(c / (n + c)) * (V / (V - S^2 / (n + c)))^(n / 2)
//! ```
//!
//! is a non-negative martingale that starts at 1: a ratio of likelihoods, integrated over the effect with a
//! normal prior and over the variance with its Haar prior. By Ville's inequality it ever exceeds `1 / a` with
//! probability at most `a`. The means `m` with `M < 1 / a` form the interval. See Lai (1976), "On confidence
//! sequences", *Annals of Statistics* 4(2), and Wang & Ramdas (2025), "Anytime-valid t-tests and confidence
//! sequences for Gaussian means with unknown variance", *Sequential Analysis* 44 (arXiv:2310.03722).
//!
//! Sums over groups of deals are normal only nearly. In the limit of small levels and late looks this does not
//! matter (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, "Time-uniform central limit theory and
//! asymptotic confidence sequences", *Annals of Statistics* 52(6)). Earlier it does, above all for skewed
//! differences. The interval is therefore wider on both sides by the shift of Johnson (1978), "Modified t tests
//! and confidence intervals for asymmetrical populations", *JASA* 73: `k (1 + 2 z^2) / (6 n s^2)`, with the
//! third central moment `k`, the variance `s^2`, and `z` the half-width in standard errors. Simulations of
//! heavy-tailed, skewed and mostly zero differences are in `docs/measurements/leagues.md`.
//!
//! **Margins that hardly ever vary.** With fewer than [`FEWEST_DIFFERENT`] groups that are not 0, the spread
//! is hardly known. The interval then rests on the probability `p` that a group is not 0. For any `p` the
//! ratio of likelihoods integrated over a Beta(1/2, 1/2) prior is a martingale, too, so the largest `p` with
//! a ratio below `1 / a` is a bound at every look. Its product with the largest difference that any pair of
//! the league has shown bounds the mean. That the unseen differences are no larger is an assumption. Such an
//! interval always contains 0, so it never decides which bot is better. It can only end the wait for bots
//! that are equal up to the resolution.

/// The fewest groups after which an interval is computed.
pub const FEWEST_GROUPS: u64 = 64;

/// The fewest groups with a difference other than 0 for an interval that rests on their spread.
pub const FEWEST_DIFFERENT: u64 = 32;

/// The number of groups after which intervals are narrowest.
const NARROWEST: f64 = 1000.0;

/// The part of the level that goes to margins that hardly ever vary. The rest goes to those that vary.
const RARE: f64 = 0.1;

/// The moments of the differences of a pair over groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceMoments {
    /// The number of groups.
    pub groups: u64,
    /// The number of groups with a difference other than 0.
    pub different: u64,
    /// The mean over groups.
    pub mean: f64,
    /// The sum of squares about the mean.
    pub squares: f64,
    /// The sum of cubes about the mean.
    pub cubes: f64,
    /// The largest difference in a group that is thought possible, without its sign.
    pub largest: f64,
}

/// Returns half the width of the interval of the mean in a confidence sequence.
///
/// The intervals after any numbers of groups hold together, except with probability `level`. `None` if the
/// groups do not suffice for an interval.
pub fn half_width(differences: &DifferenceMoments, level: f64) -> Option<f64> {
    if differences.groups < FEWEST_GROUPS {
        return None;
    }
    if differences.different < FEWEST_DIFFERENT {
        let most = most_likely_to_differ(differences.groups, differences.different, level * RARE);
        return Some(differences.mean.abs() + most * differences.largest);
    }
    of_spread(differences, level * (1.0 - RARE))
}

/// Returns the half-width from the spread, with the shift for skewness.
fn of_spread(differences: &DifferenceMoments, level: f64) -> Option<f64> {
    let groups = differences.groups as f64;
    let squares = differences.squares;
    let half = (squares * times_squares(groups, level)?).sqrt();
    if squares <= 0.0 {
        return None;
    }
    let variance = squares / groups;
    let z_squared = half * half * groups / variance;
    let shift = differences.cubes.abs() / groups * (1.0 + 2.0 * z_squared) / (6.0 * groups * variance);
    Some(half + shift)
}

/// Returns the square of the half-width of normal margins, as a multiple of the sum of squares about the mean.
fn times_squares(groups: f64, level: f64) -> Option<f64> {
    let prior = prior_groups(level);
    let ratio = ((groups + prior) / prior).sqrt() / level;
    // The likelihood ratio that the interval leaves out, for each group.
    let each = libm::exp(2.0 / groups * libm::log(ratio));
    let left = 1.0 - each * prior / (groups + prior);
    (left > 0.0).then(|| (each - 1.0) / (groups * left))
}

/// Returns the weight of the prior in groups, for intervals that are narrowest after [`NARROWEST`] groups.
///
/// This is the approximation of Waudby-Smith et al. (2024), appendix B.
fn prior_groups(level: f64) -> f64 {
    let log = -2.0 * libm::log(level);
    NARROWEST / (log + libm::log(log + 1.0))
}

/// Returns an upper bound, at every look, of the probability that a group has a difference other than 0.
fn most_likely_to_differ(groups: u64, different: u64, level: f64) -> f64 {
    let (all, some) = (groups as f64, different as f64);
    // The logarithm of the likelihood, integrated over the prior.
    let integrated = libm::lgamma(some + 0.5) + libm::lgamma(all - some + 0.5)
        - libm::lgamma(all + 1.0)
        - libm::log(std::f64::consts::PI);
    let least = integrated + libm::log(level);
    let (mut low, mut high) = (some / all, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let likelihood =
            (if different > 0 { some * libm::log(middle) } else { 0.0 }) + (all - some) * libm::log1p(-middle);
        if likelihood > least {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(groups: u64) -> DifferenceMoments {
        DifferenceMoments { groups, different: groups, mean: 0.0, squares: groups as f64, cubes: 0.0, largest: 9.0 }
    }

    #[test]
    fn the_ends_of_an_interval_have_the_martingale_at_the_inverse_level() {
        for (groups, level) in [(64, 0.05), (1000, 0.05), (100_000, 0.05), (64, 0.0001), (5000, 0.0004)] {
            let n = groups as f64;
            let half = (n * times_squares(n, level).unwrap()).sqrt();
            let (sum, prior) = (n * half, prior_groups(level));
            let squares = n + n * half * half;
            let ratio = squares / (squares - sum * sum / (n + prior));
            let martingale = (prior / (n + prior)).sqrt() * ratio.powf(n / 2.0);
            assert!((martingale * level - 1.0).abs() < 1e-6, "{groups} {level}: {martingale}");
        }
    }

    #[test]
    fn late_intervals_are_those_of_a_known_variance() {
        // Robbins (1970): the mixture of a known variance 1, with the same prior.
        let (n, level) = (50_000.0f64, 0.05 * (1.0 - RARE));
        let rho = 1.0 / prior_groups(level);
        let times = n * rho + 1.0;
        let known = (2.0 * times / (n * n * rho) * (times.sqrt() / level).ln()).sqrt();
        let half = half_width(&normal(50_000), 0.05).unwrap();
        assert!((half / known - 1.0).abs() < 1e-3, "{half} {known}");
    }

    #[test]
    fn too_few_groups_have_no_interval() {
        assert_eq!(half_width(&normal(FEWEST_GROUPS - 1), 0.05), None);
        assert!(half_width(&normal(FEWEST_GROUPS), 0.05).is_some());
        assert_eq!(half_width(&DifferenceMoments { squares: 0.0, ..normal(100) }, 0.05), None, "no spread");
    }

    #[test]
    fn skewed_differences_have_wider_intervals() {
        let skewed = DifferenceMoments { cubes: 2000.0, ..normal(1000) };
        let (half, plain) = (half_width(&skewed, 0.05).unwrap(), half_width(&normal(1000), 0.05).unwrap());
        // Johnson's shift for a skewness of 2 and the z of the interval.
        let z_squared = plain * plain * 1000.0;
        assert!((half - plain - 2.0 * (1.0 + 2.0 * z_squared) / 6000.0).abs() < 1e-9);
    }

    #[test]
    fn the_probability_to_differ_has_a_known_bound() {
        // The integrated likelihood of 0 in 100 is C(200, 100) / 4^100 = 0.056348479.
        let most = most_likely_to_differ(100, 0, 0.05);
        assert!((most - (1.0 - (0.056_348_479f64 * 0.05).powf(0.01))).abs() < 1e-9, "{most}");
        let more = most_likely_to_differ(100, 5, 0.05);
        assert!(more > 0.05 && more < 0.2, "{more}");
        let zeros = DifferenceMoments { different: 0, squares: 0.0, ..normal(100) };
        let half = half_width(&zeros, 0.5).unwrap();
        assert!((half - 9.0 * most).abs() < 1e-6, "a tenth of the level is for rare differences");
    }
}
