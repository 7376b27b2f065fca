//! The course of the search: by round, and by value of each parameter.

use super::TuneResults;
use crate::show::html::part::{Chart, Part};
use crate::show::html::plots::{Along, Marks, Spot, response, scatter};
use crate::show::html::source::Row;
use crate::show::html::svg::{DotRow, Line, Point, Title, dots};
use crate::show::html::table::{MOST_ROWS, Table};

/// The most settings of a race that are charted.
const MOST_SETTINGS: usize = 40;
/// Half the width of an error bar, in standard errors.
const ERRORS: f64 = 1.96;
const FIGURES: [&str; 3] = ["deals", "margin", "se"];
const BARS: &str = "The bars are 1.96 standard errors to either side.";

/// Returns the parts of search, surface and race, as far as there were any.
pub(super) fn parts(results: &TuneResults, id: &str) -> Vec<Part> {
    let rows = results.trials.rows();
    let (raced, tried): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.into_iter().partition(|row| row.text("stage") == "race");
    let mut parts = Vec::new();
    if !tried.is_empty() {
        parts.push(trajectory(results, &tried, id));
        parts.push(responses(results, &tried, id));
    }
    if !raced.is_empty() {
        parts.push(race(results, &raced, id));
    }
    parts
}

fn margin(row: &Row<'_>) -> Point {
    let value = row.figure("margin").0.unwrap_or_default();
    let interval = row.figure("se").0.map(|se| (value - ERRORS * se, value + ERRORS * se));
    Point { value, interval }
}

/// Returns the numbers of some comparisons.
fn numbers(results: &TuneResults, rows: &[Row<'_>]) -> Option<Table> {
    let words: Vec<&str> = ["stage", "round"]
        .into_iter()
        .chain(results.parameters.iter().map(String::as_str))
        .chain(["against"])
        .collect();
    Table::columns(rows, &words, &FIGURES)
}

/// Returns the comparison of a round with the largest margin, the first if several are equal.
fn best<'a>(round: &[Row<'a>]) -> Row<'a> {
    let better = |one: &&Row<'a>, other: &&Row<'a>| margin(one).value.total_cmp(&margin(other).value);
    *round.iter().rev().max_by(better).expect("a round has comparisons")
}

