//! One bot in the shadow of another: at every decision that the one meets the other is asked, too, and where their
//! choices differ the game is played once more from there on with the other in the one's place.
//!
//! If the first bot's choices up to a decision are kept and all later ones are the other's, there is a game for each
//! decision: the first is the other's alone, the last is the one of the run. Two neighbours of these are the same game
//! but where the two bots differ, and then their scores say what choosing otherwise there is worth. All these worths
//! add up to the difference between the last and the first.
//!
//! All games of a deal have the same cards, the same others and the same streams of random numbers. The shadow has
//! streams of its own, so whether it is asked or not, the game is the one of the run.

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
            let schedule = &tournament.schedules[self.variant];
            let bots = Bots {
                game: game.as_ref(),
                seeds: &seeds,
                seats: schedule.seats,
                forfeits: tournament.faults.policy == FaultAction::ForfeitDeal,
                strategies,
                faults: 0,
            };
            Mutex::new(Worker {
                bots,
                schedule,
                pair: self.pair,
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

/// The bots of a thread, and what it has counted.
struct Worker<'a> {
    bots: Bots<'a>,
    schedule: &'a Schedule,
    pair: [BotId; 2],
    /// The names of the kinds of contract.
    kinds: Vec<String>,
    partings: Partings,
}

/// A game of the run, and what it is without the first bot.
struct Compared<'a> {
    id: GameId,
    sitting: Sitting<'a>,
    /// The game of the run.
    real: Played,
    /// The margin of the first bot in it.
    margin: i64,
    /// The decisions at which the second would have chosen otherwise.
    differences: Vec<Difference>,
}

impl Worker<'_> {
    /// Plays every game of a number in which the two meet: as it was, with the second in the first's place, and from
    /// each decision on at which the second would have chosen otherwise.
    fn play_number(&mut self, number: u64) {
        let [one, other] = self.pair;
        let setup = self.bots.seeds.setup(self.bots.game, number, &Standing::default());
        let dealt = self.bots.seeds.deal(self.bots.game, number, setup);
        for line_up in self.schedule.line_up_ids() {
            let members = &self.schedule.line_ups[line_up.index()];
            if !members.contains(&one) || !members.contains(&other) {
                continue;
            }
            // Two seatings may come to the same game with the second bot in the place of the first.
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

    /// The margin of the first bot over the second, by the seats that they have in `sitting`.
    fn margin(&self, sitting: &Sitting, played: &Played) -> i64 {
        let [one, other] = self.pair;
        let seats = self.schedule.seats;
        let sign = |bot: BotId| i64::from(bot == one) - i64::from(bot == other);
        let scores = sitting.bots.of(seats).iter().zip(played.scores.of(seats));
        scores.map(|(&bot, &score)| sign(bot) * i64::from(score)).sum()
    }

    /// Counts what each decision at which the two differ is worth: the margin if the second plays on after the first's
    /// choice, less the margin if it plays on after its own. `without` is the game with the second in the first's
    /// place.
    fn price(&mut self, game: Compared, without: &Played) {
        let Compared { id, sitting, real, margin, differences } = game;
        let without_margin = self.margin(&sitting, without);
        let parting = real.moves.iter().zip(&without.moves).position(|(one, other)| one != other);
        let is_noted = |first: &Difference| parting == Some(first.at) && first.would == without.moves[first.at];
        let first_is_parting = differences.first().is_some_and(is_noted);
        let with_other = sitting.with(self.pair);
        // By difference: the margin if the second plays on from it, and last that of the run.
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

    /// Counts a parting that was not seen when the shadow was asked: a bot outside of the process has forfeited the
    /// deal, or did not choose again as it had.
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

    /// The situation with what is known of it when the deal is over.
    fn finished(&self, mut situation: Situation, real: &Played) -> Situation {
        if let Some(kind) = real.contract.and_then(|kind| self.kinds.get(usize::from(kind))) {
            situation[CONTRACT] = kind.clone().into();
        }
        situation
    }
}
