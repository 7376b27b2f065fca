//! The two feeds of the engine: the deals of a tournament, and fresh deals for a benchmark.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::engine::Feed;
use super::{Block, Pattern, Schedule, Seeds, Tally, Unit};
use crate::cards::Stream;
use crate::game::{Closing, Game, Setup, Standing, State};
use crate::strategy::Pending;
use crate::table::{BySeat, Seat};

/// One game (a deal or a match) of a tournament, in progress.
#[derive(Clone, Copy)]
struct Job {
    number: u64,
    line_up: usize,
    seating: usize,
    /// The dealer of the first deal, from whom roles are counted in a match.
    first_dealer: Seat,
    /// The block that it belongs to, among those that are open.
    block: usize,
}

/// A block of which games are still to be played.
#[derive(Clone, Copy)]
struct OpenBlock {
    left: usize,
    sums: Block,
}

/// The first deal of a number, which every line-up plays in every seating.
struct Dealt<P> {
    number: u64,
    state: State<P>,
    luck: BySeat<Stream>,
}

/// The next numbers to be played, shared by all threads.
#[derive(Default)]
pub(super) struct Counter {
    next: AtomicU64,
    end: AtomicU64,
    chunk: AtomicU64,
}

impl Counter {
    /// Hands out the numbers of `range` from now on, in chunks of so many. No thread may be taking any meanwhile.
    pub(super) fn set(&self, range: std::ops::Range<u64>, chunk: u64) {
        self.next.store(range.start, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.chunk.store(chunk, Ordering::Relaxed);
    }

    fn take(&self) -> std::ops::Range<u64> {
        let (end, chunk) = (self.end.load(Ordering::Relaxed), self.chunk.load(Ordering::Relaxed));
        let start = self.next.fetch_add(chunk, Ordering::Relaxed).min(end);
        start..(start + chunk).min(end)
    }
}

/// What the threads of a run tell the terminal while they play.
pub(super) struct Progress {
    /// Games done.
    pub(super) games: AtomicU64,
    /// By bot: the sum of its scores and the number of its deals.
    pub(super) scores: Vec<(AtomicI64, AtomicU64)>,
}

impl Progress {
    pub(super) fn new(bots: usize) -> Progress {
        Progress { games: AtomicU64::new(0), scores: (0..bots).map(|_| Default::default()).collect() }
    }
}

/// The deals of a tournament: for every number every line-up in every seating.
pub(super) struct Games<'a, G: Game> {
    seeds: &'a Seeds,
    schedule: &'a Schedule,
    counter: &'a Counter,
    progress: &'a Progress,
    variant: &'a str,
    /// Whether margins count: the first bot's points less the second's.
    duel: bool,
    numbers: std::ops::Range<u64>,
    /// How many numbers the current chunk had.
    taken: u64,
    line_up: usize,
    seating: usize,
    dealt: Option<Dealt<G::Public>>,
    jobs: Vec<Job>,
    blocks: Vec<OpenBlock>,
    /// The blocks that are not in use.
    free: Vec<usize>,
    /// The block of the number whose games are being handed out.
    block: usize,
    /// By bot: what the shared progress has been told.
    told: Vec<(i64, u64)>,
    pub(super) tally: Tally,
    pub(super) deals: u64,
}

