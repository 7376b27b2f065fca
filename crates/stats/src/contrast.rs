//! Estimates that keep the contribution of each group of deals to them.
//!
//! They are differences of means, their averages and sums, measures of one rule point, and effects over many.

use overtrick_ratings::{Estimate, GroupSum};
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::plausible::is_plausible;

/// The fewest groups in which two bots must score differently for an interval of their difference.
///
/// With equal bots, five such groups all favour the same bot once in sixteen times, and six or more in less
/// than 5%. This is the sign test of Dixon & Mood (1946), "The statistical sign test", *Journal of the
/// American Statistical Association* 41.
pub const FEWEST_DIFFERENT: usize = 6;

/// The contribution of a group to a difference in points a deal below which it counts as zero.
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
    /// By group: its contribution to the error of the value, `None` without a count.
    ///
    /// By linearisation, it is (S_g - m n_g) / n of the first mean less that of the second.
    errors: Vec<Option<f64>>,
    /// By group: its contribution to the value itself.
    values: Vec<f64>,
    /// The number of scores of the side that has fewer.
    score_count: u64,
}

impl Contrast {
    /// Returns the difference of two means per unit, `a - b`; see [`mean_difference`].
    ///
    /// # Panics
    /// If the two have different numbers of groups.
    pub fn new(a: &[GroupSum], b: &[GroupSum]) -> Option<Contrast> {
        assert_eq!(a.len(), b.len(), "the same groups");
        let (of_a, of_b) = (Total::of(a), Total::of(b));
        if of_a.count == 0 || of_b.count == 0 {
            return None;
        }
        let (mut errors, mut values) = (Vec::with_capacity(a.len()), Vec::with_capacity(a.len()));
        for (&a, &b) in a.iter().zip(b) {
            let has_count = a.count + b.count > 0;
            errors.push(has_count.then(|| of_a.error_of(a) - of_b.error_of(b)));
            values.push(of_a.value_of(a) - of_b.value_of(b));
        }
        let score_count = of_a.count.min(of_b.count) as u64;
        Some(Contrast { value: of_a.mean() - of_b.mean(), errors, values, score_count })
    }

    /// Checks that figures can be computed from it, over `groups` groups.
    ///
    /// # Errors
    /// Returns the flaw, if there is one.
    pub fn check(&self, groups: usize) -> Result<(), Flaw> {
        let mut parts = self.values.iter().copied().chain(self.known_errors()).chain([self.value]);
        let is_sound = self.errors.len() == groups && self.values.len() == groups && parts.all(is_plausible);
        ensure(is_sound, "estimates are not those of any scores")
    }

    /// Returns the difference with its sign reversed.
    pub fn reversed(&self) -> Contrast {
        self.times(-1.0)
    }

    /// Returns the difference times a factor.
    pub(super) fn times(&self, factor: f64) -> Contrast {
        Contrast {
            value: self.value * factor,
            errors: self.errors.iter().map(|error| error.map(|error| error * factor)).collect(),
            values: self.values.iter().map(|value| value * factor).collect(),
            score_count: self.score_count,
        }
    }

    /// Returns the mean of several differences; `None` if there are none.
    ///
    /// # Panics
    /// If they have different numbers of groups.
    pub fn average(contrasts: &[Contrast]) -> Option<Contrast> {
        let (first, others) = contrasts.split_first()?;
        let mut sum = first.clone();
        for other in others {
            sum.add(other, 1.0);
        }
        Some(sum.times(1.0 / contrasts.len() as f64))
    }

    /// Returns this difference less another.
    ///
    /// # Panics
    /// If they have different numbers of groups.
    pub fn less(&self, other: &Contrast) -> Contrast {
        let mut less = self.clone();
        less.add(other, -1.0);
        less
    }

    /// Adds another difference, times a factor.
    fn add(&mut self, other: &Contrast, factor: f64) {
        assert_eq!(self.errors.len(), other.errors.len(), "the same groups");
        self.value += factor * other.value;
        for (own, more) in self.errors.iter_mut().zip(&other.errors) {
            if let Some(more) = more {
                *own = Some(own.unwrap_or(0.0) + factor * more);
            }
        }
        for (own, more) in self.values.iter_mut().zip(&other.values) {
            *own += factor * more;
        }
        self.score_count = self.score_count.min(other.score_count);
    }

