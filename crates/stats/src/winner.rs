//! The estimate of whichever came first, corrected for having been picked because it came first.
//!
//! The largest of several estimates is too large on average, and its interval covers too rarely: it was picked for its
//! luck. Given all that the others say, the picked one is at least as large as the next, so its distribution is cut off
//! there; the interval and the median-unbiased estimate are those under that distribution. Where the next is close such
//! an interval can be very wide. So it is kept inside of one that holds for all estimates at once in 99.5%: the hybrid
//! interval of Andrews, Kitagawa & McCloskey (2024), "Inference on Winners", *Quarterly Journal of Economics* 139(1),
//! section 5.

use nalgebra::DMatrix;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::max_t::{Combination, MaxT};
use overtrick_cards::Stream;

/// The chance that the interval misses.
const MISS: f64 = 0.05;
/// The part of it that goes to the intervals that hold for all at once, as the authors recommend: a tenth.
const FIRST_MISS: f64 = MISS / 10.0;
/// The number of halvings in the search for an end.
const HALVINGS: usize = 60;

/// An estimate that was picked for being the largest, corrected for that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Winner {
    /// The median-unbiased estimate.
    pub value: f64,
    /// Lower end of the 95% interval.
    pub low: f64,
    /// Upper end of the 95% interval.
    pub high: f64,
}

impl Winner {
    /// Corrects estimate number `first`, the largest of `values`. `errors` is what each of `groups` groups adds to the
    /// error of each estimate, estimates by groups. `None` if nothing varies in it.
    pub(super) fn new(
        values: &[f64],
        errors: &DMatrix<f64>,
        first: usize,
        groups: usize,
        stream: &mut Stream,
    ) -> Option<Winner> {
        let g = groups as f64;
        let own = errors.row(first);
        let square = own.norm_squared();
        Combination::new(errors, vec![(first, 1.0)])?;
        // How far the winner could fall, all else that the others say being equal, and still be the largest.
        let (mut lowest, mut highest) = (f64::NEG_INFINITY, f64::INFINITY);
        for (other, &value) in values.iter().enumerate() {
            let slope = 1.0 - errors.row(other).dot(&own) / square;
            let end = values[first] - (values[first] - value) / slope;
            match slope {
                _ if other == first || slope.abs() < 1e-9 => {}
                _ if slope > 0.0 => lowest = lowest.max(end),
                _ => highest = highest.min(end),
            }
        }
        let singles: Vec<Combination> =
            (0..values.len()).filter_map(|row| Combination::new(errors, vec![(row, 1.0)])).collect();
        let reach = MaxT::draw(errors, &singles, groups, stream).exceeded_with(FIRST_MISS);
        let se = (square * g / (g - 1.0)).sqrt();
        let cut = Cut {
            errors: StudentsT::new(0.0, 1.0, g - 1.0).expect("at least two groups"),
            lowest: (lowest - values[first]) / se,
            highest: (highest - values[first]) / se,
            reach,
        };
        let tail = (MISS - FIRST_MISS) / (1.0 - FIRST_MISS) / 2.0;
        let at = |chance: f64| values[first] + se * cut.truth(chance);
        Some(Winner { value: at(0.5), low: at(1.0 - tail), high: at(tail) })
    }
}

/// The distribution of an estimate that was picked, all in standard errors and relative to the estimate.
struct Cut {
    errors: StudentsT,
    /// The estimate is not below this, or it would not have been picked.
    lowest: f64,
    /// Nor above this.
    highest: f64,
    /// Nor farther from the truth than this.
    reach: f64,
}

impl Cut {
    /// The chance of an estimate no larger than the one seen, if the truth is here.
    fn chance(&self, truth: f64) -> f64 {
        let low = (self.lowest - truth).max(-self.reach);
        let high = (self.highest - truth).min(self.reach);
        // Where both ends are on one side, the difference of upper tails keeps its digits.
        let between = |from: f64, to: f64| match from > 0.0 {
            true => self.errors.sf(from) - self.errors.sf(to),
            false => self.errors.cdf(to) - self.errors.cdf(from),
        };
        let all = between(low, high);
        if all <= 0.0 { f64::from(truth < 0.0) } else { (between(low, -truth) / all).clamp(0.0, 1.0) }
    }

