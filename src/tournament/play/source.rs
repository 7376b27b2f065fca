//! Where the deals of a tournament come from: for every number every line-up in every seating.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::sink::GameId;
use crate::cards::Stream;
use crate::game::{Game, Standing, State};
use crate::ids::LineUpId;
use crate::strategy::Pending;
use crate::table::BySeat;
use crate::tournament::{Schedule, Seeds};

/// The next numbers to be played, shared by all threads.
#[derive(Default)]
pub(super) struct Counter {
    next: AtomicU64,
    end: AtomicU64,
    chunk: AtomicU64,
    /// The number of games that a thread may have in flight: where games are few, some are left for the other threads.
    room: AtomicU64,
}

impl Counter {
    /// Hands out the numbers of `range` from now on, in chunks of `chunk` numbers, to threads that have at most `room`
    /// games in flight. No thread may be taking numbers during this call.
    pub(super) fn set(&self, range: Range<u64>, chunk: u64, room: u64) {
        self.next.store(range.start, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.chunk.store(chunk, Ordering::Relaxed);
        self.room.store(room, Ordering::Relaxed);
    }

    fn take(&self) -> Range<u64> {
        let (end, chunk) = (self.end.load(Ordering::Relaxed), self.chunk.load(Ordering::Relaxed));
        let start = self.next.fetch_add(chunk, Ordering::Relaxed).min(end);
        start..start.saturating_add(chunk).min(end)
    }
}

/// The first deal of a number, which every line-up plays in every seating.
struct FirstDeal<P> {
    number: u64,
    state: State<P>,
    streams: BySeat<Stream>,
}

/// The deals of one thread.
pub(super) struct DealSource<'a, G: Game> {
    seeds: Arc<Seeds>,
    schedule: &'a Schedule,
    counter: Arc<Counter>,
    /// The numbers left of the chunk.
    numbers: Range<u64>,
    /// The index of the line-up of the next game in the first of them.
    line_up: usize,
    /// The index of that game's seating among those that the line-up plays.
    seating: usize,
    first: Option<FirstDeal<G::Public>>,
    /// The number of chunks that were begun.
    pub(super) chunks: u64,
}

impl<'a, G: Game> DealSource<'a, G> {
    pub(super) fn new(seeds: Arc<Seeds>, schedule: &'a Schedule, counter: Arc<Counter>) -> DealSource<'a, G> {
        DealSource { seeds, schedule, counter, numbers: 0..0, line_up: 0, seating: 0, first: None, chunks: 0 }
    }

    pub(super) fn schedule(&self) -> &'a Schedule {
        self.schedule
    }

    pub(super) fn seeds(&self) -> &Seeds {
        &self.seeds
    }

    /// Whether one more game may be in flight in addition to `games`.
    pub(super) fn has_room(&self, games: usize) -> bool {
        (games as u64) < self.counter.room.load(Ordering::Relaxed)
    }

    #[inline]
    fn next(&mut self) -> Option<GameId> {
        if self.numbers.is_empty() {
            self.numbers = self.counter.take();
            self.chunks += 1;
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
            if self.line_up == self.schedule.line_ups.len() {
                self.line_up = 0;
                self.numbers.start += 1;
            }
        }
        Some(next)
    }

    /// Makes `deal` the first deal of the next game; `None` if there is none left.
    #[inline]
    pub(super) fn begin(&mut self, game: &G, deal: &mut Pending<G>) -> Option<GameId> {
        let id = self.next()?;
        let number = id.number;
        deal.standing = Standing::default();
        if self.schedule.games_a_number() == 1 {
            // No other game shares this deal, so it need not be kept.
            self.deal_on(game, number, deal);
        } else {
            let first = match &self.first {
                Some(first) if first.number == number => first,
                _ => {
                    let (seeds, standing) = (&self.seeds, &deal.standing);
                    let (deal_id, setup) = (seeds.deal_id(number, standing), seeds.setup(game, number, standing));
                    let (state, streams) = (seeds.deal(game, deal_id, setup), seeds.streams(deal_id));
                    self.first.insert(FirstDeal { number, state, streams })
                }
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
