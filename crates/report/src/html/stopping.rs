//! The course of the stopping rules of a run, and their state at its end.

use overtrick_tournament::Tournament;

use super::Files;
use super::part::{Chart, Part};
use super::plots::{Along, Marks, response};
use super::source::Row;
use super::svg::{Line, Point, Title};
use super::table::Table;
use crate::format::{number, signed};

/// Returns the part on how the run of a variant stopped; `None` in a run without a rule.
pub(super) fn stop(files: &Files, tournament: &Tournament, variant: &str, id: &str) -> Option<Part> {
    let rows = files.stops.of_variant(variant);
    let (row, rule) = (rows.first()?, tournament.stop?);
    let (units, blocks) = (tournament.unit.plural(), row.text("blocks"));
    let mut part = Part::new("How the run stopped", "stop");
    let why = if row.text("stopped") == "true" { "its rule was met" } else { "all its numbers were played" };
    part.sentences.push(format!("The run of this variant ended after {blocks} {units}, since {why}."));
    let looks = files.looks.of_variant(variant);
    let axis = format!("{units} played");
    let along = |column: &str| -> Vec<(f64, Point)> {
        let point = |row: &Row<'_>| {
            let (x, y) = row.figure("blocks").0.zip(row.figure(column).0)?;
            Some((x, Point { value: y, interval: None }))
        };
        looks.iter().filter_map(point).collect()
    };
    let level = |name: &str, points: &[(f64, Point)], value: f64| {
        let ends = [points.first(), points.last()].into_iter().flatten();
        let points = ends.map(|(x, _)| (*x, Point { value, interval: None })).collect();
        Line { name: name.to_owned(), is_bot: false, points }
    };
    let mut draw = |name: &'static str, about: &str, up: &str, lines: Vec<Line>, column: &str| {
        if lines[0].points.len() > 1 {
            let title = Title { id: &format!("{id}-{column}"), name, about, axis: &axis };
            let svg = response(&title, up, &Along::Numbers, &lines, &Marks::default());
            let numbers = Table::numbers(&looks, &["blocks"], &[column]);
            part.charts.push(Chart { name: name.into(), svg, left_out: None, numbers });
        }
    };
    if let Some((wanted, half_width)) = rule.half_width.zip(row.figure("half-width").0) {
        let points = along("half-width");
        let asked = level("asked for", &points, wanted);
        let widest = Line { name: "widest interval".to_owned(), is_bot: false, points };
        let about = "Half the width of the widest 95% interval of a difference of two bots by the numbers played, and \
                     the width that was asked for.";
        draw("How precise the differences were", about, "points a deal", vec![widest, asked], "half-width");
        let figure = number(half_width, 4);
        part.sentences.push(format!("The widest 95% interval of a difference of two bots was then ± {figure}."));
    }
    if row.figure("llr").0.is_some() {
        let accepted = match row.text("accepted") {
            "" => "accepted neither hypothesis".to_owned(),
            hypothesis => format!("accepted {hypothesis}"),
        };
        let [ratio, lower, upper] = ["llr", "lower-bound", "upper-bound"].map(|column| row.figure(column));
        let points = along("llr");
        let bounds = [("accepts H1", upper), ("accepts H0", lower)];
        let bounds = bounds.map(|(name, bound)| level(name, &points, bound.0.unwrap_or_default()));
        let lines =
            std::iter::once(Line { name: "the test".to_owned(), is_bot: false, points }).chain(bounds).collect();
        let about = "The log-likelihood ratio of the sequential test by the numbers played, with the bounds at which it \
                     accepts a hypothesis.";
        draw("How the sequential test went", about, "log-likelihood ratio", lines, "llr");
        part.sentences.push(format!(
            "The sequential test {accepted}: its log-likelihood ratio stood at {}, between bounds at {} and {}.",
            signed(ratio, 2),
            signed(lower, 2),
            signed(upper, 2)
        ));
    }
    let figures = ["blocks", "half-width", "llr", "lower-bound", "upper-bound", "difference", "low", "high"];
    part.numbers = Table::numbers(&rows, &["stopped", "accepted"], &figures);
    Some(part)
}
