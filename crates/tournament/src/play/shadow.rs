//! Compares two bots decision by decision: one plays, and the other shadows it.
//!
//! At every decision of the first bot the second is asked, too. Where their choices differ, the game is
//! played again from there, with the second bot in place of the first.
//!
//! Suppose that the first bot makes the choices up to some decision, and the second makes all later ones.
//! This gives a game for each decision. The first of these games is the second bot's alone, and the last is
//! the game of the run. Two consecutive games are the same, except where the two bots differ. Then the
//! difference of their scores is the worth of the different choice. The worths add up to the difference
//! between the last game and the first.
//!
//! All games of a deal have the same cards, the same other bots and the same random streams. The shadow has
//! separate streams, so asking it does not change the game of the run.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use overtrick_cards::table::BySeat;
use overtrick_game::{Describe, Game, Standing};
use overtrick_strategy::ids::BotId;

use super::partings::Partings;
use super::roster::{Roster, substitute};
use super::shadowed::{Bots, Difference, Played, Sitting};
use super::sink::GameId;
use super::situation::{Situation, forfeit, situation};
use crate::{FaultAction, Schedule, Seeds, Tournament};

/// The approximate time between two checks for a stop, which also report progress.
const SEGMENT: Duration = Duration::from_millis(200);

/// Plays deals of a tournament again, and finds the decisions at which two bots differ.
pub struct Shadow<'a> {
    /// The tournament, of single deals.
    pub tournament: &'a Tournament,
    /// The number of the variant.
    pub variant: usize,
    /// The bot whose decisions are examined, and the bot that shadows it.
    pub pair: [BotId; 2],
    /// The numbers of the deals.
    pub numbers: &'a [Range<u64>],
    /// The threads to play on. Results do not depend on their number.
    pub pool: &'a rayon::ThreadPool,
    /// Ends the comparison within a moment once set.
    pub stop: &'a Arc<AtomicBool>,
    /// Receives the number of finished deals now and then.
    pub progress: &'a mut dyn FnMut(u64),
}

