//! The sink of a run, which counts every deal in a tally.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use overtrick_game::FullGame;
use overtrick_strategy::ids::BotId;

use super::analysis::Analysis;
use super::control::Progress;
use super::logged::LoggedDeal;
use super::sink::{GameId, MatchEnd, PlayedDeal, ResultSink};
use crate::{
    Block, CopyLineUp, DealCourse, DealDetails, FinishedDeal, FinishedGame, Format, JudgedDeal, Margins, OpenNumber,
    Pattern, Schedule, Tally, Tournament, Unit,
};

/// A block with unfinished games.
struct OpenBlock {
    number: u64,
    left: usize,
    sums: Block,
    /// The margins of every two bots, if every chair has a different bot.
    margins: Margins,
}

/// The counts of one thread.
pub(super) struct Counting<'a> {
    schedule: &'a Schedule,
    /// The line-ups in which a bot sits twice.
    copies: Vec<CopyLineUp>,
    progress: &'a Progress,
    unit: Unit,
    /// Whether margins are counted: points of the first bot minus points of the second.
    is_duel: bool,
    /// Whether every chair has a different bot.
    has_distinct_bots: bool,
    /// Whether each deal is a block, because no other game has its number. Then no block stays open.
    deal_is_block: bool,
    open: Vec<OpenBlock>,
    /// By number: the index of its block, if many blocks are open at a time. A few are found faster by a
    /// linear search.
    places: Option<HashMap<u64, usize>>,
    /// The index of the block of the last deal, which the next deal often shares.
    last: usize,
    /// The margins of finished blocks, kept for reuse.
    spare: Vec<Margins>,
    /// The games that have not been added to the shared progress yet.
    games: u64,
    /// By bot: the sum of scores and the number of deals that have been added to the shared progress.
    reported: Vec<(i64, u64)>,
    /// The deals of a segment in the order in which they ended, if they are kept.
    pub(super) log: Option<Vec<LoggedDeal>>,
    /// Analyses the plays of the first deals; made at the first use.
    analysis: Option<Analysis>,
    pub(super) tally: Tally,
    pub(super) deals: u64,
}

