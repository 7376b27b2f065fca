//! The table of contracts, for every declaring bot and for all.
//!
//! It reports how often each contract was played and made, and the scores.

use overtrick_game::ContractKind;
use overtrick_ratings::interval::{Estimate, grouped_mean};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{ContractCell, Tally};

use super::rows::ContractRow;
use super::share::share;

/// The least effective number of squared residuals for an interval of the mean score of a contract.
///
/// If one deal in a hundred scores differently from all others, the spread rests on a few deals or on none.
/// The number was found by experiment (docs/statistics.md).
const FEWEST_RESIDUALS: f64 = 48.0;

/// The contents of a row: its name and the kinds of contract that it takes together.
type Line<'a> = (&'a str, Vec<usize>);

/// Returns the rows of one variant by contract, all bots first.
///
/// `kinds` are the kinds of contract of the variant; those that never occurred have no row. `seated` returns
/// by group the number of deals that a bot played. At most `together` deals share a deal number.
pub(super) fn contract_rows(
    variant: &str,
    seats: usize,
    kinds: &[ContractKind],
    bots: &[String],
    tally: &Tally,
    seated: impl Fn(BotId) -> Vec<u64>,
    together: u64,
) -> Vec<ContractRow> {
    let by_group = |pick: &dyn Fn(Option<BotId>, usize) -> bool| -> Vec<ContractCell> {
        tally.group_ids().map(|group| tally.contracts().sum(group, pick)).collect()
    };
    let all: Vec<u64> = by_group(&|_, _| true).iter().map(|cell| cell.deals as u64).collect();
    let which = |forced: bool| (0..kinds.len()).filter(|&kind| kinds[kind].forced == Some(forced)).collect();
    let one = kinds.iter().enumerate().map(|(number, kind)| (kind.name.as_str(), vec![number]));
    let lines: Vec<Line> = one.chain([("chosen", which(false)), ("forced", which(true))]).collect();
    let mut rows = Vec::new();
    for (name, members) in lines {
        let declared = members.iter().any(|&kind| kinds[kind].forced.is_some());
        let declarers = BotId::all(bots.len()).filter(|_| declared).map(Some);
        for bot in [None].into_iter().chain(declarers) {
            let cells = by_group(&|own, kind| members.contains(&kind) && (bot.is_none() || own == bot));
            let deals: i64 = cells.iter().map(|cell| cell.deals).sum();
            if deals == 0 {
                continue;
            }
            let played = bot.map_or_else(|| all.clone(), &seated);
            let ratio = |part: &dyn Fn(&ContractCell) -> i64, whole: &dyn Fn(&ContractCell) -> i64| {
                let groups: Vec<(i64, u64)> = cells.iter().map(|cell| (part(cell), whole(cell) as u64)).collect();
                mean_if_known(&groups, deals as u64)
            };
            let deals_of = |cell: &ContractCell| cell.deals;
            let others = seats as i64 - i64::from(declared);
            let of_played = share(cells.iter().zip(played).map(|(cell, played)| (cell.deals as u64, played)), together);
            let of_deals = share(cells.iter().map(|cell| (cell.made as u64, cell.deals as u64)), together);
            rows.push(ContractRow {
                variant: variant.to_owned(),
                contract: name.to_owned(),
                bot: bot.map_or("all", |bot| &bots[bot.index()]).to_owned(),
                deals: deals as u64,
                share: of_played.into(),
                made: of_deals.filter(|_| declared).into(),
                declarer: ratio(&|cell| cell.declarer, &deals_of).filter(|_| declared).into(),
                others: ratio(&|cell| cell.others, &|cell| cell.deals * others).into(),
            });
        }
    }
    rows
}

/// Returns a mean over `deals` deals, with its interval only if that is reliable.
fn mean_if_known(groups: &[(i64, u64)], deals: u64) -> Option<Estimate> {
    let mut estimate = grouped_mean(groups.iter().copied())?.if_known(deals);
    let squares = groups.iter().map(|&(sum, count)| (sum as f64 - estimate.mean * count as f64).powi(2));
    let (sum, of_squares) =
        squares.fold((0.0, 0.0), |(sum, of_squares), square| (sum + square, of_squares + square * square));
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
        let groups: Vec<(i64, u64)> = (0..200).map(|deal| (if deal < made { 100 } else { -100 }, 1)).collect();
        mean_if_known(&groups, 200).unwrap().low()
    }

    #[test]
    fn a_mean_that_a_few_deals_decide_has_no_interval() {
        assert_eq!([0, 1, 10, 190, 200].map(interval_of), [None; 5]);
        assert!(interval_of(60).is_some() && interval_of(100).is_some());
    }
}
