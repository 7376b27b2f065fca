//! The results of a comparison of a candidate with an incumbent.

use overtrick_stats::{is_plausible, is_plausible_square};
use overtrick_tournament::{Flaw, MOST_NUMBERS, ensure};
use serde::{Deserialize, Serialize};

use super::constants::TRIAL_GROUPS;
use super::objective::{TuneMargins, moments};
use super::setting::Setting;

/// A comparison of a candidate with an incumbent on the same deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneTrial {
    /// The candidate.
    pub point: Setting,
    /// The setting that it was compared with.
    pub incumbent: Setting,
    /// The count of deal numbers.
    pub numbers: u64,
    /// The mean margin over the numbers and tables.
    pub margin: f64,
    /// The variance of the margin of a single number.
    pub variance: f64,
    /// By group: the sum of the margins.
    ///
    /// The group of a number is its index among the trial's numbers, modulo the number of groups. So trials
    /// on the same deals have the same deals in a group.
    groups: Vec<f64>,
}

impl TuneTrial {
    /// Returns the trial of a candidate, from its margins.
    pub fn new(point: &Setting, incumbent: &Setting, margins: &[f64]) -> TuneTrial {
        let (margin, variance) = moments(margins);
        let mut groups = vec![0.0; TRIAL_GROUPS];
        for (number, value) in margins.iter().enumerate() {
            groups[number % TRIAL_GROUPS] += value;
        }
        let (point, incumbent) = (point.clone(), incumbent.clone());
        TuneTrial { point, incumbent, numbers: margins.len() as u64, margin, variance, groups }
    }

    /// Returns the trials of all candidates of a comparison.
    pub fn all(candidates: &[Setting], incumbent: &Setting, margins: &TuneMargins, weights: &[f64]) -> Vec<TuneTrial> {
        let trial = |(number, point)| TuneTrial::new(point, incumbent, &margins.weighted(number, weights));
        candidates.iter().enumerate().map(trial).collect()
    }

    /// Checks that a quadratic in this number of dimensions can be fitted to it.
    ///
    /// # Errors
    /// If it cannot.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let is_sound = self.point.is_of(dimensions)
            && self.incumbent.is_of(dimensions)
            && (1..=MOST_NUMBERS).contains(&self.numbers)
            && is_plausible(self.margin)
            && is_plausible_square(self.variance)
            && self.groups.len() == TRIAL_GROUPS
            && self.groups.iter().all(|&group| is_plausible_square(group.abs()));
        ensure(is_sound, "trials are not those of any deals")
    }

    /// Adds a parameter before parameter `axis`, with this coordinate in both settings.
    pub(super) fn widen(&mut self, axis: usize, coordinate: f64) {
        self.point.widen(axis, coordinate);
        self.incumbent.widen(axis, coordinate);
    }

    /// Returns the standard error of the mean margin.
    pub fn se(&self) -> f64 {
        (self.variance / self.numbers as f64).sqrt()
    }

    /// Returns the sum of the margins and their number, without those of a group if it is given.
    pub fn without(&self, group: Option<usize>) -> (f64, f64) {
        let count = |group: usize| {
            let (numbers, groups) = (self.numbers as usize, TRIAL_GROUPS);
            numbers / groups + usize::from(group < numbers % groups)
        };
        let (sum, numbers) = (self.margin * self.numbers as f64, self.numbers as f64);
        match group {
            None => (sum, numbers),
            Some(group) => (sum - self.groups[group], numbers - count(group) as f64),
        }
    }

    /// Returns the distance between the two settings.
    pub fn distance(&self) -> f64 {
        self.point.iter().zip(self.incumbent.iter()).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    /// Returns the sums of the margins over every other number, and over the rest.
    pub fn halves(&self) -> [f64; 2] {
        [0, 1].map(|first| self.groups.iter().skip(first).step_by(2).sum())
    }
}
