//! Estimates that keep the contribution of each group of deals to them.
//!
//! They are differences of means, their averages and sums, measures of one rule point, and effects over many.

use overtrick_ratings::Estimate;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::plausible::is_plausible;

/// The fewest groups in which two bots must score differently for an interval of their difference.
///
/// With equal bots, five such groups all favour the same bot once in sixteen times, and six or more in less
/// than 5%. This is the sign test of Dixon & Mood (1946), "The statistical sign test", *Journal of the
/// American Statistical Association* 41.
pub const FEWEST_DIFFERENT: usize = 6;

/// The share of a group in a difference in points a deal below which it counts as zero.
///
/// This is one point in ten billion deals.
const ROUNDING: f64 = 1e-10;
/// Errors below this are those of rounding.
pub(super) const NOTHING: f64 = 1e-12;

/// A difference of means together with the contribution of each group to its error.
///
/// Several contrasts over the same groups can be averaged and subtracted from each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    value: f64,
    /// By group, by linearisation: (S_g - m n_g) / n of the first mean less that of the second.
    ///
    /// `None` for a group without a count.
    pulls: Vec<Option<f64>>,
    /// By group: its contribution to the difference itself.
    shares: Vec<f64>,
    /// The number of scores of the side that has fewer.
    scores: u64,
}

impl Contrast {
    /// Returns the difference of two means per unit, `a - b`; see [`mean_difference`].
    ///
    /// # Panics
    /// If the two have different numbers of groups.
    pub fn new(a: &[(i64, u64)], b: &[(i64, u64)]) -> Option<Contrast> {
        assert_eq!(a.len(), b.len(), "the same groups");
        let totals = |side: &[(i64, u64)]| {
            let add = |(sum, count): (i128, i128), &(s, n): &(i64, u64)| (sum + i128::from(s), count + i128::from(n));
            side.iter().fold((0, 0), add)
        };
        let ((sum_a, count_a), (sum_b, count_b)) = (totals(a), totals(b));
        if count_a == 0 || count_b == 0 {
            return None;
        }
        let pull = |(s, n): (i64, u64), sum: i128, count: i128| {
            (i128::from(s) * count - sum * i128::from(n)) as f64 / (count as f64).powi(2)
        };
        let of_group = |(&a, &b): (&(i64, u64), &(i64, u64))| {
            (a.1 + b.1 > 0).then(|| pull(a, sum_a, count_a) - pull(b, sum_b, count_b))
        };
        let share = |(a, b): (&(i64, u64), &(i64, u64))| a.0 as f64 / count_a as f64 - b.0 as f64 / count_b as f64;
        let value = sum_a as f64 / count_a as f64 - sum_b as f64 / count_b as f64;
        let pulls = a.iter().zip(b).map(of_group).collect();
        let scores = count_a.min(count_b) as u64;
        Some(Contrast { value, pulls, shares: a.iter().zip(b).map(share).collect(), scores })
    }

    /// Checks that this can be an estimate over `groups` groups.
    ///
    /// # Errors
    /// Returns the flaw, if there is one.
    pub fn check(&self, groups: usize) -> Result<(), Flaw> {
        let flaw = "estimates are not those of any scores";
        let has_groups = self.pulls.len() == groups && self.shares.len() == groups && self.scores > 0;
        ensure(has_groups && self.pulls.iter().flatten().chain(&self.shares).all(|&part| is_plausible(part)), flaw)?;
        // The shares of groups add up to the whole, and their errors cancel.
        let sum = |parts: &mut dyn Iterator<Item = f64>| {
            parts.fold((0.0, 1.0), |(sum, far), part| (sum + part, far + part.abs()))
        };
        let (value, far) = sum(&mut self.shares.iter().copied());
        ensure((self.value - value).abs() <= ROUNDING * far, flaw)?;
        let (rest, far) = sum(&mut self.pulls.iter().flatten().copied());
        ensure(rest.abs() <= ROUNDING * far, flaw)
    }

    /// Returns the difference with its sign reversed.
    pub fn reversed(&self) -> Contrast {
        Contrast {
            value: -self.value,
            pulls: self.pulls.iter().map(|pull| pull.map(|pull| -pull)).collect(),
            shares: self.shares.iter().map(|share| -share).collect(),
            scores: self.scores,
        }
    }

