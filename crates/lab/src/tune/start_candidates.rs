//! The settings at which the search may begin instead of the start.
//!
//! Settings from all over the space, a Latin hypercube, meet the start, and the better half of them plays on. A
//! search is local: from a bad start it may end at a lower peak, or narrow before it is near the best.

use overtrick_cards::Stream;
use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{CLEARLY_BETTER, MOST_START_CANDIDATES, START_CANDIDATES_A_PARAMETER};
use super::objective::{TuneObjective, numbers_from};
use super::random::{stream, uniform};
use super::setting::Setting;
use super::space::Space;
use crate::latin_hypercube::latin_hypercube;
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;
use crate::racing::{halvings, rank};

/// The results of settings from all over the space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StartCandidates {
    /// The settings, and the margins by which they were ahead of the start.
    ///
    /// First comes the setting that played in all rounds. Then come those that were dropped, the last to be
    /// dropped first.
    pub settings: Vec<(Setting, MarginSums)>,
    /// The number of games played.
    pub games: u64,
}

impl StartCandidates {
    /// Plays about `games` games, on the pilot's deal numbers from `next` on.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails.
    pub fn play(
        space: &Space,
        start: &Setting,
        objective: &mut dyn TuneObjective,
        seed: u64,
        mut next: u64,
        games: u64,
    ) -> Result<StartCandidates, NoResult> {
        let mut settings: Vec<(Setting, MarginSums)> = Vec::new();
        for point in latin(space, &mut stream(seed, "places", 0)) {
            if point != *start && settings.iter().all(|(other, _)| *other != point) {
                settings.push((point, MarginSums::default()));
            }
        }
        let mut candidates = StartCandidates { settings, games: 0 };
        let games = share(space.dimensions(), games);
        for (count, numbers) in rounds(candidates.settings.len(), games, &|candidates| objective.games(candidates)) {
            let playing = &mut candidates.settings[..count];
            let points: Vec<Setting> = playing.iter().map(|(point, _)| point.clone()).collect();
            let margins = objective.compare(&points, start, numbers_from(Window::Pilot, next, numbers)?)?;
            for (candidate, (_, sums)) in playing.iter_mut().enumerate() {
                sums.add(margins.weighted(candidate, objective.weights()));
            }
            rank(playing, |(_, sums)| sums.mean());
            candidates.games += objective.games(count) * numbers;
            next += numbers;
        }
        Ok(candidates)
    }

    /// Checks that a search in this number of dimensions can begin at one of them.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let are_settings = self.settings.iter().all(|(point, _)| point.is_of(dimensions));
        ensure(are_settings, "start candidates do not fit their parameters")?;
        self.settings.iter().try_for_each(|(_, sums)| sums.check())
    }

    /// Returns the count of deal numbers that were played.
    pub(super) fn numbers(&self) -> u64 {
        self.settings.first().map_or(0, |(_, sums)| sums.count)
    }

    /// Returns the mean variance of the margin of a setting over the start on one deal number.
    pub(super) fn variance(&self) -> f64 {
        let sum: f64 = self.settings.iter().map(|(_, sums)| sums.variance()).sum();
        sum / self.settings.len().max(1) as f64
    }

    /// Returns the setting that was clearly better than the start, if there is such a setting.
    ///
    /// A search begins there, or else at the start.
    pub fn better(&self) -> Option<&Setting> {
        let (point, sums) = self.settings.first()?;
        (sums.mean() > CLEARLY_BETTER * sums.se()).then_some(point)
    }
}

/// Returns the number of settings that are tried in this number of dimensions.
fn most(dimensions: usize) -> usize {
    MOST_START_CANDIDATES.min(START_CANDIDATES_A_PARAMETER * dimensions)
}

/// Returns the games that these settings take, if the most settings may take `games`.
fn share(dimensions: usize, games: u64) -> u64 {
    games * most(dimensions) as u64 / MOST_START_CANDIDATES as u64
}

/// Returns by round the number of settings that play, and the count of deal numbers.
///
/// All rounds take about the same number of games.
fn rounds(settings: usize, games: u64, each: &dyn Fn(usize) -> u64) -> Vec<(usize, u64)> {
    let counts = halvings(settings);
    let share = games / counts.len().max(1) as u64;
    counts.into_iter().map(|count| (count, (share / each(count)).max(1))).collect()
}

/// Returns settings from all over the space.
fn latin(space: &Space, stream: &mut Stream) -> Vec<Setting> {
    let count = most(space.dimensions());
    let coordinate = |_, part: usize, stream: &mut Stream| (part as f64 + uniform(stream)) / count as f64;
    let points = latin_hypercube(space.dimensions(), count, stream, coordinate);
    points.iter().map(|point| space.snap(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_halve_and_take_about_as_many_games() {
        let each = |candidates| 3 * (candidates as u64 + 1);
        assert_eq!(rounds(16, 15_000, &each), [(16, 58), (8, 111), (4, 200), (2, 333), (1, 500)]);
        assert_eq!(rounds(3, 9, &each), [(3, 1), (2, 1), (1, 1)]);
        assert_eq!(rounds(0, 15_000, &each), []);
    }

    #[test]
    fn a_setting_is_better_only_where_its_lead_is_clear() {
        let better = |margins: [f64; 4]| {
            let settings = vec![(vec![0.1].into(), margins.into_iter().collect())];
            StartCandidates { settings, games: 0 }.better().cloned()
        };
        // The squared standard errors are 4 / 3 / 4.
        assert_eq!(better([3.0, 1.0, 3.0, 1.0]), Some(vec![0.1].into()));
        assert_eq!(better([2.0, 0.0, 2.0, 0.0]), None);
        assert_eq!(StartCandidates::default().better(), None);
    }
}
