//! Means and paired differences with cluster-robust intervals.
//!
//! Deals are replayed by every line-up and in every seating, so games are not independent, but groups of
//! deals are. The spread of the group sums therefore measures the uncertainty of a mean. The estimator is CR1
//! of Cameron & Miller (2015), "A Practitioner's Guide to Cluster-Robust Inference", *Journal of Human
//! Resources* 50(2), for the ratio of two sums.

use std::ops::AddAssign;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::freedom::{FEWEST_SCORES, freedom, is_enough};

/// The fewest non-empty groups from which an interval is computed.
///
/// Below it there are "too few deals": the variance is itself hardly known from so small a number of groups.
pub const FEWEST_GROUPS: usize = 8;

/// The normal quantile of a 95% interval.
pub const NORMAL: f64 = 1.959_963_984_540_054;
/// The degrees of freedom above which Student's t is expanded around the normal distribution.
const MANY: f64 = 1e4;

/// The sum of a score over a group, and the number of its units: games, seats, deals or cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupSum {
    /// The sum of the score.
    pub sum: i64,
    /// The number of units.
    pub count: u64,
}

impl GroupSum {
    /// Returns the sum of a score over `count` units.
    pub const fn new(sum: i64, count: u64) -> GroupSum {
        GroupSum { sum, count }
    }

    /// Returns the sum of a score that counts events, such as 1 for each success.
    pub const fn of_events(events: u64, count: u64) -> GroupSum {
        GroupSum { sum: events as i64, count }
    }

    /// Adds up groups.
    pub fn total(groups: &[GroupSum]) -> GroupSum {
        let mut total = GroupSum::default();
        for &group in groups {
            total += group;
        }
        total
    }
}

impl AddAssign for GroupSum {
    fn add_assign(&mut self, more: GroupSum) {
        self.sum += more.sum;
        self.count += more.count;
    }
}

/// A point estimate with its uncertainty, in the unit of the estimate (points, Elo).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate itself.
    pub mean: f64,
    /// Its standard error over groups; `None` if fewer than two groups hold anything.
    pub se: Option<f64>,
    /// Half the width of the 95% interval.
    ///
    /// This is the quantile of Student's t with `freedom` degrees of freedom, times the standard error, times
    /// `widening`. `None` with fewer than [`FEWEST_GROUPS`] groups, or where nothing varies: without a
    /// spread, nothing is known of deals that were not seen.
    pub half_width: Option<f64>,
    /// Number of non-empty groups.
    pub groups: usize,
    /// Degrees of freedom of Student's t: `groups - 1`, or fewer for a mean of skewed scores.
    pub freedom: f64,
    /// The factor by which the interval is wider than by Student's t: 1, or more after a sequential test.
    pub widening: f64,
}

impl Estimate {
    /// Returns an estimate whose standard error comes from `groups` independent groups.
    pub fn from_groups(mean: f64, se: Option<f64>, groups: usize) -> Self {
        Self::with_freedom(mean, se, groups, groups.saturating_sub(1) as f64)
    }

    /// Returns an estimate whose standard error comes from `groups` groups, with given degrees of freedom.
    pub fn with_freedom(mean: f64, se: Option<f64>, groups: usize, freedom: f64) -> Self {
        let mut half_width = None;
        if let Some(se) = se
            && se > 0.0
            && groups >= FEWEST_GROUPS
        {
            half_width = Some(student_t_975(freedom) * se);
        }
        Self { mean, se, half_width, groups, freedom, widening: 1.0 }
    }

    /// Returns the difference of two means, `a - b`, that share no deals.
    ///
    /// Its variance is the sum of their variances. The degrees of freedom are those of Welch (1947), "The
    /// generalization of 'Student's' problem when several different population variances are involved",
    /// *Biometrika* 34. There is no interval if either mean has none.
    pub fn independent_difference(a: &Estimate, b: &Estimate) -> Estimate {
        let mean = a.mean - b.mean;
        let groups = a.groups.min(b.groups);
        let least_freedom = a.freedom.min(b.freedom);
        let (Some(se_a), Some(se_b)) = (a.se, b.se) else {
            return Estimate::with_freedom(mean, None, groups, least_freedom);
        };
        let (of_a, of_b) = (se_a * se_a, se_b * se_b);
        let variance = of_a + of_b;
        let welch = variance.powi(2) / (of_a * of_a / a.freedom + of_b * of_b / b.freedom);
        // If neither mean has a variance, Welch's formula has no value.
        let freedom = if welch.is_finite() { welch } else { least_freedom };
        let mut difference = Estimate::with_freedom(mean, Some(variance.sqrt()), groups, freedom);
        if a.half_width.is_none() || b.half_width.is_none() {
            difference.half_width = None;
        }
        let wider = ((of_a * a.widening.powi(2) + of_b * b.widening.powi(2)) / variance).sqrt();
        difference.widened(if wider.is_finite() { wider } else { 1.0 })
    }

