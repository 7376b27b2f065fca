//! The race: few settings, which are all tried. Those that are certainly behind are dropped, until one is
//! left.
//!
//! A setting is certainly behind if the interval of its margin over another lies below zero. The intervals
//! are those of a confidence sequence, which hold together after every round.

use overtrick_tournament::{Flaw, MOST_NUMBERS, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{LEAST_ROUND, RACE_GROWTH, RACE_LEVEL};
use super::objective::{TuneObjective, numbers_from};
use super::setting::Setting;
use super::space::Space;
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;
use crate::racing::sequential_half_width;

/// A race in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneRace {
    /// The settings, the start first.
    pub settings: Vec<Setting>,
    /// By setting: its margins over the start while it was in the race.
    pub margins: Vec<MarginSums>,
    /// The indices of the settings that are still in the race.
    pub alive: Vec<usize>,
    /// By pair of settings, row by row: the margins of the first over the second.
    ///
    /// They end when either is dropped.
    pairs: Vec<MarginSums>,
    /// The number of rounds so far.
    pub rounds: u32,
    /// The first deal number that was not used yet.
    pub next: u64,
    /// The number of games played so far.
    pub games: u64,
    /// The number of games that may be played.
    pub budget: u64,
    /// The largest difference, in points a deal, of settings that need not be distinguished.
    precision: Option<f64>,
}

impl TuneRace {
    /// Returns a race of all settings of a space, for `budget` games.
    ///
    /// Settings that differ by at most `precision` need not be distinguished.
    ///
    /// # Panics
    /// If there are too many settings to count.
    pub fn new(space: &Space, start: &Setting, budget: u64, precision: Option<f64>) -> TuneRace {
        let count = space.settings().expect("few enough settings to try each");
        let others = (0..count).map(|number| space.setting(number)).filter(|point| point != start);
        let settings: Vec<Setting> = std::iter::once(start.clone()).chain(others).collect();
        let margins = vec![MarginSums::default(); settings.len()];
        let pairs = vec![MarginSums::default(); settings.len() * settings.len()];
        let alive = (0..settings.len()).collect();
        TuneRace { settings, margins, alive, pairs, rounds: 0, next: 0, games: 0, budget, precision }
    }

    /// Checks that the unplayed race `begun` can go on from `self`.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub(super) fn check(&self, begun: &TuneRace) -> Result<(), Flaw> {
        let all = begun.settings.len();
        let is_of_plan = self.settings == begun.settings
            && (self.budget, self.precision) == (begun.budget, begun.precision)
            && (self.margins.len(), self.pairs.len()) == (all, all * all)
            && !self.alive.is_empty()
            && self.alive.is_sorted_by(|one, other| one < other)
            && self.alive.iter().all(|&number| number < all)
            && self.next <= self.games
            && self.games <= self.budget.min(MOST_NUMBERS)
            && self.rounds < u32::MAX;
        ensure(is_of_plan, "race is not that of its settings")?;
        self.margins.iter().chain(&self.pairs).try_for_each(MarginSums::check)
    }

    /// Returns the fewest games of a race; `games_a_number` is for comparing all settings on a deal number.
    pub fn least_games(games_a_number: u64) -> u64 {
        games_a_number * LEAST_ROUND
    }

    /// Returns whether the race is over.
    ///
    /// It is over if one setting is left, if those that are left are equal within the precision, or if the
    /// budget is spent.
    pub fn is_over(&self, objective: &dyn TuneObjective) -> bool {
        let is_spent = self.games + objective.games(self.alive.len()) * LEAST_ROUND > self.budget;
        self.alive.len() == 1 || is_spent || self.precision.is_some_and(|precision| self.is_even(precision))
    }

    /// Returns whether certainly no setting that is left is ahead of another by more than `most`.
    fn is_even(&self, most: f64) -> bool {
        let pairs = self.alive.iter().flat_map(|own| self.alive.iter().map(move |other| (*own, *other)));
        pairs.filter(|(own, other)| own != other).all(|(own, other)| {
            let pair = &self.pairs[own * self.settings.len() + other];
            pair.count > 0 && pair.mean() + sequential_half_width(pair, self.level()) <= most
        })
    }

    /// Returns the level of the interval of a pair.
    fn level(&self) -> f64 {
        RACE_LEVEL / (self.settings.len() as f64 - 1.0)
    }

    /// Returns whether all settings scored like the start on every deal.
    pub fn is_nothing_different(&self) -> bool {
        self.margins.iter().all(|sums| sums.different == 0)
    }

    /// Returns the setting with the highest mean among those in the race.
    pub fn best(&self) -> &Setting {
        &self.settings[self.leader()]
    }

    /// Returns the index of the best setting.
    fn leader(&self) -> usize {
        let better = |best: usize, other: usize| {
            if self.margins[other].mean() > self.margins[best].mean() { other } else { best }
        };
        self.alive.iter().copied().reduce(better).expect("one is left")
    }

    /// Plays a round and drops settings.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has changed then.
    pub fn step(&mut self, objective: &mut dyn TuneObjective) -> Result<(), NoResult> {
        let points: Vec<Setting> = self.alive.iter().map(|&number| self.settings[number].clone()).collect();
        let each = objective.games(points.len());
        let block = round(self.next).min((self.budget - self.games) / each);
        let margins = objective.compare(&points, &self.settings[0], numbers_from(Window::Search, self.next, block)?)?;
        let values: Vec<Vec<f64>> =
            (0..points.len()).map(|candidate| margins.weighted(candidate, objective.weights())).collect();
        self.games += each * block;
        self.next += block;
        self.rounds += 1;
        let all = self.settings.len();
        for (&one, own) in self.alive.iter().zip(&values) {
            self.margins[one].add(own.iter().copied());
            for (&other, theirs) in self.alive.iter().zip(&values) {
                self.pairs[one * all + other].add(own.iter().zip(theirs).map(|(a, b)| a - b));
            }
        }
        let (level, best) = (self.level(), self.leader());
        // The best is never behind, but a file may say so.
        let is_behind = |&number: &usize| {
            self.alive.iter().any(|&other| {
                let pair = &self.pairs[number * all + other];
                pair.mean() + sequential_half_width(pair, level) < 0.0
            })
        };
        self.alive = self.alive.iter().copied().filter(|number| *number == best || !is_behind(number)).collect();
        Ok(())
    }
}

/// Returns the count of deal numbers of the next round, after `next` numbers.
///
/// The budget must have room for it.
fn round(next: u64) -> u64 {
    LEAST_ROUND.max((next as f64 * (RACE_GROWTH - 1.0)) as u64)
}
