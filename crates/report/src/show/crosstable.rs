//! The crosstable: the lead of each bot over each other bot.

use super::format::{signed, signed_with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};
use super::variant_results::VariantResults;

/// Returns a line that explains the table, and the table of differences between the rated bots.
///
/// Each cell is the lead of the row's bot over the column's bot. Intervals and marks hold for all pairs at
/// once. On a narrow screen the intervals are dropped first, then the last columns.
pub(super) fn crosstable(
    variant: &VariantResults<'_>,
    label: &dyn Fn(&str) -> String,
    screen: Screen,
) -> (String, String) {
    let names: Vec<&str> = variant.ratings.iter().map(|row| row.bot.as_str()).collect();
    let widest = names.iter().map(|name| label(name).chars().count()).max().unwrap_or(0);
    let with_intervals = names.len() * 18 + widest + 4 <= screen.width;
    let cell = |row: &str, column: &str| {
        let Some(lead) = variant.lead(row, column) else { return String::new() };
        let text = if with_intervals { signed_with_interval(lead, 3) } else { signed(lead.value, 3) };
        // The mark of a difference that could be chance.
        text + if lead.may_be_zero() { " ~" } else { "  " }
    };
    // A title is shortened to the width of its column.
    let room = if with_intervals { 17 } else { 9 };
    let fitting = (screen.width.saturating_sub(widest.min(16) + 5) / (room + 3)).clamp(1, names.len());
    let mut table = TableOf::<&str>::new().add(Column::text(""), |name| label(name));
    for other in &names[..fitting] {
        table = table.add(Column::figures(screen.shorten(&label(other), room)), move |name| cell(name, other));
    }
    let left_out = match names.len() - fitting {
        0 => String::new(),
        more => format!(". {more} more columns are in pairs.csv"),
    };
    let at_once = if with_intervals { " (± 95%, for all pairs at once)" } else { "" };
    let is_open = |row: &str, column: &str| variant.lead(row, column).is_some_and(|lead| lead.may_be_zero());
    let has_open = names.iter().any(|row| names[..fitting].iter().any(|column| is_open(row, column)));
    let open = if has_open { ". ~ means not distinguished from 0" } else { "" };
    let how = format!("points a deal by which the row leads the column{at_once}{open}{left_out}");
    (how, screen.show(&table, names.iter().copied()))
}
