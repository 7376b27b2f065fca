//! The deals of a tournament, as the engine is fed with them.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::engine::Feed;
use super::runner::VariantRun;
use super::{
    Block, FaultAction, FaultPolicy, FaultPosition, Faults, Format, NotedFault, Pattern, SampledDeal, Schedule, Seeds,
    Tally, Tournament, Unit,
};
use crate::cards::Stream;
use crate::cards::select::Portable;
use crate::game::{DealResult, FullGame, Standing, State};
use crate::protocol::Fault;
use crate::strategies::random;
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
    /// By seat: whether its bot has forfeited the deal in progress, and another plays on in its place.
    forfeited: BySeat<bool>,
}

impl Job {
    fn is_forfeited(&self) -> bool {
        self.forfeited.0.contains(&true)
    }
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
    streams: BySeat<Stream>,
}

/// The next numbers to be played, shared by all threads.
#[derive(Default)]
pub(super) struct Counter {
    next: AtomicU64,
    end: AtomicU64,
    chunk: AtomicU64,
    /// How many games a thread may have in flight: where there are few, the others shall have theirs.
    room: AtomicU64,
}

impl Counter {
    /// Hands out the numbers of `range` from now on, in chunks of so many, to threads that have `room` for so many games at once. No
    /// thread may be taking any meanwhile.
    pub(super) fn set(&self, range: std::ops::Range<u64>, chunk: u64, room: u64) {
        self.next.store(range.start, Ordering::Relaxed);
        self.end.store(range.end, Ordering::Relaxed);
        self.chunk.store(chunk, Ordering::Relaxed);
        self.room.store(room, Ordering::Relaxed);
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
pub(super) struct Games<'a, G: FullGame> {
    seeds: &'a Seeds,
    schedule: &'a Schedule,
    counter: &'a Counter,
    progress: &'a Progress,
    variant: &'a str,
    /// Whether margins count: the first bot's points less the second's.
    duel: bool,
    policy: FaultPolicy,
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
    /// By bot.
    faults: Vec<Faults>,
}

impl<'a, G: FullGame> Games<'a, G> {
    /// The games of a variant; `tally` is an empty one.
    pub(super) fn new(
        tournament: &'a Tournament,
        variant: usize,
        seeds: &'a Seeds,
        counter: &'a Counter,
        progress: &'a Progress,
        tally: Tally,
    ) -> Games<'a, G> {
        Games {
            seeds,
            schedule: &tournament.schedules[variant],
            counter,
            progress,
            variant: &tournament.variants[variant].name,
            duel: tournament.format == Format::Duel,
            policy: tournament.faults,
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
            faults: vec![Faults::new(tournament.faults); progress.scores.len()],
        }
    }

    /// Adds what was counted since the last time to `ran` and forgets it, with all games over.
    pub(super) fn hand_over(&mut self, ran: &mut VariantRun) {
        ran.tally.merge(&self.tally);
        self.tally.clear();
        self.told.fill((0, 0));
        self.jobs.clear();
        ran.deals += std::mem::take(&mut self.deals);
        for (sum, faults) in ran.faults.iter_mut().zip(&mut self.faults) {
            sum.merge(std::mem::replace(faults, Faults::new(self.policy)));
        }
    }

    /// The bot that the schedule puts on a seat.
    fn bot(&self, job: &Job, seat: Seat) -> u16 {
        let member = self.schedule.seatings[job.seating][seat];
        self.schedule.line_ups[job.line_up][usize::from(member)]
    }

