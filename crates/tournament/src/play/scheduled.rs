//! The games of a schedule as the engine plays them, from a source into a sink.

use std::collections::BTreeMap;

use overtrick_cards::select::Portable;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{DealResult, FullGame, HalfTime};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealKey, Fault, FaultKind};
use overtrick_strategy::{Audited, Pending};

use super::engine::{Engine, Workload};
use super::fault_book::FaultBook;
use super::forfeit::forfeit;
use super::sink::{GameId, MatchEnd, PlayedDeal, ResultSink};
use super::source::{DealSource, first_deal};
use crate::{FaultPosition, NotedFault, Unit};

#[derive(Clone, Copy)]
struct InProgress {
    id: GameId,
    /// The dealer of the first deal, from whom roles are counted in a match.
    first_dealer: Seat,
    /// By seat: whether its bot has forfeited the current deal, so that the substitute plays on.
    forfeited: BySeat<bool>,
}

/// The games of one thread.
pub(super) struct Scheduled<'a, G: FullGame, S> {
    pub(super) source: DealSource<'a, G>,
    pub(super) sink: S,
    /// The number of finished games.
    pub(super) finished: u64,
    pub(super) faults: FaultBook,
    /// By bot: the decisions that it will be asked again.
    audited: BTreeMap<BotId, Vec<(Audited, FaultPosition, NotedFault)>>,
    /// The variant's name.
    variant: &'a str,
    /// By slot: the game in progress.
    games: Vec<InProgress>,
    /// By slot, in matches: the candidates for half time.
    half_times: Vec<HalfTime>,
}

impl<'a, G: FullGame, S: ResultSink> Scheduled<'a, G, S> {
    pub(super) fn new(variant: &'a str, source: DealSource<'a, G>, sink: S, faults: FaultBook) -> Scheduled<'a, G, S> {
        Scheduled {
            source,
            sink,
            finished: 0,
            faults,
            audited: BTreeMap::new(),
            variant,
            games: Vec::new(),
            half_times: Vec::new(),
        }
    }

    /// Forgets the games in progress, because they are over or will be played again.
    pub(super) fn clear(&mut self) {
        self.games.clear();
        self.half_times.clear();
    }

    /// Makes `deal` the first deal of the next game.
    #[inline]
    fn begin(&mut self, game: &G, deal: &mut Pending<G>) -> Option<InProgress> {
        let begun = self.source.begin(game, deal);
        // Also if no game is left, for the counts of the last games.
        if std::mem::take(&mut self.source.has_taken) {
            self.sink.flush_progress();
        }
        let id = begun?;
        Some(InProgress { id, first_dealer: deal.state.table.dealer(), forfeited: BySeat::default() })
    }

    /// Returns the next number whose games are played together, with its first deal.
    ///
    /// `part` gets the games that are left of it, or none if all are.
    pub(super) fn next_number(&mut self, game: &G, part: &mut Vec<(LineUpId, SeatingId)>) -> Option<(u64, Pending<G>)> {
        let next = self.source.next_number(game, part);
        if std::mem::take(&mut self.source.has_taken) {
            self.sink.flush_progress();
        }
        next
    }

    /// Records the finished deal of several games of a number, which had the same moves.
    pub(super) fn finish(&mut self, game: &G, deal: &Pending<G>, number: u64, games: &[(LineUpId, SeatingId)]) {
        let (scores, contract) = (game.scores(&deal.state), game.contract_result(&deal.state));
        for &(line_up, seating) in games {
            self.sink.add(&PlayedDeal {
                game,
                state: &deal.state,
                id: GameId { number, line_up, seating },
                bots: self.source.schedule().bots(line_up, seating),
                scores,
                contract,
                is_forfeited: false,
                match_end: None,
                standing: deal.standing,
                seeds: self.source.seeds(),
            });
        }
        self.finished += games.len() as u64;
    }

    /// Ends a deal that some bots have forfeited. They and their partners get the lowest score that the
    /// variant allows, and all bots take their seats again.
    #[cold]
    fn settle(&mut self, game: &G, slot: usize, deal: &mut Pending<G>, scores: &mut BySeat<i32>) {
        let InProgress { id, forfeited, .. } = self.games[slot];
        forfeit(game, forfeited, scores);
        deal.bots = self.source.schedule().bots(id.line_up, id.seating);
        self.games[slot].forfeited = BySeat::default();
    }

    /// Returns true if there are decisions to ask again.
    pub(super) fn has_audited(&self) -> bool {
        !self.audited.is_empty()
    }

    /// Asks decisions again, of processes without history. Books those that are answered differently as
    /// faults.
    pub(super) fn ask_again(&mut self, game: &G, engine: &mut Engine<G>) {
        for (bot, noted) in std::mem::take(&mut self.audited) {
            let (audited, places): (Vec<_>, Vec<_>) =
                noted.into_iter().map(|(audited, position, fault)| (audited, (position, fault))).unzip();
            for (number, Fault { kind, what }) in engine.audit(game, bot, audited) {
                let (position, fault) = places[number].clone();
                self.faults.note(bot, position, NotedFault { kind, what, ..fault });
            }
        }
    }

    /// Returns a fault in a slot with its bot and its position.
    fn noted(&self, slot: usize, deal: &Pending<G>, fault: Fault) -> (BotId, FaultPosition, NotedFault) {
        let (id, seat) = (self.games[slot].id, deal.seat);
        let position = FaultPosition {
            number: id.number,
            line_up: id.line_up,
            seating: id.seating,
            deal: deal.standing.deals,
            step: (deal.state.table.calls().len() + deal.state.table.plays().len()) as u32,
        };
        let schedule = self.source.schedule();
        let seated = schedule.bots(id.line_up, id.seating);
        // A seat that no bot has keeps its default.
        let mut bots = BySeat::default();
        Seat::all(schedule.seats).for_each(|seat| bots[seat] = seated[seat]);
        let fault = NotedFault { kind: fault.kind, what: fault.what, seat, bots };
        (bots[seat], position, fault)
    }
}

