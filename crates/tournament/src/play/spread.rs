//! The order of games where bots come from outside: no process of such a bot meets a deal twice.
//!
//! A number's games have the same cards, so who remembers one of them knows the hidden cards of the others. So they
//! are played in rounds. In a round each of many numbers has one game, in an order that follows from the secret; after
//! it every bot goes on in a fresh process. The first round takes more and more numbers for a while, so that fresh
//! processes are cheap beside the games of a round, and those of dear bots are not too many.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use overtrick_cards::table::BySeat;
use overtrick_game::Standing;
use overtrick_strategy::ids::{LineUpId, SeatingId};

use super::sink::GameId;
use crate::{Schedule, Seeds};

/// How long the first round takes new numbers.
const FIRST_ROUND: Duration = Duration::from_secs(10);

/// The most games of the numbers that are played in rounds together: a bound of memory, and of checkpoints.
const MOST: usize = 1 << 17;

/// A run with fewer numbers than this for each thread takes several rounds of them in one process, until it has played
/// so many games; but never two games of a number at a time.
pub(super) const FEW: usize = 256;

/// The games of some numbers in rounds.
pub(super) struct Spread {
    /// The games left of this round.
    round: VecDeque<GameId>,
    /// The rounds after it.
    later: VecDeque<Vec<GameId>>,
    /// Since when the first round takes numbers; `None` if another round is being played.
    growing: Option<Instant>,
    /// The number of games of its numbers, in all rounds.
    games: usize,
    /// The number of games that the processes have begun.
    begun: usize,
    /// The number of games after which the next round is for fresh processes.
    enough: usize,
    /// The games in flight.
    in_flight: Vec<GameId>,
    /// By bot: whether it comes from outside.
    strangers: Vec<bool>,
}

impl Spread {
    /// Nothing to play yet; `strangers` says of each bot whether it comes from outside.
    pub(super) fn new(strangers: Vec<bool>) -> Spread {
        Spread {
            round: VecDeque::new(),
            later: VecDeque::new(),
            growing: Some(Instant::now()),
            games: 0,
            begun: 0,
            enough: 1,
            in_flight: Vec::new(),
            strangers,
        }
    }

    /// Adds the games of numbers, each with those that are left of it: the first ones to this round.
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
        for (_, games) in numbers {
            self.games += games.len();
            let Some((first, others)) = games.split_first() else { continue };
            self.round.push_back(*first);
            if self.later.len() < others.len() {
                self.later.resize_with(others.len(), Vec::new);
            }
            self.later.iter_mut().zip(others).for_each(|(round, game)| round.push(*game));
        }
    }

    /// Whether the run has so few numbers that several rounds of them go to one process.
    pub(super) fn set_short(&mut self, is_short: bool) {
        self.enough = if is_short { FEW } else { 1 };
    }

    /// Whether more numbers are to be added now.
    pub(super) fn wants_numbers(&self) -> bool {
        let is_young = self.growing.is_some_and(|since| since.elapsed() < FIRST_ROUND || self.games == 0);
        self.round.is_empty() && is_young && self.games < MOST
    }

    /// The next game without a bot from outside that has a game of the same number in flight; `None` if there is none
    /// now, or none is left for these processes.
    pub(super) fn next(&mut self, schedule: &Schedule) -> Option<GameId> {
        if self.round.is_empty() && self.begun < self.enough {
            self.next_round();
        }
        let bots = |game: &GameId| schedule.bots(game.line_up, game.seating);
        let meet = |one: &GameId, other: &GameId| {
            let (one, other) = (bots(one), bots(other));
            let seated = one.of(schedule.seats).iter().filter(|bot| self.strangers[bot.index()]);
            seated.into_iter().any(|bot| other.of(schedule.seats).contains(bot))
        };
        let is_free =
            |game: &GameId| !self.in_flight.iter().any(|other| other.number == game.number && meet(game, other));
        let at = self.round.iter().position(is_free)?;
        let game = self.round.remove(at).expect("it was found there");
        self.in_flight.push(game);
        self.begun += 1;
        Some(game)
    }

    /// Takes a game that is over out of flight.
    pub(super) fn land(&mut self, game: GameId) {
        self.in_flight.retain(|&other| other != game);
    }

    /// Goes on to the next round, unless this one has games left.
    fn next_round(&mut self) {
        if self.round.is_empty()
            && let Some(round) = self.later.pop_front()
        {
            self.round = round.into();
            self.growing = None;
        }
    }

    /// Goes on after the games of these processes. True if others are to play now: they would meet the same numbers.
    /// The games of new numbers can be left to them.
    pub(super) fn renews(&mut self) -> bool {
        debug_assert!(self.in_flight.is_empty(), "all games are over between two rounds");
        if !self.round.is_empty() {
            return false;
        }
        self.next_round();
        if self.round.is_empty() {
            (self.growing, self.games) = (Some(Instant::now()), 0);
            return false;
        }
        self.begun = 0;
        true
    }

    /// All games that are left.
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
        let mut spread = Spread::new(vec![false, true, true]);
        spread.add(&schedule, &seeds, (0..numbers).map(|number| (number, games.clone())).collect());
        (spread, schedule)
    }

    /// The numbers of the games of each process, played one after the other.
    fn processes((mut spread, schedule): (Spread, Schedule)) -> Vec<Vec<u64>> {
        let mut processes = vec![Vec::new()];
        loop {
            while let Some(game) = spread.next(&schedule) {
                processes.last_mut().unwrap().push(game.number);
                spread.land(game);
            }
            if !spread.renews() {
                return processes;
            }
            processes.push(Vec::new());
        }
    }

    #[test]
    fn no_process_has_a_number_twice_where_there_are_enough() {
        let spread = spread(FEW as u64);
        let games = spread.1.games_a_number();
        let processes = processes(spread);
        assert_eq!(processes.len(), games);
        for mut numbers in processes {
            assert!(!numbers.is_sorted());
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(0..FEW as u64));
        }
    }

    #[test]
    fn numbers_can_join_the_first_round_alone() {
        let (mut spread, schedule) = spread(FEW as u64);
        assert!(!spread.wants_numbers());
        while let Some(game) = spread.next(&schedule) {
            spread.land(game);
        }
        assert!(spread.wants_numbers());
        assert!(spread.renews());
        while let Some(game) = spread.next(&schedule) {
            spread.land(game);
        }
        assert!(!spread.wants_numbers());
        while spread.renews() {
            while let Some(game) = spread.next(&schedule) {
                spread.land(game);
            }
        }
        assert!(spread.wants_numbers() && spread.left().next().is_none());
    }

    #[test]
    fn few_numbers_are_played_by_one_process_and_never_twice_at_a_time() {
        let few = || {
            let (mut few, schedule) = spread(5);
            few.set_short(true);
            (few, schedule)
        };
        let all = processes(few());
        let (mut few, schedule) = few();
        let games = schedule.games_a_number();
        let mut first: Vec<GameId> = (0..5).map(|_| few.next(&schedule).unwrap()).collect();
        let mut numbers: Vec<u64> = first.iter().map(|game| game.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        // Games of the next round begin as soon as those of the same number are over.
        assert!(few.next(&schedule).is_none());
        few.land(first[3]);
        let next = few.next(&schedule).unwrap();
        assert_eq!(next.number, first[3].number);
        assert!(few.next(&schedule).is_none());
        first.remove(3);
        first.into_iter().chain([next]).for_each(|game| few.land(game));
        assert_eq!((all.len(), all[0].len()), (1, 5 * games));
        assert_eq!(processes(spread(5)).len(), games);
    }
}
