//! The tables for designers of games.
//!
//! They report the worth of each seat, how deals end, and where the variance of scores comes from.

use overtrick_cards::table::Role;
use overtrick_ratings::interval::{GroupSum, grouped_mean};
use overtrick_ratings::{Entrant, Outcome};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_tournament::{Format, Unit};

use super::contrast::mean_difference;
use super::counted::Counted;
use super::match_course::MatchCourse;
use super::record::Record;
use super::rows::{BalanceRow, Figure, SeatRow};
use super::share::{Cluster, share};
use super::span::Span;

impl Counted<'_> {
    /// Returns the rows by role, first over all bots, then bot by bot.
    ///
    /// There are no rows over all bots if several bots play only with themselves, because these have nothing
    /// in common.
    pub(super) fn seat_rows(&self, outcomes: &[Outcome]) -> Vec<SeatRow> {
        let (teams, bots) = (self.schedule.teams.count(), self.tournament.bots.len());
        let role = |entrant: &Entrant| entrant.seat.expect("roles are known");
        let all = Record::grouped(teams, self.tally.groups(), outcomes, role);
        let of_bot = |entrant: &Entrant| entrant.player * teams + role(entrant);
        let by_bot = Record::grouped(bots * teams, self.tally.groups(), outcomes, of_bot);
        let mut rows = Vec::new();
        if !self.is_apart() {
            rows.extend(self.seat_rows_of(None, &all));
        }
        let by_bot = self.tournament.bot_ids().zip(by_bot.chunks(teams));
        for (bot, records) in by_bot.filter(|&(bot, _)| self.tally.scores(bot).count() > 0) {
            rows.extend(self.seat_rows_of(Some(bot), records));
        }
        rows
    }

    /// Returns whether there are several bots and each plays only with itself.
    pub(super) fn is_apart(&self) -> bool {
        self.tournament.format == Format::Mirror && self.schedule.line_ups.len() > 1
    }

    /// Returns the rows of one bot, or of all; `records` are by the first role of each team, and group.
    fn seat_rows_of(&self, bot: Option<BotId>, records: &[Vec<Record>]) -> Vec<SeatRow> {
        let is_meant = |l: LineUpId, s: SeatingId, role: Role| bot.is_none_or(|bot| self.bot(l, s, role) == bot);
        let every_role = self.groups(is_meant);
        let mut rows = Vec::new();
        for (role, records) in Role::all(self.schedule.seats).zip(records.iter().cycle()) {
            let groups = self.groups(|l, s, r| r == role && is_meant(l, s, r));
            let GroupSum { sum, count: deals } = GroupSum::total(&groups);
            let mut squares = 0;
            for (line_up, seating) in self.schedule.cell_ids().filter(|&(l, s)| is_meant(l, s, role)) {
                squares += self.tally.role_square(line_up, seating, role);
            }
            let spread = (squares as f64 - sum as f64 * (sum as f64 / deals as f64)) / (deals as f64 - 1.0);
            let [won, tied, lost] = Record::shares(records, self.games_together(), |_| 1.0);
            rows.push(SeatRow {
                variant: self.variant.to_owned(),
                bot: self.name(bot),
                seat: role.name(self.schedule.seats),
                deals,
                mean: grouped_mean(&groups).map(|mean| mean.if_known(deals)).into(),
                advantage: mean_difference(&groups, &every_role).map(|worth| worth.if_known(deals)).into(),
                sd: Figure((deals > 1).then(|| spread.max(0.0).sqrt())),
                won,
                tied,
                lost,
            });
        }
        rows
    }

    /// Returns a bot, or all.
    pub(super) fn bots(&self, bot: Option<BotId>) -> impl Iterator<Item = BotId> {
        self.tournament.bot_ids().filter(move |&own| bot.is_none_or(|bot| own == bot))
    }

    /// Returns the name of a bot in a row, or `all`.
    pub(super) fn name(&self, bot: Option<BotId>) -> String {
        bot.map_or("all", |bot| &self.tournament.bot(bot).name).to_owned()
    }

    /// Returns the most games that share a number, each counted once for each seat that a bot has in it.
    pub(super) fn games_together(&self) -> u64 {
        (self.schedule.games_a_number() * self.schedule.teams.count()) as u64
    }

    /// Returns the most deals that share a number; for matches, their average number.
    pub(super) fn deals_together(&self) -> u64 {
        match self.tournament.unit {
            Unit::Deal => self.schedule.games_a_number() as u64,
            Unit::Match => {
                let deals: u64 = self.tally.group_ids().map(|group| self.tally.ends(None, group).deals).sum();
                deals.div_ceil(self.tally.blocks().count.max(1))
            }
        }
    }

    /// Returns one row for all bots together, or a row for each bot if several play only with themselves.
    ///
    /// `assembled` is the course of matches put together from single deals. `times` is the factor by which a
    /// test widens the intervals of measures of how far one bot is ahead.
    pub(super) fn balance_rows(&self, assembled: &MatchCourse, times: f64) -> Vec<BalanceRow> {
        if !self.is_apart() {
            return vec![self.balance_row(None, assembled, times)];
        }
        let mut rows = Vec::new();
        for (line_up, members) in self.schedule.line_up_ids().zip(&self.schedule.line_ups) {
            rows.push(self.balance_row(Some((members[0], line_up)), assembled, times));
        }
        rows
    }

    /// Returns the row of a bot that has a line-up alone, or of all bots.
    fn balance_row(&self, own: Option<(BotId, LineUpId)>, assembled: &MatchCourse, times: f64) -> BalanceRow {
        let (bot, line_up) = own.unzip();
        let (mut tied, mut exceptional, mut passed_out) = (Vec::new(), Vec::new(), Vec::new());
        for group in self.tally.group_ids() {
            let ends = self.tally.ends(line_up, group);
            tied.push(GroupSum::of_events(ends.tied, ends.deals));
            exceptional.push(GroupSum::of_events(ends.exceptional, ends.deals));
            passed_out.push(GroupSum::of_events(ends.passed_out, ends.deals));
        }
        let together = if own.is_some() && self.tournament.unit == Unit::Deal { 1 } else { self.deals_together() };
        let mut bots = self.bots(bot);
        let mut scores = self.tally.scores(bots.next().expect("a tournament has bots")).clone();
        for more in bots {
            scores.merge(self.tally.scores(more));
        }
        let [variance_bot, variance_seat, variance_deal, variance_rest] = self.variance_shares(own, times);
        let span = if own.is_none() { Span::new(self) } else { Span::default() };
        let of_matches = match self.tournament.unit {
            Unit::Deal => *assembled,
            Unit::Match => {
                let sums = self.tally.group_ids().map(|group| self.tally.match_sums(line_up, group));
                MatchCourse::new(&sums.collect::<Vec<_>>(), Cluster::of(self.schedule.games_a_number() as u64))
            }
        };
        BalanceRow {
            variant: self.variant.to_owned(),
            bot: self.name(bot),
            deals: GroupSum::total(&tied).count,
            blocks: self.tally.blocks().count,
            sd: Figure(scores.sd()),
            p05: scores.quantile(0.05),
            p25: scores.quantile(0.25),
            p50: scores.quantile(0.5),
            p75: scores.quantile(0.75),
            p95: scores.quantile(0.95),
            tied: share(&tied, together).into(),
            exceptional: share(&exceptional, together).into(),
            passed_out: share(&passed_out, together).into(),
            variance_bot,
            variance_seat,
            variance_deal,
            variance_rest,
            win_sd: span.win_sd,
            span: span.span,
            matches_from: of_matches.median.value.map(|_| self.tournament.unit.plural()),
            match_deals: of_matches.median,
            match_deals_p95: of_matches.p95,
            leader_wins: of_matches.leader_wins,
            comebacks: of_matches.comebacks,
        }
    }
}