impl<'a, G: Game> Games<'a, G> {
    pub(super) fn new(
        seeds: &'a Seeds,
        schedule: &'a Schedule,
        counter: &'a Counter,
        progress: &'a Progress,
        variant: &'a str,
        duel: bool,
        tally: Tally,
    ) -> Games<'a, G> {
        Games {
            seeds,
            schedule,
            counter,
            progress,
            variant,
            duel,
            numbers: 0..0,
            taken: 0,
            line_up: 0,
            seating: 0,
            dealt: None,
            jobs: Vec::new(),
            blocks: Vec::new(),
            free: Vec::new(),
            block: 0,
            told: vec![(0, 0); progress.scores.len()],
            tally,
            deals: 0,
        }
    }

    /// Adds what was tallied since the last time to `total` and forgets it, with all games over.
    pub(super) fn hand_over(&mut self, total: &mut Tally) -> u64 {
        total.merge(&self.tally);
        self.tally.clear();
        self.told.fill((0, 0));
        self.jobs.clear();
        std::mem::take(&mut self.deals)
    }

    /// Opens the block of a number.
    fn open_block(&mut self) -> usize {
        let block = OpenBlock { left: self.schedule.games_a_number(), sums: Block::default() };
        match self.free.pop() {
            Some(free) => {
                self.blocks[free] = block;
                free
            }
            None => {
                self.blocks.push(block);
                self.blocks.len() - 1
            }
        }
    }

    /// Counts a game of a block as over; with the last one the block is.
    #[inline]
    fn close_game(&mut self, number: usize) {
        let block = &mut self.blocks[number];
        block.left -= 1;
        if block.left == 0 {
            self.tally.add_block(&block.sums);
            self.free.push(number);
        }
    }

    /// The number, line-up and seating of the next game.
    #[inline]
    fn next(&mut self) -> Option<(u64, usize, usize)> {
        if self.numbers.is_empty() {
            self.tell(self.taken);
            self.numbers = self.counter.take();
            self.taken = self.numbers.end - self.numbers.start;
        }
        if self.numbers.is_empty() {
            return None;
        }
        let next = (self.numbers.start, self.line_up, self.seating);
        if (self.line_up, self.seating) == (0, 0) {
            self.block = self.open_block();
        }
        self.seating += 1;
        if self.seating == self.schedule.seatings.len() {
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
    fn begin(&mut self, game: &G, deal: &mut Pending<G>) -> Option<Job> {
        let (number, line_up, seating) = self.next()?;
        deal.standing = Standing::default();
        let new =
            |standing: &Standing| (self.seeds.deal_id(number, standing), self.seeds.setup(game, number, standing));
        if self.schedule.games_a_number() == 1 {
            // Nobody else plays it.
            let (id, setup) = new(&deal.standing);
            self.seeds.deal_again(game, &mut deal.state, id, setup);
            deal.luck = self.seeds.luck(id);
        } else {
            let dealt = match &self.dealt {
                Some(dealt) if dealt.number == number => dealt,
                _ => {
                    let (id, setup) = new(&deal.standing);
                    let (state, luck) = (self.seeds.deal(game, id, setup), self.seeds.luck(id));
                    self.dealt.insert(Dealt { number, state, luck })
                }
            };
            deal.state = dealt.state;
            deal.luck.clone_from(&dealt.luck);
        }
        let (members, seats) = (&self.schedule.line_ups[line_up], &self.schedule.seatings[seating]);
        deal.bots = BySeat::from_fn(|seat| members[usize::from(seats[seat])]);
        let first_dealer = deal.state.table.dealer();
        Some(Job { number, line_up, seating, first_dealer, block: self.block })
    }

    /// Brings the shared progress up to date; done once a chunk, because threads would wait for each other's cache lines.
    fn tell(&mut self, numbers: u64) {
        let games = numbers * self.schedule.games_a_number() as u64;
        self.progress.games.fetch_add(games, Ordering::Relaxed);
        let told = self.told.iter_mut().enumerate();
        for ((bot, (told_sum, told_deals)), (sum, deals)) in told.zip(&self.progress.scores) {
            let scores = self.tally.scores(bot);
            let (sum_now, deals_now) = (scores.sum() as i64, scores.count());
            sum.fetch_add(sum_now - *told_sum, Ordering::Relaxed);
            deals.fetch_add(deals_now - *told_deals, Ordering::Relaxed);
            (*told_sum, *told_deals) = (sum_now, deals_now);
        }
    }

    /// The values by role, counted from `dealer`.
    #[inline]
    fn by_role<T: Copy>(&self, values: &BySeat<T>, dealer: Seat) -> BySeat<T> {
        let seats = self.schedule.seats;
        BySeat::from_fn(|role| {
            let steps = dealer.index() + role.index();
            // The third of two seats stays where it is.
            let seat =
                if role.index() >= seats { role.index() } else { steps - if steps >= seats { seats } else { 0 } };
            values.0[seat]
        })
    }
}

impl<G: Game> Feed<G> for Games<'_, G> {
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>> {
        // Some deal, in whose place the next comes.
        let (id, standing) = (0, Standing::default());
        let state = self.seeds.deal(game, id, self.seeds.setup(game, id, &standing));
        let mut deal = Pending::new(state, standing, self.seeds.luck(id), BySeat::default());
        let job = self.begin(game, &mut deal)?;
        debug_assert_eq!(slot, self.jobs.len());
        self.jobs.push(job);
        Some(deal)
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let job = self.jobs[slot];
        let scores = game.scores(&deal.state);
        let undertaking = game.undertaking(&deal.state);
        let dealer = deal.state.table.dealer();
        let role_scores = self.by_role(&scores, dealer);
        let seating = self.schedule.by_role(job.seating, dealer);
        let bots = self.by_role(&deal.bots, dealer);
        self.tally.add_deal(job.line_up, job.number, seating, role_scores, bots);
        if let Some(undertaking) = undertaking {
            self.tally.add_contract(job.number, undertaking, &scores, &deal.bots);
        }
        self.tally.add_end(job.number, role_scores, game.is_exceptional(&deal.state, &scores));
        let duel = self.duel;
        let sign = |bot: u16| if duel { 1 - 2 * i64::from(bot) } else { 0 };
        self.blocks[job.block].sums.add_deal(self.schedule.seats, role_scores, bots, sign);
        self.deals += 1;
        match self.seeds.unit() {
            Unit::Deal => {
                let outcome = Pattern::of(role_scores, self.schedule.seats);
                self.tally.add_game(job.line_up, job.number, seating, outcome);
            }
            Unit::Match => {
                let standing = &mut deal.standing;
                standing.add(&scores, game.counts(&deal.state));
                let declarer = undertaking.and_then(|undertaking| undertaking.declarer);
                let closing = Closing { dealer, declarer, scores };
                let Some(places) = game.ending().places(standing, &closing, self.schedule.seats) else {
                    next_deal(game, self.seeds, job.number, deal);
                    return true;
                };
                if game.ending().was_cut_off(standing, self.schedule.seats) {
                    self.tally.add_cut_off(job.number);
                }
                let values = BySeat(places.0.map(|place| -i32::from(place)));
                let seating = self.schedule.by_role(job.seating, job.first_dealer);
                let values = self.by_role(&values, job.first_dealer);
                let outcome = Pattern::of(values, self.schedule.seats);
                self.tally.add_game(job.line_up, job.number, seating, outcome);
            }
        }
        self.close_game(job.block);
        let Some(job) = self.begin(game, deal) else {
            return false;
        };
        self.jobs[slot] = job;
        true
    }

    fn describe(&self, slot: usize) -> String {
        let Job { number, line_up, seating, .. } = self.jobs[slot];
        format!("number {number} of {} (line-up {line_up}, seating {seating})", self.variant)
    }
}

