//! The order of games with external bots. No process of such a bot meets a deal twice.
//!
//! Nor does it meet a deal that a process running at the same time knows. The games of a number have the same
//! cards, so a process that remembers one of them knows the hidden cards of the others.
//!
//! So the games are played in rounds. In a round each of many numbers has one game, in an order that follows
//! from the secret. All threads play a round together. After it every process ends, and the next round uses
//! fresh processes.
//!
//! The first round takes more numbers for some time. This keeps the start of processes cheap compared with
//! the games of a round, without too many games of slow bots.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use overtrick_cards::table::BySeat;
use overtrick_game::Standing;
use overtrick_strategy::ids::{LineUpId, SeatingId};

use super::sink::GameId;
use crate::{Schedule, Seeds};

/// The time for which the first round takes new numbers.
const FIRST_ROUND: Duration = Duration::from_secs(10);

/// The most games of the numbers in the current rounds. It bounds memory and checkpoints.
const MOST: usize = 1 << 17;

/// The games of a thread's numbers, in rounds.
pub(super) struct Spread {
    /// The games left in this round.
    round: VecDeque<GameId>,
    /// The rounds after this one.
    later: VecDeque<Vec<GameId>>,
    /// The time when the first round began to take numbers; `None` in a later round.
    growing: Option<Instant>,
    /// The number of games of its numbers, in all rounds.
    games: usize,
}

impl Spread {
    pub(super) fn new() -> Spread {
        Spread { round: VecDeque::new(), later: VecDeque::new(), growing: Some(Instant::now()), games: 0 }
    }

    /// Adds the unfinished games of numbers: for each number the first game to this round, the others to
    /// later rounds.
    pub(super) fn add(&mut self, schedule: &Schedule, seeds: &Seeds, numbers: Vec<(u64, Vec<(LineUpId, SeatingId)>)>) {
        let first = Standing::default();
        let mut ordered = Vec::with_capacity(numbers.len());
        for (number, mut games) in numbers {
            games.sort_by_cached_key(|&(line_up, seating)| {
                seeds.deal_key(number, &first, schedule.bots(line_up, seating)).order()
            });
            let games: Vec<GameId> =
                games.into_iter().map(|(line_up, seating)| GameId { number, line_up, seating }).collect();
            ordered.push((seeds.deal_key(number, &first, BySeat::default()).order(), games));
        }
        ordered.sort_unstable_by_key(|&(order, _)| order);
        for (_, games) in ordered {
            self.games += games.len();
            let Some((first, others)) = games.split_first() else { continue };
            self.round.push_back(*first);
            if self.later.len() < others.len() {
                self.later.resize_with(others.len(), Vec::new);
            }
            self.later.iter_mut().zip(others).for_each(|(round, game)| round.push(*game));
        }
    }

    /// Returns true if more numbers should be added now.
    pub(super) fn wants_numbers(&self) -> bool {
        let is_young = self.growing.is_some_and(|since| since.elapsed() < FIRST_ROUND || self.games == 0);
        self.round.is_empty() && is_young && self.games < MOST
    }

    /// Returns the next game of this round.
    pub(super) fn next(&mut self) -> Option<GameId> {
        self.round.pop_front()
    }

    /// Returns true if there are later rounds.
    pub(super) fn has_later(&self) -> bool {
        !self.later.is_empty()
    }

    /// Goes to the next round, which may have no games on this thread.
    pub(super) fn next_round(&mut self) {
        debug_assert!(self.round.is_empty(), "all games are over between two rounds");
        self.round = self.later.pop_front().unwrap_or_default().into();
        self.growing = None;
    }

    /// Starts a first round again, for new numbers, after all games before it have been played.
    pub(super) fn start_over(&mut self) {
        *self = Spread::new();
    }

    /// Returns all games that are left.
    pub(super) fn left(&self) -> impl Iterator<Item = &GameId> {
        self.round.iter().chain(self.later.iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Luck, Unit};
    use overtrick_game::Game;
    use overtrick_games::Variant;

    fn spread(numbers: u64) -> (Spread, Schedule) {
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let games: Vec<_> = schedule.games().collect();
        let luck = Luck { seed: 1, secret: "00112233445566778899aabbccddeeff".parse().ok() };
        let variant = Variant::preset("dumbo").unwrap();
        let game = overtrick_games::dumbo::Dumbo::new(variant.game.rules().try_into().unwrap()).unwrap();
        let seeds = Seeds::new(luck, "dumbo", &game, Unit::Deal);
        let mut spread = Spread::new();
        spread.add(&schedule, &seeds, (0..numbers).map(|number| (number, games.clone())).collect());
        (spread, schedule)
    }

    /// Plays a round, and returns the numbers of its games.
    fn play(spread: &mut Spread) -> Vec<u64> {
        std::iter::from_fn(|| spread.next()).map(|game| game.number).collect()
    }

    #[test]
    fn a_round_has_each_number_once_however_few_there_are() {
        for count in [5, 300] {
            let (mut spread, schedule) = spread(count);
            let mut rounds = vec![play(&mut spread)];
            while spread.has_later() {
                spread.next_round();
                rounds.push(play(&mut spread));
            }
            assert_eq!(rounds.len(), schedule.games_a_number());
            assert!(rounds.iter().any(|numbers| !numbers.is_sorted()));
            for mut numbers in rounds {
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..count));
            }
        }
    }

    #[test]
    fn numbers_can_join_the_first_round_alone() {
        let (mut spread, _) = spread(20);
        assert!(!spread.wants_numbers());
        play(&mut spread);
        assert!(spread.wants_numbers());
        while spread.has_later() {
            spread.next_round();
            play(&mut spread);
            assert!(!spread.wants_numbers());
        }
        // Other threads may have rounds that this thread does not have.
        spread.next_round();
        assert!(!spread.wants_numbers() && spread.next().is_none());
        spread.start_over();
        assert!(spread.wants_numbers() && spread.left().next().is_none());
    }
}
