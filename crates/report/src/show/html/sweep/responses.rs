//! The response of each measure to a rule.

use super::results::{Values, about};
use crate::show::html::part::{Chart, Part};
use crate::show::html::plots::{Along, Marks, Spot, response, scatter};
use crate::show::html::source::Row;
use crate::show::html::svg::{Line, Point, Title, point};
use crate::show::html::table::{Cell, Column, Table, TableOf};

/// The most measures that are charted along a rule.
const MOST_MEASURES: usize = 40;
/// The most bots of a chart.
const MOST_BOTS: usize = 4;
/// The most points of a scatter plot.
const MOST_POINTS: usize = 120;

/// The points along a rule.
struct RuleCourse<'a> {
    values: &'a Values<'a>,
    rule: &'a str,
    axis: Along<'a>,
    /// Whether the points lie on a line, as all other rules are as in the base.
    is_line: bool,
    /// The points that are shown; those on a line are in the order of the axis.
    points: Vec<usize>,
    bots: Vec<&'a str>,
}

/// Returns the measures along a rule: lines through the base, or all points if too few lie on a line.
pub(super) fn along(values: &Values<'_>, rule: &str, id: &str) -> Part {
    let summary = &values.results.summary;
    let all: Vec<&str> = values.points().map(|at| values.point(at).text(rule)).collect();
    let axis = Along::of(all.iter().copied());
    let mut points = values.slice(&[rule]);
    let is_line = points.len() > 1;
    if is_line {
        let place = |at: usize| axis.place(values.point(at).text(rule)).unwrap_or_default();
        points.sort_by(|&one, &other| place(one).total_cmp(&place(other)));
    } else {
        points = values.points().take(MOST_POINTS).collect();
    }
    let bots: Vec<&str> = summary.panel.iter().rev().take(MOST_BOTS).rev().map(String::as_str).collect();
    let mut part = Part::new("Response", "response");
    part.sentences.push(about_points(rule, is_line, summary.axes.len()));
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
    let course = RuleCourse { values, rule, axis, is_line, points, bots };
    for (number, measure) in measures.into_iter().enumerate() {
        part.charts.extend(course.chart(measure, &format!("{id}-{number}")));
    }
    part
}

/// Returns a sentence on the points that are shown along a rule.
fn about_points(rule: &str, is_line: bool, axes: usize) -> String {
    if !is_line {
        return format!(
            "No other point has all rules but {rule} as in the base, so all points are shown, with any other rules. The effect of \
             {rule} alone is among the effects."
        );
    }
    if axes < 2 {
        return "Bands and bars are intervals that hold at once at all points.".to_owned();
    }
    format!(
        "The lines go through the base: all rules but {rule} are as there. Bands and bars are intervals that hold at once at all \
         points."
    )
}

impl RuleCourse<'_> {
    /// Returns the chart of a measure; `None` if no bot has it.
    fn chart(&self, measure: &str, id: &str) -> Option<Chart> {
        let RuleCourse { values, rule, axis, is_line, .. } = self;
        let rows_of = |bot: &str| self.points.iter().filter_map(|&at| values.row(bot, measure, at)).collect();
        let rows: Vec<Vec<Row<'_>>> = self.bots.iter().map(|bot| rows_of(bot)).collect();
        // A bot without this measure keeps its place, so that each bot has the same colour in all charts.
        if rows.iter().all(Vec::is_empty) {
            return None;
        }
        let place = |row: &Row<'_>| Some((axis.place(row.text(rule))?, point(row.interval("value"))?));
        let text = format!("{measure} along {rule}, for each bot with intervals: {}.", about(measure));
        let title = Title { id, name: measure, about: &text, axis: rule };
        let base = axis.place(values.point(values.results.summary.base).text(rule));
        let marks = Marks { between: None, places: base.map(|base| (base, "base")).into_iter().collect() };
        let svg = if *is_line {
            let mut lines = Vec::with_capacity(rows.len());
            for (bot, rows) in self.bots.iter().zip(&rows) {
                let points = rows.iter().filter_map(place).collect();
                lines.push(Line { name: (*bot).to_owned(), is_bot: true, points });
            }
            response(&title, about(measure), axis, &lines, &marks)
        } else {
            let mut spots = Vec::new();
            for (series, rows) in rows.iter().enumerate() {
                for (value, up) in rows.iter().filter_map(place) {
                    spots.push(Spot { series, across: Point { value, interval: None }, up });
                }
            }
            scatter(&title, about(measure), axis, &self.bots, &spots, &marks)
        };
        let left_out = (!is_line && values.points().count() > MOST_POINTS)
            .then(|| format!("The first {MOST_POINTS} points; all are in sweep.csv."));
        let numbers = Some(numbers(rule, &rows.concat()));
        Some(Chart { name: measure.to_owned().into(), svg, left_out, numbers })
    }
}

/// Returns the numbers of a chart: a row for each value of the rule and each bot.
fn numbers(rule: &str, rows: &[Row<'_>]) -> Table {
    let mut table = TableOf::<Row<'_>>::new()
        .add(Column::text(rule), |row| row.text(rule))
        .add(Column::text("bot"), |row| Cell::bot(row.text("bot")));
    for name in ["value", "se", "low", "high", "difference", "difference-low", "difference-high"] {
        table = table.exact(name, move |row| row.text(name));
    }
    Table::new("The numbers, as in sweep.csv", table, rows.iter().copied(), "sweep.csv")
}
