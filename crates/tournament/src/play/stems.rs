//! Plays the games of a number together for as long as their bots choose alike.
//!
//! All games of a number have the same cards, and streams of random numbers belong to seats. So two games
//! differ only from the first decision on at which their bots choose differently. Until then they are one
//! *stem*. Its next decision is put once to each bot that sits at the deciding seat in any of its games, and it
//! parts into one stem for each different answer.
//!
//! The results are exactly those of the games played one by one, because a choice may depend only on the view,
//! the legal moves and the stream (see [`Strategy`](overtrick_strategy::Strategy)). Two bots that choose alike
//! nearly always are asked for two decisions at each point of a deal for three. Their six mixed seatings, one
//! by one, ask for six.

use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::FullGame;
use overtrick_strategy::Pending;
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};

use super::engine::{Engine, IN_FLIGHT, check_renege};
use super::scheduled::Scheduled;
use super::sink::ResultSink;
use crate::{Schedule, Unit};

/// The most bots of a tournament that is played in stems.
const MOST_BOTS: usize = 512;

/// The most games of a number that are played in stems. Every stem lists its games.
const MOST_GAMES: usize = 1 << 17;

/// The decisions in flight from which no more stems are opened.
const MOST_ASKED: usize = 2 * IN_FLIGHT;

/// The decisions after which it is known whether stems pay.
const TRIAL: u64 = 4_000;

/// The share of the decisions that may have to be asked for if stems pay.
const MOST_TO_PAY: f64 = 0.8;

/// Games of one number in which all moves so far are the same.
#[derive(Default)]
struct Stem {
    number: u64,
    games: Vec<(LineUpId, SeatingId)>,
    /// By seat: the bots that sit there in any of the games, each once.
    bots: BySeat<Vec<BotId>>,
    /// The slot of the second of the bots that are asked; the others follow.
    others: usize,
}

impl Stem {
    /// Lists the bots by seat.
    fn gather_bots(&mut self, schedule: &Schedule) {
        let mut seen = BySeat::from_fn(|_| [0u64; MOST_BOTS / 64]);
        for seat in Seat::all(schedule.seats) {
            self.bots[seat].clear();
        }
        for &(line_up, seating) in &self.games {
            let seated = schedule.bots(line_up, seating);
            for seat in Seat::all(schedule.seats) {
                let bot = seated[seat];
                let (word, bit) = (&mut seen[seat][bot.index() / 64], 1 << (bot.index() % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    self.bots[seat].push(bot);
                }
            }
        }
    }

    /// Returns the most bots that may be asked for one decision.
    fn width(&self) -> usize {
        self.bots.iter().map(|(_, bots)| bots.len()).max().unwrap_or_default()
    }

    /// Returns the slot of the `nth` bot that is asked, for a stem in `slot`.
    fn slot_of(&self, slot: usize, nth: usize) -> usize {
        if nth == 0 { slot } else { self.others + nth - 1 }
    }
}

/// The games that a thread plays in stems.
pub(super) struct Stems<G: FullGame> {
    /// Whether the games may be played in stems, and could gain from it.
    is_on: bool,
    /// All games of a number.
    all: Stem,
    /// By slot: the stems in flight.
    stems: Vec<Stem>,
    /// By slot: the deals of the stems as the first bot is asked, then as the other bots are.
    deals: Vec<Pending<G>>,
    /// Stems that have parted from others and wait for a slot.
    waiting: Vec<(Stem, Pending<G>)>,
    /// By bot: the slots in which it has to decide.
    due: Vec<Vec<u16>>,
    /// By bot: the number of its answer among the different answers to a decision.
    answer_of: Vec<usize>,
    /// Stems that are over, kept for their memory.
    spare: Vec<Stem>,
    /// The decisions of all games so far.
    decisions: u64,
    /// The decisions that bots were asked for.
    asked: u64,
}

impl<G: FullGame> Stems<G> {
    /// Makes the stems of a schedule, for bots that `engine` plays.
    ///
    /// Matches are played one by one, and so are games of external bots.
    pub(super) fn new(schedule: &Schedule, unit: Unit, engine: &Engine<G>) -> Stems<G> {
        let bots = engine.bots();
        let mut all = Stem::default();
        let is_small = bots <= MOST_BOTS && schedule.games_with_copies() <= MOST_GAMES;
        let mut is_on = is_small && unit == Unit::Deal && engine.chooses_by_view();
        if is_on {
            all.games.extend(schedule.games());
            all.gather_bots(schedule);
            let asked: usize = all.bots.iter().map(|(_, bots)| bots.len()).sum();
            is_on = pays(asked as u64, (all.games.len() * schedule.seats) as u64);
        }
        Stems {
            is_on,
            all,
            stems: Vec::new(),
            deals: Vec::new(),
            waiting: Vec::new(),
            due: vec![Vec::new(); bots],
            answer_of: vec![0; bots],
            spare: Vec::new(),
            decisions: 0,
            asked: 0,
        }
    }

