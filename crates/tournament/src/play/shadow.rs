//! One bot in the shadow of another: at every decision that the one meets the other is asked, too, and where their
//! choices first differ the game goes on as it would have with the other in the one's place.
//!
//! Both games have the same cards, the same others and the same streams of random numbers, so up to the first
//! difference they are one game: all that the bot gains or loses there follows from that decision. The shadow has
//! streams of its own, so whether it is asked or not, the game is the one of the run.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use overtrick_cards::select::Portable;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Describe, Game, Move, Standing, State, View};
use overtrick_games::{OpenGame, OpenPublic};
use overtrick_strategy::ids::BotId;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealEnd, DealKey};
use overtrick_strategy::{Batch, Notes, Pending, Strategy};

use super::partings::Partings;
use super::roster::{Roster, substitute};
use super::sink::GameId;
use super::situation::{CONTRACT, Situation, forfeit, situation};
use crate::{FaultAction, Schedule, Seeds, Tournament};

/// About how long a part of the work takes, after which it may be stopped and tells how far it is.
const SEGMENT: Duration = Duration::from_millis(200);

/// Plays deals of a tournament again and finds where two bots part in them.
pub struct Shadow<'a> {
    /// The tournament, of single deals.
    pub tournament: &'a Tournament,
    /// The number of the variant.
    pub variant: usize,
    /// The bot whose decisions are looked at, and the one in its shadow.
    pub pair: [BotId; 2],
    /// The numbers of the deals.
    pub numbers: &'a [Range<u64>],
    /// The threads to play on; results do not depend on their number.
    pub pool: &'a rayon::ThreadPool,
    /// Ends it within a moment once it is set.
    pub stop: &'a Arc<AtomicBool>,
    /// Is told now and then how many deals are done.
    pub progress: &'a mut dyn FnMut(u64),
}

impl Shadow<'_> {
    /// Plays them; `None` if it was stopped.
    pub fn play(self) -> Option<Partings> {
        let tournament = self.tournament;
        let (variant, game) = &tournament.variants[self.variant].erased();
        let seeds = Seeds::new(tournament.luck(), &variant.name, game.as_ref(), tournament.unit);
        let threads = self.pool.current_num_threads();
        let roster = Roster::new(&tournament.bots, variant, threads, self.stop, None);
        let worker = |thread| {
            let mut strategies = roster.strategies(thread).expect("the config checked that every bot plays every game");
            strategies.push(substitute(variant));
            Mutex::new(Worker {
                game: game.as_ref(),
                seeds: &seeds,
                schedule: &tournament.schedules[self.variant],
                forfeits: tournament.faults.policy == FaultAction::ForfeitDeal,
                pair: self.pair,
                strategies,
                kinds: game.contract_kinds().into_iter().map(|kind| kind.name).collect(),
                partings: Partings::new(tournament.groups),
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        let (mut done, mut size) = (0, threads as u64 * 2);
        for range in self.numbers {
            let next = AtomicU64::new(range.start);
            while next.load(Ordering::Relaxed) < range.end {
                let start = Instant::now();
                let first = next.load(Ordering::Relaxed);
                let end = range.end.min(first + size);
                self.pool.broadcast(|thread| {
                    let mut worker = workers[thread.index()].lock().expect("a thread that panics ends the run");
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= end || self.stop.load(Ordering::Relaxed) {
                            break;
                        }
                        worker.play_number(number);
                    }
                });
                if self.stop.load(Ordering::Relaxed) {
                    return None;
                }
                // Each thread has taken one number too many.
                next.store(end, Ordering::Relaxed);
                done += end - first;
                (self.progress)(done);
                size = if start.elapsed() < SEGMENT { size * 2 } else { (size / 2).max(threads as u64) };
            }
        }
        let mut partings = Partings::new(tournament.groups);
        for worker in workers {
            partings.merge(worker.into_inner().expect("a thread that panics ends the run").partings);
        }
        Some(partings)
    }
}

/// A game that is over.
struct Played {
    moves: Vec<Move>,
    scores: BySeat<i32>,
    /// The kind of its contract.
    contract: Option<u8>,
}

/// What the shadow would have chosen otherwise: the number of the move, its choice, and what the decision was about.
type Differences = Vec<(usize, Move, Situation)>;

/// The bots of a thread.
struct Worker<'a> {
    game: &'a OpenGame,
    seeds: &'a Seeds,
    schedule: &'a Schedule,
    forfeits: bool,
    pair: [BotId; 2],
    /// By bot; after the last, who plays on for bots that forfeit a deal.
    strategies: Vec<Box<dyn Strategy<OpenGame>>>,
    /// The names of the kinds of contract.
    kinds: Vec<String>,
    partings: Partings,
}

