//! The points of a sweep: singly, compared with each other, and as a map of two rules.

use overtrick_lab::decimals;

use super::results::{Values, about};
use crate::show::format::{number, with_ends};
use crate::show::html::part::{Chart, Part};
use crate::show::html::plots::{Along, Heat, Marks, Spot, distinct, heat, scatter};
use crate::show::html::source::Row;
use crate::show::html::svg::{Title, point};
use crate::show::html::table::{Cell, Column, Table, TableOf};
use crate::show::sweep_text::measured_with;

/// The most points of a table.
const MOST_POINTS: usize = 600;
/// The most pairs of wishes that are plotted.
const MOST_PAIRS: usize = 3;

/// Returns the name of a measure, with its bot if several bots are shown.
pub(super) fn named(shown: &[(&str, &str)], (bot, measure): (&str, &str)) -> String {
    let is_mixed = shown.iter().any(|(other, _)| *other != shown[0].0);
    if is_mixed { format!("{measure} ({bot})") } else { measure.to_owned() }
}

/// Returns the table of all points with the measures that are wished for.
pub(super) fn table(values: &Values<'_>) -> Part {
    let summary = &values.results.summary;
    let shown = values.shown();
    let mut part = Part::new("Points", "points");
    if let Some((bot, _)) = shown.first().filter(|_| shown.iter().all(|(bot, _)| *bot == shown[0].0)) {
        let how = measured_with(bot, shown.iter().map(|(_, measure)| *measure));
        part.sentences.push(format!("All points are {how}."));
    }
    for wish in &summary.wishes {
        part.sentences.push(format!("{}, {}: wanted is {}.", wish.measure, about(&wish.measure), wish.wanted));
    }
    let mut table = TableOf::<usize>::new().add(Column::text("rules"), |&at| values.point(at).text("name"));
    for (which, one) in shown.iter().enumerate() {
        table = table.add(Column::figures(format!("{} (95%)", named(&shown, *one))), move |&at| {
            let cell = values.row(one.0, one.1, at).map_or(Cell::from(""), |row| value_cell(&row));
            match summary.wishes.get(which).and_then(|wish| wish.verdicts[at - 1].as_deref()) {
                Some(verdict) => judged(cell, verdict),
                None => cell,
            }
        });
    }
    let caption = "Each set of rules, named by its differences from the base";
    part.tables.push(Table::up_to(MOST_POINTS, caption, table, values.points(), "sweep.csv"));
    part
}

/// Returns the cell of a value with the verdict on a wish.
fn judged(cell: Cell, verdict: &str) -> Cell {
    let shade = match verdict {
        "met" => Some("p1".to_owned()),
        "missed" => Some("n1".to_owned()),
        _ => None,
    };
    Cell { text: format!("{} {verdict}", cell.text), shade, ..cell }
}

/// Returns a cell with a value and its interval, which need not be symmetric.
fn value_cell(row: &Row<'_>) -> Cell {
    Cell::shown(row.text("value"), with_ends(row.interval("value"), 3))
}

