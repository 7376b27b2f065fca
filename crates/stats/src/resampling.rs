//! Percentile intervals of figures that are no smooth function of estimates.
//!
//! Groups of deals are drawn again, each resample has separate figures, and the interval leaves out 2.5% at
//! each end (Efron & Tibshirani 1993, *An Introduction to the Bootstrap*, chapter 13). Errors of resamples are
//! made larger by as much as Student's t is wider than the normal distribution, and as the standard error of
//! few groups is larger than that of their resamples.

use overtrick_cards::Stream;
use overtrick_ratings::FEWEST_GROUPS;
use overtrick_ratings::interval::{NORMAL, student_t_975};

use super::contrast::Contrast;
use super::figure::Interval;

/// The number of resamples.
const RESAMPLES: usize = 1000;
/// The resamples that an interval leaves out at each end.
const LEFT_OUT: usize = RESAMPLES / 40;

/// Estimates over the same groups of deals, to be drawn again.
pub(super) struct Resampling {
    values: Vec<f64>,
    /// By group in which anything was counted: the errors of all estimates.
    errors: Vec<Vec<f64>>,
    /// The factor by which errors of resamples are made larger.
    scale: f64,
}

impl Resampling {
    /// Prepares the resamples of estimates; `widening` is the factor by which a sequential test widens
    /// intervals.
    ///
    /// `None` with fewer than eight groups in which something was counted, or if too little is known of an
    /// estimate.
    pub(super) fn of(estimates: &[Contrast], widening: f64) -> Option<Resampling> {
        let groups = counted_groups(estimates);
        let is_known = |own: &Contrast| own.is_nothing() || own.estimate_if_known().half_width.is_some();
        if groups.len() < FEWEST_GROUPS || !estimates.iter().all(is_known) {
            return None;
        }
        let count = groups.len() as f64;
        let scale = widening * student_t_975(count - 1.0) / NORMAL * (count / (count - 1.0)).sqrt();
        let values = estimates.iter().map(Contrast::value).collect();
        Some(Resampling { values, errors: errors_of(estimates, &groups), scale })
    }

    /// Returns the figures of each resample; `None` if one of them has none.
    pub(super) fn each<T>(&self, stream: &mut Stream, figures: impl Fn(&[f64]) -> Option<T>) -> Option<Vec<T>> {
        let count = u64::try_from(self.errors.len()).expect("a number of groups");
        let mut all = Vec::with_capacity(RESAMPLES);
        for _ in 0..RESAMPLES {
            let mut drawn = vec![0.0; self.values.len()];
            for _ in &self.errors {
                let group = usize::try_from(stream.random_below(count)).expect("the number of a group");
                for (drawn, error) in drawn.iter_mut().zip(&self.errors[group]) {
                    *drawn += error;
                }
            }
            for (drawn, value) in drawn.iter_mut().zip(&self.values) {
                *drawn = value + self.scale * *drawn;
            }
            all.push(figures(&drawn)?);
        }
        Some(all)
    }
}

/// Returns the interval of a figure from those of all resamples.
pub(super) fn percentiles(value: f64, drawn: impl Iterator<Item = f64>) -> Interval {
    let mut sorted: Vec<f64> = drawn.collect();
    sorted.sort_by(f64::total_cmp);
    let ends = (sorted[LEFT_OUT].min(value), sorted[sorted.len() - 1 - LEFT_OUT].max(value));
    Interval::new(Some(value), Some(ends))
}

/// Returns the groups in which any estimate was counted.
fn counted_groups(estimates: &[Contrast]) -> Vec<usize> {
    let groups = estimates.first().map_or(0, Contrast::groups);
    (0..groups).filter(|&group| estimates.iter().any(|own| own.is_counted(group))).collect()
}

/// Returns by group the errors of all estimates.
fn errors_of(estimates: &[Contrast], groups: &[usize]) -> Vec<Vec<f64>> {
    let mut by_group = vec![Vec::with_capacity(estimates.len()); groups.len()];
    for estimate in estimates {
        let errors: Vec<f64> = estimate.errors().collect();
        for (own, &group) in by_group.iter_mut().zip(groups) {
            own.push(errors[group]);
        }
    }
    by_group
}