    /// The truth under which an estimate no larger than the one seen has this chance.
    fn truth(&self, chance: f64) -> f64 {
        let (mut low, mut high) = (-self.reach, self.reach);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            // The larger the truth, the less likely is so small an estimate.
            if self.chance(middle) > chance { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::normal;
    use overtrick_cards::SeedSource;

    /// Estimates over 100 groups: truths with errors, half of which all share.
    fn drawn(truths: &[f64], stream: &mut Stream) -> (Vec<f64>, DMatrix<f64>) {
        let groups = 100;
        let shared: Vec<f64> = (0..groups).map(|_| normal(stream)).collect();
        let scores = DMatrix::from_fn(truths.len(), groups, |row, group| truths[row] + shared[group] + normal(stream));
        let values: Vec<f64> = (0..truths.len()).map(|row| scores.row(row).mean()).collect();
        let errors =
            DMatrix::from_fn(truths.len(), groups, |row, group| (scores[(row, group)] - values[row]) / groups as f64);
        (values, errors)
    }

    fn largest(values: &[f64]) -> usize {
        (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap()
    }

    /// The share of repetitions in which the interval covers, and the mean error of the estimate and of the plain one.
    fn performance(truths: &[f64], repetitions: usize) -> [f64; 3] {
        let mut stream = SeedSource::new(3, "test", "winner").stream(0, 0);
        let mut sums = [0.0; 3];
        for _ in 0..repetitions {
            let (values, errors) = drawn(truths, &mut stream);
            let first = largest(&values);
            let winner = Winner::new(&values, &errors, first, 100, &mut stream).unwrap();
            sums[0] += f64::from(winner.low <= truths[first] && truths[first] <= winner.high);
            sums[1] += winner.value - truths[first];
            sums[2] += values[first] - truths[first];
        }
        sums.map(|sum| sum / repetitions as f64)
    }

    #[test]
    fn far_ahead_there_is_nothing_to_correct() {
        let mut stream = SeedSource::new(1, "test", "winner").stream(0, 0);
        let (values, errors) = drawn(&[0.0, 5.0], &mut stream);
        let winner = Winner::new(&values, &errors, 1, 100, &mut stream).unwrap();
        let se = (errors.row(1).norm_squared() * 100.0 / 99.0).sqrt();
        assert!((winner.value - values[1]).abs() < 1e-6 * se, "{winner:?} {values:?}");
        // 1.984 standard errors on either side: t of 99 degrees of freedom at 2.5%.
        assert!(((winner.high - values[1]) / se - 1.984).abs() < 0.02, "{winner:?}");
        assert!(((values[1] - winner.low) / se - 1.984).abs() < 0.02, "{winner:?}");
        // Nothing varies.
        assert_eq!(Winner::new(&[1.0, 0.0], &DMatrix::zeros(2, 9), 0, 9, &mut stream), None);
        // A twin that is the same in every group changes nothing.
        let twins = DMatrix::from_fn(3, 100, |row, group| errors[(row.min(1), group)]);
        let with_twin = Winner::new(&[values[0], values[1], values[1]], &twins, 1, 100, &mut stream).unwrap();
        assert!((with_twin.low - winner.low).abs() < 0.1 * se);
    }

    #[test]
    fn the_first_of_equals_is_taken_down() {
        let [covered, bias, plain_bias] = performance(&[0.0; 10], 20);
        assert!(covered >= 0.8 && plain_bias > 0.1 && bias.abs() < plain_bias, "{covered} {bias} {plain_bias}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_of_the_picked_cover_the_truth() {
        let spread: Vec<f64> = (0..30).map(|bot| f64::from(bot) * 0.01).collect();
        for truths in [&[0.0; 3][..], &[0.0; 8], &[0.0; 30], &[0.0, 0.1, 0.15], &spread] {
            let [covered, bias, plain_bias] = performance(truths, 2000);
            println!("{} truths: covered {covered}, bias {bias}, plain {plain_bias}", truths.len());
            // Between 95% and 95.5%; the standard error is 0.5.
            assert!((0.935..=0.965).contains(&covered), "{covered}");
            assert!(bias.abs() < plain_bias.max(0.02), "{bias} {plain_bias}");
        }
    }
}
