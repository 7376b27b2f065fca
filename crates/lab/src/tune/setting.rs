//! A setting of the parameters that are tuned.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A setting of all parameters: by axis, the place of its value.
///
/// The first value has place 0, and the last has place 1. Coordinates that a search computes lie between the
/// values. They are plain numbers until [`Space::snap`](super::Space::snap) makes a setting of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting(Vec<f64>);

impl Setting {
    /// Returns the setting with another place on an axis.
    pub fn with(&self, axis: usize, place: f64) -> Setting {
        let mut places = self.0.clone();
        places[axis] = place;
        Setting(places)
    }

    /// Adds a parameter before parameter `number`, at `place`.
    pub(super) fn widen(&mut self, number: usize, place: f64) {
        self.0.insert(number, place);
    }

    /// Returns whether it is a setting of this number of parameters; one from a file may be none.
    pub fn is_of(&self, parameters: usize) -> bool {
        self.len() == parameters && self.iter().all(|place| (0.0..=1.0).contains(place))
    }
}

impl Deref for Setting {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl From<Vec<f64>> for Setting {
    fn from(places: Vec<f64>) -> Setting {
        Setting(places)
    }
}

impl FromIterator<f64> for Setting {
    fn from_iter<I: IntoIterator<Item = f64>>(places: I) -> Setting {
        Setting(places.into_iter().collect())
    }
}
