//! The decisions at which two bots differ, counted with their worth.

use std::collections::HashMap;

use super::sink::GameId;
use super::situation::{self, FEATURES, Situation};

/// The number of games that are kept, in each direction.
const MOST_TELLING: usize = 10;

/// By feature: the number of its text.
type Key = [u32; FEATURES.len()];

/// The worth of a set of decisions at which two bots differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// The points by which the first bot's margin exceeds the margin if the second bot had chosen there. The
    /// second bot plays on in both cases.
    pub points: i64,
    /// The number of decisions.
    pub decisions: u64,
    /// The number of these decisions at which the two bots differ for the first time in the game.
    pub partings: u64,
}

impl std::ops::AddAssign for Worth {
    fn add_assign(&mut self, more: Worth) {
        self.points += more.points;
        self.decisions += more.decisions;
        self.partings += more.partings;
    }
}

/// A decision that made a great difference.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TellingGame {
    /// The points by which the first bot's margin exceeds the margin if the second bot had chosen there.
    pub points: i64,
    /// The game.
    pub id: GameId,
    /// By feature: its text for the decision.
    pub situation: Vec<String>,
}

impl TellingGame {
    /// Returns true if it sorts before another: by points, then in the order of games.
    fn is_before(&self, other: &TellingGame) -> bool {
        self.order() < other.order()
    }

    /// Returns the sort key.
    fn order(&self) -> impl Ord + use<> {
        let GameId { number, line_up, seating } = self.id;
        (std::cmp::Reverse(self.points.abs()), number, line_up, seating)
    }
}

/// The decisions at which two bots differ in the games of one variant, counted by features
/// ([`Partings::FEATURES`]).
///
/// All counts are sums of integers, so parts can be merged in any order.
#[derive(Clone, Debug, Default)]
pub struct Partings {
    /// By group: the margin of the first bot, and the number of its chairs.
    margins: Vec<(i64, u64)>,
    games: u64,
    parted_games: u64,
    decisions: u64,
    differing_decisions: u64,
    /// The number of faults of external bots.
    faults: u64,
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    /// By group and situation: the worth of the decisions at which the two differ.
    cells: HashMap<(u32, Key), Worth>,
    /// The decisions by which the first bot gained most.
    gained: Vec<TellingGame>,
    /// The decisions by which it lost most.
    lost: Vec<TellingGame>,
}

impl Partings {
    /// The features by which decisions are counted.
    pub const FEATURES: &'static [&'static str] = &FEATURES;
    /// The index of the phase of the deal among the features.
    pub const PHASE: usize = situation::PHASE;
    /// The index of the two choices.
    pub const CHOICE: usize = situation::CHOICE;
    /// The index of the trick.
    pub const TRICK: usize = 3;
    /// The index of the final contract, which is known only when the deal is over.
    pub const CONTRACT: usize = 4;

    /// Makes empty counts with `groups` groups.
    pub(super) fn new(groups: usize) -> Partings {
        Partings { margins: vec![(0, 0); groups], ..Partings::default() }
    }

    /// Counts a game of the run: the margin of the first bot over all its chairs, and its decisions.
    pub(super) fn add_game(&mut self, number: u64, margin: i64, chairs: u64, decisions: u64) {
        let group = (number % self.margins.len() as u64) as usize;
        self.margins[group].0 += margin;
        self.margins[group].1 += chairs;
        self.games += 1;
        self.decisions += decisions;
    }

    pub(super) fn add_faults(&mut self, faults: u64) {
        self.faults += faults;
    }

    /// Counts a decision at which the two differ, with its worth in points. `is_first` if it is the first of
    /// its game.
    pub(super) fn add_difference(&mut self, id: GameId, points: i64, is_first: bool, situation: &Situation) {
        self.differing_decisions += 1;
        self.parted_games += u64::from(is_first);
        let key = self.key(situation.iter().map(AsRef::as_ref));
        let group = (id.number % self.margins.len() as u64) as u32;
        *self.cells.entry((group, key)).or_default() += Worth { points, decisions: 1, partings: u64::from(is_first) };
        if points != 0 {
            let texts = || situation.iter().map(|text| text.clone().into_owned()).collect();
            self.keep(points, id, texts);
        }
    }

    /// Keeps a decision if its difference is among the largest, at most one of each deal.
    fn keep(&mut self, points: i64, id: GameId, situation: impl FnOnce() -> Vec<String>) {
        let list = if points < 0 { &mut self.lost } else { &mut self.gained };
        let mut game = TellingGame { points, id, situation: Vec::new() };
        if let Some(same) = list.iter().position(|other| other.id.number == id.number) {
            if !game.is_before(&list[same]) {
                return;
            }
            list.remove(same);
        }
        if list.len() < MOST_TELLING || list.last().is_some_and(|last| game.is_before(last)) {
            game.situation = situation();
            let at = list.partition_point(|other| other.is_before(&game));
            list.insert(at, game);
            list.truncate(MOST_TELLING);
        }
    }

    fn key<'t>(&mut self, situation: impl Iterator<Item = &'t str>) -> Key {
        let mut key = Key::default();
        for (number, text) in key.iter_mut().zip(situation) {
            *number = match self.numbers.get(text) {
                Some(&known) => known,
                None => {
                    let new = self.texts.len() as u32;
                    self.texts.push(text.to_owned());
                    self.numbers.insert(text.to_owned(), new);
                    new
                }
            };
        }
        key
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: Partings) {
        for (own, more) in self.margins.iter_mut().zip(&other.margins) {
            own.0 += more.0;
            own.1 += more.1;
        }
        self.games += other.games;
        self.parted_games += other.parted_games;
        self.decisions += other.decisions;
        self.differing_decisions += other.differing_decisions;
        self.faults += other.faults;
        let own: Vec<u32> = other.texts.iter().map(|text| self.key([text.as_str()].into_iter())[0]).collect();
        for ((group, key), worth) in other.cells {
            *self.cells.entry((group, key.map(|text| own[text as usize]))).or_default() += worth;
        }
        for TellingGame { points, id, situation } in other.gained.into_iter().chain(other.lost) {
            self.keep(points, id, || situation);
        }
    }

    /// Returns, by group, the margin of the first bot over the second and its number of chairs.
    ///
    /// Margins are in points over all games.
    pub fn margins(&self) -> &[(i64, u64)] {
        &self.margins
    }

    /// Returns the number of games, and the number of games in which the two differ.
    pub fn games(&self) -> [u64; 2] {
        [self.games, self.parted_games]
    }

    /// Returns the number of decisions of the first bot, and the number at which the second would choose
    /// differently.
    pub fn decisions(&self) -> [u64; 2] {
        [self.decisions, self.differing_decisions]
    }

    /// Returns the number of faults of external bots.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Returns the decisions by which the first bot gained most, then the decisions by which it lost most.
    pub fn telling(&self) -> impl Iterator<Item = &TellingGame> {
        self.gained.iter().chain(&self.lost)
    }

    /// Returns all decisions at which the two differ: group, text of each feature, and worth; in no order.
    pub fn cells(&self) -> impl Iterator<Item = (usize, [&str; FEATURES.len()], Worth)> {
        let text = |number: u32| self.texts[number as usize].as_str();
        self.cells.iter().map(move |(&(group, key), &worth)| (group as usize, key.map(text), worth))
    }
}
