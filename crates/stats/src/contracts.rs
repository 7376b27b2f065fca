//! The table of contracts, for every declaring bot and for all.
//!
//! It reports how often each contract was played and made, and the scores.

use overtrick_ratings::interval::{Estimate, GroupSum, grouped_mean};
use overtrick_strategy::ids::BotId;

use super::counted::Counted;
use super::rows::ContractRow;
use super::share::share;

/// The least effective number of squared residuals for an interval of the mean score of a contract.
///
/// If one deal in a hundred scores differently from all others, the spread rests on a few deals or on none.
/// The number was found by experiment (docs/statistics.md).
const FEWEST_RESIDUALS: f64 = 48.0;

/// The contracts that a row takes together.
struct ContractLine<'a> {
    name: &'a str,
    kinds: Vec<usize>,
    is_declared: bool,
}

impl Counted<'_> {
    /// Returns the rows by contract, all bots first; contracts that never occurred have no row.
    pub(super) fn contract_rows(&self) -> Vec<ContractRow> {
        let kinds = self.game.contract_kinds();
        let mut lines = Vec::new();
        for (number, kind) in kinds.iter().enumerate() {
            lines.push(ContractLine { name: &kind.name, kinds: vec![number], is_declared: kind.forced.is_some() });
        }
        for (name, forced) in [("chosen", false), ("forced", true)] {
            let members = (0..kinds.len()).filter(|&kind| kinds[kind].forced == Some(forced));
            lines.push(ContractLine { name, kinds: members.collect(), is_declared: true });
        }
        let mut rows = Vec::new();
        for line in &lines {
            rows.extend(self.contract_row(line, None));
            if line.is_declared {
                for bot in self.tournament.bot_ids() {
                    rows.extend(self.contract_row(line, Some(bot)));
                }
            }
        }
        rows
    }

    /// Returns the row of a declarer, or of all.
    fn contract_row(&self, line: &ContractLine, bot: Option<BotId>) -> Option<ContractRow> {
        let own = if line.is_declared { self.schedule.teams.size() } else { 0 };
        let others = (self.schedule.seats - own) as u64;
        let of_bot = bot.map(|bot| self.groups_of(bot));
        let (mut shares, mut made) = (Vec::new(), Vec::new());
        let (mut of_declarer, mut of_others) = (Vec::new(), Vec::new());
        for group in self.tally.group_ids() {
            let contracts = self.tally.contracts();
            let cell = contracts.sum(group, |own, kind| line.kinds.contains(&kind) && (bot.is_none() || own == bot));
            let deals = cell.deals as u64;
            let played = match &of_bot {
                Some(groups) => groups[group.index()].count,
                None => contracts.sum(group, |_, _| true).deals as u64,
            };
            shares.push(GroupSum::new(cell.deals, played));
            made.push(GroupSum::new(cell.made, deals));
            of_declarer.push(GroupSum::new(cell.declarer, deals));
            of_others.push(GroupSum::new(cell.others, deals * others));
        }
        let deals = GroupSum::total(&made).count;
        let together = self.deals_together();
        (deals > 0).then(|| ContractRow {
            variant: self.variant.to_owned(),
            contract: line.name.to_owned(),
            bot: self.name(bot),
            deals,
            share: share(&shares, together).into(),
            made: share(&made, together).filter(|_| line.is_declared).into(),
            declarer: mean_if_known(&of_declarer, deals).filter(|_| line.is_declared).into(),
            others: mean_if_known(&of_others, deals).into(),
        })
    }
}

/// Returns a mean over `deals` deals, with its interval only if that is reliable.
fn mean_if_known(groups: &[GroupSum], deals: u64) -> Option<Estimate> {
    let mut estimate = grouped_mean(groups)?.if_known(deals);
    let (mut sum, mut of_squares) = (0.0, 0.0);
    for group in groups {
        let square = (group.sum as f64 - estimate.mean * group.count as f64).powi(2);
        sum += square;
        of_squares += square * square;
    }
    if sum * sum < FEWEST_RESIDUALS * of_squares || estimate.se == Some(0.0) {
        estimate.half_width = None;
    }
    Some(estimate)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lower end of the interval of a mean score.
    ///
    /// Of 200 deals, `made` score 100 and the others lose 100.
    fn interval_of(made: i64) -> Option<f64> {
        let groups: Vec<GroupSum> =
            (0..200).map(|deal| GroupSum::new(if deal < made { 100 } else { -100 }, 1)).collect();
        mean_if_known(&groups, 200).unwrap().low()
    }

    #[test]
    fn a_mean_that_a_few_deals_decide_has_no_interval() {
        assert_eq!([0, 1, 10, 190, 200].map(interval_of), [None; 5]);
        assert!(interval_of(60).is_some() && interval_of(100).is_some());
    }
}