impl Worker<'_> {
    /// Plays every game of a number in which the two meet, once as it was and once with the second in the first's
    /// place.
    fn play_number(&mut self, number: u64) {
        let (standing, seats, schedule) = (Standing::default(), self.schedule.seats, self.schedule);
        let [one, other] = self.pair;
        let setup = self.seeds.setup(self.game, number, &standing);
        let dealt = self.seeds.deal(self.game, number, setup);
        for line_up in schedule.line_up_ids() {
            let members = &schedule.line_ups[line_up.index()];
            if !members.contains(&one) || !members.contains(&other) {
                continue;
            }
            // Two seatings may come to the same game with the second bot in the place of the first.
            let mut replaced: Vec<(BySeat<BotId>, Played)> = Vec::new();
            for &seating in schedule.played(line_up) {
                let bots = schedule.bots(line_up, seating);
                let margin = |scores: &BySeat<i32>| -> i64 {
                    let sign = |bot: BotId| i64::from(bot == one) - i64::from(bot == other);
                    bots.of(seats).iter().zip(scores.of(seats)).map(|(&bot, &score)| sign(bot) * i64::from(score)).sum()
                };
                let (real, differences) = self.play(&dealt, number, bots, true);
                let with_other = bots.map(|bot| if bot == one { other } else { bot });
                let at = replaced.iter().position(|(seated, _)| *seated == with_other).unwrap_or_else(|| {
                    replaced.push((with_other, self.play(&dealt, number, with_other, false).0));
                    replaced.len() - 1
                });
                let without = &replaced[at].1;
                let chairs = bots.of(seats).iter().filter(|&&bot| bot == one).count() as u64;
                self.partings.add_game(number, margin(&real.scores), chairs);
                let id = GameId { number, line_up, seating };
                self.count(id, &dealt, &real, without, differences, margin(&real.scores) - margin(&without.scores));
            }
        }
    }

    /// Counts where a game parts from the one with the other bot, which is by `points` worse.
    fn count(
        &mut self,
        id: GameId,
        dealt: &State<OpenPublic>,
        real: &Played,
        without: &Played,
        mut differences: Differences,
        points: i64,
    ) {
        let contract = real.contract.and_then(|kind| self.kinds.get(usize::from(kind)));
        let finish = |situation: &mut Situation| {
            if let Some(kind) = contract {
                situation[CONTRACT] = kind.clone().into();
            }
        };
        for (_, _, situation) in &mut differences {
            finish(situation);
            self.partings.add_difference(situation);
        }
        let parting = real.moves.iter().zip(&without.moves).position(|(one, other)| one != other);
        let Some(at) = parting else {
            if points != 0 {
                self.partings.add_parting(id, points, &forfeit());
            }
            return;
        };
        let (did, would) = (real.moves[at], without.moves[at]);
        let noted = differences.into_iter().find(|&(number, choice, _)| (number, choice) == (at, would));
        let situation = noted.map(|(_, _, situation)| situation).unwrap_or_else(|| {
            let mut state = *dealt;
            real.moves[..at].iter().for_each(|&made| self.game.play_unchecked(&mut state, made));
            let mut situation = situation(self.game, &state, did, would);
            finish(&mut situation);
            situation
        });
        self.partings.add_parting(id, points, &situation);
    }

    /// Plays a deal; if it `is_shadowed`, the second bot is asked at every decision of the first, too.
    fn play(
        &mut self,
        dealt: &State<OpenPublic>,
        number: u64,
        bots: BySeat<BotId>,
        is_shadowed: bool,
    ) -> (Played, Differences) {
        let (game, seats, [one, other]) = (self.game, self.schedule.seats, self.pair);
        let mut deal = Pending::new(*dealt, Standing::default(), self.seeds.streams(number), bots);
        let mut shadows = deal.streams.clone();
        let (mut moves, mut differences, mut decisions, mut faults) = (Vec::with_capacity(64), Vec::new(), 0, 0);
        let mut forfeited = BySeat::<bool>::default();
        let (standing, with_other) = (Standing::default(), bots.map(|bot| if bot == one { other } else { bot }));
        let keys = [bots, with_other].map(|seated| self.seeds.deal_key(number, &standing, seated));
        let [own, other_s] = keys;
        let shadow_of = bots.map(|bot| if bot == one && is_shadowed { Some(other) } else { None });
        for seat in Seat::all(seats) {
            self.begins(bots[seat], dealt, seat, own);
            if let Some(shadow) = shadow_of[seat] {
                self.begins(shadow, dealt, seat, other_s);
            }
        }
        while !game.is_over(&deal.state) {
            deal.legal = game.legal(&deal.state);
            deal.seat = deal.state.table.seat_to_move();
            let seat = deal.seat;
            let bot = if forfeited[seat] { self.strategies.len() - 1 } else { bots[seat].index() };
            let chosen = match ask(game, self.strategies[bot].as_mut(), &mut deal, own) {
                Some(chosen) => chosen,
                None if self.forfeits => {
                    faults += 1;
                    forfeited[seat] = true;
                    deal.state = *dealt;
                    deal.streams = self.seeds.streams(number);
                    shadows = deal.streams.clone();
                    moves.clear();
                    differences.clear();
                    decisions = 0;
                    continue;
                }
                None => {
                    faults += 1;
                    pick(deal.legal, &mut deal.streams[seat], Portable)
                }
            };
            if let Some(shadow) = shadow_of[seat].filter(|_| !forfeited[seat]) {
                decisions += 1;
                std::mem::swap(&mut deal.streams, &mut shadows);
                let asked = ask(game, self.strategies[shadow.index()].as_mut(), &mut deal, other_s);
                let would = asked.unwrap_or_else(|| pick(deal.legal, &mut deal.streams[seat], Portable));
                std::mem::swap(&mut deal.streams, &mut shadows);
                faults += u64::from(asked.is_none());
                if would != chosen {
                    differences.push((moves.len(), would, situation(game, &deal.state, chosen, would)));
                }
            }
            if let Err(error) = game.play(&mut deal.state, chosen) {
                panic!("seat {} of deal {number} made an illegal move: {error}", seat.index());
            }
            moves.push(chosen);
        }
        for seat in Seat::all(seats) {
            self.ends(bots[seat], dealt, &deal.state, seat, own);
            if let Some(shadow) = shadow_of[seat] {
                self.ends(shadow, dealt, &deal.state, seat, other_s);
            }
        }
        self.partings.add_decisions(decisions, faults);
        let mut scores = game.scores(&deal.state);
        for seat in Seat::all(seats).filter(|&seat| forfeited[seat]) {
            scores[seat] = *game.score_range().start();
        }
        let contract = game.contract_result(&deal.state).map(|result| result.kind);
        (Played { moves, scores, contract }, differences)
    }

    /// Tells a bot outside of the process that a deal begins.
    fn begins(&mut self, bot: BotId, dealt: &State<OpenPublic>, seat: Seat, key: DealKey) {
        let strategy = &mut self.strategies[bot.index()];
        if strategy.is_external() {
            strategy.deal_begins(&View::new(self.game, dealt, &Standing::default(), seat), key);
        }
    }

    /// Tells a bot outside of the process that a deal has ended.
    fn ends(&mut self, bot: BotId, dealt: &State<OpenPublic>, over: &State<OpenPublic>, seat: Seat, key: DealKey) {
        let strategy = &mut self.strategies[bot.index()];
        if strategy.is_external() {
            strategy.deal_ends(DealEnd::of(self.game, dealt, over, seat, key.id(seat)));
        }
    }
}

/// The choice of a strategy; `None` after a fault. Bots outside of the process are told of it by `key`.
fn ask(
    game: &OpenGame,
    strategy: &mut dyn Strategy<OpenGame>,
    deal: &mut Pending<OpenGame>,
    key: DealKey,
) -> Option<Move> {
    let mut notes = Notes::default();
    deal.answer = Move::NONE;
    strategy.choose_many(&mut Batch::new(game, std::slice::from_mut(deal), &[0], &[key], &mut notes));
    Some(deal.answer).filter(|&answer| answer != Move::NONE)
}
