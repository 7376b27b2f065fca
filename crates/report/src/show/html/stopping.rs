//! The course of the stopping rules of a run, and their state at its end.

use overtrick_stats::{Figure, Interval, LookRow, StopRow};
use overtrick_tournament::Tournament;

use super::part::{Chart, Part};
use super::plots::{Along, Marks, response};
use super::svg::{Line, Point, Title, point};
use super::table::{Column, Table, TableOf};
use crate::show::format::{number, signed};
use crate::show::variant_results::VariantResults;

/// Returns the part on how the run of a variant stopped; `None` in a run without a rule.
pub(super) fn stop(variant: &VariantResults<'_>, tournament: &Tournament, id: &str) -> Option<Part> {
    let (row, rule) = (*variant.stops.first()?, tournament.stop?);
    let (units, blocks) = (tournament.unit.plural(), row.blocks);
    let mut part = Part::new("How the run stopped", "stop");
    let why = if row.stopped { "its rule was met" } else { "all its numbers were played" };
    part.sentences.push(format!("The run of this variant ended after {blocks} {units}, since {why}."));
    let course = LookCourse { looks: &variant.looks, id, axis: format!("{units} played") };
    if let Some((wanted, half_width)) = rule.half_width.zip(row.half_width.0) {
        let title = Title {
            id: "half-width",
            name: "How precise the differences were",
            about: "Half the width of the widest 95% interval of a difference of two bots by the numbers played, and \
                    the width that was asked for.",
            axis: "points a deal",
        };
        part.charts.extend(course.chart(&title, "widest interval", |row| row.half_width, &[("asked for", wanted)]));
        let figure = number(Figure(Some(half_width)).rounded(), 4);
        part.sentences.push(format!("The widest 95% interval of a difference of two bots was then ± {figure}."));
    }
    if row.llr.0.is_some() {
        let title = Title {
            id: "llr",
            name: "How the sequential test went",
            about: "The log-likelihood ratio of the sequential test by the numbers played, with the bounds at which it \
                    accepts a hypothesis.",
            axis: "log-likelihood ratio",
        };
        let [ratio, lower, upper] = [row.llr, row.lower_bound, row.upper_bound].map(Figure::rounded);
        let bounds = [("accepts H1", upper.0.unwrap_or_default()), ("accepts H0", lower.0.unwrap_or_default())];
        part.charts.extend(course.chart(&title, "the test", |row| row.llr, &bounds));
        let accepted = row.accepted.map_or("accepted neither hypothesis".to_owned(), |one| format!("accepted {one}"));
        part.sentences.push(format!(
            "The sequential test {accepted}: its log-likelihood ratio stood at {}, between bounds at {} and {}.",
            signed(ratio, 2),
            signed(lower, 2),
            signed(upper, 2)
        ));
    }
    let numbers = TableOf::<&StopRow>::new()
        .add(Column::text("stopped"), |row| row.stopped.to_string())
        .add(Column::text("accepted"), |row| row.accepted.unwrap_or_default())
        .exact("blocks", |row| row.blocks)
        .exact("half-width", |row| row.half_width)
        .exact("llr", |row| row.llr)
        .exact("lower-bound", |row| row.lower_bound)
        .exact("upper-bound", |row| row.upper_bound)
        .interval(["difference", "low", "high"], |row| row.difference);
    part.numbers = Table::numbers("summary.json", numbers, &variant.stops);
    Some(part)
}

/// The looks of a run at its rules.
struct LookCourse<'a> {
    looks: &'a [&'a LookRow],
    id: &'a str,
    axis: String,
}

impl LookCourse<'_> {
    /// Returns the chart of a figure by look, with lines at fixed levels.
    ///
    /// It is `None` if there are fewer than two looks. The title has the name of the figure's column as its id,
    /// and names the vertical axis.
    fn chart(
        &self,
        title: &Title<'static>,
        name: &str,
        figure: fn(&LookRow) -> Figure,
        levels: &[(&str, f64)],
    ) -> Option<Chart> {
        let mut points = Vec::new();
        for row in self.looks {
            points.extend(point(Interval::new(figure(row).0, None)).map(|point| (row.blocks as f64, point)));
        }
        let (Some(&(first, _)), Some(&(last, _))) = (points.first(), points.last()) else { return None };
        if points.len() < 2 {
            return None;
        }
        let mut lines = vec![Line { name: name.to_owned(), is_bot: false, points }];
        for &(name, value) in levels {
            let points = [first, last].map(|x| (x, Point { value, interval: None })).into();
            lines.push(Line { name: name.to_owned(), is_bot: false, points });
        }
        let Title { id: column, name, about, axis: up } = *title;
        let title = Title { id: &format!("{}-{column}", self.id), name, about, axis: &self.axis };
        let svg = response(&title, up, &Along::Numbers, &lines, &Marks::default());
        let numbers = TableOf::<&LookRow>::new()
            .add(Column::text("blocks"), |row| row.blocks.to_string())
            .exact(column, move |row| figure(row));
        let numbers = Table::numbers("looks.csv", numbers, self.looks);
        Some(Chart { name: name.into(), svg, left_out: None, numbers })
    }
}
