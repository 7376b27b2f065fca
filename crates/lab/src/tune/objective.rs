//! The objective: how far a setting of the parameters is ahead of another on the same deals.

use overtrick_toml::InputError;
use overtrick_tournament::{MOST_NUMBERS, Numbers, Window};
use serde::{Deserialize, Serialize};

use super::setting::Setting;
use crate::no_result::NoResult;

/// Margins of candidates in points a deal, by candidate, table and number.
///
/// A margin is how far the candidate was ahead of the setting that it was compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneMargins {
    tables: usize,
    numbers: usize,
    values: Vec<f64>,
}

impl TuneMargins {
    /// Returns margins that are all zero.
    pub fn new(candidates: usize, tables: usize, numbers: usize) -> TuneMargins {
        TuneMargins { tables, numbers, values: vec![0.0; candidates * tables * numbers] }
    }

    /// Returns the count of deal numbers.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// Returns the margins of a candidate at one table, by number.
    pub fn at(&self, candidate: usize, table: usize) -> &[f64] {
        let start = (candidate * self.tables + table) * self.numbers;
        &self.values[start..start + self.numbers]
    }

    /// Returns whether a candidate scored on each deal like the setting that it was compared with.
    pub fn is_nothing(&self, candidate: usize) -> bool {
        (0..self.tables).all(|table| self.at(candidate, table).iter().all(|margin| *margin == 0.0))
    }

    /// Returns the margins of a candidate at one table, by number, to set them.
    pub fn at_mut(&mut self, candidate: usize, table: usize) -> &mut [f64] {
        let start = (candidate * self.tables + table) * self.numbers;
        &mut self.values[start..start + self.numbers]
    }

    /// Returns whether all margins are finite, and have the same shape as others.
    pub(super) fn is_like(&self, other: &TuneMargins) -> bool {
        (self.tables, self.numbers, self.values.len()) == (other.tables, other.numbers, other.values.len())
            && self.values.iter().all(|margin| margin.is_finite())
    }

    /// Copies in the margins of some of the numbers, from the `from`th on.
    ///
    /// `some` has the same candidates and tables.
    pub(super) fn put(&mut self, from: usize, some: &TuneMargins) {
        for (own, some) in self.values.chunks_mut(self.numbers).zip(some.values.chunks(some.numbers)) {
            own[from..from + some.len()].copy_from_slice(some);
        }
    }

    /// Returns the weighted mean margin of a candidate over the tables, by number.
    pub fn weighted(&self, candidate: usize, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.numbers];
        for (table, weight) in weights.iter().enumerate() {
            for (sum, margin) in sums.iter_mut().zip(self.at(candidate, table)) {
                *sum += weight * margin;
            }
        }
        sums
    }
}

/// Returns `count` deal numbers of a window from its `next`th.
///
/// # Errors
/// If the window ends before.
pub(super) fn numbers_from(window: Window, next: u64, count: u64) -> Result<Numbers, NoResult> {
    match next.checked_add(count) {
        Some(end) if end <= MOST_NUMBERS => Ok(window.numbers(next..end)),
        _ => {
            let problem = "the tuning has used up its 2^40 deals; tune again with fewer games or another seed";
            Err(InputError::plain(problem).into())
        }
    }
}

/// A comparison of settings of the parameters.
pub trait TuneObjective {
    /// Returns the weights of the tables, which add up to 1.
    fn weights(&self) -> &[f64];

    /// Returns the games for each deal number when `candidates` candidates are compared.
    fn games(&self, candidates: usize) -> u64;

    /// Compares each candidate with `incumbent` on the same deals.
    ///
    /// # Errors
    /// If it was stopped, or if a candidate cannot play.
    fn compare(
        &mut self,
        candidates: &[Setting],
        incumbent: &Setting,
        numbers: Numbers,
    ) -> Result<TuneMargins, NoResult>;
}

/// Returns the mean of margins, and the variance of a single margin.
pub fn moments(margins: &[f64]) -> (f64, f64) {
    let count = margins.len() as f64;
    let mean = margins.iter().sum::<f64>() / count;
    let squares: f64 = margins.iter().map(|margin| (margin - mean).powi(2)).sum();
    (mean, if margins.len() > 1 { squares / (count - 1.0) } else { 0.0 })
}