    /// Returns the value with its uncertainty over groups.
    pub fn estimate(&self) -> Estimate {
        let (mut groups, mut squares) = (0, 0.0);
        for error in self.known_errors() {
            groups += 1;
            squares += error * error;
        }
        let mut se = None;
        if groups >= 2 {
            let g = groups as f64;
            let spread = (g / (g - 1.0) * squares).sqrt();
            // Equal groups differ only in the last bits, which is no spread.
            let far = self.values.iter().map(|value| value.abs()).sum::<f64>().max(1.0);
            se = Some(if spread > NOTHING * far { spread } else { 0.0 });
        }
        Estimate::from_groups(self.value, se, groups)
    }

    /// Returns the estimate, without its interval if the spread is hardly known.
    ///
    /// That is the case if the two scored differently in fewer than six groups, or have few scores. The
    /// number of such groups says nothing about who is ahead, so leaving the interval out favours neither.
    pub fn estimate_if_known(&self) -> Estimate {
        let known = self.estimate().if_known(self.score_count);
        if self.different() < FEWEST_DIFFERENT { Estimate { half_width: None, ..known } } else { known }
    }

    /// Estimates the number of deal numbers in which the two scored differently.
    ///
    /// Scattered at random over the groups, this number leaves the observed number of groups empty. Infinite
    /// if no group is empty.
    pub fn differences(&self) -> f64 {
        let groups = self.values.len() as f64;
        groups * (groups / (groups - self.different() as f64)).ln()
    }

    /// Returns the number of groups in which the two scored differently.
    fn different(&self) -> usize {
        // Sums of several differences may cancel except for the last bits.
        self.values.iter().filter(|value| value.abs() > ROUNDING).count()
    }

    /// Returns the mean of a score per unit.
    ///
    /// It is stored as a difference from nothing. `None` if nothing was counted.
    pub fn of_mean(groups: &[GroupSum]) -> Option<Contrast> {
        let total = Total::of(groups);
        if total.count == 0 {
            return None;
        }
        let value = total.mean();
        let (mut errors, mut values) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
        for &group in groups {
            let error = (group.sum as f64 - value * group.count as f64) / total.count as f64;
            errors.push((group.count > 0).then_some(error));
            values.push(total.value_of(group));
        }
        Some(Contrast { value, errors, values, score_count: total.count as u64 })
    }

    /// Returns the mean of scores of -1, 0 and 1.
    ///
    /// None of these scores can be large and rare enough for its absence to mislead, so a few scores suffice
    /// for an interval.
    pub(super) fn of_signs(groups: &[GroupSum]) -> Option<Contrast> {
        Some(Contrast { score_count: u64::MAX, ..Contrast::of_mean(groups)? })
    }

    /// Returns the logarithm of the odds of two results, from the numbers of both in each group.
    ///
    /// By linearisation, a group adds its share of the first count less its share of the second to the error.
    /// `None` if either count is in fewer than six groups.
    pub(super) fn log_odds(groups: &[[u64; 2]]) -> Option<Contrast> {
        let mut with_each = [0; 2];
        let (mut ones, mut others) = (0, 0);
        for &[one, other] in groups {
            with_each[0] += usize::from(one > 0);
            with_each[1] += usize::from(other > 0);
            ones += one;
            others += other;
        }
        if with_each[0].min(with_each[1]) < FEWEST_DIFFERENT {
            return None;
        }
        let (mut errors, mut values) = (Vec::with_capacity(groups.len()), Vec::with_capacity(groups.len()));
        for &[one, other] in groups {
            let part = one as f64 / ones as f64 - other as f64 / others as f64;
            errors.push((one + other > 0).then_some(part));
            values.push(part);
        }
        let value = libm::log(ones as f64 / others as f64);
        Some(Contrast { value, errors, values, score_count: ones + others })
    }

