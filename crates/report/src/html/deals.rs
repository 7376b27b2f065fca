//! The deals on a run's page.

use overtrick_strategies::Bot;
use overtrick_strategy::ids::{LineUpId, SeatingId};
use overtrick_tournament::{DealRecord, Tournament, Unit, replay};
use serde::Serialize;

use super::Files;
use super::source::Row;
use super::standings::order;
use super::table::{Cell, Column, Table, TableOf};
use super::viewer::{Deal, DealHeading};

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
    rows: Vec<Row<'a>>,
}

/// The variant whose deals are shown, and options.
pub(super) struct Swings<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) variant: usize,
    /// The id of the variant's section.
    pub(super) id: &'a str,
    /// Whether plays get a double-dummy analysis.
    pub(super) analyse: bool,
}

/// Returns the deals of a variant that made the difference. `share` is the number of variants on the page.
pub(super) fn deals(files: &Files, of: &Swings<'_>, share: usize) -> Deals {
    let Swings { tournament, variant, id, .. } = *of;
    let name = &tournament.variants[variant].name;
    let best = order(files, name);
    let swings = by_weight(files.swings.of_variant(name), &best);
    let mut all = Deals { heading: "Deals that made the difference", ..Deals::default() };
    if swings.is_empty() {
        return all;
    }
    let schedule = &tournament.schedules[variant];
    let games = schedule.games_a_number().clamp(1, MOST_OF_A_DEAL);
    let most = (MOST_GAMES / share.max(1) / games).clamp(1, 12);
    let (chosen, outside) = choose(&swings, tournament, most);
    if outside {
        all.sentences.push(
            "External bots are not asked to play again for this page. Their deals are only listed. `overtrick replay` plays them."
                .to_owned(),
        );
    }
    for chosen in &chosen {
        all.deals.extend(deal(of, chosen, &best));
    }
    let shown = all.deals.len();
    let link = |row: &Row<'_>| {
        let anchor = anchor(id, row.text("deal"));
        let link = all.deals.iter().any(|deal| deal.id == anchor).then_some(anchor);
        Cell { link, ..Cell::exact(row, "deal") }
    };
    let unit = if tournament.unit == Unit::Match { "match" } else { "deal" };
    let table = TableOf::<Row<'_>>::new()
        .add(Column::text("ahead"), |row| Cell::bot(row.text("ahead")))
        .add(Column::text("behind"), |row| Cell::bot(row.text("behind")))
        .exact(["rank"])
        .add(Column::figures(unit), link)
        .exact(["difference"]);
    let listed = &swings[..swings.len().min(MOST_LISTED)];
    let caption = format!(
        "The {}s in which one bot was farthest ahead of another, those between the best bots first, points a deal",
        unit.replace("match", "matche")
    );
    all.sentences.push(format!(
        "{shown} deals are shown, those between the best bots first. To see another, run: overtrick replay config.toml --variant {name} --deal NUMBER"
    ));
    let mut table = Table::new(caption, table, listed.iter().copied(), "swings.csv");
    let more = swings.len() - listed.len();
    table.left_out = (more > 0).then(|| format!("{more} more are in swings.csv."));
    all.swings = Some(table);
    all
}

fn anchor(id: &str, number: &str) -> String {
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
fn by_weight<'a>(mut swings: Vec<Row<'a>>, best: &[&str]) -> Vec<Row<'a>> {
    swings.sort_by_key(|row| {
        let rank = row.text("rank").parse::<usize>().unwrap_or(usize::MAX / 2);
        let [ahead, behind] = ["ahead", "behind"].map(|column| place(best, row.text(column)));
        let (better, lesser) = (ahead.min(behind), ahead.max(behind));
        (rank + lesser, lesser, better, ahead)
    });
    swings
}

