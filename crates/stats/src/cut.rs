//! The distribution of an estimate that was picked for its value, and the truths that fit it.
//!
//! Some estimates are picked for being the largest of several, or for having passed a test. Such an estimate
//! lies within bounds, since beyond them it would not have been picked. Given that, its distribution is cut
//! off at the bounds. The corrected estimate is the truth under which the observed value is the median. The
//! ends of the interval are the truths under which it lies in the outer parts.
//!
//! So near a bound such an interval can be very wide. Therefore truths are left out from which the estimate
//! would be farther than `reach`. These are the hybrid intervals of Andrews, Kitagawa & McCloskey (2024),
//! "Inference on Winners", *Quarterly Journal of Economics* 139(1), section 5.

use statrs::distribution::ContinuousCDF;

use super::roots::bisect;
use super::simultaneous::MISS;

/// The number of halvings that leave nothing of a range of a few standard errors.
const HALVINGS: usize = 60;

/// The distribution of an estimate that was picked.
///
/// All numbers are in standard errors and relative to the estimate.
pub(super) struct Cut<D> {
    /// The distribution of its error.
    pub errors: D,
    /// The least value for which the estimate would have been picked.
    pub lowest: f64,
    /// The largest value for which the estimate would have been picked.
    pub highest: f64,
    /// The farthest that the estimate may be from the truth.
    pub reach: f64,
}

impl<D: ContinuousCDF<f64, f64>> Cut<D> {
    /// Returns the chance, under a truth, of an estimate no larger than the observed estimate.
    ///
    /// It falls as the truth rises.
    fn chance(&self, truth: f64) -> f64 {
        let low = (self.lowest - truth).max(-self.reach);
        let high = (self.highest - truth).min(self.reach);
        let all = self.between(low, high);
        if all <= 0.0 { f64::from(truth < 0.0) } else { (self.between(low, -truth) / all).clamp(0.0, 1.0) }
    }

    /// Returns the chance of an error between two values.
    fn between(&self, from: f64, to: f64) -> f64 {
        // Where both are on one side, the difference of upper tails keeps its digits.
        if from > 0.0 { self.errors.sf(from) - self.errors.sf(to) } else { self.errors.cdf(to) - self.errors.cdf(from) }
    }

    /// Returns the truth under which an estimate has this chance to be at most the observed estimate.
    fn truth(&self, chance: f64) -> f64 {
        let (low, high) = bisect((-self.reach, self.reach), HALVINGS, |truth| self.chance(truth) > chance);
        (low + high) / 2.0
    }

    /// Returns the median-unbiased estimate, and the ends of its 95% interval.
    ///
    /// `value` is the observed estimate with its standard error. Estimates that are farther off than the reach
    /// have the chance `far`.
    pub(super) fn corrected(&self, value: f64, se: f64, far: f64) -> [f64; 3] {
        let tail = (MISS - far) / (1.0 - far) / 2.0;
        [0.5, 1.0 - tail, tail].map(|chance| value + se * self.truth(chance))
    }
}