impl<'a> Counting<'a> {
    /// Makes the counts of a variant; `tally` must be empty. With `keeps_deals` each deal is kept until the
    /// segment ends.
    pub(super) fn new(
        tournament: &'a Tournament,
        variant: usize,
        progress: &'a Progress,
        tally: Tally,
        keeps_deals: bool,
    ) -> Counting<'a> {
        let schedule = &tournament.schedules[variant];
        let has_distinct_bots = matches!(tournament.format, Format::RoundRobin | Format::Gauntlet);
        Counting {
            schedule,
            copies: schedule.copies().collect(),
            progress,
            unit: tournament.unit,
            is_duel: tournament.format == Format::Duel,
            has_distinct_bots,
            deal_is_block: tournament.unit == Unit::Deal && schedule.games_with_copies() == 1 && !has_distinct_bots,
            open: Vec::new(),
            places: tournament.has_external_bots().then(HashMap::new),
            last: 0,
            spare: Vec::new(),
            games: 0,
            reported: vec![(0, 0); tournament.bots.len()],
            log: keeps_deals.then(Vec::new),
            analysis: None,
            tally,
            deals: 0,
        }
    }

    /// Clears all counts after they have been added elsewhere.
    pub(super) fn clear(&mut self) {
        self.flush_progress();
        self.tally.clear();
        self.deals = 0;
        self.reported.fill((0, 0));
    }

    /// Takes over the sums of open numbers.
    pub(super) fn take_over(&mut self, open: &[OpenNumber]) {
        for OpenNumber { number, left, sums, margins } in open {
            let at = self.block(*number);
            (self.open[at].left, self.open[at].sums) = (left.len(), *sums);
            if !margins.is_empty() {
                self.open[at].margins.clone_from(margins);
            }
        }
    }

    /// Returns the sums of a number so far, and its margins.
    pub(super) fn sums(&self, number: u64) -> (Block, Margins) {
        let open = self.find(number).map(|at| &self.open[at]);
        open.map(|open| (open.sums, open.margins.clone())).unwrap_or_default()
    }

    /// Returns the index in `open` of the block of a number, if it is open.
    fn find(&self, number: u64) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(&number).copied(),
            None => self.open.iter().position(|block| block.number == number),
        }
    }

    /// Returns the index in `open` of the block of a number, and opens the block if necessary.
    #[inline]
    fn block(&mut self, number: u64) -> usize {
        if self.open.get(self.last).is_none_or(|block| block.number != number) {
            self.last = self.find(number).unwrap_or_else(|| {
                self.open_block(number);
                self.open.len() - 1
            });
        }
        self.last
    }

    #[inline(never)]
    fn open_block(&mut self, number: u64) {
        if let Some(places) = &mut self.places {
            places.insert(number, self.open.len());
        }
        let mut margins = self.spare.pop().unwrap_or_default();
        if self.has_distinct_bots {
            margins.clear();
            margins.resize(self.tally.swings().pairs(), 0);
        }
        self.open.push(OpenBlock { number, left: self.schedule.games_with_copies(), sums: Block::default(), margins });
    }

    /// Returns the facts of a deal that are counted.
    #[inline(always)]
    fn finished<G: FullGame>(&self, deal: &PlayedDeal<'_, G>) -> FinishedDeal {
        let (seats, teams, table) = (self.schedule.seats, self.schedule.teams.count(), &deal.state.table);
        let scores = deal.scores.by_role(table.dealer(), seats);
        let has_declarer = deal.contract.is_some_and(|contract| contract.declarer.is_some());
        FinishedDeal {
            number: deal.id.number,
            group: self.tally.group(deal.id.number),
            line_up: deal.id.line_up,
            seating: self.schedule.by_role(deal.id.seating, table.dealer()),
            seats,
            teams,
            dealer: table.dealer(),
            scores,
            bots: deal.bots.by_role(table.dealer(), seats),
            outcome: Pattern::of(scores, teams),
            contract: deal.contract,
            is_exceptional: !deal.is_forfeited && deal.game.is_exceptional(deal.state, &deal.scores),
            is_passed_out: !deal.is_forfeited && !has_declarer && table.tricks_played() == 0,
        }
    }

    /// Returns the match that ended with a deal; `game` is the deal as a game.
    fn finished_match(&self, id: GameId, game: FinishedGame, end: MatchEnd) -> FinishedGame {
        let values = end.places.map(|place| -i32::from(place));
        FinishedGame {
            seating: self.schedule.by_role(id.seating, end.first_dealer),
            outcome: Pattern::of(values.by_role(end.first_dealer, game.seats), game.teams),
            match_end: Some(end),
            ..game
        }
    }

    /// Counts a game of a block as finished, and adds the block to the tally after its last game.
    #[inline]
    fn close_game(&mut self, at: usize) {
        self.games += 1;
        let block = &mut self.open[at];
        block.left -= 1;
        if block.left == 0 {
            let OpenBlock { number, sums, margins, .. } = self.open.swap_remove(at);
            if let Some(places) = &mut self.places {
                places.remove(&number);
                if let Some(moved) = self.open.get(at) {
                    places.insert(moved.number, at);
                }
            }
            self.close_block(number, &sums, &margins);
            self.spare.push(margins);
        }
    }

    /// Counts a deal of the line-up with this number among those in which a bot sits twice.
    ///
    /// No other figure has a part in it.
    #[cold]
    fn add_copy<G: FullGame>(&mut self, copy: usize, deal: &PlayedDeal<'_, G>) {
        let values = match (self.unit, deal.match_end) {
            (Unit::Deal, _) => deal.scores,
            (Unit::Match, Some(end)) => end.places.map(|place| -i32::from(place)),
            (Unit::Match, None) => return,
        };
        let margin = self.copies[copy].margin(&deal.bots, &values, self.unit);
        self.tally.add_copy(copy, deal.id.number, margin);
        let block = self.block(deal.id.number);
        self.close_game(block);
    }

    /// Adds a finished block to the tally. `margins` has every two bots, if every chair has a different bot.
    #[inline]
    fn close_block(&mut self, number: u64, sums: &Block, margins: &[i64]) {
        let of_pairs = if self.is_duel { std::slice::from_ref(&sums.margin) } else { margins };
        self.tally.add_block(number, sums, of_pairs);
    }
}