/// Returns the first of these deals, and whether deals of external bots were skipped.
fn choose<'a>(swings: &[Row<'a>], tournament: &Tournament, most: usize) -> (Vec<Chosen<'a>>, bool) {
    let is_outside = |name: &str| tournament.bots.iter().any(|bot| bot.name == name && bot.spec.process().is_some());
    let (mut chosen, mut outside): (Vec<Chosen<'a>>, bool) = (Vec::new(), false);
    for row in swings {
        if is_outside(row.text("ahead")) || is_outside(row.text("behind")) {
            outside = true;
            continue;
        }
        let number = row.count("deal");
        match chosen.iter().position(|known| known.number == number) {
            Some(known) => chosen[known].rows.push(*row),
            None if chosen.len() < most => chosen.push(Chosen { number, rows: vec![*row] }),
            None => {}
        }
    }
    (chosen, outside)
}

/// Plays a number again in all seatings of the line-ups with both bots in question. Line-ups with the best
/// other bots come first.
fn deal(of: &Swings<'_>, chosen: &Chosen<'_>, best: &[&str]) -> Option<Deal> {
    let Swings { tournament, variant, id, analyse } = *of;
    let schedule = &tournament.schedules[variant];
    let name = &tournament.variants[variant].name;
    let pair = ["ahead", "behind"].map(|column| chosen.rows[0].text(column));
    let seated = |line_up: LineUpId, seating: SeatingId| -> Vec<Bot> {
        let bots = schedule.bots(line_up, seating);
        bots.of(schedule.seats).iter().map(|&bot| tournament.bot(bot).clone()).collect()
    };
    let both = |line_up: &LineUpId| {
        let members = &schedule.line_ups[line_up.index()];
        pair.iter().all(|name| members.iter().any(|&bot| tournament.bot(bot).name == **name))
    };
    let inside = |bots: &[Bot]| bots.iter().all(|bot| bot.spec.process().is_none());
    let mut line_ups: Vec<LineUpId> = schedule.line_up_ids().filter(both).collect();
    line_ups.sort_by_key(|line_up| {
        let members = &schedule.line_ups[line_up.index()];
        members.iter().map(|&bot| place(best, &tournament.bot(bot).name)).max()
    });
    let games = line_ups
        .into_iter()
        .flat_map(|line_up| schedule.played(line_up).iter().map(move |&seating| (line_up, seating)));
    let games: Vec<Vec<Bot>> = games.map(|(line_up, seating)| seated(line_up, seating)).collect();
    let playable: Vec<&Vec<Bot>> = games.iter().filter(|bots| inside(bots)).collect();
    let most = if tournament.unit == Unit::Match { 1 } else { MOST_OF_A_DEAL };
    let shown = &playable[..playable.len().min(most)];
    let mut records: Vec<DealRecord> = Vec::new();
    for bots in shown {
        let played = replay(tournament, variant, chosen.number, bots, analyse);
        records.extend(played.into_iter().take(MOST_OF_A_MATCH));
    }
    if records.is_empty() {
        return None;
    }
    let mut sentences: Vec<String> = Vec::new();
    for row in &chosen.rows {
        sentences.push(format!(
            "On average over its games, {} scored {} points more than {}: rank {} of their deals.",
            row.text("ahead"),
            crate::format::number(row.figure("difference"), 2),
            row.text("behind"),
            row.text("rank")
        ));
    }
    if games.len() > shown.len() {
        sentences.push(format!("{} of its {} games with both are shown.", shown.len(), games.len()));
    }
    let unit = if tournament.unit == Unit::Match { "Match" } else { "Deal" };
    let heading = DealHeading {
        id: anchor(id, &chosen.number.to_string()),
        text: format!("{unit} {} of {name}", chosen.number),
        sentences,
        analyse,
        is_open: false,
        has_config: true,
    };
    Some(Deal::new(heading, &tournament.variants[variant], &records))
}

#[cfg(test)]
mod tests {
    use overtrick_stats::SwingRow;

    use super::super::source::CsvFile;
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
        let file = CsvFile::of("swings.csv", &rows);
        let sorted = by_weight(file.rows(), &best);
        let text = |row: &Row<'_>| format!("{} {} {}", row.text("ahead"), row.text("behind"), row.text("rank"));
        let found: Vec<String> = sorted[..6].iter().map(text).collect();
        let expected =
            ["first second 1", "second first 1", "first second 2", "second first 2", "first third 1", "third first 1"];
        assert_eq!(found, expected);
        let with_last = |row: &&Row<'_>| [row.text("ahead"), row.text("behind")].contains(&"last");
        assert_eq!(sorted[..12].iter().filter(with_last).count(), 0);
        assert_eq!(sorted.len(), rows.len());
    }
}
