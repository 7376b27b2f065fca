//! A part of the parameters is searched, while the others stay as at the start.

use overtrick_tournament::Numbers;

use super::objective::{NoResult, TuneMargins, TuneObjective};
use super::setting::Setting;
use super::space::Space;

/// An objective in which only some of the parameters change.
pub struct LiveObjective<'a> {
    /// The objective of all parameters.
    pub whole: &'a mut dyn TuneObjective,
    /// The place of the parameters that do not change.
    pub start: &'a Setting,
    /// The indices of the parameters that change.
    pub live: &'a [usize],
}

/// Returns the point of all parameters, from a point of only the searched parameters.
pub fn whole(start: &Setting, live: &[usize], point: &Setting) -> Setting {
    let mut all = start.to_vec();
    live.iter().zip(point.iter()).for_each(|(&number, &place)| all[number] = place);
    all.into()
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
        let candidates: Vec<Setting> = candidates.iter().map(|point| whole(self.start, self.live, point)).collect();
        self.whole.compare(&candidates, &whole(self.start, self.live, incumbent), numbers)
    }
}

/// Returns the space of only the searched parameters, and the place of the start in it.
pub fn searched(space: &Space, start: &Setting, live: &[usize]) -> (Space, Setting) {
    let axes = live.iter().map(|&number| space.axes[number].clone()).collect();
    (Space { axes }, live.iter().map(|&number| start[number]).collect())
}
