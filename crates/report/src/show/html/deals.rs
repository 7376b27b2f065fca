//! The deals on a run's page.

use overtrick_stats::SwingRow;
use overtrick_strategies::Bot;
use overtrick_strategy::ids::LineUpId;
use overtrick_tournament::{DealRecord, Tournament, Unit, replay};
use serde::Serialize;

use super::table::{Cell, Column, Table, TableOf};
use super::viewer::{Deal, DealHeading};
use crate::show::variant_results::VariantResults;

/// The approximate number of games on a page, over all its variants.
const MOST_GAMES: usize = 64;
/// The most deals that are listed.
const MOST_LISTED: usize = 10;
/// The most games of one deal.
const MOST_OF_A_DEAL: usize = 12;
/// The most deals of a match.
const MOST_OF_A_MATCH: usize = 8;

/// The deals of a variant.
#[derive(Default, Serialize)]
pub(super) struct Deals {
    pub(super) heading: &'static str,
    pub(super) sentences: Vec<String>,
    /// All deals that made a difference.
    pub(super) swings: Option<Table>,
    pub(super) deals: Vec<Deal>,
}

/// A number of the schedule that is shown, with the rows that name it.
struct Chosen<'a> {
    number: u64,
    rows: Vec<&'a SwingRow>,
}

/// The variant whose deals are shown, and the page that shows them.
pub(super) struct DealsContext<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) variant: usize,
    /// The id of the variant's section.
    pub(super) id: &'a str,
    /// Whether plays get a double-dummy analysis.
    pub(super) analyse: bool,
    pub(super) variants_on_page: usize,
}

/// Returns the deals of a variant that made the difference.
pub(super) fn deals(results: &VariantResults<'_>, context: &DealsContext<'_>) -> Deals {
    let DealsContext { tournament, variant, id, variants_on_page, .. } = *context;
    let best = results.order();
    let swings = by_weight(results.swings.clone(), &best);
    let mut all = Deals { heading: "Deals that made the difference", ..Deals::default() };
    if swings.is_empty() {
        return all;
    }
    let games = tournament.schedules[variant].games_a_number().clamp(1, MOST_OF_A_DEAL);
    let most = (MOST_GAMES / variants_on_page.max(1) / games).clamp(1, 12);
    let (chosen, outside) = choose(&swings, tournament, most);
    if outside {
        all.sentences.push(
            "External bots are not asked to play again for this page. Their deals are only listed. `overtrick replay` plays them."
                .to_owned(),
        );
    }
    for chosen in &chosen {
        all.deals.extend(deal(context, chosen, &best));
    }
    let units = tournament.unit.plural();
    all.sentences.push(format!(
        "Of these {units}, {} can be opened below, those between the best bots first. To see another, run: overtrick replay config.toml --variant {} --deal NUMBER",
        all.deals.len(),
        results.name
    ));
    let link = |row: &SwingRow| {
        let anchor = anchor(id, row.deal);
        let link = all.deals.iter().any(|deal| deal.id == anchor).then_some(anchor);
        Cell { link, ..Cell::exact(row.deal) }
    };
    let table = TableOf::<&SwingRow>::new()
        .add(Column::text("ahead"), |row| Cell::bot(&row.ahead))
        .add(Column::text("behind"), |row| Cell::bot(&row.behind))
        .exact("rank", |row| row.rank)
        .add(Column::figures(if tournament.unit == Unit::Match { "match" } else { "deal" }), |row| link(row))
        .exact("difference", |row| row.difference);
    let listed = &swings[..swings.len().min(MOST_LISTED)];
    let caption = format!(
        "The {} in which one bot was farthest ahead of another, those between the best bots first, points a deal",
        units
    );
    let mut table = Table::new(caption, table, listed.iter().copied(), "swings.csv");
    let more = swings.len() - listed.len();
    table.left_out = (more > 0).then(|| format!("{more} more are in swings.csv."));
    all.swings = Some(table);
    all
}

fn anchor(id: &str, number: u64) -> String {
    format!("{id}-{number}")
}

/// Returns the place of a bot on the leaderboard, from 0.
fn place(best: &[&str], bot: &str) -> usize {
    best.iter().position(|name| *name == bot).unwrap_or(best.len())
}

/// Sorts the deals for display: by their rank among the deals of the same two bots plus the place of the
/// lower bot.
///
/// So deals between the two best bots come first, and are the most numerous.
fn by_weight<'a>(mut swings: Vec<&'a SwingRow>, best: &[&str]) -> Vec<&'a SwingRow> {
    swings.sort_by_key(|row| {
        let (ahead, behind) = (place(best, &row.ahead), place(best, &row.behind));
        let (better, lesser) = (ahead.min(behind), ahead.max(behind));
        (row.rank + lesser, lesser, better, ahead)
    });
    swings
}