    /// Returns the same stems, which are not played unless they are allowed.
    pub(super) fn allowed(self, is_allowed: bool) -> Stems<G> {
        Stems { is_on: self.is_on && is_allowed, ..self }
    }

    /// Plays all games, in stems as far as that pays. Returns false if `stop` ended it early.
    ///
    /// # Panics
    /// If a strategy chooses an illegal move.
    pub(super) fn play<S: ResultSink>(
        &mut self,
        game: &G,
        engine: &mut Engine<G>,
        games: &mut Scheduled<'_, G, S>,
        stop: &AtomicBool,
    ) -> bool {
        while self.is_on {
            self.open(game, games);
            if self.stems.is_empty() {
                break;
            }
            self.ask(game);
            engine.answer_all(game, &mut self.deals, &mut self.due);
            if stop.load(Ordering::Relaxed) {
                self.stems.clear();
                self.deals.clear();
                self.waiting.clear();
                return false;
            }
            self.advance(game, games);
        }
        engine.play(game, games, stop)
    }

    /// Returns the number of games that take as long one by one as `games` games have taken.
    pub(super) fn worth_of(&self, games: u64) -> u64 {
        if !self.is_on {
            return games;
        }
        (games as f64 * self.asked as f64 / self.decisions.max(1) as f64).ceil() as u64
    }

    /// Opens stems while there is room.
    fn open<S: ResultSink>(&mut self, game: &G, games: &mut Scheduled<'_, G, S>) {
        if games.source.is_late() {
            self.narrow(games);
            return;
        }
        let mut asked: usize = self.stems.iter().map(Stem::width).sum();
        while asked < MOST_ASKED && self.stems.len() < IN_FLIGHT && games.source.has_room(self.stems.len()) {
            let Some((stem, deal)) = self.waiting.pop().or_else(|| self.next_number(game, games)) else { break };
            asked += stem.width();
            self.stems.push(stem);
            self.deals.push(deal);
        }
    }

    /// Returns the stem of the next number, with its deal. `None` if no number is left, or if stems do not pay.
    fn next_number<S: ResultSink>(&mut self, game: &G, games: &mut Scheduled<'_, G, S>) -> Option<(Stem, Pending<G>)> {
        if self.decisions >= TRIAL && !pays(self.asked, self.decisions) {
            self.is_on = !self.stems.is_empty();
            return None;
        }
        let mut stem = self.spare.pop().unwrap_or_default();
        let deal = games.next_number(game, &mut stem.games)?;
        stem.number = deal.0;
        if stem.games.is_empty() {
            stem.games.extend_from_slice(&self.all.games);
            for (seat, bots) in stem.bots.iter_mut() {
                bots.clone_from(&self.all.bots[seat]);
            }
        } else {
            stem.gather_bots(games.source.schedule());
        }
        Some((stem, deal.1))
    }

