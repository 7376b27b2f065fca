//! The source of a tournament's deals: each number is played by every line-up in every seating.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use overtrick_cards::Stream;
use overtrick_cards::table::BySeat;
use overtrick_game::{Game, Standing, State};
use overtrick_strategy::Pending;
use overtrick_strategy::ids::{LineUpId, SeatingId};

use super::sink::GameId;
use super::spread::Spread;
use crate::{OpenNumber, Schedule, Seeds};

/// The next numbers to play, shared by all threads.
#[derive(Default)]
pub(super) struct SharedNumbers {
    next: AtomicU64,
    end: AtomicU64,
    chunk: AtomicU64,
    /// The number of games that a thread may have in flight. If games are few, some are left for the other
    /// threads.
    room: AtomicU64,
}

impl SharedNumbers {
    /// Hands out the numbers of `range` from now on, in chunks of `chunk` numbers.
    ///
    /// Threads may have at most `room` games in flight. No thread may take numbers during this call.
    pub(super) fn set(&self, range: Range<u64>, chunk: u64, room: u64) {
        self.next.store(range.start, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.chunk.store(chunk, Ordering::Relaxed);
        self.room.store(room, Ordering::Relaxed);
    }

    pub(super) fn set_room(&self, room: u64) {
        self.room.store(room, Ordering::Relaxed);
    }

    /// Returns the first number that has not been taken.
    pub(super) fn next(&self) -> u64 {
        self.next.load(Ordering::Relaxed).min(self.end.load(Ordering::Relaxed))
    }

    /// Returns true if all numbers have been taken.
    pub(super) fn is_empty(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.end.load(Ordering::Relaxed)
    }

    fn take(&self) -> Range<u64> {
        let (end, chunk) = (self.end.load(Ordering::Relaxed), self.chunk.load(Ordering::Relaxed));
        let start = self.next.fetch_add(chunk, Ordering::Relaxed).min(end);
        start..start.saturating_add(chunk).min(end)
    }
}

/// The first deal of a number, which every line-up plays in every seating.
pub(super) struct FirstDeal<P> {
    number: u64,
    state: State<P>,
    streams: BySeat<Stream>,
}

impl<P> FirstDeal<P> {
    /// Returns the deal before its first decision, with no bots seated.
    pub(super) fn pending<G: Game<Public = P>>(self) -> Pending<G> {
        Pending::new(self.state, Standing::default(), self.streams, BySeat::default())
    }
}

/// Returns the first deal of a number.
pub(super) fn first_deal<G: Game>(seeds: &Seeds, game: &G, number: u64) -> FirstDeal<G::Public> {
    let standing = Standing::default();
    let id = seeds.deal_id(number, &standing);
    let setup = seeds.setup(game, number, &standing);
    FirstDeal { number, state: seeds.deal(game, id, setup), streams: seeds.streams(id) }
}

/// A number with its unfinished games, by index among all games of a number.
pub(super) type LeftOver = (u64, Vec<u32>);

/// The deals of one thread.
pub(super) struct DealSource<'a, G: Game> {
    seeds: Arc<Seeds>,
    schedule: &'a Schedule,
    shared: Arc<SharedNumbers>,
    /// The remaining numbers of the chunk.
    numbers: Range<u64>,
    /// The index of the next line-up of the first remaining number.
    line_up: usize,
    /// The index of the next seating among the seatings that the line-up plays.
    seating: usize,
    /// The games that an earlier segment has left. They are played first.
    earlier: VecDeque<GameId>,
    /// The order of games, if there are external bots.
    spread: Option<Spread>,
    /// The time after which no more games begin.
    deadline: Option<Instant>,
    first: Option<FirstDeal<G::Public>>,
    /// Whether numbers were taken since the sink last passed on its counts.
    pub(super) has_taken: bool,
}

impl<'a, G: Game> DealSource<'a, G> {
    pub(super) fn new(seeds: Arc<Seeds>, schedule: &'a Schedule, shared: Arc<SharedNumbers>) -> DealSource<'a, G> {
        DealSource {
            seeds,
            schedule,
            shared,
            numbers: 0..0,
            line_up: 0,
            seating: 0,
            earlier: VecDeque::new(),
            spread: None,
            deadline: None,
            first: None,
            has_taken: false,
        }
    }

    /// Returns the same deals in an order in which no process of a bot meets a deal twice.
    pub(super) fn spread(self) -> DealSource<'a, G> {
        DealSource { spread: Some(Spread::new()), ..self }
    }

    /// Takes over games that another source has left.
    pub(super) fn take_over(&mut self, left: &[OpenNumber]) {
        let all: Vec<_> = self.schedule.games().collect();
        let mut numbers = Vec::with_capacity(left.len());
        for open in left {
            let games: Vec<_> = open.left.iter().map(|&at| all[at as usize]).collect();
            numbers.push((open.number, games));
        }
        if let Some(spread) = &mut self.spread {
            spread.add(self.schedule, &self.seeds, numbers);
            return;
        }
        for (number, games) in numbers {
            self.earlier.extend(games.into_iter().map(|(line_up, seating)| GameId { number, line_up, seating }));
        }
    }

    /// Sets the time after which no more games begin.
    pub(super) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Returns the rounds of its games, if there are external bots.
    pub(super) fn rounds(&mut self) -> Option<&mut Spread> {
        self.spread.as_mut()
    }

    /// Takes the next numbers from those that all threads share.
    fn take(&mut self) -> Range<u64> {
        self.has_taken = true;
        self.shared.take()
    }