impl ResultSink for Counting<'_> {
    #[inline]
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        if let Some(copy) = self.schedule.copy_number(deal.id.line_up) {
            return self.add_copy(copy, deal);
        }
        let finished = self.finished(deal);
        let FinishedDeal { number, group, line_up, seating, seats, teams, scores, bots, outcome, .. } = finished;
        let game = FinishedGame { number, group, line_up, seating, seats, teams, outcome, match_end: None };
        self.deals += 1;
        self.tally.add_deal(&finished, &mut Details { deal, analysis: &mut self.analysis });
        if let Some(log) = &mut self.log {
            log.push(LoggedDeal::of(deal, finished.is_exceptional));
        }
        if self.unit == Unit::Deal {
            self.tally.add_game(&game);
        }
        let is_duel = self.is_duel;
        let sign = |bot: BotId| if is_duel { [1, -1][bot.index()] } else { 0 };
        if self.deal_is_block {
            let mut sums = Block::default();
            sums.add_deal(seats, scores, bots, sign);
            self.close_block(number, &sums, &[]);
            self.games += 1;
            return;
        }
        let block = self.block(number);
        let open = &mut self.open[block];
        open.sums.add_deal(seats, scores, bots, sign);
        if self.has_distinct_bots {
            self.tally.swings().add_margins(&mut open.margins, teams, scores, bots);
        }
        if self.unit == Unit::Match {
            let Some(end) = deal.match_end else { return };
            self.tally.add_game(&self.finished_match(deal.id, game, end));
        }
        self.close_game(block);
    }

    /// Updates the shared progress. This is not done after every deal, because threads would wait for each
    /// other's cache lines.
    fn flush_progress(&mut self) {
        self.progress.games.fetch_add(std::mem::take(&mut self.games), Ordering::Relaxed);
        let reported = BotId::all(self.reported.len()).zip(&mut self.reported);
        for ((bot, (reported_sum, reported_deals)), (sum, deals)) in reported.zip(&self.progress.scores) {
            let scores = self.tally.scores(bot);
            let (sum_now, deals_now) = (scores.sum() as i64, scores.count());
            sum.fetch_add(sum_now - *reported_sum, Ordering::Relaxed);
            deals.fetch_add(deals_now - *reported_deals, Ordering::Relaxed);
            (*reported_sum, *reported_deals) = (sum_now, deals_now);
        }
    }
}

/// The details of a deal. A forfeited deal has no course and no losses, because a stand-in played it.
struct Details<'a, 'd, G: FullGame> {
    deal: &'a PlayedDeal<'d, G>,
    analysis: &'a mut Option<Analysis>,
}

impl<G: FullGame> DealDetails for Details<'_, '_, G> {
    #[cold]
    fn course(&mut self) -> Option<DealCourse> {
        if self.deal.is_forfeited { None } else { self.deal.course() }
    }

    #[cold]
    fn judged(&mut self) -> Option<JudgedDeal> {
        if self.deal.is_forfeited { None } else { self.analysis.get_or_insert_default().judge(self.deal) }
    }

    fn counts(&mut self) -> bool {
        self.deal.game.counts(self.deal.state)
    }

    fn thrown_in_earlier(&mut self) -> Option<bool> {
        if self.deal.is_forfeited { None } else { self.deal.game.thrown_in_earlier(self.deal.state) }
    }
}
