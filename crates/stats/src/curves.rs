//! The course of deals from trick to trick.
//!
//! It reports how much there is to decide, and how soon the winner is known.

use overtrick_ratings::interval::{GroupSum, grouped_mean};
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::{BotPoint, Curves, DealPoint};

use super::contrast::Contrast;
use super::counted::Counted;
use super::rows::CurveRow;
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
        let (seats, together) = (self.schedule.seats as u64, self.deals_together());
        let mut rows = Vec::new();
        for trick in Curves::tricks() {
            let [moves, forced, leads] = self.bot_sums(bot, trick);
            let decisions = if trick == 0 { MOST_BEFORE } else { MOST_IN_A_TRICK };
            let mut measures = vec![("moves", moves, 0), ("forced", forced, decisions), ("winner-leads", leads, seats)];
            if trick > 0 && (bot.is_none() || own.is_some()) {
                let points = self.deal_points(own, trick);
                let changes = points.iter().map(|point| GroupSum::of_events(point.lead_changes, point.deals));
                measures.push(("lead-changes", changes.collect(), 1));
            }
            // At most `most` cases come from one deal.
            for (measure, groups, most) in measures {
                let cases = GroupSum::total(&groups).count;
                if cases > 0 {
                    let value = match measure {
                        "moves" => grouped_mean(&groups).map(|mean| mean.if_known(cases)).into(),
                        _ => share(&groups, together * most).into(),
                    };
                    let (variant, bot) = (self.variant.to_owned(), self.name(bot));
                    rows.push(CurveRow { variant, bot, trick, measure, cases, value });
                }
            }
        }
        rows
    }

    /// Returns sums by group over the decisions and wins of a bot, or of all, in a trick.
    ///
    /// They are the legal moves, the forced decisions, and the wins in which the winner leads.
    fn bot_sums(&self, bot: Option<BotId>, trick: usize) -> [Vec<GroupSum>; 3] {
        let (mut moves, mut forced, mut leads) = (Vec::new(), Vec::new(), Vec::new());
        for group in self.tally.group_ids() {
            let mut sum = BotPoint::default();
            for own in self.bots(bot) {
                sum.add(&self.tally.curves().of_bot(group, own, trick));
            }
            moves.push(GroupSum::of_events(sum.legal, sum.decisions));
            forced.push(GroupSum::of_events(sum.forced, sum.decisions));
            leads.push(GroupSum::of_events(sum.leads, sum.wins));
        }
        [moves, forced, leads]
    }

    /// Returns by group the deals that reached a trick, of a bot's own line-up or of all.
    fn deal_points(&self, own: Option<LineUpId>, trick: usize) -> Vec<DealPoint> {
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
        let empty = vec![GroupSum::default(); self.tally.groups()];
        let (mut moves, mut forced, mut changes) = (empty.clone(), empty.clone(), empty);
        let mut last = 0;
        for trick in Curves::tricks() {
            let [of_moves, of_forced, _] = self.bot_sums(Some(bot), trick);
            for (group, point) in self.deal_points(Some(own), trick).iter().enumerate() {
                moves[group] += of_moves[group];
                forced[group] += of_forced[group];
                let deals = if trick == 0 { point.deals } else { 0 };
                changes[group] += GroupSum::of_events(point.lead_changes, deals);
                last = if point.deals > 0 { trick } else { last };
            }
        }
        let [_, _, leads] = self.bot_sums(Some(bot), last.div_ceil(2));
        [moves, forced, leads, changes].map(|groups| Contrast::of_mean(&groups))
    }
}
