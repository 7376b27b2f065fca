//! The ranking of bots: the leaderboard and the crosstable.

use std::collections::BTreeMap;

use overtrick_stats::Interval;
use overtrick_tournament::{Format, Tournament, Unit};

use super::Files;
use super::meetings::Meetings;
use super::part::{Chart, Part};
use super::source::Row;
use super::svg::{DotRow, Point, Title, dots};
use super::table::{Cell, Column, Table, TableOf};
use crate::format::signed_with_interval;

/// The most bots of a chart of dots.
const MOST_DOTS: usize = 40;
/// The most bots of a crosstable.
const MOST_CROSSED: usize = 24;

/// Returns a point of a chart; `None` if there is no number.
pub(super) fn point(figure: Interval) -> Option<Point> {
    figure.value.map(|value| Point { value, interval: figure.ends() })
}

/// Returns the bots of a variant, the best first. If no bots met, they are in the order of the config.
pub(super) fn order<'a>(files: &'a Files, variant: &str) -> Vec<&'a str> {
    let rated: Vec<&str> = files.ratings.of_variant(variant).iter().map(|row| row.text("bot")).collect();
    let bots = files.bots.of_variant(variant);
    let others = bots.iter().map(|row| row.text("bot")).filter(|bot| !rated.contains(bot)).collect::<Vec<_>>();
    [rated, others].concat()
}

/// The figure by which bots are ordered.
pub(super) struct Measure {
    /// Its column.
    pub(super) column: &'static str,
    /// The beginning of the columns with the ends of its interval.
    ends: &'static str,
    /// Its name on an axis.
    pub(super) axis: &'static str,
    /// Its name in a sentence.
    pub(super) what: &'static str,
}

impl Measure {
    /// Returns the measure for a tournament. `is_rated` if any two bots met.
    pub(super) fn of(tournament: &Tournament, is_rated: bool) -> Measure {
        let (column, ends, axis, what) = match (is_rated, tournament.unit, tournament.format) {
            (false, ..) => ("mean", "", "points a deal", "points a deal of each bot by itself"),
            (true, Unit::Match, _) => ("elo", "all-", "Elo in matches", "Elo in matches"),
            (true, _, Format::Gauntlet) => {
                let over = "points a deal over the candidate";
                ("ahead", "ahead-all-", over, over)
            }
            (true, ..) => {
                let ahead = "points a deal ahead of those it met";
                ("ahead", "ahead-all-", ahead, ahead)
            }
        };
        Measure { column, ends, axis, what }
    }

    /// Returns the measure of a bot, with its interval for all bots at once where bots are rated.
    pub(super) fn of_row(&self, row: &Row<'_>) -> Interval {
        row.interval_of(self.column, self.ends)
    }
}

/// Returns a cell with the Elo and its interval for all bots at once.
///
/// It is a dash if the Elo rests on pseudo-results, which show the order of bots but not the distance.
pub(super) fn elo_cell(row: &Row<'_>) -> Cell {
    if row.text("regularised") == "true" {
        Cell::shown(row, "elo", "-".to_owned())
    } else {
        Cell::shown(row, "elo", signed_with_interval(row.interval_of("elo", "all-"), 1))
    }
}

