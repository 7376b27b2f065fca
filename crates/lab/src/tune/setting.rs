//! A setting of the parameters that are tuned.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A setting of all parameters: by axis, the coordinate of its value.
///
/// The first value has coordinate 0, and the last has coordinate 1. Coordinates that a search computes lie
/// between the values. They are plain numbers until [`Space::snap`](super::Space::snap) makes a setting of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting(Vec<f64>);

impl Setting {
    /// Returns the setting with another coordinate on an axis.
    pub fn with(&self, axis: usize, coordinate: f64) -> Setting {
        let mut coordinates = self.0.clone();
        coordinates[axis] = coordinate;
        Setting(coordinates)
    }

    /// Adds a parameter before parameter `axis`, with this coordinate.
    pub(super) fn widen(&mut self, axis: usize, coordinate: f64) {
        self.0.insert(axis, coordinate);
    }

    /// Returns whether it is a setting of this number of parameters; one from a file may be none.
    pub fn is_of(&self, parameters: usize) -> bool {
        self.len() == parameters && self.iter().all(|coordinate| (0.0..=1.0).contains(coordinate))
    }
}

impl Deref for Setting {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl From<Vec<f64>> for Setting {
    fn from(coordinates: Vec<f64>) -> Setting {
        Setting(coordinates)
    }
}

impl FromIterator<f64> for Setting {
    fn from_iter<I: IntoIterator<Item = f64>>(coordinates: I) -> Setting {
        Setting(coordinates.into_iter().collect())
    }
}