    /// Returns the estimate with an interval `times` as wide, as after a sequential test.
    pub fn widened(self, times: f64) -> Estimate {
        Estimate { half_width: self.half_width.map(|half| half * times), widening: self.widening * times, ..self }
    }

    /// Returns the estimate, without its interval if the spread cannot be trusted.
    ///
    /// The spread cannot be trusted if `scores`, the number of scores, is small or the scores are too skewed.
    pub fn if_known(self, scores: u64) -> Estimate {
        let is_known = scores >= FEWEST_SCORES && is_enough(self.freedom);
        if is_known { self } else { Estimate { half_width: None, ..self } }
    }

    /// Returns the lower end of the 95% interval; `None` without an interval.
    pub fn low(&self) -> Option<f64> {
        Some(self.mean - self.half_width?)
    }

    /// Returns the upper end of the 95% interval; `None` without an interval.
    pub fn high(&self) -> Option<f64> {
        Some(self.mean + self.half_width?)
    }

    /// Returns both ends of the 95% interval; `None` without an interval.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((self.low()?, self.high()?))
    }

    /// Returns the two-sided p-value of the hypothesis that the true value is 0.
    ///
    /// It is computed by Student's t with `freedom` degrees of freedom, from the standard error times
    /// `widening`. `None` without an interval, but 1 if the mean over at least [`FEWEST_GROUPS`] groups is
    /// exactly 0.
    pub fn p(&self) -> Option<f64> {
        let se = self.se?;
        if self.groups >= FEWEST_GROUPS && self.mean == 0.0 {
            return Some(1.0);
        }
        self.half_width?;
        Some(2.0 * distribution(self.freedom).sf(self.mean.abs() / (se * self.widening)))
    }
}

/// Returns the 97.5% quantile of Student's t.
pub fn student_t_975(degrees_of_freedom: f64) -> f64 {
    if degrees_of_freedom > MANY {
        // Here the expansion of Cornish & Fisher (1938) leaves out less than 1e-11. The search below is off
        // by 1e-4 at a million and by a tenth at ten million. At twenty million it does not end.
        let (z, n) = (NORMAL, degrees_of_freedom);
        let second = 5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z;
        return z + (z.powi(3) + z) / (4.0 * n) + second / (96.0 * n * n);
    }
    distribution(degrees_of_freedom).inverse_cdf(0.975)
}

/// Returns the quantile of Student's t at the probability `chance`.
///
/// Use it for up to some thousands of degrees of freedom; see [`student_t_975`] for more.
pub fn student_t(chance: f64, degrees_of_freedom: f64) -> f64 {
    distribution(degrees_of_freedom).inverse_cdf(chance)
}

fn distribution(degrees_of_freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).expect("a positive number of degrees of freedom")
}

/// Returns the mean of a score per unit.
///
/// S are the sums of groups, n their counts, and `m = sum S / sum n`. The variance is
/// `G/(G-1) * sum (S_g - m n_g)^2 / (sum n)^2` over the `G` groups with a count. The order of the groups
/// changes at most the last bit of the result. Returns `None` if nothing was counted.
///
/// # Panics
/// If a group has a sum but no count.
pub fn grouped_mean(groups: &[GroupSum]) -> Option<Estimate> {
    let (mut total_sum, mut total_count) = (0, 0);
    for &GroupSum { sum, count } in groups {
        assert!(count > 0 || sum == 0, "sum {sum} over a count of 0");
        total_sum += i128::from(sum);
        total_count += i128::from(count);
    }
    if total_count == 0 {
        return None;
    }
    // Residuals times the total count are integers, so equal means leave exactly no variance.
    let mut residuals = Vec::with_capacity(groups.len());
    let mut squares = 0.0;
    for group in groups {
        if group.count > 0 {
            let residual = (i128::from(group.sum) * total_count - total_sum * i128::from(group.count)) as f64;
            residuals.push(residual);
            squares += residual.powi(2);
        }
    }
    let (groups, total) = (residuals.len(), total_count as f64);
    let mut se = None;
    if groups >= 2 {
        let g = groups as f64;
        se = Some((g / (g - 1.0) * squares).sqrt() / (total * total));
    }
    let freedom = freedom(residuals.into_iter());
    Some(Estimate::with_freedom(total_sum as f64 / total, se, groups, freedom))
}

