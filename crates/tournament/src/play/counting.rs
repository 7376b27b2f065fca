//! The sink of a run, which counts every deal in a tally.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use overtrick_cards::table::Role;
use overtrick_game::FullGame;
use overtrick_strategy::ids::{BotId, GroupId};

use super::analysis::Analysis;
use super::control::Progress;
use super::logged::LoggedDeal;
use super::sink::{PlayedDeal, ResultSink};
use crate::{Block, Format, Margins, OpenNumber, Pattern, SampledDeal, Schedule, Tally, Tournament, Unit};

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
    progress: &'a Progress,
    unit: Unit,
    /// Whether margins are counted: points of the first bot minus points of the second.
    duel: bool,
    /// Whether every chair has a different bot.
    distinct: bool,
    /// Whether each deal is a block, because no other game has its number. Then no block stays open.
    alone: bool,
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
        let (schedule, distinct) =
            (&tournament.schedules[variant], matches!(tournament.format, Format::RoundRobin | Format::Gauntlet));
        Counting {
            schedule,
            progress,
            unit: tournament.unit,
            duel: tournament.format == Format::Duel,
            distinct,
            alone: tournament.unit == Unit::Deal && schedule.games_a_number() == 1 && !distinct,
            open: Vec::new(),
            places: tournament.has_processes().then(HashMap::new),
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
        self.pause();
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
        if self.distinct {
            margins.clear();
            margins.resize(self.tally.swings().pairs(), 0);
        }
        self.open.push(OpenBlock { number, left: self.schedule.games_a_number(), sums: Block::default(), margins });
    }

    /// Counts the course of a deal from trick to trick. A forfeited deal is left out, because a stand-in
    /// played it.
    #[cold]
    fn add_course<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>, group: GroupId) {
        if let Some(course) = deal.course().filter(|_| !deal.is_forfeited) {
            self.tally.add_course(deal.id.line_up, group, &deal.bots, &course);
        }
    }

    /// Counts the losses by the plays of a deal. A forfeited deal is left out, because a stand-in played it.
    #[cold]
    fn add_judged<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        if deal.is_forfeited {
            return;
        }
        if let Some(judged) = self.analysis.get_or_insert_with(Analysis::new).judge(deal) {
            self.tally.add_judged(deal.id.number, deal.state.table.dealer(), &deal.bots, &judged);
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

    /// Adds a finished block to the tally. `margins` has every two bots, if every chair has a different bot.
    #[inline]
    fn close_block(&mut self, number: u64, sums: &Block, margins: &[i64]) {
        let of_pairs = if self.duel { std::slice::from_ref(&sums.margin) } else { margins };
        self.tally.add_block(number, sums, of_pairs);
    }
}

impl ResultSink for Counting<'_> {
    #[inline]
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        let (id, seats, dealer) = (deal.id, self.schedule.seats, deal.state.table.dealer());
        let group = self.tally.group(id.number);
        let scores = deal.scores.by_role(dealer, seats);
        let bots = deal.bots.by_role(dealer, seats);
        let seating = self.schedule.by_role(id.seating, dealer);
        self.deals += 1;
        self.tally.add_deal(id.line_up, group, seating, scores, bots);
        if let Some(contract) = deal.contract {
            self.tally.add_contract(group, contract, &deal.scores, &deal.bots);
        }
        let is_exceptional = !deal.is_forfeited && deal.game.is_exceptional(deal.state, &deal.scores);
        if let Some(log) = &mut self.log {
            log.push(LoggedDeal::of(deal, is_exceptional));
        }
        let declarer = deal.contract.and_then(|contract| contract.declarer);
        let is_passed_out = deal.state.table.tricks_played() == 0 && declarer.is_none() && !deal.is_forfeited;
        let outcome = Pattern::of(scores, seats);
        self.tally.add_end(id.line_up, group, scores, outcome, is_exceptional, is_passed_out);
        if self.tally.curves().keeps(id.number) {
            self.add_course(deal, group);
        }
        if self.tally.given_away().keeps(id.number) {
            self.add_judged(deal);
        }
        if self.unit == Unit::Deal {
            self.tally.add_game(id.line_up, group, seating, outcome);
            self.tally.add_sample(id.line_up, id.number, seating, || SampledDeal {
                scores,
                declarer: deal.contract.and_then(|contract| Some(Role::of(contract.declarer?, dealer, seats))),
                counts: deal.game.counts(deal.state),
                thrown_in_earlier: deal.game.thrown_in_earlier(deal.state).filter(|_| !deal.is_forfeited),
            });
        }
        let duel = self.duel;
        let sign = |bot: BotId| if duel { [1, -1][bot.index()] } else { 0 };
        if self.alone {
            let mut sums = Block::default();
            sums.add_deal(seats, scores, bots, sign);
            self.close_block(id.number, &sums, &[]);
            self.games += 1;
            return;
        }
        let block = self.block(id.number);
        let open = &mut self.open[block];
        open.sums.add_deal(seats, scores, bots, sign);
        if self.distinct {
            self.tally.swings().add_deal(&mut open.margins, seats, scores, bots);
        }
        if self.unit == Unit::Match {
            let Some(end) = &deal.match_end else { return };
            if end.was_cut_off {
                self.tally.add_cut_off(id.line_up, group);
            }
            self.tally.add_match(id.line_up, group, end.deals, &end.half_time, &end.places);
            let values = end.places.map(|place| -i32::from(place));
            let seating = self.schedule.by_role(id.seating, end.first_dealer);
            let outcome = Pattern::of(values.by_role(end.first_dealer, seats), seats);
            self.tally.add_game(id.line_up, group, seating, outcome);
        }
        self.close_game(block);
    }

    /// Updates the shared progress. This is not done after every deal, because threads would wait for each
    /// other's cache lines.
    fn pause(&mut self) {
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