/// Returns the part on the best setting of each round.
fn trajectory(results: &TuneResults, rows: &[Row<'_>], id: &str) -> Part {
    let mut part = Part::new("Trajectory of the search", "trajectory");
    let rounds = rows.chunk_by(|one, other| ["stage", "round"].iter().all(|name| one.text(name) == other.text(name)));
    let mut bests: Vec<Row<'_>> = rounds.map(best).collect();
    let left_out = (bests.len() > MOST_ROWS).then(|| format!("The first {MOST_ROWS} of {} rounds.", bests.len()));
    bests.truncate(MOST_ROWS);
    part.sentences.push(format!(
        "In the search, each round tries settings against the best so far. Later rounds fit a surface: opposite corners of a box \
         play each other. The chart shows the best setting of each round. {BARS}"
    ));
    let series = ["search", "surface"];
    let spot = |(number, row): (usize, &Row<'_>)| Spot {
        series: usize::from(row.text("stage") != "search"),
        across: Point { value: (number + 1) as f64, interval: None },
        up: margin(row),
    };
    let spots: Vec<Spot> = bests.iter().enumerate().map(spot).collect();
    let about = "A point for each round of the search, and then of the surface: by how many points a deal the best setting of \
                 the round was ahead of the one that it met.";
    let (name, chart_id) = ("How far the best of each round was ahead", format!("{id}-rounds"));
    let title = Title { id: &chart_id, name, about, axis: "round" };
    let svg = scatter(&title, "points a deal ahead", &Along::Numbers, &series, &spots, &Marks::default());
    part.charts.push(Chart { name: name.into(), svg, left_out: left_out.clone(), numbers: numbers(results, &bests) });
    for (number, parameter) in results.parameters.iter().enumerate() {
        let value = |(number, row): (usize, &Row<'_>)| {
            let value = row.text(parameter).parse().ok()?;
            Some(((number + 1) as f64, Point { value, interval: None }))
        };
        let points: Vec<(f64, Point)> = bests.iter().enumerate().filter_map(value).collect();
        if points.len() < 2 {
            continue;
        }
        let about = format!("A line from round to round: the value of {parameter} in the best setting of each.");
        let (name, id) = (format!("{parameter}, round by round"), format!("{id}-path-{number}"));
        let title = Title { id: &id, name: &name, about: &about, axis: "round" };
        let line = Line { name: parameter.clone(), is_bot: false, points };
        let svg = response(&title, "value", &Along::Numbers, &[line], &Marks::default());
        part.charts.push(Chart { name: name.clone().into(), svg, left_out: left_out.clone(), numbers: None });
    }
    part
}

/// Returns the part on the values of each parameter and their margins.
fn responses(results: &TuneResults, rows: &[Row<'_>], id: &str) -> Part {
    let mut part = Part::new("Response of each parameter", "response");
    // The comparisons with the most deals, in the order of the file.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(rows[number].count("deals")));
    order.truncate(MOST_ROWS);
    order.sort_unstable();
    let shown: Vec<Row<'_>> = order.into_iter().map(|number| rows[number]).collect();
    part.sentences.push(format!(
        "A point for each comparison: the value that was tried, and how far the setting was ahead of the one that it met, with \
         any other parameters. {BARS} The shaded band is where the best value lies in 95% of cases, by the surface that \
         was fitted to all comparisons."
    ));
    if shown.len() < rows.len() {
        part.sentences.push(format!(
            "Shown are the {} comparisons of {} with the most deals; all are in tune.csv.",
            shown.len(),
            rows.len()
        ));
    }
    for (number, optimum) in results.optimum.rows().iter().enumerate() {
        let parameter = optimum.text("parameter");
        let kind = Along::of(shown.iter().map(|row| row.text(parameter)));
        let place = |text: &str| kind.place(text.trim_matches('"'));
        let spot = |row: &Row<'_>| {
            let across = Point { value: place(row.text(parameter))?, interval: None };
            Some(Spot { series: usize::from(row.text("stage") != "search"), across, up: margin(row) })
        };
        let spots: Vec<Spot> = shown.iter().filter_map(spot).collect();
        if optimum.text("change") == "dead" || spots.is_empty() {
            continue;
        }
        let (start, best) = (place(optimum.text("start")), place(optimum.text("best")));
        let is_same = start == best;
        let places = [(start, if is_same { "start, result" } else { "start" }), (best.filter(|_| !is_same), "result")];
        let marks = Marks {
            between: place(optimum.text("low")).zip(place(optimum.text("high"))),
            places: places.into_iter().filter_map(|(value, name)| Some((value?, name))).collect(),
        };
        let about = format!(
            "Points for values of {parameter}, with how many points a deal the setting was ahead; lines where it started and where \
             the result is."
        );
        let id = format!("{id}-of-{number}");
        let title = Title { id: &id, name: parameter, about: &about, axis: parameter };
        let svg = scatter(&title, "points a deal ahead", &kind, &["search", "surface"], &spots, &marks);
        part.charts.push(Chart { name: parameter.to_owned().into(), svg, left_out: None, numbers: None });
    }
    part.numbers = numbers(results, &shown);
    part
}

/// Returns the part on a race of all settings: the margin of each over the start.
fn race(results: &TuneResults, rows: &[Row<'_>], id: &str) -> Part {
    let mut part = Part::new("Race", "race");
    part.sentences.push(format!(
        "All settings played the same deals, until they were certainly behind: how far each is ahead of the start. {BARS}"
    ));
    let mut rows = rows.to_vec();
    rows.sort_by(|one, other| margin(other).value.total_cmp(&margin(one).value));
    let left_out =
        (rows.len() > MOST_SETTINGS).then(|| format!("The first {MOST_SETTINGS} of {} settings.", rows.len()));
    let setting = |row: &Row<'_>| {
        let values = results.parameters.iter().map(|name| row.text(name));
        values.collect::<Vec<_>>().join(", ")
    };
    let dot = |row: &Row<'_>| DotRow { name: setting(row), is_bot: false, points: vec![Some(margin(row))] };
    let dotted: Vec<DotRow> = rows.iter().take(MOST_SETTINGS).map(dot).collect();
    let about = "A dot for each setting, best first: points a deal ahead of the start.";
    let (name, id) = ("How far each setting is ahead of the start", format!("{id}-race"));
    let title = Title { id: &id, name, about, axis: "points a deal ahead of the start" };
    let svg = dots(&title, &[""], &dotted, true);
    part.charts.push(Chart { name: name.into(), svg, left_out, numbers: numbers(results, &rows) });
    part
}
