//! The task of the stages, and the games that it takes.

use super::confirm::Confirm;
use super::constants::{FINAL_SHARE, FIND_SHARE, MOST_CONFIRM_SHARE, RACE_SHARE, SEARCH_ROOM, TWO_SIDED};
use super::pilot::Pilot;
use super::race::TuneRace;
use super::setting::Setting;
use super::space::Space;

/// The task of the stages: a space, the start, and the number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneTask {
    /// The parameters.
    pub space: Space,
    /// The setting to start from.
    pub start: Setting,
    /// The seed of the candidates.
    pub seed: u64,
    /// The number of games that may be played.
    pub games: Option<u64>,
    /// The half-width of the 95% interval of the gain that is precise enough.
    pub precision: Option<f64>,
    /// Whether each setting is tried, as there are few of them.
    pub is_race: bool,
}

impl TuneTask {
    /// Returns the fewest games that tuning takes.
    ///
    /// `games` gives the games for each deal number, by number of candidates.
    pub(super) fn least_games(&self, games: &dyn Fn(usize) -> u64) -> u64 {
        let confirm = self.least_to_confirm(games) as f64;
        if self.is_race {
            let settings = self.space.settings().expect("few enough settings to try each");
            let race = (TuneRace::least_games(games(settings)) as f64 / RACE_SHARE) as u64;
            return race.max((confirm / (1.0 - RACE_SHARE)) as u64);
        }
        (confirm / MOST_CONFIRM_SHARE).ceil() as u64
    }

    /// Returns the fewest games of a confirmation, if all parameters have changed.
    pub(super) fn least_to_confirm(&self, games: &dyn Fn(usize) -> u64) -> u64 {
        Confirm::least_games(self.space.dimensions(), games)
    }

    /// Returns a race of which nothing is played.
    pub(super) fn first_race(&self) -> TuneRace {
        let budget = self.games.map_or(u64::MAX, |games| (games as f64 * RACE_SHARE) as u64);
        TuneRace::new(&self.space, &self.start, budget, self.precision)
    }

    /// Returns the games that may be played, or those that the precision takes.
    ///
    /// They suffice to find the best within the precision, and to confirm it. A candidate takes `each` games
    /// for each deal number.
    pub(super) fn budget(&self, pilot: &Pilot, each: u64) -> u64 {
        if let Some(games) = self.games {
            return games;
        }
        let precision = self.precision.expect("a budget or a precision");
        let find = SEARCH_ROOM * pilot.numbers_to_find(precision) / FIND_SHARE;
        let confirm = pilot.variance_of_gain() * (TWO_SIDED / precision).powi(2) / ((1.0 - FIND_SHARE) * FINAL_SHARE);
        let numbers = find.max(confirm).clamp(1e3, 1e12);
        pilot.games + (numbers * each as f64) as u64
    }
}
