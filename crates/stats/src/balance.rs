//! The tables for designers of games.
//!
//! They report the worth of each seat, how deals end, and where the variance of scores comes from.

use overtrick_cards::table::Role;
use overtrick_ratings::interval::{Estimate, grouped_mean};
use overtrick_ratings::{Entrant, Outcome};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_tournament::{Ends, Format, LineUp, Unit};

use super::contrast::mean_difference;
use super::counted::Counted;
use super::match_course::MatchCourse;
use super::record::Record;
use super::rows::{BalanceRow, Figure, Interval, SeatRow};
use super::share::{Cluster, share};
use super::span::Span;

impl Counted<'_> {
    /// Returns the rows by role, first over all bots, then bot by bot.
    ///
    /// There are no rows over all bots if several bots play only with themselves, because these have nothing
    /// in common.
    pub(super) fn seat_rows(&self, outcomes: &[Outcome]) -> Vec<SeatRow> {
        let (seats, bots) = (self.schedule.seats, self.tournament.bots.len());
        let role = |entrant: &Entrant| entrant.seat.expect("roles are known");
        let all = Record::grouped(seats, self.tally.groups(), outcomes, role);
        let of_bot = |entrant: &Entrant| entrant.player * seats + role(entrant);
        let by_bot = Record::grouped(bots * seats, self.tally.groups(), outcomes, of_bot);
        let mut rows = Vec::new();
        if !self.is_apart() {
            rows.extend(self.seat_rows_of(None, &all));
        }
        let by_bot = self.tournament.bot_ids().zip(by_bot.chunks(seats));
        for (bot, records) in by_bot.filter(|&(bot, _)| self.tally.scores(bot).count() > 0) {
            rows.extend(self.seat_rows_of(Some(bot), records));
        }
        rows
    }

    /// Returns whether there are several bots and each plays only with itself.
    pub(super) fn is_apart(&self) -> bool {
        self.tournament.format == Format::Mirror && self.schedule.line_ups.len() > 1
    }

    /// Returns the rows of one bot, or of all; `records` are by role and group.
    fn seat_rows_of(&self, bot: Option<BotId>, records: &[Vec<Record>]) -> Vec<SeatRow> {
        let seats = self.schedule.seats;
        let is_meant = |l: LineUpId, s: SeatingId, role: Role| bot.is_none_or(|bot| self.bot(l, s, role) == bot);
        let by_role: Vec<Vec<(i64, u64)>> =
            Role::all(seats).map(|role| self.groups(|l, s, r| r == role && is_meant(l, s, r))).collect();
        let every_role = self.groups(is_meant);
        let row = |role: Role| {
            let groups = &by_role[role.index()];
            let deals = groups.iter().map(|&(_, deals)| deals).sum();
            let known = |estimate: Option<Estimate>| Interval::from(estimate.map(|estimate| estimate.if_known(deals)));
            let sum: i64 = groups.iter().map(|&(sum, _)| sum).sum();
            let squares = self.role_square(role, |l, s| is_meant(l, s, role)) as f64;
            let spread = (squares - sum as f64 * (sum as f64 / deals as f64)) / (deals as f64 - 1.0);
            let [won, tied, lost] = Record::shares(&records[role.index()], self.games_together(), |_| 1.0);
            SeatRow {
                variant: self.variant.to_owned(),
                bot: self.name(bot),
                seat: role.name(),
                deals,
                mean: known(grouped_mean(groups.iter().copied())),
                advantage: known(mean_difference(groups, &every_role)),
                sd: Figure((deals > 1).then(|| spread.max(0.0).sqrt())),
                won,
                tied,
                lost,
            }
        };
        Role::all(seats).map(row).collect()
    }

    /// Returns the name of a bot in a row, or `all`.
    pub(super) fn name(&self, bot: Option<BotId>) -> String {
        bot.map_or("all", |bot| &self.tournament.bot(bot).name).to_owned()
    }

    /// Sums the square of a role's score over the deals of some line-ups and seatings.
    fn role_square(&self, role: Role, which: impl Fn(LineUpId, SeatingId) -> bool) -> i128 {
        let cells = self.schedule.cell_ids();
        cells.filter(|&(l, s)| which(l, s)).map(|(l, s)| self.tally.role_square(l, s, role)).sum()
    }

    /// Returns the most games that share a number, each counted once for each seat that a bot has in it.
    pub(super) fn games_together(&self) -> u64 {
        (self.schedule.games_a_number() * self.schedule.seats) as u64
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
        if self.is_apart() {
            let row = |(line_up, members): (LineUpId, &LineUp)| {
                self.balance_row(Some((members[0], line_up)), assembled, times)
            };
            return self.schedule.line_up_ids().zip(&self.schedule.line_ups).map(row).collect();
        }
        vec![self.balance_row(None, assembled, times)]
    }

    /// Returns the row of a bot that has a line-up alone, or of all bots.
    fn balance_row(&self, own: Option<(BotId, LineUpId)>, assembled: &MatchCourse, times: f64) -> BalanceRow {
        let ends: Vec<Ends> =
            self.tally.group_ids().map(|group| self.tally.ends(own.map(|(_, line_up)| line_up), group)).collect();
        let together = if own.is_some() && self.tournament.unit == Unit::Deal { 1 } else { self.deals_together() };
        let share_of =
            |part: fn(&Ends) -> u64| Interval::from(share(ends.iter().map(|ends| (part(ends), ends.deals)), together));
        let bot = own.map(|(bot, _)| bot);
        let meant = self.tournament.bot_ids().filter(|&own| bot.is_none_or(|bot| own == bot));
        let mut each = meant.map(|bot| self.tally.scores(bot));
        let mut scores = each.next().expect("a tournament has bots").clone();
        each.for_each(|more| scores.merge(more));
        let [variance_bot, variance_seat, variance_deal, variance_rest] = self.variance_shares(own, times);
        let span = if own.is_none() { Span::new(self) } else { Span::default() };
        let of_matches = match self.tournament.unit {
            Unit::Deal => *assembled,
            Unit::Match => {
                let line_up = own.map(|(_, line_up)| line_up);
                let sums = self.tally.group_ids().map(|group| self.tally.match_sums(line_up, group));
                MatchCourse::new(&sums.collect::<Vec<_>>(), Cluster::of(self.schedule.games_a_number() as u64))
            }
        };
        let from = match self.tournament.unit {
            _ if of_matches.median.value.is_none() => None,
            Unit::Deal => Some("deals"),
            Unit::Match => Some("matches"),
        };
        BalanceRow {
            variant: self.variant.to_owned(),
            bot: self.name(bot),
            deals: ends.iter().map(|ends| ends.deals).sum(),
            blocks: self.tally.blocks().count,
            sd: Figure(scores.sd()),
            p05: scores.quantile(0.05),
            p25: scores.quantile(0.25),
            p50: scores.quantile(0.5),
            p75: scores.quantile(0.75),
            p95: scores.quantile(0.95),
            tied: share_of(|ends| ends.tied),
            exceptional: share_of(|ends| ends.exceptional),
            passed_out: share_of(|ends| ends.passed_out),
            variance_bot,
            variance_seat,
            variance_deal,
            variance_rest,
            win_sd: span.win_sd,
            span: span.span,
            matches_from: from,
            match_deals: of_matches.median,
            match_deals_p95: of_matches.p95,
            leader_wins: of_matches.leader_wins,
            comebacks: of_matches.comebacks,
        }
    }
}