impl<G: FullGame, S: ResultSink> Workload<G> for Scheduled<'_, G, S> {
    fn open(&mut self, game: &G, slot: usize) -> Option<Pending<G>> {
        if !self.source.has_room(slot) {
            return None;
        }
        // Any deal will do, because the next one replaces it.
        let mut deal = first_deal(self.source.seeds(), game, 0).pending();
        let begun = self.begin(game, &mut deal)?;
        debug_assert_eq!(slot, self.games.len());
        self.games.push(begun);
        self.half_times.push(HalfTime::default());
        Some(deal)
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let InProgress { id, first_dealer, forfeited } = self.games[slot];
        let seats = self.source.schedule().seats;
        let mut scores = game.scores(&deal.state);
        let contract = game.contract_result(&deal.state);
        let is_forfeited = forfeited.of(seats).contains(&true);
        if is_forfeited {
            self.settle(game, slot, deal, &mut scores);
        }
        let is_match = self.source.seeds().unit() == Unit::Match;
        let (before, mut match_end) = (deal.standing, None);
        if is_match {
            let (standing, ending) = (&mut deal.standing, game.ending());
            standing.add(&scores, game.counts(&deal.state));
            let half_time = &mut self.half_times[slot];
            half_time.add(standing.totals);
            let declarer = contract.and_then(|contract| contract.declarer);
            let result = DealResult { dealer: deal.state.table.dealer(), declarer, scores };
            match_end = ending.places(standing, &result, game.layout().teams()).map(|places| {
                let was_cut_off = ending.was_cut_off(standing, seats);
                let totals = half_time.totals();
                half_time.begin();
                MatchEnd { first_dealer, places, deals: standing.deals, half_time: totals, was_cut_off }
            });
        }
        self.sink.add(&PlayedDeal {
            game,
            state: &deal.state,
            id,
            bots: deal.bots,
            scores,
            contract: contract.filter(|_| !is_forfeited),
            is_forfeited,
            match_end,
            standing: before,
            seeds: self.source.seeds(),
        });
        if is_match && match_end.is_none() {
            self.source.deal_on(game, id.number, deal);
            return true;
        }
        self.finished += 1;
        let Some(begun) = self.begin(game, deal) else { return false };
        self.games[slot] = begun;
        true
    }

    fn audit(&mut self, slot: usize, deal: &Pending<G>, audited: Audited) {
        // The kind of the fault is set when the decision has been asked again.
        let (bot, position, fault) = self.noted(slot, deal, Fault::new(FaultKind::Irreproducible, ""));
        self.audited.entry(bot).or_default().push((audited, position, fault));
    }

    fn note(&mut self, slot: usize, deal: &Pending<G>, fault: Fault) {
        let (bot, position, fault) = self.noted(slot, deal, fault);
        self.faults.note(bot, position, fault);
    }

    fn make_good(&mut self, game: &G, slot: usize, deal: &mut Pending<G>, fault: Fault) -> bool {
        self.note(slot, deal, fault);
        let seat = deal.seat;
        if self.faults.forfeits() {
            self.games[slot].forfeited[seat] = true;
            deal.bots[seat] = self.faults.substitute();
            self.source.deal_on(game, self.games[slot].id.number, deal);
            return false;
        }
        deal.answer = pick(deal.legal, &mut deal.streams[seat], Portable);
        true
    }

    fn key(&self, slot: usize, deal: &Pending<G>) -> DealKey {
        let GameId { number, line_up, seating } = self.games[slot].id;
        let seated = self.source.schedule().bots(line_up, seating);
        self.source.seeds().deal_key(number, &deal.standing, seated)
    }

    fn describe(&self, slot: usize) -> String {
        let GameId { number, line_up, seating } = self.games[slot].id;
        format!("number {number} of {} (line-up {line_up}, seating {seating})", self.variant)
    }
}
