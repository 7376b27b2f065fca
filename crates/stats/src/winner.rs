//! Estimates the first of several, corrected for having been picked because it came first.
//!
//! The largest of several estimates is too large on average, and its interval covers too rarely, because it
//! was picked for its luck. Given all the other estimates, the picked estimate is at least as large as the
//! next, so its distribution is cut off there. The interval and the median-unbiased estimate are those under
//! that distribution.
//!
//! Where the next estimate is close, such an interval can be very wide. So it is kept within an interval that
//! holds for all estimates at once in 99.5%. This is the hybrid interval of Andrews, Kitagawa & McCloskey
//! (2024), "Inference on Winners", *Quarterly Journal of Economics* 139(1), section 5.

use nalgebra::DMatrix;
use statrs::distribution::StudentsT;

use super::contrast::NOTHING;
use super::cut::Cut;
use super::figure::Bounded;
use super::simultaneous::MISS;

/// The chance that the intervals that hold for all at once miss.
///
/// It is a tenth of all misses, as the authors recommend.
pub(super) const FIRST_MISS: f64 = MISS / 10.0;

/// Corrects estimate number `first`, the largest of `values`.
///
/// `errors` is the contribution of each of `groups` groups to the error of each estimate: estimates by
/// groups. `reach` is the most standard errors that any estimate is off, except for a chance of
/// [`FIRST_MISS`]. `None` if nothing varies in the first.
pub(super) fn correct_first(
    values: &[f64],
    errors: &DMatrix<f64>,
    first: usize,
    groups: usize,
    reach: f64,
) -> Option<Bounded> {
    let g = groups as f64;
    let own = errors.row(first);
    let square = own.norm_squared();
    if square.sqrt() < NOTHING {
        return None;
    }
    // How far the winner could fall and still be the largest, with the other information of the estimates
    // unchanged.
    let (mut lowest, mut highest) = (f64::NEG_INFINITY, f64::INFINITY);
    for (other, &value) in values.iter().enumerate() {
        let slope = 1.0 - errors.row(other).dot(&own) / square;
        if other == first || slope.abs() < 1e-9 {
            continue;
        }
        let end = values[first] - (values[first] - value) / slope;
        if slope > 0.0 {
            lowest = lowest.max(end);
        } else {
            highest = highest.min(end);
        }
    }
    let se = (square * g / (g - 1.0)).sqrt();
    let cut = Cut {
        errors: StudentsT::new(0.0, 1.0, g - 1.0).expect("at least two groups"),
        lowest: (lowest - values[first]) / se,
        highest: (highest - values[first]) / se,
        reach,
    };
    let [value, low, high] = cut.corrected(values[first], se, FIRST_MISS);
    // Where another is equally high, the observed value lies at the end of the distribution, and no truth
    // is low enough. One standard error below the value, the interval covers 95% of equal bots, too.
    Some(Bounded { value, se: None, interval: Some((low, high.max(values[first] - se))) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::max_t::{Combination, MaxT};
    use crate::random::normal;
    use overtrick_cards::{SeedSource, Stream};

    /// Draws estimates over 100 groups: truths with errors, half of which all share.
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

    /// Returns the most standard errors that any of the estimates is off, except for a chance of
    /// [`FIRST_MISS`].
    fn reach(errors: &DMatrix<f64>, stream: &mut Stream) -> f64 {
        let singles: Vec<Combination> =
            (0..errors.nrows()).filter_map(|row| Combination::new(errors, vec![(row, 1.0)], 100)).collect();
        MaxT::draw(errors, &singles, stream).exceeded_with(FIRST_MISS)
    }

    #[test]
    fn a_tie_for_the_first_place_leaves_an_interval() {
        let mut stream = SeedSource::new(5, "test", "winner").stream(0, 0);
        let (values, errors) = drawn(&[0.0, 0.0, 0.0], &mut stream);
        let tied = [values[0], values[0], values[0] - 1e-9];
        let winner = correct_first(&tied, &errors, 0, 100, reach(&errors, &mut stream)).unwrap();
        let se = (errors.row(0).norm_squared() * 100.0 / 99.0).sqrt();
        let (low, high) = winner.interval.unwrap();
        assert_eq!(high, values[0] - se);
        assert!(high - low > se && low <= winner.value, "{winner:?}");
    }

    /// Returns the share of repetitions in which the interval covers, and the mean error of both estimates.
    ///
    /// The corrected estimate comes first, then the plain estimate.
    fn performance(truths: &[f64], repetitions: usize) -> [f64; 3] {
        let mut stream = SeedSource::new(3, "test", "winner").stream(0, 0);
        let mut sums = [0.0; 3];
        for _ in 0..repetitions {
            let (values, errors) = drawn(truths, &mut stream);
            let first = largest(&values);
            let winner = correct_first(&values, &errors, first, 100, reach(&errors, &mut stream)).unwrap();
            let (low, high) = winner.interval.unwrap();
            sums[0] += f64::from(low <= truths[first] && truths[first] <= high);
            sums[1] += winner.value - truths[first];
            sums[2] += values[first] - truths[first];
        }
        sums.map(|sum| sum / repetitions as f64)
    }

    #[test]
    fn far_ahead_there_is_nothing_to_correct() {
        let mut stream = SeedSource::new(1, "test", "winner").stream(0, 0);
        let (values, errors) = drawn(&[0.0, 5.0], &mut stream);
        let reach = reach(&errors, &mut stream);
        let winner = correct_first(&values, &errors, 1, 100, reach).unwrap();
        let se = (errors.row(1).norm_squared() * 100.0 / 99.0).sqrt();
        assert!((winner.value - values[1]).abs() < 1e-6 * se, "{winner:?} {values:?}");
        // From t of 99 degrees of freedom at 2.5%, as for one estimate alone, to 2.26%, as if none were far
        // off.
        let (low, high) = winner.interval.unwrap();
        for half in [high - values[1], values[1] - low] {
            assert!((1.983..2.029).contains(&(half / se)), "{winner:?}");
        }
        assert_eq!(correct_first(&[1.0, 0.0], &DMatrix::zeros(2, 9), 0, 9, 3.0), None);
        // A twin that is the same in every group changes nothing.
        let twins = DMatrix::from_fn(3, 100, |row, group| errors[(row.min(1), group)]);
        let with_twin = correct_first(&[values[0], values[1], values[1]], &twins, 1, 100, reach).unwrap();
        assert!((with_twin.interval.unwrap().0 - low).abs() < 0.1 * se);
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