/// Returns the part that plots the wishes against each other.
pub(super) fn trade_off(values: &Values<'_>, id: &str) -> Option<Part> {
    let summary = &values.results.summary;
    let shown = values.shown();
    if summary.wishes.len() < 2 || summary.points < 2 {
        return None;
    }
    let mut part = Part::new("Trade-off", "pareto");
    let names: Vec<&str> = summary.unbeaten.iter().take(6).map(|&at| values.point(at).text("name")).collect();
    let more = match summary.unbeaten.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more (pareto.csv)"),
    };
    part.sentences.push(format!("Best trade-offs: {}{more}.", names.join("; ")));
    part.sentences.push("No other point does as well by every wish and certainly better by one.".to_owned());
    for (which, other) in (1..shown.len().min(MOST_PAIRS + 1)).enumerate() {
        let pair = [shown[0], shown[other]];
        let places =
            |at: usize| Some((at, [values.row(pair[0].0, pair[0].1, at)?, values.row(pair[1].0, pair[1].1, at)?]));
        let both: Vec<(usize, [Row<'_>; 2])> = values.points().filter_map(places).take(MOST_POINTS).collect();
        let spot = |(at, rows): &(usize, [Row<'_>; 2])| {
            let series = match at {
                at if *at == summary.base => 2,
                at if summary.unbeaten.contains(at) => 1,
                _ => 0,
            };
            Some(Spot { series, across: point(rows[0].interval("value"))?, up: point(rows[1].interval("value"))? })
        };
        let mut spots: Vec<Spot> = both.iter().filter_map(spot).collect();
        // Important points are drawn on top.
        spots.sort_by_key(|spot| spot.series);
        let [x, y] = pair.map(|one| named(&shown, one));
        let name = format!("{y} against {x}");
        let text = format!("A point for each point of the sweep, with the intervals of both: {x} across, {y} up.");
        let (id, axis) = (format!("{id}-{which}"), format!("{x}: {}", about(pair[0].1)));
        let title = Title { id: &id, name: &name, about: &text, axis: &axis };
        let up = format!("{y}: {}", about(pair[1].1));
        let series = ["beaten by another", "beaten by no other", "base"];
        let svg = scatter(&title, &up, &Along::Numbers, &series, &spots, &Marks::default());
        let mut table = TableOf::<(usize, [Row<'_>; 2])>::new()
            .add(Column::text("rules"), |(at, _)| values.point(*at).text("name"));
        for (which, name) in [&x, &y].into_iter().enumerate() {
            let titles = [name.clone(), format!("{name} low"), format!("{name} high")];
            for (title, column) in titles.into_iter().zip(["value", "low", "high"]) {
                table = table.add(Column::figures(title), move |(_, rows)| Cell::exact(rows[which].text(column)));
            }
        }
        let numbers = Table::up_to(MOST_POINTS, "The numbers, as in sweep.csv", table, both, "sweep.csv");
        part.charts.push(Chart { name: name.clone().into(), svg, left_out: None, numbers: Some(numbers) });
    }
    Some(part)
}

/// Returns the maps of each measure over two rules, with the other rules as in the base.
pub(super) fn heat_maps(values: &Values<'_>, id: &str) -> Option<Part> {
    let summary = &values.results.summary;
    let rules: Vec<&str> = summary.axes.iter().map(|axis| axis.rule.as_str()).collect();
    let mut part = Part::new("Two rules together", "heat");
    let shown = values.shown();
    for (first, one) in rules.iter().enumerate() {
        for other in &rules[first + 1..] {
            let slice = values.slice(&[one, other]);
            let mut levels = [one, other].map(|rule| distinct(slice.iter().map(|&at| values.point(at).text(rule))));
            let (mut across, mut down) = (*one, *other);
            if levels[0].len() < levels[1].len() {
                levels.swap(0, 1);
                (across, down) = (down, across);
            }
            let [columns, rows] = &levels;
            // A map with gaps is left out.
            if rows.len() < 2 || slice.len() < columns.len() * rows.len() {
                continue;
            }
            let at = |column: usize, row: usize| {
                let is_meant = |at: &&usize| {
                    let own = values.point(**at);
                    own.text(across) == columns[column] && own.text(down) == rows[row]
                };
                slice.iter().find(is_meant).copied()
            };
            for measure in &shown {
                let found: Vec<Row<'_>> = slice.iter().filter_map(|&at| values.row(measure.0, measure.1, at)).collect();
                let all = || found.iter().filter_map(|row| row.figure("value").0);
                let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
                // The number of decimals that distinguishes the values.
                let decimals = decimals(high - low).unwrap_or(2);
                let cell = |column: usize, row: usize| {
                    let own = values.row(measure.0, measure.1, at(column, row)?)?;
                    let value = own.figure("value");
                    let share = if high > low { (value.0? - low) / (high - low) } else { 0.0 };
                    Some(Heat { level: (share * 4.99) as usize, text: number(value, decimals) })
                };
                let own = named(&shown, *measure);
                let name = format!("{own}: {down} by {across}");
                let text =
                    format!("A cell for each value of {across} along and of {down} down, darker for more: {own}.");
                let id = format!("{id}-{}", part.charts.len());
                let title = Title { id: &id, name: &name, about: &text, axis: across };
                let svg = heat(&title, columns, rows, cell);
                let numbers = Table::columns(&found, &[across, down, "bot"], &["value", "se", "low", "high"]);
                part.charts.push(Chart { name: name.clone().into(), svg, left_out: None, numbers });
            }
        }
    }
    part.sentences.push("The darker, the more. All other rules are as in the base.".to_owned());
    (!part.charts.is_empty()).then_some(part)
}