    /// Takes numbers whose games are spread over rounds.
    fn take_numbers(&mut self) {
        let numbers = self.take();
        let games: Vec<_> = self.schedule.games().collect();
        let numbers = numbers.map(|number| (number, games.clone())).collect();
        if let Some(spread) = &mut self.spread {
            spread.add(self.schedule, &self.seeds, numbers);
        }
    }

    /// Returns true if no more games may begin.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns true if no game is left of the numbers taken.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
            && self.earlier.is_empty()
            && self.spread.as_ref().is_none_or(|spread| spread.left().next().is_none())
    }

    /// Returns the games that it has taken and that have not begun.
    pub(super) fn left(&self) -> Vec<LeftOver> {
        if self.is_empty() {
            return Vec::new();
        }
        let places: HashMap<_, u32> = self.schedule.games().zip(0..).collect();
        let mut left: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for game in self.earlier.iter().chain(self.spread.iter().flat_map(Spread::left)) {
            left.entry(game.number).or_default().push(places[&(game.line_up, game.seating)]);
        }
        let all = places.len() as u32;
        for number in self.numbers.clone() {
            let begun = if number == self.numbers.start { self.games_begun() } else { 0 };
            left.entry(number).or_default().extend(begun..all);
        }
        left.values_mut().for_each(|games| games.sort_unstable());
        left.into_iter().collect()
    }

    /// Returns the number of games of the first number that have begun.
    fn games_begun(&self) -> u32 {
        let before = LineUpId::all(self.line_up).map(|line_up| self.schedule.played(line_up).len());
        (before.sum::<usize>() + self.seating) as u32
    }

    pub(super) fn schedule(&self) -> &'a Schedule {
        self.schedule
    }

    pub(super) fn seeds(&self) -> &Seeds {
        &self.seeds
    }

    /// Returns true if another game may be in flight in addition to `games`.
    pub(super) fn has_room(&self, games: usize) -> bool {
        (games as u64) < self.shared.room.load(Ordering::Relaxed)
    }

    #[inline]
    fn next(&mut self) -> Option<GameId> {
        if self.is_late() {
            return None;
        }
        if self.spread.is_some() {
            return self.next_of_round();
        }
        self.earlier.pop_front().or_else(|| self.next_of_chunk())
    }

    /// Returns the next game of the order for external bots.
    fn next_of_round(&mut self) -> Option<GameId> {
        if self.spread.as_ref().is_some_and(Spread::wants_numbers) {
            self.take_numbers();
        }
        self.spread.as_mut()?.next()
    }

    /// Returns the next game of the chunk, line-up by line-up; takes a chunk first if none is left.
    #[inline]
    fn next_of_chunk(&mut self) -> Option<GameId> {
        if self.numbers.is_empty() {
            self.numbers = self.take();
        }
        if self.numbers.is_empty() {
            return None;
        }
        let line_up = LineUpId::new(self.line_up);
        let played = self.schedule.played(line_up);
        let next = GameId { number: self.numbers.start, line_up, seating: played[self.seating] };
        self.seating += 1;
        if self.seating == played.len() {
            self.seating = 0;
            self.line_up += 1;
            if self.line_up == self.schedule.line_ups_with_copies() {
                self.line_up = 0;
                self.numbers.start += 1;
            }
        }
        Some(next)
    }

    /// Returns the next number with games that have not begun, and its first deal.
    ///
    /// All these games have begun then. `part` gets them, or none if they are all games of the number.
    pub(super) fn next_number(&mut self, game: &G, part: &mut Vec<(LineUpId, SeatingId)>) -> Option<(u64, Pending<G>)> {
        part.clear();
        if self.is_late() {
            return None;
        }
        let number = match self.earlier.front() {
            Some(first) => first.number,
            None => {
                if self.numbers.is_empty() {
                    self.numbers = self.take();
                }
                self.numbers.clone().next()?
            }
        };
        while let Some(next) = self.earlier.pop_front_if(|game| game.number == number) {
            part.push((next.line_up, next.seating));
        }
        if part.is_empty() {
            let begun = self.games_begun() as usize;
            if begun > 0 {
                part.extend(self.schedule.games().skip(begun));
            }
            (self.line_up, self.seating) = (0, 0);
            self.numbers.start += 1;
        }
        Some((number, first_deal(&self.seeds, game, number).pending()))
    }

    /// Takes back games of a number that have begun and will begin again.
    pub(super) fn give_back(&mut self, number: u64, games: &[(LineUpId, SeatingId)]) {
        for &(line_up, seating) in games {
            self.earlier.push_back(GameId { number, line_up, seating });
        }
    }

    /// Makes `deal` the first deal of the next game; `None` if no game is left.
    #[inline]
    pub(super) fn begin(&mut self, game: &G, deal: &mut Pending<G>) -> Option<GameId> {
        let id = self.next()?;
        let number = id.number;
        deal.standing = Standing::default();
        if self.schedule.games_with_copies() == 1 {
            // No other game has this deal, so it need not be kept.
            self.deal_on(game, number, deal);
        } else {
            let first = match &self.first {
                Some(first) if first.number == number => first,
                _ => self.first.insert(first_deal(&self.seeds, game, number)),
            };
            deal.state = first.state;
            deal.streams.clone_from(&first.streams);
        }
        deal.bots = self.schedule.bots(id.line_up, id.seating);
        Some(id)
    }

    /// Makes `deal` the next deal of match `number`, after its standing.
    #[inline]
    pub(super) fn deal_on(&self, game: &G, number: u64, deal: &mut Pending<G>) {
        let setup = self.seeds.setup(game, number, &deal.standing);
        let id = self.seeds.deal_id(number, &deal.standing);
        self.seeds.deal_again(game, &mut deal.state, id, setup);
        deal.streams = self.seeds.streams(id);
    }
}
