//! The largest of several statistics when nothing differs: by how much chance alone makes one of many look large.
//!
//! Where several estimates are looked at and the most striking ones are named, each must be compared with the largest
//! that chance makes of all of them (Westfall & Young 1993, *Resampling-Based Multiple Testing*; Hothorn, Bretz &
//! Westfall 2008, "Simultaneous inference in general parametric models", *Biometrical Journal* 50). How the estimates
//! hang together is in what each group of deals adds to their errors. So the distribution of the largest statistic is
//! drawn: each group's part keeps or changes its sign at random, the same for all estimates. With errors that are as
//! likely of either sign this is exact in any number of groups (Romano 1990, "On the behavior of randomization tests
//! without a group invariance assumption", *Journal of the American Statistical Association* 85).

use nalgebra::DMatrix;
use overtrick_cards::Stream;

/// The number of draws; a quantile of 95% is then known to a third of a per cent of chance.
const DRAWS: usize = 4000;
/// The draws that are worked out at once, to bound the memory.
const CHUNK: usize = 250;
/// Errors below this are those of rounding.
const NOTHING: f64 = 1e-12;

/// A weighted sum of a few of the estimates.
pub(super) struct Combination {
    /// The estimates, each with its weight.
    terms: Vec<(usize, f64)>,
    /// The length of its vector of errors over groups.
    length: f64,
}

impl Combination {
    /// The weighted sum of these rows of `errors` (estimates by groups); `None` if its error is nothing.
    pub(super) fn new(errors: &DMatrix<f64>, terms: Vec<(usize, f64)>) -> Option<Combination> {
        let mut squares = 0.0;
        for column in errors.column_iter() {
            let error: f64 = terms.iter().map(|&(row, weight)| weight * column[row]).sum();
            squares += error * error;
        }
        let length = f64::sqrt(squares);
        (length > NOTHING).then_some(Combination { terms, length })
    }
}

/// The distribution of the largest absolute Student's t of a family when nothing differs.
pub(super) struct MaxT {
    /// The draws, in order.
    sorted: Vec<f64>,
}

impl MaxT {
    /// Draws it for combinations of estimates, from `errors`: the contribution of each of `groups` groups to the error
    /// of each estimate, estimates by groups. Groups in which nothing was counted are columns of zeros, and not in
    /// `groups`.
    pub(super) fn draw(errors: &DMatrix<f64>, family: &[Combination], groups: usize, stream: &mut Stream) -> MaxT {
        let mut sorted = Vec::with_capacity(DRAWS);
        let mut signs = DMatrix::zeros(errors.ncols(), CHUNK);
        while sorted.len() < DRAWS {
            draw_signs(&mut signs, stream);
            let drawn = errors * &signs;
            for column in drawn.column_iter() {
                let mut largest = 0.0_f64;
                for one in family {
                    let sum: f64 = one.terms.iter().map(|&(row, weight)| weight * column[row]).sum();
                    largest = largest.max((sum / one.length).abs());
                }
                sorted.push(student(largest, groups));
            }
        }
        sorted.sort_by(f64::total_cmp);
        MaxT { sorted }
    }

    /// The value that it exceeds with this chance.
    pub(super) fn exceeded_with(&self, chance: f64) -> f64 {
        let place = ((1.0 - chance) * self.sorted.len() as f64) as usize;
        self.sorted[place.min(self.sorted.len() - 1)]
    }

    /// The p-value of a Student's t of the family, corrected for the choice among all of it.
    pub(super) fn p(&self, t: f64) -> f64 {
        let below = self.sorted.partition_point(|&drawn| drawn < t.abs());
        // The data are one of the draws.
        (self.sorted.len() - below + 1) as f64 / (self.sorted.len() + 1) as f64
    }
}

/// Fills a matrix with signs at random.
fn draw_signs(signs: &mut DMatrix<f64>, stream: &mut Stream) {
    let (mut bits, mut left) = (0, 0);
    for sign in signs.iter_mut() {
        if left == 0 {
            (bits, left) = (stream.next_u64(), 64);
        }
        *sign = if bits & 1 == 1 { 1.0 } else { -1.0 };
        (bits, left) = (bits >> 1, left - 1);
    }
}

/// Student's t of a sum of errors whose squares add up to 1.
fn student(sum: f64, groups: usize) -> f64 {
    let g = groups as f64;
    sum / ((1.0 - sum * sum / g).max(0.0) * g / (g - 1.0)).sqrt()
}
