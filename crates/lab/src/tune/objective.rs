//! What is maximised: how far a setting of the parameters is ahead of another on the same deals.

use overtrick_toml::InputError;
use overtrick_tournament::Numbers;
use serde::{Deserialize, Serialize};

use super::space::Point;

/// Margins of candidates: by candidate, table and number, the points a deal by which the candidate was ahead of the
/// setting that it was compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    tables: usize,
    numbers: usize,
    values: Vec<f64>,
}

impl Margins {
    /// Margins that are all zero.
    pub fn new(candidates: usize, tables: usize, numbers: usize) -> Margins {
        Margins { tables, numbers, values: vec![0.0; candidates * tables * numbers] }
    }

    /// The number of deal numbers.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// By number: the margins of a candidate at one table.
    pub fn at(&self, candidate: usize, table: usize) -> &[f64] {
        let start = (candidate * self.tables + table) * self.numbers;
        &self.values[start..start + self.numbers]
    }

    /// Whether a candidate scored on each deal as the setting did that it was compared with.
    pub fn is_nothing(&self, candidate: usize) -> bool {
        (0..self.tables).all(|table| self.at(candidate, table).iter().all(|margin| *margin == 0.0))
    }

    /// By number: the margins of a candidate at one table, to be set.
    pub fn at_mut(&mut self, candidate: usize, table: usize) -> &mut [f64] {
        let start = (candidate * self.tables + table) * self.numbers;
        &mut self.values[start..start + self.numbers]
    }

    /// Whether they are numbers, and of as many candidates, tables and deal numbers as others.
    pub(super) fn is_like(&self, other: &Margins) -> bool {
        (self.tables, self.numbers, self.values.len()) == (other.tables, other.numbers, other.values.len())
            && self.values.iter().all(|margin| margin.is_finite())
    }

    /// Puts in the margins of as many candidates at as many tables on some of the numbers, those from the `from`th on.
    pub(super) fn put(&mut self, from: usize, some: &Margins) {
        for (own, some) in self.values.chunks_mut(self.numbers).zip(some.values.chunks(some.numbers)) {
            own[from..from + some.len()].copy_from_slice(some);
        }
    }

    /// By number: the mean margin of a candidate over the tables, each with its weight.
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

/// Why a comparison came to nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// Somebody stopped it.
    Stopped,
    /// A bot cannot be built or does not play.
    Failed(InputError),
}

impl From<InputError> for Ended {
    fn from(error: InputError) -> Ended {
        Ended::Failed(error)
    }
}

/// Compares settings of the parameters.
pub trait Objective {
    /// By table: its weight. The weights add up to 1.
    fn weights(&self) -> &[f64];

    /// The number of games that comparing so many candidates takes for each deal number.
    fn games(&self, candidates: usize) -> u64;

    /// Compares each candidate with `incumbent` on the same deals.
    ///
    /// # Errors
    /// If it was stopped, or a candidate cannot play.
    fn compare(&mut self, candidates: &[Point], incumbent: &Point, numbers: Numbers) -> Result<Margins, Ended>;
}

/// The mean of some margins and the variance of one.
pub fn moments(margins: &[f64]) -> (f64, f64) {
    let count = margins.len() as f64;
    let mean = margins.iter().sum::<f64>() / count;
    let squares: f64 = margins.iter().map(|margin| (margin - mean).powi(2)).sum();
    (mean, if margins.len() > 1 { squares / (count - 1.0) } else { 0.0 })
}