    /// Returns the sum of several estimates over the same groups, each times a factor.
    ///
    /// # Panics
    /// If there are none, or if they have different numbers of groups.
    pub fn sum(terms: &[(f64, &Contrast)]) -> Contrast {
        let groups = terms[0].1.errors.len();
        let mut sum =
            Contrast { value: 0.0, errors: vec![None; groups], values: vec![0.0; groups], score_count: u64::MAX };
        for &(factor, term) in terms {
            sum.add(term, factor);
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
        let factor = if first.value == 0.0 { slope } else { value / first.value };
        let values = first.values.iter().map(|own| own * factor).collect();
        Contrast { value, values, ..Contrast::sum(terms) }
    }

    /// Places the same estimate in set number `part` of `parts` sets of groups that share no deals.
    ///
    /// Estimates in different sets become independent.
    pub fn among(&self, part: usize, parts: usize) -> Contrast {
        let groups = self.errors.len();
        let (mut errors, mut values) = (vec![None; groups * parts], vec![0.0; groups * parts]);
        errors[part * groups..(part + 1) * groups].clone_from_slice(&self.errors);
        values[part * groups..(part + 1) * groups].clone_from_slice(&self.values);
        Contrast { value: self.value, errors, values, score_count: self.score_count }
    }

    /// Returns the same estimate over fewer groups, with errors added up: every `groups`-th group becomes
    /// one.
    pub fn in_groups(&self, groups: usize) -> Contrast {
        let (mut errors, mut values) = (vec![None; groups], vec![0.0; groups]);
        for (number, (error, value)) in self.errors.iter().zip(&self.values).enumerate() {
            if let Some(error) = error {
                let own: &mut Option<f64> = &mut errors[number % groups];
                *own = Some(own.unwrap_or(0.0) + error);
            }
            values[number % groups] += value;
        }
        Contrast { value: self.value, errors, values, score_count: self.score_count }
    }

    /// Returns the number of groups, including those without a count.
    pub fn groups(&self) -> usize {
        self.errors.len()
    }

    /// Returns whether something was counted in a group.
    pub(super) fn is_counted(&self, group: usize) -> bool {
        self.errors[group].is_some()
    }

    /// Returns the estimate itself.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns whether it is zero in every group, so that the two never differed.
    pub fn is_nothing(&self) -> bool {
        self.values.iter().all(|value| value.abs() < NOTHING)
    }

    /// Returns the correlation of its error with that of another estimate over the same groups.
    ///
    /// `None` if either has no error.
    pub(super) fn correlation(&self, other: &Contrast) -> Option<f64> {
        let squares = self.product(self) * other.product(other);
        let correlation = self.product(other) / squares.sqrt();
        correlation.is_finite().then_some(correlation)
    }

    /// Returns the product of its errors and those of another estimate, summed over groups.
    fn product(&self, other: &Contrast) -> f64 {
        self.errors().zip(other.errors()).map(|(own, other)| own * other).sum()
    }

    /// Returns the contributions to the error of the estimate, of the groups that have a count.
    pub(super) fn known_errors(&self) -> impl Iterator<Item = f64> + '_ {
        self.errors.iter().copied().flatten()
    }

    /// Returns the contribution of each group to the error of the estimate, zero for a group without a count.
    pub(super) fn errors(&self) -> impl Iterator<Item = f64> + '_ {
        self.errors.iter().map(|error| error.unwrap_or(0.0))
    }
}

/// The sum of the scores of all groups, and their number.
struct Total {
    sum: i128,
    count: i128,
}

impl Total {
    fn of(groups: &[GroupSum]) -> Total {
        let mut total = Total { sum: 0, count: 0 };
        for &GroupSum { sum, count } in groups {
            total.sum += i128::from(sum);
            total.count += i128::from(count);
        }
        total
    }

    fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// Returns the contribution of a group to the mean.
    fn value_of(&self, group: GroupSum) -> f64 {
        group.sum as f64 / self.count as f64
    }

    /// Returns the contribution of a group to the error of the mean, by linearisation.
    fn error_of(&self, GroupSum { sum, count }: GroupSum) -> f64 {
        (i128::from(sum) * self.count - self.sum * i128::from(count)) as f64 / (self.count as f64).powi(2)
    }
}

/// Returns the difference of two means per unit, `a - b`.
///
/// Both must come from the same deals, group by group, so that the luck they share cancels within each group.
/// The two may count different numbers of units. For example, in matches between two bots the seatings differ
/// in length. With equal counts this is [`grouped_mean`](overtrick_ratings::grouped_mean) of the differences.
/// If both have the same sums and counts in every group, the difference and its standard error are exactly
/// zero. Returns `None` if either has no count.
///
/// # Panics
/// If the two have different numbers of groups.
pub fn mean_difference(a: &[GroupSum], b: &[GroupSum]) -> Option<Estimate> {
    Contrast::new(a, b).map(|contrast| contrast.estimate())
}

#[cfg(test)]
mod tests;