    /// Settles a deal in which somebody forfeited: he scores the lowest that there is, and the bots take their seats again.
    #[cold]
    fn settle(&mut self, game: &G, slot: usize, deal: &mut Pending<G>, scores: &mut BySeat<i32>) {
        let job = self.jobs[slot];
        for seat in Seat::all(self.schedule.seats) {
            if job.forfeited[seat] {
                scores[seat] = *game.score_range().start();
                deal.bots[seat] = self.bot(&job, seat);
            }
        }
        self.jobs[slot].forfeited = BySeat::default();
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
            deal.streams = self.seeds.streams(id);
        } else {
            let dealt = match &self.dealt {
                Some(dealt) if dealt.number == number => dealt,
                _ => {
                    let (id, setup) = new(&deal.standing);
                    let (state, streams) = (self.seeds.deal(game, id, setup), self.seeds.streams(id));
                    self.dealt.insert(Dealt { number, state, streams })
                }
            };
            deal.state = dealt.state;
            deal.streams.clone_from(&dealt.streams);
        }
        let (members, seats) = (&self.schedule.line_ups[line_up], &self.schedule.seatings[seating]);
        deal.bots = BySeat::from_fn(|seat| members[usize::from(seats[seat])]);
        let first_dealer = deal.state.table.dealer();
        Some(Job { number, line_up, seating, first_dealer, block: self.block, forfeited: BySeat::default() })
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

impl<G: FullGame> Feed<G> for Games<'_, G> {
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>> {
        if slot as u64 >= self.counter.room.load(Ordering::Relaxed) {
            return None;
        }
        // Some deal, in whose place the next comes.
        let (id, standing) = (0, Standing::default());
        let state = self.seeds.deal(game, id, self.seeds.setup(game, id, &standing));
        let mut deal = Pending::new(state, standing, self.seeds.streams(id), BySeat::default());
        let job = self.begin(game, &mut deal)?;
        debug_assert_eq!(slot, self.jobs.len());
        self.jobs.push(job);
        Some(deal)
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let job = self.jobs[slot];
        let mut scores = game.scores(&deal.state);
        let contract_result = game.contract_result(&deal.state);
        let proper = !job.is_forfeited();
        if !proper {
            self.settle(game, slot, deal, &mut scores);
        }
        let dealer = deal.state.table.dealer();
        let role_scores = self.by_role(&scores, dealer);
        let seating = self.schedule.by_role(job.seating, dealer);
        let bots = self.by_role(&deal.bots, dealer);
        self.tally.add_deal(job.line_up, job.number, seating, role_scores, bots);
        if let Some(contract_result) = contract_result.filter(|_| proper) {
            self.tally.add_contract(job.number, contract_result, &scores, &deal.bots);
        }
        self.tally.add_end(job.line_up, job.number, role_scores, proper && game.is_exceptional(&deal.state, &scores));
        let duel = self.duel;
        let sign = |bot: u16| if duel { 1 - 2 * i64::from(bot) } else { 0 };
        self.blocks[job.block].sums.add_deal(self.schedule.seats, role_scores, bots, sign);
        self.deals += 1;
        match self.seeds.unit() {
            Unit::Deal => {
                let outcome = Pattern::of(role_scores, self.schedule.seats);
                self.tally.add_game(job.line_up, job.number, seating, outcome);
                self.tally.add_sample(job.line_up, job.number, seating, || SampledDeal {
                    scores: role_scores,
                    declarer: contract_result.filter(|_| proper).and_then(|contract_result| {
                        let seats = self.schedule.seats;
                        Some(Seat::new((contract_result.declarer?.index() + seats - dealer.index()) % seats))
                    }),
                    counts: game.counts(&deal.state),
                    thrown_in_earlier: game.thrown_in_earlier(&deal.state).filter(|_| proper),
                });
            }
            Unit::Match => {
                let standing = &mut deal.standing;
                standing.add(&scores, game.counts(&deal.state));
                let declarer = contract_result.and_then(|contract_result| contract_result.declarer);
                let deal_result = DealResult { dealer, declarer, scores };
                let Some(places) = game.ending().places(standing, &deal_result, self.schedule.seats) else {
                    deal_anew(game, self.seeds, job.number, deal);
                    return true;
                };
                if game.ending().was_cut_off(standing, self.schedule.seats) {
                    self.tally.add_cut_off(job.line_up, job.number);
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

    fn note(&mut self, slot: usize, deal: &Pending<G>, fault: Fault) {
        let (job, seat) = (self.jobs[slot], deal.seat);
        let moment = FaultPosition {
            number: job.number,
            line_up: job.line_up as u32,
            seating: job.seating as u32,
            deal: deal.standing.deals,
            step: (deal.state.table.calls().len() + deal.state.table.plays().len()) as u32,
        };
        let bots = BySeat::from_fn(|seat| if seat.index() < self.schedule.seats { self.bot(&job, seat) } else { 0 });
        let fault = NotedFault { kind: fault.kind, what: fault.what, seat, bots };
        self.faults[usize::from(bots[seat])].note(moment, fault);
    }

    fn make_good(&mut self, game: &G, slot: usize, deal: &mut Pending<G>, fault: Fault) -> bool {
        self.note(slot, deal, fault);
        let (job, seat) = (self.jobs[slot], deal.seat);
        if self.policy.policy == FaultAction::ForfeitDeal {
            self.jobs[slot].forfeited[seat] = true;
            // The engine has the substitute behind the bots.
            deal.bots[seat] = self.faults.len() as u16;
            deal_anew(game, self.seeds, job.number, deal);
            return false;
        }
        deal.answer = random::pick(deal.legal, &mut deal.streams[seat], Portable);
        true
    }

    fn describe(&self, slot: usize) -> String {
        let Job { number, line_up, seating, .. } = self.jobs[slot];
        format!("number {number} of {} (line-up {line_up}, seating {seating})", self.variant)
    }
}

/// Deals the deal that follows the standing.
fn deal_anew<G: FullGame>(game: &G, seeds: &Seeds, number: u64, deal: &mut Pending<G>) {
    let setup = seeds.setup(game, number, &deal.standing);
    let id = seeds.deal_id(number, &deal.standing);
    seeds.deal_again(game, &mut deal.state, id, setup);
    deal.streams = seeds.streams(id);
}
