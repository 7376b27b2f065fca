//! The course of deals from trick to trick.
//!
//! It reports how much there is to decide, and how soon the winner is known.

use overtrick_ratings::interval::grouped_mean;
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::{BotPoint, Curves, DealPoint};

use super::contrast::Contrast;
use super::counted::Counted;
use super::rows::{CurveRow, Interval};
use super::share::share;

/// The most decisions of a deal that belong to one trick: one for each hand.
const MOST_IN_A_TRICK: u64 = 4;
/// The most calls and discards of a deal.
const MOST_BEFORE: u64 = overtrick_cards::table::MAX_CALLS as u64;

impl Counted<'_> {
    /// Returns the rows over all bots, then bot by bot.
    ///
    /// There are none over all if several bots play only with themselves.
    pub(super) fn curve_rows(&self) -> Vec<CurveRow> {
        let mut rows = Vec::new();
        if !self.is_apart() {
            rows.extend(self.curve_rows_of(None, None));
        }
        for bot in self.tournament.bot_ids() {
            let own =
                self.schedule.line_up_ids().zip(&self.schedule.line_ups).find(|(_, members)| members[..] == [bot]);
            rows.extend(self.curve_rows_of(Some(bot), own.map(|(line_up, _)| line_up)));
        }
        rows
    }

    /// Returns the rows of a bot, or of all; `own` is the line-up that a bot has alone.
    ///
    /// Changes of the lead are reported for all bots together, and for a bot that plays with itself.
    fn curve_rows_of(&self, bot: Option<BotId>, own: Option<LineUpId>) -> Vec<CurveRow> {
        let mut rows = Vec::new();
        for trick in Curves::tricks() {
            let mut add = |measure: &'static str, cases: u64, value: Interval| {
                if cases > 0 {
                    let (variant, bot) = (self.variant.to_owned(), self.name(bot));
                    rows.push(CurveRow { variant, bot, trick, measure, cases, value });
                }
            };
            let points = self.bot_points(bot, trick);
            let sum = |part: fn(&BotPoint) -> u64| points.iter().map(part).sum::<u64>();
            let decisions = sum(|point| point.decisions);
            let moves = grouped_mean(points.iter().map(|point| (point.legal as i64, point.decisions)));
            add("moves", decisions, moves.map(|moves| moves.if_known(decisions)).into());
            let share_of = |part: fn(&BotPoint) -> (u64, u64), most: u64| {
                share(points.iter().map(part), self.cases_together(most)).into()
            };
            let most = if trick == 0 { MOST_BEFORE } else { MOST_IN_A_TRICK };
            add("forced", decisions, share_of(|point| (point.forced, point.decisions), most));
            let seats = self.schedule.seats as u64;
            add("winner-leads", sum(|point| point.wins), share_of(|point| (point.leads, point.wins), seats));
            if trick > 0 && (bot.is_none() || own.is_some()) {
                let points = self.deal_points(own, trick);
                let changes =
                    share(points.iter().map(|point| (point.lead_changes, point.deals)), self.cases_together(1));
                add("lead-changes", points.iter().map(|point| point.deals).sum(), changes.into());
            }
        }
        rows
    }

    /// Returns the most cases that share a number, if a deal has at most `each`.
    fn cases_together(&self, each: u64) -> u64 {
        self.deals_together() * each
    }

    /// Returns by group the decisions and wins of a bot, or of all, in a trick.
    pub(super) fn bot_points(&self, bot: Option<BotId>, trick: usize) -> Vec<BotPoint> {
        let curves = self.tally.curves();
        let of_group = |group| {
            let mut sum = BotPoint::default();
            let meant = self.tournament.bot_ids().filter(|&own| bot.is_none_or(|bot| own == bot));
            meant.for_each(|bot| sum.add(&curves.of_bot(group, bot, trick)));
            sum
        };
        self.tally.group_ids().map(of_group).collect()
    }

    /// Returns by group the deals that reached a trick, of a bot's own line-up or of all.
    pub(super) fn deal_points(&self, own: Option<LineUpId>, trick: usize) -> Vec<DealPoint> {
        self.tally.group_ids().map(|group| self.tally.course(own, group, trick)).collect()
    }

    /// Returns measures over all tricks of the deals of a bot that plays with itself, in its own line-up.
    ///
    /// They are, in this order:
    ///
    /// - the legal moves at a decision;
    /// - the share of forced decisions;
    /// - the share of wins in which the winner leads after the middle trick;
    /// - the lead changes a deal.
    pub(super) fn courses(&self, bot: BotId, own: LineUpId) -> [Option<Contrast>; 4] {
        let by_trick: Vec<Vec<BotPoint>> = Curves::tricks().map(|trick| self.bot_points(Some(bot), trick)).collect();
        let deals: Vec<Vec<DealPoint>> = Curves::tricks().map(|trick| self.deal_points(Some(own), trick)).collect();
        let last = deals.iter().rposition(|points| points.iter().any(|point| point.deals > 0)).unwrap_or(0);
        let middle = &by_trick[last.div_ceil(2)];
        let groups = || 0..self.tally.groups();
        let of_points = |part: &dyn Fn(&BotPoint) -> u64| -> Vec<u64> {
            groups().map(|group| by_trick.iter().map(|points| part(&points[group])).sum()).collect()
        };
        let ratio = |sums: Vec<u64>, cases: Vec<u64>| {
            Contrast::of_mean(&sums.into_iter().map(|sum| sum as i64).zip(cases).collect::<Vec<_>>())
        };
        let decisions = of_points(&|point| point.decisions);
        let changes = groups().map(|group| deals.iter().map(|points| points[group].lead_changes).sum()).collect();
        [
            ratio(of_points(&|point| point.legal), decisions.clone()),
            ratio(of_points(&|point| point.forced), decisions),
            Contrast::of_mean(&middle.iter().map(|point| (point.leads as i64, point.wins)).collect::<Vec<_>>()),
            ratio(changes, groups().map(|group| deals[0][group].deals).collect()),
        ]
    }
}
