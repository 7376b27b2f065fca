//! A bot that was tuned again for the rules of each point.

use super::results::Values;
use crate::show::html::part::{Chart, Part};
use crate::show::html::source::Row;
use crate::show::html::svg::{DotRow, Title, dots};
use crate::show::html::table::{Cell, Column, Table, TableOf};

/// The most points of a chart.
const MOST_POINTS: usize = 40;

/// Returns the part on the result of tuning at each point, and the changes of measures by it.
pub(super) fn retuned(values: &Values<'_>, id: &str) -> Option<Part> {
    let file = values.results.retuned.as_ref()?;
    let names = values.results.summary.retuned.as_ref()?;
    let rows = file.rows();
    let mut part = Part::new("At best play", "retuned");
    let (bot, tuned) = (&names.bot, &names.name);
    part.sentences.push(format!(
        "{bot} was tuned again for the rules of each point, and is then called {tuned}. The interval of a gain is for its point \
         alone."
    ));
    let known: Vec<Row<'_>> = rows.iter().filter(|row| row.figure("gain").0.is_some()).copied().collect();
    if !known.is_empty() {
        let about = format!("A dot for each point: by how much {tuned} is ahead of {bot}, with the 95% interval.");
        let (name, id) = ("Gain of tuning at each point", format!("{id}-gain"));
        let title = Title { id: &id, name, about: &about, axis: "points a deal" };
        let numbers =
            Table::columns(&known, &["name", "better"], &["deals", "gain", "gain-se", "gain-low", "gain-high"]);
        part.charts.push(Chart { numbers, ..chart(&title, &known, "gain") });
    }
    for (number, (_, measure)) in values.shown().iter().enumerate() {
        let changed = |at: usize| values.row(tuned, measure, at).filter(|row| row.figure("change").0.is_some());
        let rows: Vec<Row<'_>> = values.points().filter_map(changed).collect();
        // If the bot stays the same everywhere, nothing changes.
        if rows.iter().all(|row| row.figure("change").0 == Some(0.0)) {
            continue;
        }
        let name = format!("Change by best play: {measure}");
        let about = format!("A dot for each point: {measure} as {tuned} plays, less as {bot} does.");
        let id = format!("{id}-change-{number}");
        let title = Title { id: &id, name: &name, about: &about, axis: "after less before" };
        let figures = ["value", "change", "change-se", "change-low", "change-high"];
        let numbers = Table::columns(&rows, &["name", "bot"], &figures);
        part.charts.push(Chart { numbers, ..chart(&title, &rows, "change") });
    }
    let before: Vec<&str> = file.columns().iter().filter_map(|column| column.strip_suffix("-before")).collect();
    let gain = |row: &Row<'_>| match row.text("gain") {
        "" => Cell::from(""),
        _ => Cell::number(row.interval("gain"), 3),
    };
    let mut table = TableOf::<Row<'_>>::new()
        .add(Column::text("rules"), |row| row.text("name"))
        .add(Column::text("found something"), |row| row.text("better"))
        .add(Column::figures("gain ± 95%"), gain);
    for key in before {
        let columns = ["before", "after"].map(|end| format!("{key}-{end}"));
        table = table.add(Column::figures(key), move |row| {
            let end = |column: &String| if file.columns().contains(column) { row.text(column) } else { "" };
            let [from, to] = columns.each_ref().map(end);
            if from == to { from.to_owned() } else { format!("{from} to {to}") }
        });
    }
    let caption = "Gain of tuning at each point, and each parameter before and after";
    part.tables.push(Table::new(caption, table, rows, "retuned.csv"));
    Some(part)
}

/// Returns the chart of a figure at each point, without its numbers.
fn chart(title: &Title<'_>, rows: &[Row<'_>], figure: &str) -> Chart {
    let dot = |row: &Row<'_>| DotRow::new(row.text("name"), false, row.interval(figure));
    let dotted: Vec<DotRow> = rows.iter().take(MOST_POINTS).map(dot).collect();
    let left_out = (rows.len() > MOST_POINTS).then(|| format!("The first {MOST_POINTS} points."));
    Chart { name: title.name.to_owned().into(), svg: dots(title, &[""], &dotted, true), left_out, numbers: None }
}
