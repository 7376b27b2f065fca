//! The effects of rules over all points together.

use overtrick_lab::sweep::GRID_AXES;

use super::points::named;
use super::results::Values;
use crate::effect_name::{AxisText, EffectName};
use crate::show::html::part::{Chart, Part};
use crate::show::html::source::Row;
use crate::show::html::svg::{DotRow, Title, dots};
use crate::show::html::table::{Cell, Column, Table, TableOf};

/// The most effects on a measure.
const MOST_EFFECTS: usize = 20;

/// The explanation of the effects of a grid.
const ABOUT_GRID: &str = "An effect is the change from the reference value to another value of a rule, averaged over the other \
                          rules. The reference is the base's value if the base is one of the combinations, and else the \
                          first. The effect of two values together is the change beyond each alone.";

/// The explanation of the effects of other points.
const ABOUT_SURFACE: &str = "The effects are those of a quadratic surface that is fitted to all points: the change from the \
                             lowest number of a rule to the highest in the middle of all others, how far both ends of a rule \
                             are above its middle, what two rules at the same end are above both at different ends, and \
                             the change from the first value of a rule that has no numbers.";

/// Returns the part with the largest effects on the most important measures.
pub(super) fn effects(values: &Values<'_>, id: &str) -> Option<Part> {
    let mut part = Part::new("Effects", "effects");
    let rows = values.results.effects.rows();
    let shown = values.shown();
    for (number, (bot, measure)) in shown.iter().enumerate() {
        let is_own = |row: &&Row<'_>| row.text("bot") == *bot && row.text("measure") == *measure;
        let is_sure = |row: &&Row<'_>| !row.interval("size").may_be_zero();
        let own: Vec<Row<'_>> = rows.iter().filter(is_own).copied().collect();
        let mut sure: Vec<Row<'_>> = own.iter().filter(is_sure).copied().collect();
        let size = |row: &Row<'_>| row.figure("size").0.unwrap_or_default().abs();
        sure.sort_by(|one, other| size(other).total_cmp(&size(one)));
        let name = named(&shown, (bot, measure));
        if sure.is_empty() {
            if !own.is_empty() {
                part.sentences.push(format!("No effect on {name} can be distinguished from 0."));
            }
            continue;
        }
        let left_out = sure.len().saturating_sub(MOST_EFFECTS);
        sure.truncate(MOST_EFFECTS);
        let title = format!("Effects on {name}");
        let about = format!(
            "The largest effects on {name} that are distinguished from 0, each by its number in the table below, with intervals \
             that hold at once."
        );
        let dot = |(place, row): (usize, &Row<'_>)| {
            let name = short(row).unwrap_or_else(|| format!("number {}", place + 1));
            DotRow::new(&name, false, row.interval("size"))
        };
        let id = format!("{id}-{number}");
        let head =
            Title { id: &id, name: &title, about: &about, axis: "change from the value that is named as reference" };
        let svg = dots(&head, &[""], &sure.iter().enumerate().map(dot).collect::<Vec<_>>(), true);
        let mut table = TableOf::<(usize, Row<'_>)>::new()
            .add(Column::figures("number"), |(place, _)| (place + 1).to_string())
            .add(Column::text("effect of"), |(_, row)| in_words(row));
        for column in ["size", "se", "low", "high"] {
            table = table.add(Column::figures(column), move |(_, row)| Cell::exact(row.text(column)));
        }
        let rows = sure.iter().copied().enumerate();
        let numbers = Table::new("The numbers, as in effects.csv", table, rows, "effects.csv");
        let left_out = (left_out > 0).then(|| format!("{left_out} smaller ones are in effects.csv."));
        part.charts.push(Chart { name: title.into(), svg, left_out, numbers: Some(numbers) });
    }
    if !part.charts.is_empty() {
        let is_grid = values.results.summary.axes.len() <= GRID_AXES;
        let about = if is_grid { ABOUT_GRID } else { ABOUT_SURFACE };
        part.sentences.insert(0, format!("{about} Only effects that are distinguished from 0 are shown."));
    }
    (!part.sentences.is_empty()).then_some(part)
}

/// Returns an effect in words.
fn in_words(row: &Row<'_>) -> String {
    let text = |column: &str| row.text(column).to_owned();
    let one = AxisText { axis: text("axis"), value: text("value"), against: text("against") };
    let other = AxisText { axis: text("axis-2"), value: text("value-2"), against: text("against-2") };
    EffectName { kind: text("effect"), one, other }.in_words()
}

/// Returns an effect in words, if it fits the space for a name in a chart.
fn short(row: &Row<'_>) -> Option<String> {
    Some(in_words(row)).filter(|text| text.chars().count() <= 16)
}
