//! A part of the parameters is searched, while the others stay as at the start.

use overtrick_tournament::Numbers;

use super::objective::{TuneMargins, TuneObjective};
use super::setting::Setting;
use super::space::Space;
use crate::no_result::NoResult;

/// An objective in which only some of the parameters change.
pub struct LiveObjective<'a> {
    /// The objective of all parameters.
    pub whole: &'a mut dyn TuneObjective,
    /// The setting of the parameters that do not change.
    pub start: &'a Setting,
    /// The indices of the parameters that change.
    pub live: &'a [usize],
}

/// Returns the setting of all parameters, from a setting of only those that change.
pub fn all_parameters(start: &Setting, live: &[usize], searched: &Setting) -> Setting {
    let mut all = start.to_vec();
    for (&axis, &coordinate) in live.iter().zip(searched.iter()) {
        all[axis] = coordinate;
    }
    all.into()
}

/// Returns the space of only the parameters that change.
pub fn searched_space(live: &[usize], space: &Space) -> Space {
    Space { axes: live.iter().map(|&axis| space.axes[axis].clone()).collect() }
}

/// Returns the coordinates of only the parameters that change.
pub fn searched_coordinates(live: &[usize], setting: &Setting) -> Setting {
    live.iter().map(|&axis| setting[axis]).collect()
}

impl TuneObjective for LiveObjective<'_> {
    fn weights(&self) -> &[f64] {
        self.whole.weights()
    }

    fn games(&self, candidates: usize) -> u64 {
        self.whole.games(candidates)
    }

    fn compare(
        &mut self,
        candidates: &[Setting],
        incumbent: &Setting,
        numbers: Numbers,
    ) -> Result<TuneMargins, NoResult> {
        let all = |searched: &Setting| all_parameters(self.start, self.live, searched);
        self.whole.compare(&candidates.iter().map(all).collect::<Vec<_>>(), &all(incumbent), numbers)
    }
}