    /// Leaves every stem in flight a single game, and gives all others back.
    fn narrow<S: ResultSink>(&mut self, games: &mut Scheduled<'_, G, S>) {
        for (stem, _) in self.waiting.drain(..) {
            games.source.give_back(stem.number, &stem.games);
        }
        for stem in &mut self.stems {
            if stem.games.len() > 1 {
                games.source.give_back(stem.number, &stem.games[1..]);
                stem.games.truncate(1);
                stem.gather_bots(games.source.schedule());
            }
        }
    }

    /// Puts the next decision of every stem to the bots that sit there.
    fn ask(&mut self, game: &G) {
        for (slot, stem) in self.stems.iter_mut().enumerate() {
            let deal = &mut self.deals[slot];
            deal.legal = game.legal(&deal.state);
            deal.seat = deal.state.table.seat_to_move();
            let bots = &stem.bots[deal.seat];
            self.decisions += stem.games.len() as u64;
            self.asked += bots.len() as u64;
            self.due[bots[0].index()].push(slot as u16);
            stem.others = self.deals.len();
            for bot in &bots[1..] {
                self.due[bot.index()].push(self.deals.len() as u16);
                self.deals.push(self.deals[slot].clone());
            }
        }
    }

    /// Makes the chosen moves.
    fn advance<S: ResultSink>(&mut self, game: &G, games: &mut Scheduled<'_, G, S>) {
        let count = self.stems.len();
        for slot in 0..count {
            if !self.is_unanimous(slot) {
                self.part(slot, game, games);
            }
            if is_over_after_answer(game, &mut self.deals[slot], &self.stems[slot]) {
                games.finish(game, &self.deals[slot], self.stems[slot].number, &self.stems[slot].games);
                self.stems[slot].games.clear();
            }
        }
        self.deals.truncate(count);
        for slot in (0..count).rev() {
            if self.stems[slot].games.is_empty() {
                self.spare.push(self.stems.swap_remove(slot));
                self.deals.swap_remove(slot);
            }
        }
    }

    /// Returns whether all bots that were asked for a stem gave the same answer and used the same randomness.
    #[inline]
    fn is_unanimous(&self, slot: usize) -> bool {
        let stem = &self.stems[slot];
        let others = stem.bots[self.deals[slot].seat].len() - 1;
        self.deals[stem.others..stem.others + others].iter().all(|other| is_same(&self.deals[slot], other))
    }

    /// Parts a stem whose bots gave different answers. The games of the first bot stay in the slot.
    #[inline(never)]
    fn part<S: ResultSink>(&mut self, slot: usize, game: &G, games: &mut Scheduled<'_, G, S>) {
        let schedule = games.source.schedule();
        let seat = self.deals[slot].seat;
        let mut whole = std::mem::take(&mut self.stems[slot]);
        // The slots of the different answers.
        let mut answers: Vec<usize> = Vec::new();
        for (nth, bot) in whole.bots[seat].iter().enumerate() {
            let own = whole.slot_of(slot, nth);
            let known = answers.iter().position(|&other| is_same(&self.deals[other], &self.deals[own]));
            self.answer_of[bot.index()] = known.unwrap_or(answers.len());
            if known.is_none() {
                answers.push(own);
            }
        }
        let mut parts: Vec<Stem> = Vec::with_capacity(answers.len());
        for _ in &answers {
            let part = self.spare.pop().unwrap_or_default();
            parts.push(Stem { number: whole.number, others: whole.others, ..part });
        }
        for game in whole.games.drain(..) {
            let bot = schedule.bots(game.0, game.1)[seat];
            parts[self.answer_of[bot.index()]].games.push(game);
        }
        self.spare.push(whole);
        for (part, answer) in parts.into_iter().zip(answers).rev() {
            let mut part = part;
            part.gather_bots(schedule);
            if answer == slot {
                self.stems[slot] = part;
                continue;
            }
            let mut deal = self.deals[answer].clone();
            if is_over_after_answer(game, &mut deal, &part) {
                games.finish(game, &deal, part.number, &part.games);
                part.games.clear();
                self.spare.push(part);
            } else {
                self.waiting.push((part, deal));
            }
        }
    }
}

/// Returns whether stems pay that ask for `asked` of all decisions.
fn pays(asked: u64, decisions: u64) -> bool {
    asked as f64 <= MOST_TO_PAY * decisions as f64
}

/// Returns whether two bots that were asked for one decision gave the same answer and used the same randomness.
#[inline]
fn is_same<G: FullGame>(one: &Pending<G>, other: &Pending<G>) -> bool {
    one.answer == other.answer && one.streams[one.seat] == other.streams[one.seat]
}

/// Makes the chosen move in the deal of a stem. Returns whether the deal is over.
#[inline]
fn is_over_after_answer<G: FullGame>(game: &G, deal: &mut Pending<G>, stem: &Stem) -> bool {
    if !deal.legal.contains(deal.answer) {
        check_renege(game, deal, || format!("number {}", stem.number));
    }
    game.play_unchecked(&mut deal.state, deal.answer);
    game.is_over(&deal.state)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use overtrick_external::BuildContext;
    use overtrick_game::Game;
    use overtrick_games::Variant;
    use overtrick_games::dumbo::Dumbo;
    use overtrick_strategies::{AnySpec, random, rule_based};

    use super::super::fault_book::FaultBook;
    use super::super::sink::{GameId, PlayedDeal};
    use super::super::source::{DealSource, SharedNumbers};
    use super::*;
    use crate::{FaultPolicy, Format, Seeds};

    /// The scores of all games, in the order in which they ended.
    #[derive(Default)]
    struct Scores(Vec<(GameId, BySeat<i32>)>);

    impl ResultSink for Scores {
        fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
            self.0.push((deal.id, deal.scores));
        }
    }