impl Shadow<'_> {
    /// Plays the deals. Returns `None` if it was stopped.
    pub fn play(self) -> Option<Partings> {
        let tournament = self.tournament;
        let (variant, game) = &tournament.variants[self.variant].erased();
        let seeds = Seeds::new(tournament.luck(), &variant.name, game.as_ref(), tournament.unit);
        let threads = self.pool.current_num_threads();
        let roster = Roster::new(&tournament.bots, variant, threads, self.stop, None);
        let mut workers = Vec::with_capacity(threads);
        for thread in 0..threads {
            let mut strategies = roster.strategies(thread).expect("the config checked that every bot plays every game");
            strategies.push(substitute(variant));
            let schedule = &tournament.schedules[self.variant];
            let bots = Bots {
                game: game.as_ref(),
                seeds: &seeds,
                seats: schedule.seats,
                forfeits: tournament.faults.policy == FaultAction::ForfeitDeal,
                strategies,
                faults: 0,
            };
            workers.push(Mutex::new(ShadowWorker {
                bots,
                schedule,
                pair: self.pair,
                kinds: game.contract_kinds().into_iter().map(|kind| kind.name).collect(),
                partings: Partings::new(tournament.groups),
            }));
        }
        let (mut done, mut size) = (0, threads as u64 * 2);
        for range in self.numbers {
            let mut next = range.start;
            while next < range.end {
                let start = Instant::now();
                let end = range.end.min(next + size);
                play_numbers(next..end, &workers, self.pool, self.stop);
                if self.stop.load(Ordering::Relaxed) {
                    return None;
                }
                done += end - next;
                next = end;
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

/// Plays the deals of these numbers on all threads, until `stop` is set.
fn play_numbers(numbers: Range<u64>, workers: &[Mutex<ShadowWorker<'_>>], pool: &rayon::ThreadPool, stop: &AtomicBool) {
    let next = AtomicU64::new(numbers.start);
    pool.broadcast(|thread| {
        let mut worker = workers[thread.index()].lock().expect("a thread that panics ends the run");
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || stop.load(Ordering::Relaxed) {
                break;
            }
            worker.play_number(number);
        }
    });
}

/// The bots of a thread, and its counts.
struct ShadowWorker<'a> {
    bots: Bots<'a>,
    schedule: &'a Schedule,
    pair: [BotId; 2],
    kinds: Vec<String>,
    partings: Partings,
}

/// A game of the run, for comparison with the game without the first bot.
struct Compared<'a> {
    id: GameId,
    sitting: Sitting<'a>,
    real: Played,
    /// The margin of the first bot in the game of the run.
    margin: i64,
    /// The decisions at which the second bot would have chosen differently.
    differences: Vec<Difference>,
}

impl ShadowWorker<'_> {
    /// Plays every game of a number in which the two bots meet.
    ///
    /// Each is played as in the run, with the second bot in place of the first, and from each decision at
    /// which the two differ.
    fn play_number(&mut self, number: u64) {
        let [one, other] = self.pair;
        let setup = self.bots.seeds.setup(self.bots.game, number, &Standing::default());
        let dealt = self.bots.seeds.deal(self.bots.game, number, setup);
        for line_up in self.schedule.line_up_ids() {
            let members = &self.schedule.line_ups[line_up.index()];
            if !members.contains(&one) || !members.contains(&other) {
                continue;
            }
            // Two seatings may lead to the same game once the second bot replaces the first.
            let mut replaced: Vec<(BySeat<BotId>, Played)> = Vec::new();
            for &seating in self.schedule.played(line_up) {
                let sitting = Sitting { number, dealt: &dealt, bots: self.schedule.bots(line_up, seating) };
                let shadowed = self.bots.play_shadowed(&sitting, self.pair);
                let with_other = sitting.with(self.pair);
                let at = replaced.iter().position(|(seated, _)| *seated == with_other.bots).unwrap_or_else(|| {
                    let beginning = self.bots.beginning(&with_other);
                    replaced.push((with_other.bots, self.bots.play(&with_other, beginning)));
                    replaced.len() - 1
                });
                let margin = self.margin(&sitting, &shadowed.played);
                let chairs = sitting.bots.of(self.schedule.seats).iter().filter(|&&bot| bot == one).count() as u64;
                self.partings.add_game(number, margin, chairs, shadowed.decisions);
                self.price(
                    Compared {
                        id: GameId { number, line_up, seating },
                        sitting,
                        real: shadowed.played,
                        margin,
                        differences: shadowed.differences,
                    },
                    &replaced[at].1,
                );
            }
        }
        self.partings.add_faults(std::mem::take(&mut self.bots.faults));
    }

    /// Returns the margin of the first bot over the second, by their seats in `sitting`.
    fn margin(&self, sitting: &Sitting, played: &Played) -> i64 {
        let [one, other] = self.pair;
        let seats = self.schedule.seats;
        let sign = |bot: BotId| i64::from(bot == one) - i64::from(bot == other);
        let scores = sitting.bots.of(seats).iter().zip(played.scores.of(seats));
        scores.map(|(&bot, &score)| sign(bot) * i64::from(score)).sum()
    }

    /// Counts the worth of each decision at which the two differ.
    ///
    /// It is the margin if the second bot plays on after the first's choice, minus the margin if it plays on
    /// after its own choice. In `without`, the second bot has the first's place from the start.
    fn price(&mut self, game: Compared, without: &Played) {
        let Compared { id, sitting, real, margin, differences } = game;
        let without_margin = self.margin(&sitting, without);
        let parting = real.moves.iter().zip(&without.moves).position(|(one, other)| one != other);
        let is_noted = |first: &Difference| parting == Some(first.at) && first.would == without.moves[first.at];
        let first_is_parting = differences.first().is_some_and(is_noted);
        let with_other = sitting.with(self.pair);
        // By difference: the margin if the second bot plays on from it; then the margin of the run.
        let mut margins = Vec::new();
        let mut situations = Vec::new();
        for (number, difference) in differences.into_iter().enumerate() {
            margins.push(if number == 0 && first_is_parting {
                without_margin
            } else {
                let played = self.bots.play(&with_other, difference.after);
                self.margin(&sitting, &played)
            });
            situations.push(difference.situation);
        }
        margins.push(margin);
        if !first_is_parting {
            self.price_unnoted(id, &sitting, &real, without, parting, margins[0] - without_margin);
        }
        for (number, situation) in situations.into_iter().enumerate() {
            let worth = margins[number + 1] - margins[number];
            let is_first = number == 0 && first_is_parting;
            self.partings.add_difference(id, worth, is_first, &self.finished(situation, &real));
        }
    }

    /// Counts a difference that the shadow did not show when it was asked. An external bot has forfeited the
    /// deal, or did not repeat its choice.
    fn price_unnoted(
        &mut self,
        id: GameId,
        sitting: &Sitting,
        real: &Played,
        without: &Played,
        parting: Option<usize>,
        points: i64,
    ) {
        let Some(at) = parting else {
            if points != 0 {
                self.partings.add_difference(id, points, true, &forfeit());
            }
            return;
        };
        let mut state = *sitting.dealt;
        real.moves[..at].iter().for_each(|&made| self.bots.game.play_unchecked(&mut state, made));
        let situation = situation(self.bots.game, &state, real.moves[at], without.moves[at]);
        self.partings.add_difference(id, points, true, &self.finished(situation, real));
    }

    /// Returns the situation with the contract, which is known only when the deal is over.
    fn finished(&self, mut situation: Situation, real: &Played) -> Situation {
        if let Some(kind) = real.contract.and_then(|kind| self.kinds.get(usize::from(kind))) {
            situation[Partings::CONTRACT] = kind.clone().into();
        }
        situation
    }
}
