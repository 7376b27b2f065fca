//! The order of games where bots come from outside: no process of such a bot meets a deal twice.
//!
//! A number's games have the same cards, so who remembers one of them knows the hidden cards of the others. So they
//! are played in stages. In a stage every number has one game (in short runs several, never two at a time), in an order
//! that follows from the secret; after a stage every bot goes on in a fresh process.

use std::collections::VecDeque;

use super::sink::GameId;
use crate::game::Standing;
use crate::ids::{LineUpId, SeatingId};
use crate::table::BySeat;
use crate::tournament::{Schedule, Seeds};

/// The most numbers that are spread over stages together: enough that fresh processes are cheap beside the games of a
/// stage.
pub(super) const NUMBERS: u64 = 4096;

/// The fewest games of a stage, if there are so many. A run with fewer numbers than that takes several rounds of them
/// in a stage.
const STAGE: usize = 256;

/// The games of some numbers in stages.
#[derive(Default)]
pub(super) struct Spread {
    /// The games left of this stage.
    stage: VecDeque<GameId>,
    /// The stages after it, the next one last.
    later: Vec<VecDeque<GameId>>,
    /// The games in flight.
    in_flight: Vec<GameId>,
    /// By bot: whether it comes from outside.
    strangers: Vec<bool>,
}

impl Spread {
    /// Adds the games of numbers, each with those that are left of it.
    pub(super) fn add(&mut self, schedule: &Schedule, seeds: &Seeds, numbers: Vec<(u64, Vec<(LineUpId, SeatingId)>)>) {
        let order = |number, bots| seeds.deal_key(number, &Standing::default(), bots).order();
        let mut numbers: Vec<_> = numbers
            .into_iter()
            .map(|(number, games)| {
                let mut games: Vec<GameId> =
                    games.into_iter().map(|(line_up, seating)| GameId { number, line_up, seating }).collect();
                games.sort_by_cached_key(|game| order(number, schedule.bots(game.line_up, game.seating)));
                (order(number, BySeat::default()), games)
            })
            .collect();
        numbers.sort_unstable_by_key(|&(order, _)| order);
        let rounds = numbers.iter().map(|(_, games)| games.len()).max().unwrap_or(0);
        let mut stages: Vec<VecDeque<GameId>> = Vec::new();
        for round in 0..rounds {
            let games = numbers.iter().filter_map(|(_, games)| games.get(round));
            match stages.last_mut() {
                Some(stage) if stage.len() < STAGE => stage.extend(games),
                _ => stages.push(games.copied().collect()),
            }
        }
        self.later.splice(0..0, stages.into_iter().rev());
    }

    /// Nothing to play yet; `strangers` says of each bot whether it comes from outside.
    pub(super) fn new(strangers: Vec<bool>) -> Spread {
        Spread { strangers, ..Spread::default() }
    }

    /// The next game of this stage without a bot from outside that has a game of the same number in flight.
    pub(super) fn next(&mut self, schedule: &Schedule) -> Option<GameId> {
        let bots = |game: &GameId| schedule.bots(game.line_up, game.seating);
        let meet = |one: &GameId, other: &GameId| {
            let (one, other) = (bots(one), bots(other));
            let seated = one.of(schedule.seats).iter().filter(|bot| self.strangers[bot.index()]);
            seated.into_iter().any(|bot| other.of(schedule.seats).contains(bot))
        };
        let is_free =
            |game: &GameId| !self.in_flight.iter().any(|other| other.number == game.number && meet(game, other));
        let at = self.stage.iter().position(is_free)?;
        let game = self.stage.remove(at).expect("it was found there");
        self.in_flight.push(game);
        Some(game)
    }

    /// Takes a game that is over out of flight.
    pub(super) fn land(&mut self, game: GameId) {
        self.in_flight.retain(|&other| other != game);
    }

    /// Goes on to the next stage, unless this one has games left; false if there is none.
    pub(super) fn next_stage(&mut self) -> bool {
        debug_assert!(self.in_flight.is_empty(), "all games are over between two stages");
        if self.stage.is_empty() {
            self.stage = self.later.pop().unwrap_or_default();
        }
        !self.stage.is_empty()
    }

    /// Whether the stage is over.
    pub(super) fn is_over(&self) -> bool {
        self.stage.is_empty()
    }

    /// All games that are left.
    pub(super) fn left(&self) -> impl Iterator<Item = &GameId> {
        self.stage.iter().chain(self.later.iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Variant;
    use crate::tournament::{Format, Luck, Unit};

    fn spread(numbers: u64) -> (Spread, Schedule) {
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let games: Vec<_> = schedule.games().collect();
        let luck = Luck { seed: 1, secret: "00112233445566778899aabbccddeeff".parse().ok() };
        let variant = Variant::preset("dumbo").unwrap();
        let game = crate::games::dumbo::Dumbo::new(variant.game.rules().try_into().unwrap()).unwrap();
        let seeds = Seeds::new(luck, "dumbo", &game, Unit::Deal);
        let mut spread = Spread::new(vec![false, true, true]);
        spread.add(&schedule, &seeds, (0..numbers).map(|number| (number, games.clone())).collect());
        (spread, schedule)
    }

    /// The numbers of every stage, played one after the other.
    fn stages((mut spread, schedule): (Spread, Schedule)) -> Vec<Vec<u64>> {
        let mut stages = Vec::new();
        while spread.next_stage() {
            let mut numbers = Vec::new();
            while let Some(game) = spread.next(&schedule) {
                numbers.push(game.number);
                spread.land(game);
            }
            stages.push(numbers);
        }
        stages
    }

    #[test]
    fn no_stage_has_a_number_twice_where_there_are_enough() {
        let spread = spread(STAGE as u64);
        let games = spread.1.games_a_number();
        let stages = stages(spread);
        assert_eq!(stages.len(), games);
        for mut numbers in stages {
            assert!(!numbers.is_sorted());
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(0..STAGE as u64));
        }
    }

    #[test]
    fn few_numbers_are_played_in_one_stage_and_never_twice_at_a_time() {
        let (mut few, schedule) = spread(5);
        let games = schedule.games_a_number();
        assert!(few.next_stage());
        let first: Vec<GameId> = std::iter::from_fn(|| few.next(&schedule)).collect();
        let mut numbers: Vec<u64> = first.iter().map(|game| game.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        assert_eq!(few.left().count(), 5 * (games - 1));
        few.land(first[3]);
        assert_eq!(few.next(&schedule).map(|game| game.number), Some(first[3].number));
        assert!(few.next(&schedule).is_none());
        let all = stages(spread(5));
        assert_eq!((all.len(), all[0].len()), (1, 5 * games));
    }
}