/// Returns the first of these deals, and whether deals of external bots were skipped.
fn choose<'a>(swings: &[&'a SwingRow], tournament: &Tournament, most: usize) -> (Vec<Chosen<'a>>, bool) {
    let is_outside = |name: &str| tournament.bots.iter().any(|bot| bot.name == name && bot.spec.process().is_some());
    let (mut chosen, mut outside): (Vec<Chosen<'a>>, bool) = (Vec::new(), false);
    for &row in swings {
        if is_outside(&row.ahead) || is_outside(&row.behind) {
            outside = true;
            continue;
        }
        match chosen.iter().position(|known| known.number == row.deal) {
            Some(known) => chosen[known].rows.push(row),
            None if chosen.len() < most => chosen.push(Chosen { number: row.deal, rows: vec![row] }),
            None => {}
        }
    }
    (chosen, outside)
}

/// Returns the games of a deal with both bots of a row, by the bots in their seats.
///
/// Line-ups with the best other bots come first.
fn games(context: &DealsContext<'_>, row: &SwingRow, best: &[&str]) -> Vec<Vec<Bot>> {
    let (tournament, schedule) = (context.tournament, &context.tournament.schedules[context.variant]);
    let names = |line_up: LineUpId| schedule.line_ups[line_up.index()].iter().map(|&bot| &tournament.bot(bot).name);
    let has_both =
        |line_up: &LineUpId| [&row.ahead, &row.behind].iter().all(|name| names(*line_up).any(|own| own == *name));
    let mut line_ups: Vec<LineUpId> = schedule.line_up_ids().filter(has_both).collect();
    line_ups.sort_by_key(|&line_up| names(line_up).map(|name| place(best, name)).max());
    let mut games = Vec::new();
    for line_up in line_ups {
        for &seating in schedule.played(line_up) {
            let bots = schedule.bots(line_up, seating);
            games.push(bots.of(schedule.seats).iter().map(|&bot| tournament.bot(bot).clone()).collect());
        }
    }
    games
}

/// Plays a number again in its games with both bots, without those of external bots.
fn deal(context: &DealsContext<'_>, chosen: &Chosen<'_>, best: &[&str]) -> Option<Deal> {
    let DealsContext { tournament, variant, id, analyse, .. } = *context;
    let games = games(context, chosen.rows[0], best);
    let is_inside = |bots: &&Vec<Bot>| bots.iter().all(|bot| bot.spec.process().is_none());
    let most = if tournament.unit == Unit::Match { 1 } else { MOST_OF_A_DEAL };
    let shown: Vec<&Vec<Bot>> = games.iter().filter(is_inside).take(most).collect();
    let mut records: Vec<DealRecord> = Vec::new();
    for bots in &shown {
        let played = replay(tournament, variant, chosen.number, bots, analyse);
        records.extend(played.into_iter().take(MOST_OF_A_MATCH));
    }
    if records.is_empty() {
        return None;
    }
    let mut sentences: Vec<String> = Vec::new();
    let units = tournament.unit.plural();
    for SwingRow { ahead, behind, rank, difference, .. } in &chosen.rows {
        let points = crate::show::format::number(difference.rounded(), 2);
        sentences.push(format!(
            "On average over its games, {ahead} scored {points} points more than {behind}: rank {rank} of their {units}."
        ));
    }
    if games.len() > shown.len() {
        sentences.push(format!("{} of its {} games with both are shown.", shown.len(), games.len()));
    }
    let unit = if tournament.unit == Unit::Match { "Match" } else { "Deal" };
    let variant = &tournament.variants[variant];
    let heading = DealHeading {
        id: anchor(id, chosen.number),
        text: format!("{unit} {} of {}", chosen.number, variant.name),
        sentences,
        analyse,
        is_open: false,
        has_config: true,
    };
    Some(Deal::new(heading, variant, &records))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_between_the_best_come_first_and_are_the_most() {
        let best = ["first", "second", "third", "last"];
        let mut rows = Vec::new();
        for ahead in best.iter().rev() {
            for behind in best.iter().filter(|bot| *bot != ahead) {
                for rank in 1..=4 {
                    let mut row = SwingRow::default();
                    (row.ahead, row.behind, row.rank) = ((*ahead).to_owned(), (*behind).to_owned(), rank);
                    rows.push(row);
                }
            }
        }
        let sorted = by_weight(rows.iter().collect(), &best);
        let text = |row: &&SwingRow| format!("{} {} {}", row.ahead, row.behind, row.rank);
        let found: Vec<String> = sorted[..6].iter().map(text).collect();
        let expected =
            ["first second 1", "second first 1", "first second 2", "second first 2", "first third 1", "third first 1"];
        assert_eq!(found, expected);
        let with_last = |row: &&&SwingRow| row.ahead == "last" || row.behind == "last";
        assert_eq!(sorted[..12].iter().filter(with_last).count(), 0);
        assert_eq!(sorted.len(), rows.len());
    }
}
