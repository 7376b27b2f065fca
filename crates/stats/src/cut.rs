//! The distribution of an estimate that was picked because of what it is, and the truths that go with it.
//!
//! An estimate that was picked for being the largest of several, or for having passed a test, lies within ends: beyond
//! them it would not have been picked. Given that, its distribution is cut off there. The truth under which what was
//! seen is the median is the estimate, and those under which it lies in the outer parts are the ends of the interval.
//! So near an end such an interval can be very wide. Therefore truths are left out from which the estimate would be
//! farther than `reach`: the hybrid intervals of Andrews, Kitagawa & McCloskey (2024), "Inference on Winners",
//! *Quarterly Journal of Economics* 139(1), section 5.

use statrs::distribution::ContinuousCDF;

/// The number of halvings that leave nothing of a range of a few standard errors.
const HALVINGS: usize = 60;

/// The distribution of an estimate that was picked, all in standard errors and relative to the estimate.
pub(super) struct Cut<D> {
    /// The distribution of its error.
    pub errors: D,
    /// The estimate is not below this, or it would not have been picked.
    pub lowest: f64,
    /// Nor above this.
    pub highest: f64,
    /// Nor farther from the truth than this.
    pub reach: f64,
}

impl<D: ContinuousCDF<f64, f64>> Cut<D> {
    /// The chance of an estimate no larger than the one seen, if the truth is here. It falls as the truth rises.
    fn chance(&self, truth: f64) -> f64 {
        let low = (self.lowest - truth).max(-self.reach);
        let high = (self.highest - truth).min(self.reach);
        let all = self.between(low, high);
        if all <= 0.0 { f64::from(truth < 0.0) } else { (self.between(low, -truth) / all).clamp(0.0, 1.0) }
    }

    /// The chance of an error between two values.
    fn between(&self, from: f64, to: f64) -> f64 {
        // Where both are on one side, the difference of upper tails keeps its digits.
        match from > 0.0 {
            true => self.errors.sf(from) - self.errors.sf(to),
            false => self.errors.cdf(to) - self.errors.cdf(from),
        }
    }

    /// The truth under which an estimate no larger than the one seen has this chance.
    pub(super) fn truth(&self, chance: f64) -> f64 {
        let (mut low, mut high) = (-self.reach, self.reach);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if self.chance(middle) > chance { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}
