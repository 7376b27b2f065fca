//! The tables for designers of games: what each seat is worth, how deals end, and where the variance of scores comes
//! from.

use super::counted::Counted;
use super::interval::{Estimate, grouped_mean, mean_difference};
use super::ratings::{Entrant, Outcome};
use super::record::Record;
use super::rows::figures;
use super::rows::{BalanceRow, Figure, SeatRow};
use super::share::{Share, share};
use crate::ids::{BotId, LineUpId, SeatingId};
use crate::table::Role;
use crate::tournament::{Ends, Format, LineUp, Unit};

impl Counted<'_> {
    /// The rows by role, first over all bots, then bot by bot. There are no rows over all bots if several bots play
    /// only with themselves, because these have nothing in common.
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

    /// Whether several bots play with themselves alone.
    pub(super) fn is_apart(&self) -> bool {
        self.tournament.format == Format::Mirror && self.schedule.line_ups.len() > 1
    }

    /// The rows of one bot, or of all; `records` are by role and group.
    fn seat_rows_of(&self, bot: Option<BotId>, records: &[Vec<Record>]) -> Vec<SeatRow> {
        let seats = self.schedule.seats;
        let is_meant = |l: LineUpId, s: SeatingId, role: Role| bot.is_none_or(|bot| self.bot(l, s, role) == bot);
        let by_role: Vec<Vec<(i64, u64)>> =
            Role::all(seats).map(|role| self.groups(|l, s, r| r == role && is_meant(l, s, r))).collect();
        let every_role = self.groups(is_meant);
        let row = |role: Role| {
            let groups = &by_role[role.index()];
            let deals = groups.iter().map(|&(_, deals)| deals).sum();
            let known = |estimate: Option<Estimate>| figures(estimate.map(|estimate| estimate.if_known(deals)));
            let [mean, se, low, high] = known(grouped_mean(groups.iter().copied()));
            let [advantage, _, advantage_low, advantage_high] = known(mean_difference(groups, &every_role));
            let sum: i64 = groups.iter().map(|&(sum, _)| sum).sum();
            let squares = self.role_square(role, |l, s| is_meant(l, s, role)) as f64;
            let spread = (squares - sum as f64 * (sum as f64 / deals as f64)) / (deals as f64 - 1.0);
            let [[won, won_low, won_high], [tied, tied_low, tied_high], [lost, lost_low, lost_high]] =
                Record::shares(&records[role.index()], self.games_together());
            SeatRow {
                variant: self.variant.to_owned(),
                bot: self.name(bot),
                seat: role.name(),
                deals,
                mean,
                se,
                low,
                high,
                advantage,
                advantage_low,
                advantage_high,
                sd: Figure((deals > 1).then(|| spread.max(0.0).sqrt())),
                won,
                won_low,
                won_high,
                tied,
                tied_low,
                tied_high,
                lost,
                lost_low,
                lost_high,
            }
        };
        Role::all(seats).map(row).collect()
    }

    /// The name of a bot in a row, or of all.
    pub(super) fn name(&self, bot: Option<BotId>) -> String {
        bot.map_or("all", |bot| &self.tournament.bot(bot).name).to_owned()
    }

    /// The sum over the deals of some line-ups and seatings of the square of a role's score.
    fn role_square(&self, role: Role, which: impl Fn(LineUpId, SeatingId) -> bool) -> i64 {
        let cells = self.schedule.cell_ids();
        cells.filter(|&(l, s)| which(l, s)).map(|(l, s)| self.tally.role_square(l, s, role)).sum()
    }

    /// The most games that share a number, each counted once for each seat that a bot has in it.
    pub(super) fn games_together(&self) -> u64 {
        (self.schedule.games_a_number() * self.schedule.seats) as u64
    }

    /// The most deals that share a number; in matches there is no limit.
    pub(super) fn deals_together(&self) -> u64 {
        match self.tournament.unit {
            Unit::Deal => self.schedule.games_a_number() as u64,
            Unit::Match => u64::MAX,
        }
    }

    /// One row for all bots together, or a row for each bot if several bots play only with themselves.
    pub(super) fn balance_rows(&self) -> Vec<BalanceRow> {
        if self.is_apart() {
            let row = |(line_up, members): (LineUpId, &LineUp)| self.balance_row(Some((members[0], line_up)));
            return self.schedule.line_up_ids().zip(&self.schedule.line_ups).map(row).collect();
        }
        vec![self.balance_row(None)]
    }

    /// The row of a bot that alone has a line-up, or of all.
    fn balance_row(&self, own: Option<(BotId, LineUpId)>) -> BalanceRow {
        let ends: Vec<Ends> =
            self.tally.group_ids().map(|group| self.tally.ends(own.map(|(_, line_up)| line_up), group)).collect();
        let together = if own.is_some() && self.tournament.unit == Unit::Deal { 1 } else { self.deals_together() };
        let figures =
            |part: fn(&Ends) -> u64| Share::figures(share(ends.iter().map(|ends| (part(ends), ends.deals)), together));
        let [tied, tied_low, tied_high] = figures(|ends| ends.tied);
        let [exceptional, exceptional_low, exceptional_high] = figures(|ends| ends.exceptional);
        let bot = own.map(|(bot, _)| bot);
        let meant = self.tournament.bot_ids().filter(|&own| bot.is_none_or(|bot| own == bot));
        let mut each = meant.map(|bot| self.tally.scores(bot));
        let mut scores = each.next().expect("a tournament has bots").clone();
        each.for_each(|more| scores.merge(more));
        let parts = self.variance_shares(own).unwrap_or([None; 4]).map(Figure);
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
            tied,
            tied_low,
            tied_high,
            exceptional,
            exceptional_low,
            exceptional_high,
            variance_bot: parts[0],
            variance_seat: parts[1],
            variance_deal: parts[2],
            variance_rest: parts[3],
        }
    }

    /// The shares of the variance of a score that are due to the bot, to the seat, to the cards of the deal (as the
    /// seat holds them) and to the rest, the interplay of bots and cards. Components of variance of a balanced nested
    /// design, by the method of moments (Searle, Casella & McCulloch 1992, *Variance Components*, chapter 4): every
    /// deal is played by the same bots equally often in every seat, so the sums of squares of bots, of seats, and of
    /// deals within seats are orthogonal.
    ///
    /// `None` in matches, whose deals differ with the line-up. Where every deal is played once, the cards and the rest
    /// cannot be told apart and are `None`.
    ///
    /// `own` is a bot with the line-up that it has alone; without one, all bots are meant.
    fn variance_shares(&self, own: Option<(BotId, LineUpId)>) -> Option<[Option<f64>; 4]> {
        let blocks = self.tally.blocks();
        let (numbers, seats) = (blocks.count as f64, self.schedule.seats as f64);
        if self.tournament.unit == Unit::Match || blocks.count < 2 {
            return None;
        }
        // How often a deal's hand was played.
        let times = if own.is_some() { 1.0 } else { self.schedule.games_a_number() as f64 };
        let is_meant = |line_up: LineUpId| own.is_none_or(|(_, own)| line_up == own);
        let each = numbers * times;
        let all = seats * each;
        let sums: Vec<f64> = Role::all(self.schedule.seats)
            .map(|role| self.groups(|l, _, r| r == role && is_meant(l)).iter().map(|&(sum, _)| sum).sum::<i64>() as f64)
            .collect();
        let mean = sums.iter().sum::<f64>() / all;
        let seat: f64 = sums.iter().map(|sum| each * (sum / each - mean).powi(2)).sum();
        let role_squares: Vec<f64> =
            Role::all(self.schedule.seats).map(|role| self.role_square(role, |l, _| is_meant(l)) as f64).collect();
        // The sum of a seat's scores in all games of a deal.
        let deal_squares: Vec<f64> = match own {
            Some(_) => role_squares.clone(),
            None => blocks.role_squares.iter().map(|&square| square as f64).collect(),
        };
        let deal: f64 = sums.iter().zip(deal_squares).map(|(sum, square)| square / times - sum * (sum / each)).sum();
        let bots: Vec<(f64, f64)> = (self.tournament.bot_ids())
            .filter(|&bot| own.is_none_or(|(own, _)| bot == own))
            .map(|bot| (self.tally.scores(bot).sum() as f64, self.tally.scores(bot).count() as f64))
            // A bot that was disqualified has none.
            .filter(|&(_, count)| count > 0.0)
            .collect();
        let bot: f64 = bots.iter().map(|(sum, count)| count * (sum / count - mean).powi(2)).sum();
        let squares: f64 = role_squares.iter().sum();
        let rest = squares - all * mean * mean - seat - deal - bot;

        let deal_freedom = seats * (numbers - 1.0);
        let rest_freedom = all - 1.0 - (seats - 1.0) - deal_freedom - (bots.len() as f64 - 1.0);
        let deal_mean = deal / deal_freedom;
        // Deals that are played once leave no rest.
        let rest_mean = if rest_freedom > 0.0 { rest / rest_freedom } else { deal_mean };
        let of_seat = ((seat / (seats - 1.0) - deal_mean) / each).max(0.0);
        let of_deal = ((deal_mean - rest_mean) / times).max(0.0);
        let of_bot = if bots.len() > 1 {
            // Bots of a gauntlet play unequally often.
            let uneven: f64 = bots.iter().map(|(_, count)| count * count).sum::<f64>() / all;
            let freedom = bots.len() as f64 - 1.0;
            ((bot / freedom - rest_mean) / ((all - uneven) / freedom)).max(0.0)
        } else {
            0.0
        };
        let total = of_bot + of_seat + of_deal + rest_mean;
        if total <= 0.0 {
            return None;
        }
        let told_apart = |part: f64| (rest_freedom > 0.0).then_some(part / total);
        Some([Some(of_bot / total), Some(of_seat / total), told_apart(of_deal), told_apart(rest_mean)])
    }
}
