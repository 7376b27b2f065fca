//! The response of each measure to a rule.

use super::results::{Values, about};
use crate::html::part::{Chart, Part};
use crate::html::plots::{Along, Marks, Spot, response, scatter};
use crate::html::source::Row;
use crate::html::standings::point;
use crate::html::svg::{Line, Title};
use crate::html::table::{Cell, Column, Table, TableOf};

/// The most measures that are charted along a rule.
const MOST_MEASURES: usize = 40;
/// The most bots of a chart.
const MOST_BOTS: usize = 4;
/// The most points of a scatter plot.
const MOST_POINTS: usize = 120;

/// Returns the measures along a rule: lines through the base, or all points if too few lie on a line.
pub(super) fn along(values: &Values<'_>, rule: &str, id: &str) -> Part {
    let summary = &values.results.summary;
    let mut slice = values.slice(&[rule]);
    let all: Vec<&str> = values.points().map(|at| values.point(at).text(rule)).collect();
    let kind = Along::of(all.iter().copied());
    slice.sort_by(|one, other| {
        let place = |at: &usize| kind.place(values.point(*at).text(rule)).unwrap_or_default();
        place(one).total_cmp(&place(other))
    });
    let is_line = slice.len() > 1;
    let mut part = Part::new("Response", "response");
    part.sentences.push(match is_line {
        true if summary.axes.len() > 1 => format!(
            "The lines go through the base: all rules but {rule} are as there. Bands and bars are intervals that hold at once at all \
             points."
        ),
        true => "Bands and bars are intervals that hold at once at all points.".to_owned(),
        false => format!(
            "No other point has all rules but {rule} as in the base, so all points are shown, with any other rules. The effect of \
             {rule} alone is among the effects."
        ),
    });
    let bots: Vec<&str> = summary.panel.iter().rev().take(MOST_BOTS).rev().map(String::as_str).collect();
    if bots.len() < summary.panel.len() {
        part.sentences.push(format!("The last {MOST_BOTS} bots of the panel are shown; all are in sweep.csv."));
    }
    let shown: Vec<&str> = values.shown().into_iter().map(|(_, measure)| measure).collect();
    let mut measures = values.measures.clone();
    // Measures that are wished for come first.
    measures.sort_by_key(|measure| shown.iter().position(|own| own == measure).unwrap_or(shown.len()));
    if measures.len() > MOST_MEASURES {
        part.sentences.push(format!("{} more measures are in sweep.csv.", measures.len() - MOST_MEASURES));
        measures.truncate(MOST_MEASURES);
    }
    let base = kind.place(values.point(summary.base).text(rule));
    for (number, measure) in measures.into_iter().enumerate() {
        let points = if is_line { slice.clone() } else { values.points().take(MOST_POINTS).collect() };
        let found = |bot: &&str| points.iter().filter_map(|&at| values.row(bot, measure, at)).collect::<Vec<_>>();
        let rows: Vec<(&str, Vec<Row<'_>>)> = bots.iter().map(|bot| (*bot, found(bot))).collect();
        // A bot without this measure keeps its place, so that each bot has the same colour in all charts.
        if rows.iter().all(|(_, rows)| rows.is_empty()) {
            continue;
        }
        let place = |row: &Row<'_>| Some((kind.place(row.text(rule))?, point(row.interval("value"))?));
        let text = format!("{measure} along {rule}, for each bot with intervals: {}.", about(measure));
        let id = format!("{id}-{number}");
        let title = Title { id: &id, name: measure, about: &text, axis: rule };
        let places = base.map(|base| (base, "base")).into_iter().collect();
        let marks = Marks { between: None, places };
        let svg = if is_line {
            let line = |(bot, rows): &(&str, Vec<Row<'_>>)| Line {
                name: (*bot).to_owned(),
                is_bot: true,
                points: rows.iter().filter_map(place).collect(),
            };
            response(&title, about(measure), &kind, &rows.iter().map(line).collect::<Vec<_>>(), &marks)
        } else {
            let names: Vec<&str> = rows.iter().map(|(bot, _)| *bot).collect();
            let spot = |(series, row): (usize, &Row<'_>)| {
                let (value, up) = place(row)?;
                Some(Spot { series, across: super::super::svg::Point { value, interval: None }, up })
            };
            let spots =
                rows.iter().enumerate().flat_map(|(series, (_, rows))| rows.iter().map(move |row| (series, row)));
            let spots: Vec<Spot> = spots.filter_map(spot).collect();
            scatter(&title, about(measure), &kind, &names, &spots, &marks)
        };
        let left_out = (!is_line && values.points().count() > MOST_POINTS)
            .then(|| format!("The first {MOST_POINTS} points; all are in sweep.csv."));
        let numbers = Some(numbers(rule, &rows));
        part.charts.push(Chart { name: measure.to_owned().into(), svg, left_out, numbers });
    }
    part
}

/// Returns the numbers of a chart: a row for each value of the rule and each bot.
fn numbers(rule: &str, rows: &[(&str, Vec<Row<'_>>)]) -> Table {
    let figures = ["value", "se", "low", "high", "difference", "difference-low", "difference-high"];
    let table = TableOf::<Row<'_>>::new()
        .add(Column::text(rule), |row| row.text(rule))
        .add(Column::text("bot"), |row| Cell::bot(row.text("bot")))
        .exact(figures);
    let rows = rows.iter().flat_map(|(_, rows)| rows.iter().copied());
    Table::new("The numbers, as in sweep.csv", table, rows, "sweep.csv")
}
