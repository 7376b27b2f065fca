//! Sums of estimates over groups: measures of one rule point, their differences between points, effects over many.

use super::interval::Contrast;

impl Contrast {
    /// The mean of a score per unit, from `(sum, count)` of each group, as a difference from nothing; `None` if nothing
    /// was counted.
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

    /// The sum of several estimates over the same groups, each times a factor.
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

    /// The same estimate among `parts` sets of groups that share no deals, of which it belongs to number `part`:
    /// estimates that share none become independent.
    pub fn among(&self, part: usize, parts: usize) -> Contrast {
        let groups = self.pulls.len();
        let (mut pulls, mut shares) = (vec![None; groups * parts], vec![0.0; groups * parts]);
        pulls[part * groups..(part + 1) * groups].clone_from_slice(&self.pulls);
        shares[part * groups..(part + 1) * groups].clone_from_slice(&self.shares);
        Contrast { value: self.value, pulls, shares, scores: self.scores }
    }

    /// The same estimate over fewer groups, whose errors are added up: every `groups`-th group becomes one.
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

    /// The estimate itself.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Whether it is zero in every group: the two that it compares were never different.
    pub fn is_nothing(&self) -> bool {
        self.shares.iter().all(|share| share.abs() < 1e-12)
    }

    /// By group: what it adds to the error of the estimate, nothing for a group without a count.
    pub(super) fn errors(&self) -> impl Iterator<Item = f64> + '_ {
        self.pulls.iter().map(|pull| pull.unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::{grouped_mean, mean_difference};

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
}