/// Deals the next deal of a match whose standing has been brought up to date.
fn next_deal<G: Game>(game: &G, seeds: &Seeds, number: u64, deal: &mut Pending<G>) {
    let setup = seeds.setup(game, number, &deal.standing);
    let id = seeds.deal_id(number, &deal.standing);
    seeds.deal_again(game, &mut deal.state, id, setup);
    deal.luck = seeds.luck(id);
}

/// Fresh single deals, each played once, for a benchmark: nothing is kept but a signature of the results.
pub struct Fresh<'a> {
    seeds: &'a Seeds,
    numbers: std::ops::Range<u64>,
    slots: Vec<u64>,
    /// A sum over all deals that changes with any score of any seat in any deal, whatever their order.
    pub signature: u64,
}

impl<'a> Fresh<'a> {
    /// The deals of these numbers.
    pub fn new(seeds: &'a Seeds, numbers: std::ops::Range<u64>) -> Fresh<'a> {
        Fresh { seeds, numbers, slots: Vec::new(), signature: 0 }
    }

    /// The number of the next deal and the circumstances of it.
    #[inline(always)]
    fn next<G: Game>(&mut self, game: &G) -> Option<(u64, Setup)> {
        let number = self.numbers.next()?;
        Some((number, self.seeds.setup(game, number, &Standing::default())))
    }
}

impl<G: Game> Feed<G> for Fresh<'_> {
    fn open(&mut self, game: &G, _slot: usize) -> Option<Pending<G>> {
        let (number, setup) = self.next(game)?;
        self.slots.push(number);
        let state = self.seeds.deal(game, number, setup);
        Some(Pending::new(state, Standing::default(), self.seeds.luck(number), BySeat([0, 1, 2])))
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let scores = game.scores(&deal.state);
        let mut word = self.slots[slot];
        for score in scores.0 {
            word = (word ^ score as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        self.signature = self.signature.wrapping_add(word);
        let Some((number, setup)) = self.next(game) else {
            return false;
        };
        self.slots[slot] = number;
        self.seeds.deal_again(game, &mut deal.state, number, setup);
        deal.luck = self.seeds.luck(number);
        true
    }

    fn describe(&self, slot: usize) -> String {
        format!("deal {}", self.slots[slot])
    }
}
