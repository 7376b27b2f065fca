//! The largest of several statistics when nothing differs.
//!
//! Its distribution shows how large chance alone makes one of many look. Where the most striking of several
//! estimates are named, each must be compared with the largest that chance makes of all of them. See Westfall
//! & Young (1993), *Resampling-Based Multiple Testing*, and Hothorn, Bretz & Westfall (2008), "Simultaneous
//! inference in general parametric models", *Biometrical Journal* 50.
//!
//! The dependence between the estimates is in the contributions of each group of deals to their errors. So
//! the distribution of the largest statistic is drawn: each group's part keeps or changes its sign at random,
//! the same for all estimates. This is the wild bootstrap, with the two-point weights of Liu (1988),
//! "Bootstrap procedures under some non-i.i.d. models", *Annals of Statistics* 16. The parts are errors from
//! the estimate, not from the truth. So with few groups the distribution is approximate.

use nalgebra::DMatrix;
use overtrick_cards::Stream;

use super::contrast::NOTHING;

/// The draws that are computed at once: one for each bit of a word.
const TOGETHER: usize = 64;
/// The number of draws; the chance at a quantile of 95% is then known to a third of a per cent.
const DRAWS: usize = 64 * TOGETHER;

/// A weighted sum of a few of the estimates.
pub(super) struct Combination {
    /// The estimates, each with its weight.
    terms: Vec<(usize, f64)>,
    /// The length of its vector of errors over groups.
    length: f64,
    /// The number of groups in which something was counted.
    groups: f64,
}

impl Combination {
    /// Returns the weighted sum of these rows of `errors` (estimates by groups).
    ///
    /// Something was counted in `groups` groups; the others are columns of zeros. `None` if the sum has no
    /// error.
    pub(super) fn new(errors: &DMatrix<f64>, terms: Vec<(usize, f64)>, groups: usize) -> Option<Combination> {
        let mut squares = 0.0;
        for column in columns(errors) {
            let error: f64 = terms.iter().map(|&(row, weight)| weight * column[row]).sum();
            squares += error * error;
        }
        let length = f64::sqrt(squares);
        (length > NOTHING).then_some(Combination { terms, length, groups: groups as f64 })
    }

    /// Returns the absolute Student's t of a draw from the sums by estimate and draw.
    fn student(&self, sums: &[[f64; TOGETHER]], draw: usize) -> f64 {
        let mut sum = 0.0;
        for &(row, weight) in &self.terms {
            sum += weight * sums[row][draw];
        }
        // The squares of the errors add up to 1 in every draw.
        let sum = sum / self.length;
        // Where all groups have one sign, nothing is left to estimate the spread from. The limit keeps the
        // statistic finite.
        let rest = (1.0 - sum * sum / self.groups).max(NOTHING);
        sum.abs() / (rest * self.groups / (self.groups - 1.0)).sqrt()
    }
}

/// The distribution of the largest absolute Student's t of a family when nothing differs.
pub(super) struct MaxT {
    /// The draws, ascending.
    sorted: Vec<f64>,
}

impl MaxT {
    /// Draws the distribution for combinations of estimates.
    ///
    /// `errors` is the contribution of each group to the error of each estimate: estimates by groups.
    pub(super) fn draw(errors: &DMatrix<f64>, family: &[Combination], stream: &mut Stream) -> MaxT {
        let mut sorted = Vec::with_capacity(DRAWS);
        let mut sums = vec![[0.0; TOGETHER]; errors.nrows()];
        while sorted.len() < DRAWS {
            sums.fill([0.0; TOGETHER]);
            for column in columns(errors) {
                let signs = stream.next_u64();
                for (sums, &error) in sums.iter_mut().zip(column) {
                    add_signed(sums, error, signs);
                }
            }
            for draw in 0..TOGETHER {
                let mut largest = 0.0_f64;
                for one in family {
                    largest = largest.max(one.student(&sums, draw));
                }
                sorted.push(largest);
            }
        }
        sorted.sort_by(f64::total_cmp);
        MaxT { sorted }
    }

    /// Returns the value that the largest statistic exceeds with this chance.
    pub(super) fn exceeded_with(&self, chance: f64) -> f64 {
        let place = ((1.0 - chance) * self.sorted.len() as f64) as usize;
        self.sorted[place.min(self.sorted.len() - 1)]
    }

    /// Returns the p-value of a Student's t of the family, corrected for the choice among all of it.
    pub(super) fn p(&self, t: f64) -> f64 {
        let below = self.sorted.partition_point(|&drawn| drawn < t.abs());
        // The data are one of the draws.
        (self.sorted.len() - below + 1) as f64 / (self.sorted.len() + 1) as f64
    }
}

/// Returns by group its contribution to the error of each estimate.
fn columns(errors: &DMatrix<f64>) -> impl Iterator<Item = &[f64]> {
    errors.as_slice().chunks_exact(errors.nrows().max(1))
}

/// Adds an error to the sum of each draw, with its sign reversed where the draw's bit is set.
fn add_signed(sums: &mut [f64; TOGETHER], error: f64, signs: u64) {
    let error = error.to_bits();
    for (draw, sum) in sums.iter_mut().enumerate() {
        *sum += f64::from_bits(error ^ (signs >> draw << 63));
    }
}

#[cfg(test)]
mod tests {
    use overtrick_cards::SeedSource;

    use super::*;

    #[test]
    fn groups_that_all_have_one_sign_leave_the_largest_finite() {
        // Eight groups of one size: in 2 of 256 draws all signs agree, and the spread of the draw is zero.
        let errors = DMatrix::from_fn(1, 8, |_, group| if group % 2 == 0 { 1.0 } else { -1.0 });
        let family = [Combination::new(&errors, vec![(0, 1.0)], 8).unwrap()];
        let mut stream = SeedSource::new(1, "test", "max-t").stream(0, 0);
        let drawn = MaxT::draw(&errors, &family, &mut stream);
        assert!(drawn.exceeded_with(0.001).is_finite());
    }
}