    /// Returns the mean of several differences; `None` if there are none.
    ///
    /// # Panics
    /// If they have different numbers of groups.
    pub fn average(contrasts: &[Contrast]) -> Option<Contrast> {
        let (first, others) = contrasts.split_first()?;
        let sum = others.iter().fold(first.clone(), |sum, other| sum.plus(other, 1.0));
        let weight = 1.0 / contrasts.len() as f64;
        Some(Contrast {
            value: sum.value * weight,
            pulls: sum.pulls.iter().map(|pull| pull.map(|pull| pull * weight)).collect(),
            shares: sum.shares.iter().map(|share| share * weight).collect(),
            scores: sum.scores,
        })
    }

    /// Returns this difference less another.
    ///
    /// # Panics
    /// If they have different numbers of groups.
    pub fn less(&self, other: &Contrast) -> Contrast {
        self.plus(other, -1.0)
    }

    fn plus(&self, other: &Contrast, times: f64) -> Contrast {
        assert_eq!(self.pulls.len(), other.pulls.len(), "the same groups");
        let add = |(own, more): (&Option<f64>, &Option<f64>)| match (own, more) {
            (None, None) => None,
            _ => Some(own.unwrap_or(0.0) + times * more.unwrap_or(0.0)),
        };
        Contrast {
            value: self.value + times * other.value,
            pulls: self.pulls.iter().zip(&other.pulls).map(add).collect(),
            shares: self.shares.iter().zip(&other.shares).map(|(own, more)| own + times * more).collect(),
            scores: self.scores.min(other.scores),
        }
    }

    /// Returns the value with its uncertainty over groups.
    pub fn estimate(&self) -> Estimate {
        let pulls = || self.pulls.iter().flatten();
        let groups = pulls().count();
        let (g, squares) = (groups as f64, pulls().map(|pull| pull * pull).sum::<f64>());
        let se = (groups >= 2).then(|| (g / (g - 1.0) * squares).sqrt());
        // Equal groups differ only in the last bits, which is no spread.
        let far = self.shares.iter().map(|share| share.abs()).sum::<f64>().max(1.0);
        let se = se.map(|se| if se > NOTHING * far { se } else { 0.0 });
        Estimate::from_groups(self.value, se, groups)
    }

    /// Returns the estimate, without its interval if the spread is hardly known.
    ///
    /// That is the case if the two scored differently in fewer than six groups, or have few scores. The
    /// number of such groups says nothing about who is ahead, so leaving the interval out favours neither.
    pub fn estimate_if_known(&self) -> Estimate {
        let known = self.estimate().if_known(self.scores);
        Estimate { half_width: known.half_width.filter(|_| self.different() >= FEWEST_DIFFERENT), ..known }
    }

    /// Estimates the number of deal numbers in which the two scored differently.
    ///
    /// Scattered at random over the groups, this number leaves the observed number of groups empty. Infinite
    /// if no group is empty.
    pub fn differences(&self) -> f64 {
        let groups = self.shares.len() as f64;
        groups * (groups / (groups - self.different() as f64)).ln()
    }

    /// Returns the number of groups in which the two scored differently.
    fn different(&self) -> usize {
        // Sums of several differences may cancel except for the last bits.
        self.shares.iter().filter(|share| share.abs() > ROUNDING).count()
    }

    /// Returns the mean of a score per unit, from `(sum, count)` of each group.
    ///
    /// It is stored as a difference from nothing. `None` if nothing was counted.
    pub fn of_mean(groups: &[(i64, u64)]) -> Option<Contrast> {
        let count: u64 = groups.iter().map(|&(_, count)| count).sum();
        if count == 0 {
            return None;
        }
        let whole = count as f64;
        let value = groups.iter().map(|&(sum, _)| i128::from(sum)).sum::<i128>() as f64 / whole;
        let pull = |&(sum, own): &(i64, u64)| (own > 0).then(|| (sum as f64 - value * own as f64) / whole);
        Some(Contrast {
            value,
            pulls: groups.iter().map(pull).collect(),
            shares: groups.iter().map(|&(sum, _)| sum as f64 / whole).collect(),
            scores: count,
        })
    }