/// Returns the leaderboard.
pub(super) fn leaderboard(files: &Files, tournament: &Tournament, variant: &str, id: &str) -> Part {
    let (bots, ratings) = (files.bots.of_variant(variant), files.ratings.of_variant(variant));
    let by_name: BTreeMap<&str, Row<'_>> = bots.iter().map(|row| (row.text("bot"), *row)).collect();
    let measure = Measure::of(tournament, !ratings.is_empty());
    let Measure { axis, what, .. } = measure;
    let charted = if ratings.is_empty() { &bots } else { &ratings };
    let dot = |row: &Row<'_>| DotRow {
        name: row.text("bot").to_owned(),
        is_bot: true,
        points: vec![point(measure.of_row(row))],
    };
    let rows: Vec<DotRow> = charted.iter().take(MOST_DOTS).map(dot).collect();
    let interval = if ratings.is_empty() {
        "an interval that holds by itself in 95%"
    } else {
        "an interval, all of which hold at once in 95%"
    };
    let about = format!("A dot for each bot of {variant}, best first, with {interval}: {what}.");
    let title = Title { id, name: "How far each is ahead", about: &about, axis };
    let mut figures = vec!["mean", "low", "high"];
    if !ratings.is_empty() {
        figures =
            vec!["ahead", "ahead-se", "ahead-all-low", "ahead-all-high", "elo", "se", "all-low", "all-high", "p-next"];
    }
    let left_out =
        (charted.len() > MOST_DOTS).then(|| format!("The chart has the first {MOST_DOTS} of {} bots.", charted.len()));
    let svg = dots(&title, &[""], &rows, !ratings.is_empty());
    let chart = Chart {
        name: "How far each is ahead".into(),
        svg,
        left_out,
        numbers: Table::numbers(charted, &["bot"], &figures),
    };

    let is_rated = !ratings.is_empty();
    let has_faults = bots.iter().any(|row| row.text("faults") != "0");
    let rating = |bot: &str, cell: fn(&Row<'_>) -> Cell| {
        ratings.iter().find(|row| row.text("bot") == bot).map_or_else(|| Cell::from("-"), cell)
    };
    let ahead =
        |row: &Row<'_>| Cell::shown(row, "ahead", signed_with_interval(row.interval_of("ahead", "ahead-all-"), 3));
    let faults = |row: &Row<'_>| {
        let out = if row.text("disqualified") == "true" { "; disqualified" } else { "" };
        let faults = format!("{} {}{out}", row.text("faults"), row.text("fault-kinds"));
        Cell::shown(row, "faults", faults.trim().to_owned())
    };
    let table = TableOf::<(usize, &str)>::new()
        .add(Column::figures("place"), |(place, _)| (place + 1).to_string())
        .add(Column::text("bot"), |(_, bot)| Cell::bot(bot))
        .add_if(is_rated, Column::figures("ahead ± 95%"), |(_, bot)| rating(bot, ahead))
        .add_if(is_rated, Column::figures("places (95%)"), |(_, bot)| rating(bot, |row| places(row).into()))
        .add_if(is_rated, Column::figures("Elo ± 95%"), |(_, bot)| rating(bot, elo_cell))
        .add(Column::figures("points a deal ± 95%"), |(_, bot)| Cell::number(&by_name[bot], "mean", 3))
        .add(Column::figures("sd"), |(_, bot)| Cell::plain(&by_name[bot], "sd", 2))
        .add(Column::figures("won (95%)"), |(_, bot)| Cell::share(&by_name[bot], "won"))
        .add(Column::figures("tied %"), |(_, bot)| Cell::percent(&by_name[bot], "tied"))
        .add(Column::figures("lost %"), |(_, bot)| Cell::percent(&by_name[bot], "lost"))
        .add_if(has_faults, Column::text("faults"), |(_, bot)| faults(&by_name[bot]));
    let rows = order(files, variant).into_iter().enumerate();
    let table = Table::new("The bots, best first", table, rows, "bots.csv and ratings.csv");
    Part { tables: vec![table], charts: vec![chart], ..Part::new("Leaderboard", "bots") }
}

/// Returns the range of places that a bot may have, such as `1-4`.
fn places(row: &Row<'_>) -> String {
    match [row.text("place-low"), row.text("place-high")] {
        ["", _] => "-".to_owned(),
        [low, high] if low == high => low.to_owned(),
        [low, high] => format!("{low}-{high}"),
    }
}

/// Returns the shade of a figure in a heat map. `largest` is the largest absolute figure.
pub(super) fn shade(value: Option<f64>, largest: f64) -> String {
    let level = value.filter(|_| largest > 0.0).map_or(0, |value| (value.abs() / largest * 4.0).ceil() as usize);
    let side = if value.unwrap_or_default() < 0.0 { 'n' } else { 'p' };
    format!("{side}{level}")
}

/// Returns the crosstable of all bots, as a heat map.
pub(super) fn crosstable(files: &Files, variant: &str) -> Option<Part> {
    let pairs = files.pairs.of_variant(variant);
    let all = order(files, variant);
    let names = &all[..all.len().min(MOST_CROSSED)];
    let meetings = Meetings::of(&pairs);
    let shown: Vec<Row<'_>> = pairs
        .iter()
        .filter(|row| ["bot-a", "bot-b"].iter().all(|bot| names.contains(&row.text(bot))))
        .copied()
        .collect();
    let largest = shown.iter().filter_map(|row| row.figure("difference").0).map(f64::abs).fold(0.0, f64::max);
    if shown.is_empty() {
        return None;
    }
    let cell = |one: &str, other: &str| {
        let Some(meeting) = meetings.between(one, other) else {
            return Cell::from(if one == other { "·" } else { "" });
        };
        let lead = meeting.difference();
        let mark = if lead.may_be_zero() { " ~" } else { "" };
        Cell {
            value: Some(meeting.exact()).filter(|text| !text.is_empty()),
            shade: Some(shade(lead.value, largest)),
            ..Cell::from(signed_with_interval(lead, 3) + mark)
        }
    };
    let mut table = TableOf::<&str>::new().add(Column::text("row ahead of column"), |name| Cell::bot(name));
    for other in names {
        table = table.add(Column::of_bot(other), |name| cell(name, other));
    }
    let caption =
        "Points a deal by which the row is ahead of the column, ± 95% for all pairs at once; ~ cannot be distinguished";
    let mut table = Table::new(caption, table, names.iter().copied(), "pairs.csv");
    if all.len() > names.len() {
        table.left_out = Some(format!("The first {MOST_CROSSED} of {} bots; all are in pairs.csv.", all.len()));
    }
    let figures = ["deals", "difference", "se", "low", "high", "all-low", "all-high", "p", "all-p", "design-effect"];
    let numbers = Table::numbers(&shown, &["bot-a", "bot-b"], &figures);
    Some(Part { tables: vec![table], numbers, ..Part::new("Every bot against every other", "pairs") })
}