    /// Plays ten numbers. With `late_after` no more games begin after that number of steps until the others are
    /// over.
    fn played(is_allowed: bool, late_after: Option<usize>) -> Vec<(GameId, BySeat<i32>)> {
        let variant = Variant::preset("dumbo").unwrap();
        let game = Dumbo::new(variant.game.rules().try_into().unwrap()).unwrap();
        let specs = [AnySpec::Random(random::Params {}), AnySpec::RuleBased(rule_based::Params::default())];
        let specs = [&specs[0], &specs[1], &specs[1]];
        let strategies = specs.map(|spec| spec.build(&BuildContext::of(&variant)).unwrap());
        let mut engine = Engine::new(strategies.into());
        let schedule = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let seeds = Arc::new(Seeds::new(1, "dumbo", &game, Unit::Deal));
        let shared = Arc::new(SharedNumbers::default());
        shared.set(0..10, 10, 4);
        let source = DealSource::new(seeds, &schedule, shared);
        let mut games = Scheduled::new("dumbo", source, Scores::default(), FaultBook::new(FaultPolicy::default(), 3));
        let mut stems = Stems::new(&schedule, Unit::Deal, &engine).allowed(is_allowed);
        let never = AtomicBool::new(false);
        for _ in 0..late_after.unwrap_or_default() {
            stems.open(&game, &mut games);
            stems.ask(&game);
            engine.answer_all(&game, &mut stems.deals, &mut stems.due);
            stems.advance(&game, &mut games);
        }
        if late_after.is_some() {
            games.source.set_deadline(Some(Instant::now()));
            assert!(stems.play(&game, &mut engine, &mut games, &never));
            assert!((1..60).contains(&games.sink.0.len()), "{}", games.sink.0.len());
            let left: usize = games.source.left().iter().map(|(_, games)| games.len()).sum();
            assert_eq!(games.sink.0.len() + left, 60);
            games.source.set_deadline(None);
        }
        assert!(stems.play(&game, &mut engine, &mut games, &never));
        games.sink.0.sort_by_key(|(id, _)| (id.number, id.line_up, id.seating));
        games.sink.0
    }

    #[test]
    fn games_that_begin_again_after_a_deadline_end_as_they_would_have() {
        let one_by_one = played(false, None);
        assert_eq!(one_by_one.len(), 60);
        for late_after in [None, Some(1), Some(7), Some(30), Some(45)] {
            assert_eq!(played(true, late_after), one_by_one, "{late_after:?}");
        }
    }
}