    /// Returns the mean of scores of -1, 0 and 1.
    ///
    /// None of these scores can be large and rare enough for its absence to mislead, so a few scores suffice
    /// for an interval.
    pub(super) fn of_signs(groups: &[(i64, u64)]) -> Option<Contrast> {
        Contrast::of_mean(groups).map(|mean| Contrast { scores: u64::MAX, ..mean })
    }

    /// Returns the logarithm of the odds of two counts, from both counts of each group.
    ///
    /// By linearisation, a group adds its share of the first count less its share of the second to the error.
    /// `None` if either count is in fewer than six groups.
    pub(super) fn log_odds(groups: &[(u64, u64)]) -> Option<Contrast> {
        let with_one = groups.iter().filter(|group| group.0 > 0).count();
        let with_other = groups.iter().filter(|group| group.1 > 0).count();
        if with_one.min(with_other) < FEWEST_DIFFERENT {
            return None;
        }
        let (ones, others) = groups.iter().fold((0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
        let part = |&(one, other): &(u64, u64)| one as f64 / ones as f64 - other as f64 / others as f64;
        Some(Contrast {
            value: libm::log(ones as f64 / others as f64),
            pulls: groups.iter().map(|group| (group.0 + group.1 > 0).then(|| part(group))).collect(),
            shares: groups.iter().map(part).collect(),
            scores: ones + others,
        })
    }

    /// Returns the sum of several estimates over the same groups, each times a factor.
    ///
    /// # Panics
    /// If there are none, or if they have different numbers of groups.
    pub fn sum(terms: &[(f64, &Contrast)]) -> Contrast {
        let groups = terms[0].1.pulls.len();
        let mut sum = Contrast { value: 0.0, pulls: vec![None; groups], shares: vec![0.0; groups], scores: u64::MAX };
        for &(factor, term) in terms {
            assert_eq!(term.pulls.len(), groups, "the same groups");
            sum.value += factor * term.value;
            for (own, more) in sum.pulls.iter_mut().zip(&term.pulls) {
                if let Some(more) = more {
                    *own = Some(own.unwrap_or(0.0) + factor * more);
                }
            }
            sum.shares.iter_mut().zip(&term.shares).for_each(|(own, more)| *own += factor * more);
            sum.scores = sum.scores.min(term.scores);
        }
        sum
    }

    /// Returns an estimate that is a smooth function of others, with errors to the first order.
    ///
    /// This is the delta method (Cox 1990, *Biometrika* 77). `terms` are the other estimates, each with the
    /// slope of the function in it. Where the first of them is zero, so is the value.
    ///
    /// # Panics
    /// If there are none, or if they have different numbers of groups.
    pub(super) fn following(value: f64, terms: &[(f64, &Contrast)]) -> Contrast {
        let (slope, first) = terms[0];
        let share = if first.value == 0.0 { slope } else { value / first.value };
        let shares = first.shares.iter().map(|own| own * share).collect();
        Contrast { value, shares, ..Contrast::sum(terms) }
    }

    /// Places the same estimate in set number `part` of `parts` sets of groups that share no deals.
    ///
    /// Estimates in different sets become independent.
    pub fn among(&self, part: usize, parts: usize) -> Contrast {
        let groups = self.pulls.len();
        let (mut pulls, mut shares) = (vec![None; groups * parts], vec![0.0; groups * parts]);
        pulls[part * groups..(part + 1) * groups].clone_from_slice(&self.pulls);
        shares[part * groups..(part + 1) * groups].clone_from_slice(&self.shares);
        Contrast { value: self.value, pulls, shares, scores: self.scores }
    }

    /// Returns the same estimate over fewer groups, with errors added up: every `groups`-th group becomes
    /// one.
    pub fn in_groups(&self, groups: usize) -> Contrast {
        let (mut pulls, mut shares) = (vec![None; groups], vec![0.0; groups]);
        for (number, (pull, share)) in self.pulls.iter().zip(&self.shares).enumerate() {
            if let Some(pull) = pull {
                let own: &mut Option<f64> = &mut pulls[number % groups];
                *own = Some(own.unwrap_or(0.0) + pull);
            }
            shares[number % groups] += share;
        }
        Contrast { value: self.value, pulls, shares, scores: self.scores }
    }

    /// Returns the number of groups, including those without a count.
    pub fn groups(&self) -> usize {
        self.pulls.len()
    }

    /// Returns the estimate itself.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns whether it is zero in every group, so that the two never differed.
    pub fn is_nothing(&self) -> bool {
        self.shares.iter().all(|share| share.abs() < 1e-12)
    }

    /// Returns the correlation of its error with that of another estimate over the same groups.
    ///
    /// `None` if either has no error.
    pub(super) fn correlation(&self, other: &Contrast) -> Option<f64> {
        let product = |a: &Contrast, b: &Contrast| a.errors().zip(b.errors()).map(|(a, b)| a * b).sum::<f64>();
        let correlation = product(self, other) / (product(self, self) * product(other, other)).sqrt();
        correlation.is_finite().then_some(correlation)
    }

    /// Returns the contributions to the error of the estimate, of the groups that have a count.
    pub(super) fn known_errors(&self) -> impl Iterator<Item = f64> + '_ {
        self.pulls.iter().copied().flatten()
    }

    /// Returns the contribution of each group to the error of the estimate, zero for a group without a count.
    pub(super) fn errors(&self) -> impl Iterator<Item = f64> + '_ {
        self.pulls.iter().map(|pull| pull.unwrap_or(0.0))
    }
}