/// Returns the standard error that would hold if all deals were independent.
///
/// `squares` is the sum, over `deals` deals, of the square of each contribution to the error of the estimate.
/// Never report the result as an uncertainty: it serves to compute the [`design_effect`]. Returns `None` for
/// fewer than two deals.
pub fn independent_se(squares: f64, deals: u64) -> Option<f64> {
    if deals < 2 {
        return None;
    }
    let n = deals as f64;
    Some((n / (n - 1.0) * squares).sqrt())
}

/// Returns the realised design effect: variance assuming independence over clustered variance.
///
/// It is the number of independent games that one game of this design was worth. Above 1, duplicate dealing
/// gained precision; below 1, shared deals lost some. (Kish's design effect is its inverse.) Both arguments
/// are standard errors of the same mean, from [`independent_se`] and [`grouped_mean`]. Returns `None` if the
/// clustered error is zero.
pub fn design_effect(independent_se: f64, clustered_se: f64) -> Option<f64> {
    (clustered_se > 0.0).then(|| (independent_se / clustered_se).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn quantiles_of_many_degrees_of_freedom_go_on_from_those_of_few() {
        // From tables: 10, 10,000 and infinitely many degrees of freedom.
        close(student_t_975(10.0), 2.228_138_85, 1e-8);
        close(student_t_975(1e4), 1.960_201_26, 1e-6);
        close(student_t_975(1e4 + 1.0), 1.960_201_24, 1e-7);
        close(student_t_975(1e6), 1.959_966_36, 1e-8);
        assert!([1e7, 1e9, 1e18].windows(2).all(|pair| student_t_975(pair[0]) > student_t_975(pair[1])));
        close(student_t_975(1e18), NORMAL, 1e-15);
    }

    fn mean_of(groups: &[(i64, u64)]) -> Option<Estimate> {
        let groups: Vec<GroupSum> = groups.iter().map(|&(sum, count)| GroupSum::new(sum, count)).collect();
        grouped_mean(&groups)
    }

    #[test]
    fn known_clusters() {
        let mean = mean_of(&[(3, 2), (8, 2), (4, 2), (1, 2)]).unwrap();
        assert_eq!(mean.mean, 2.0);
        assert_eq!(mean.groups, 4);
        close(mean.se.unwrap(), 0.73598, 5e-6);
        let squares: f64 = [1, 2, 3, 5, 2, 2, 0, 1].map(|score: i32| (f64::from(score - 2) / 8.0).powi(2)).iter().sum();
        let naive = independent_se(squares, 8).unwrap();
        close(naive, 0.53452, 5e-6);
        let effect = design_effect(naive, mean.se.unwrap()).unwrap();
        close(effect, (2.0 / 7.0) / (13.0 / 24.0), 1e-12);
    }

    #[test]
    fn uneven_and_empty_groups() {
        // m = 10/5 and the residuals are 1, 0, -1. The empty group does not count.
        let mean = mean_of(&[(3, 1), (0, 0), (4, 2), (3, 2)]).unwrap();
        assert_eq!((mean.mean, mean.groups), (2.0, 3));
        close(mean.se.unwrap(), (1.5 * 2.0_f64).sqrt() / 5.0, 1e-15);
        assert_eq!(mean_of(&[(0, 0), (0, 0)]), None);
        assert_eq!(mean_of(&[]), None);
    }

    #[test]
    #[should_panic(expected = "over a count of 0")]
    fn a_sum_without_a_count_is_refused() {
        mean_of(&[(1, 0), (1, 1)]);
    }

    #[test]
    fn too_few_groups_give_no_interval() {
        let groups: Vec<GroupSum> = (0..8).map(|g| GroupSum::new(g, 1)).collect();
        let one = grouped_mean(&groups[..1]).unwrap();
        assert_eq!((one.se, one.half_width), (None, None));
        let seven = grouped_mean(&groups[..7]).unwrap();
        assert!(seven.se.is_some() && seven.low().is_none() && seven.high().is_none());
        // 0..8: sd^2 = 6, so SE^2 = 6/8; t with 7 degrees of freedom is 2.364624
        let eight = grouped_mean(&groups).unwrap();
        close(eight.low().unwrap(), 3.5 - 2.364_624 * 0.75_f64.sqrt(), 1e-6);
        close(eight.high().unwrap(), 3.5 + 2.364_624 * 0.75_f64.sqrt(), 1e-6);
    }

    #[test]
    fn quantiles_match_the_tables() {
        for (df, t) in [(7, 2.364_624_3), (30, 2.042_272_5), (255, 1.969_310_6)] {
            close(student_t_975(f64::from(df)), t, 5e-7);
        }
    }

    #[test]
    fn skewed_scores_leave_fewer_degrees_of_freedom_or_no_interval() {
        let mean = |large: i64| {
            let score = |group| GroupSum::new(if group < large { 10 } else { 0 }, 2);
            grouped_mean(&(0..100).map(score).collect::<Vec<_>>()).unwrap()
        };
        // t with 4.338062 degrees of freedom is 2.693161, by scipy.
        close(mean(4).half_width.unwrap() / mean(4).se.unwrap(), 2.693_161_3, 5e-7);
        assert_eq!(mean(4).if_known(200), mean(4));
        for hidden in [mean(3).if_known(200), mean(4).if_known(149), mean(0).if_known(200)] {
            assert!(hidden.se.is_some() && hidden.low().is_none(), "{hidden:?}");
        }
        assert_eq!(mean(3).if_known(200).p(), None);
        // The p-value and the interval agree about 0.
        let over = |by: f64| Estimate { mean: by * mean(4).half_width.unwrap(), ..mean(4) };
        close(over(1.0).p().unwrap(), 0.05, 1e-9);
        let difference = Estimate::independent_difference(&mean(40), &mean(3).if_known(200));
        assert!(difference.se.is_some() && difference.low().is_none());
    }

    #[test]
    fn p_values_are_those_of_students_t() {
        let estimate = |mean, groups| Estimate::from_groups(mean, Some(1.0), groups);
        // Quantiles of the tables: 97.5% at 7 and at 255 degrees of freedom.
        close(estimate(2.364_624_3, 8).p().unwrap(), 0.05, 1e-7);
        close(estimate(-1.969_310_6, 256).p().unwrap(), 0.05, 1e-7);
        assert_eq!(estimate(1.0, 7).p(), None);
        // Where nothing varies there is neither an interval nor a p-value.
        let constant = |mean| Estimate::from_groups(mean, Some(0.0), 8);
        assert_eq!([0.0, 0.1, -0.1].map(|mean| constant(mean).p()), [Some(1.0), None, None]);
        assert!([0.0, 0.1].iter().all(|&mean| constant(mean).half_width.is_none()));
    }

    /// Each doubling of a score halves its chance, up to 64.
    ///
    /// In 200 deals, intervals with all degrees of freedom cover 91.7%. With the degrees of freedom that the
    /// skewness leaves they cover 96.4%.
    #[test]
    fn intervals_of_skewed_means_cover_the_truth() {
        const REPETITIONS: usize = 4_000;
        let mut rng = Pcg64Mcg::seed_from_u64(20_261_122);
        let (mut covered, mut plain) = (0, 0);
        for _ in 0..REPETITIONS {
            let mut score = || GroupSum::new(1 << rng.next_u64().trailing_zeros().min(6), 1);
            let scores: Vec<GroupSum> = (0..200).map(|_| score()).collect();
            let mean = grouped_mean(&scores).unwrap();
            let covers = |estimate: &Estimate| (estimate.mean - 4.0).abs() <= estimate.half_width.unwrap();
            plain += usize::from(covers(&Estimate::from_groups(mean.mean, mean.se, mean.groups)));
            covered += usize::from(covers(&mean));
        }
        let [plain, covered] = [plain, covered].map(|part| part as f64 / REPETITIONS as f64);
        assert!(plain < 0.93 && (0.95..0.975).contains(&covered), "{plain} {covered}");
    }

    #[test]
    fn differences_of_independent_means_have_the_degrees_of_freedom_of_welch() {
        // (1 + 4)² / (1² / 9 + 4² / 15), and the variances add up.
        let a = Estimate::with_freedom(5.0, Some(1.0), 10, 9.0);
        let b = Estimate::with_freedom(2.0, Some(2.0), 16, 15.0);
        let difference = Estimate::independent_difference(&a, &b);
        assert_eq!((difference.mean, difference.groups), (3.0, 10));
        close(difference.se.unwrap(), 5.0_f64.sqrt(), 1e-15);
        close(difference.freedom, 25.0 / (1.0 / 9.0 + 16.0 / 15.0), 1e-12);
        close(difference.half_width.unwrap(), student_t_975(difference.freedom) * 5.0_f64.sqrt(), 1e-12);
    }
}