/// Returns the difference of two means per unit, `a - b`, from `(sum, count)` of each group for both.
///
/// Both must come from the same deals, group by group, so that the luck they share cancels within each group.
/// The two may count different numbers of units. For example, in matches between two bots the seatings differ
/// in length. With equal counts this is [`grouped_mean`](overtrick_ratings::grouped_mean) of the differences.
/// If both have the same sums and counts in every group, the difference and its standard error are exactly
/// zero. Returns `None` if either has no count.
///
/// # Panics
/// If the two have different numbers of groups.
pub fn mean_difference(a: &[(i64, u64)], b: &[(i64, u64)]) -> Option<Estimate> {
    Contrast::new(a, b).map(|contrast| contrast.estimate())
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_ratings::{design_effect, grouped_mean};
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Draws a number from -`spread`..=`spread`.
    fn uniform(rng: &mut Pcg64Mcg, spread: i64) -> i64 {
        let faces = 2 * spread as u64 + 1;
        (rng.next_u64() % faces) as i64 - spread
    }

    #[test]
    fn contrasts_over_the_same_groups_are_averaged_and_subtracted_group_by_group() {
        let mut rng = Pcg64Mcg::seed_from_u64(12);
        let side = |rng: &mut Pcg64Mcg| -> Vec<(i64, u64)> { (0..40).map(|_| (uniform(rng, 50), 4)).collect() };
        let (a, b, c) = (side(&mut rng), side(&mut rng), side(&mut rng));
        let [ab, ac, bc] = [(&a, &b), (&a, &c), (&b, &c)].map(|(one, other)| Contrast::new(one, other).unwrap());
        assert_eq!(ab.estimate(), mean_difference(&a, &b).unwrap());
        assert_eq!(ab.reversed().estimate().mean, -ab.estimate().mean);
        // a - c less b - c is a - b.
        let by_way_of_c = ac.less(&bc).estimate();
        close(by_way_of_c.mean, ab.estimate().mean, 1e-12);
        close(by_way_of_c.se.unwrap(), ab.estimate().se.unwrap(), 1e-12);
        // The average of a - b and a - c is a less the average of b and c.
        let average = Contrast::average(&[ab, ac]).unwrap().estimate();
        let twice: Vec<_> = a.iter().map(|&(sum, n)| (2 * sum, n)).collect();
        let others: Vec<_> = b.iter().zip(&c).map(|(b, c)| (b.0 + c.0, b.1)).collect();
        let direct = mean_difference(&twice, &others).unwrap();
        close(average.mean, direct.mean / 2.0, 1e-12);
        close(average.se.unwrap(), direct.se.unwrap() / 2.0, 1e-12);
        assert_eq!(Contrast::average(&[]), None);
    }

    #[test]
    fn bots_that_seldom_differ_have_no_interval() {
        let luck = |group: i64| group * 7 % 11;
        let side = |different: i64| -> Vec<(i64, u64)> {
            (0..64).map(|group| (luck(group) + i64::from(group < different), 3)).collect()
        };
        let known = |different: i64| Contrast::new(&side(different), &side(0)).unwrap().estimate_if_known();
        for different in [0, 1, 5] {
            let estimate = known(different);
            assert_eq!((estimate.low(), estimate.high()), (None, None), "{different}");
            assert!(estimate.se.is_some());
        }
        assert_eq!(known(6), mean_difference(&side(6), &side(0)).unwrap());
        assert!(known(6).low().is_some());
        // No result contradicts the equality of bots that never differed. Of bots that differed in a few
        // groups, nothing is known.
        assert_eq!((known(0).p(), known(5).p()), (Some(1.0), None));
        // A third bot differs from both everywhere. Through it, the two are compared with each other.
        let third: Vec<_> = (0..64).map(|group| (luck(group * 5) + 3, 3)).collect();
        let over_third = |different| Contrast::new(&side(different), &third).unwrap();
        assert!(over_third(5).estimate_if_known().low().is_some());
        assert_eq!(over_third(5).less(&over_third(0)).estimate_if_known().low(), None);
        assert!(over_third(6).less(&over_third(0)).estimate_if_known().low().is_some());
    }

    const ONE: [(i64, u64); 9] = [(3, 2), (8, 2), (4, 2), (1, 2), (0, 0), (2, 1), (9, 3), (4, 4), (5, 1)];
    const OTHER: [(i64, u64); 9] = [(1, 1), (2, 2), (7, 2), (1, 2), (0, 0), (2, 2), (9, 3), (0, 4), (5, 2)];

    #[test]
    fn a_mean_and_a_difference_of_means_are_those_of_the_groups() {
        let [one, other] = [ONE, OTHER].map(|groups| Contrast::of_mean(&groups).unwrap());
        let mean = grouped_mean(ONE).unwrap();
        assert!((one.value() - mean.mean).abs() < 1e-15);
        assert!((one.estimate().se.unwrap() - mean.se.unwrap()).abs() < 1e-15);
        let difference = Contrast::sum(&[(1.0, &one), (-1.0, &other)]).estimate();
        let expected = mean_difference(&ONE, &OTHER).unwrap();
        assert!((difference.mean - expected.mean).abs() < 1e-15);
        assert!((difference.se.unwrap() - expected.se.unwrap()).abs() < 1e-15);
        assert!(Contrast::sum(&[(1.0, &one), (-1.0, &one)]).is_nothing() && !one.is_nothing());
        assert_eq!(Contrast::of_mean(&[(0, 0)]), None);
    }

    #[test]
    fn estimates_that_share_no_deals_are_independent() {
        let [one, other] = [ONE, OTHER].map(|groups| Contrast::of_mean(&groups).unwrap());
        let apart = Contrast::sum(&[(1.0, &one.among(0, 2)), (-1.0, &other.among(1, 2))]);
        assert_eq!(one.in_groups(3).estimate().groups, 3);
        let coarse = Contrast::of_mean(&[0, 1, 2].map(|rest| {
            let of = || ONE.iter().skip(rest).step_by(3);
            (of().map(|group| group.0).sum(), of().map(|group| group.1).sum())
        }));
        assert!((one.in_groups(3).estimate().se.unwrap() - coarse.unwrap().estimate().se.unwrap()).abs() < 1e-15);
        let squares = |estimate: &Contrast| estimate.errors().map(|error| error * error).sum::<f64>();
        assert!((squares(&apart) - squares(&one) - squares(&other)).abs() < 1e-15);
        assert_eq!(apart.value(), one.value() - other.value());
    }

    #[test]
    fn log_odds_are_those_of_both_counts() {
        // 24 and 12: the value is ln 2. Where groups are single cases, the standard error is that of
        // independent cases, sqrt(1/24 + 1/12).
        let single: Vec<(u64, u64)> = (0..36).map(|case| if case < 24 { (1, 0) } else { (0, 1) }).collect();
        let odds = Contrast::log_odds(&single).unwrap().estimate();
        close(odds.mean, 2f64.ln(), 1e-12);
        close(odds.se.unwrap(), (36.0 / 35.0 * (1.0 / 24.0 + 1.0 / 12.0_f64)).sqrt(), 1e-12);
        assert_eq!(Contrast::log_odds(&[(5, 1); 5]), None);
    }

    #[test]
    fn equal_groups_have_no_spread_but_for_rounding() {
        // With a share of 15/22 in every group, the last bits differ.
        for (one, all) in [(15, 22), (1, 3), (7, 55)] {
            let groups: Vec<(i64, u64)> = (0..32).map(|g| (one * (15 + g % 2), (all * (15 + g % 2)) as u64)).collect();
            let estimate = Contrast::of_mean(&groups).unwrap().estimate();
            assert_eq!((estimate.se, estimate.half_width), (Some(0.0), None), "{one}/{all}");
        }
    }

    #[test]
    fn equal_sums_differ_by_exactly_nothing() {
        let groups: Vec<_> = (1..20).map(|g| (g * 7 - 50, (g % 5 + 1) as u64)).collect();
        let none = mean_difference(&groups, &groups).unwrap();
        assert_eq!((none.mean, none.se, none.half_width), (0.0, Some(0.0), None));
        // Neither does a constant difference that no binary fraction can hold.
        let side = |score: i64| -> Vec<_> { (1..20).map(|g| (score * g, 3 * g as u64)).collect() };
        let third = mean_difference(&side(1), &side(0)).unwrap();
        assert_eq!(third.se, Some(0.0));
        assert_eq!(design_effect(1.0, 0.0), None);
    }

    /// Plays two bots in 40 groups of 3 to 8 deals each, with the same luck in every deal of a group.
    ///
    /// Bot a has a true mean of 0 and bot b of -1; b also responds twice to the luck.
    fn shared_luck(rng: &mut Pcg64Mcg) -> Vec<(i64, i64, u64)> {
        (0..40)
            .map(|_| {
                let luck = uniform(rng, 4);
                let count = 3 + rng.next_u64() % 6;
                let mut sums = (0, 0);
                for _ in 0..count {
                    sums.0 += luck + uniform(rng, 3);
                    sums.1 += 2 * luck + uniform(rng, 3) - 1;
                }
                (sums.0, sums.1, count)
            })
            .collect()
    }

    type Side = Vec<(i64, u64)>;

    fn sides(groups: &[(i64, i64, u64)]) -> (Side, Side) {
        groups.iter().map(|&(a, b, n)| ((a, n), (b, n))).unzip()
    }

    #[test]
    fn with_equal_counts_a_difference_of_means_is_the_mean_difference() {
        let mut rng = Pcg64Mcg::seed_from_u64(11);
        let groups = shared_luck(&mut rng);
        let (a, b) = sides(&groups);
        let paired = grouped_mean(groups.iter().map(|&(a, b, n)| (a - b, n))).unwrap();
        let difference = mean_difference(&a, &b).unwrap();
        close(difference.mean, paired.mean, 1e-12);
        close(difference.se.unwrap(), paired.se.unwrap(), 1e-12);
        // Twice the units with the same mean change nothing.
        let twice: Vec<_> = b.iter().map(|&(sum, n)| (2 * sum, 2 * n)).collect();
        close(mean_difference(&a, &twice).unwrap().se.unwrap(), paired.se.unwrap(), 1e-12);
    }

    #[test]
    fn intervals_cover_the_truth_over_shared_deals() {
        const REPETITIONS: usize = 2_000;
        let mut rng = Pcg64Mcg::seed_from_u64(20_260_101);
        let (mut mean_covered, mut difference_covered) = (0, 0);
        for _ in 0..REPETITIONS {
            let groups = shared_luck(&mut rng);
            let covers = |e: Estimate, truth| usize::from(e.low().unwrap() <= truth && truth <= e.high().unwrap());
            let mean = grouped_mean(groups.iter().map(|&(a, _, n)| (a, n))).unwrap();
            mean_covered += covers(mean, 0.0);
            let (a, b) = sides(&groups);
            let difference = mean_difference(&a, &b).unwrap();
            difference_covered += covers(difference, 1.0);
        }
        let accepted = REPETITIONS * 93 / 100..=REPETITIONS * 97 / 100;
        assert!(accepted.contains(&mean_covered), "{mean_covered}");
        assert!(accepted.contains(&difference_covered), "{difference_covered}");
    }
}
