//! Two runs compared on the terminal.

use overtrick_stats::{ComparisonRow, p_value_text};

use super::format::{marked, number, with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// Returns the table of a comparison.
pub fn comparison(rows: &[ComparisonRow]) -> String {
    let variant = |row: &&ComparisonRow| {
        let (a, b) = (&row.variant_a, &row.variant_b);
        if a == b { a.clone() } else { format!("{a} / {b}") }
    };
    let p = |p: f64| p_value_text(p).trim_start_matches("= ").to_owned();
    let table = TableOf::new()
        .add(Column::text("variant"), variant)
        .add(Column::text("bot"), |row| marked(&row.bot, row.faults > 0))
        .add(Column::text("deals").spare(1), |row| if row.paired { "the same" } else { "different" })
        .add(Column::figures("A").spare(2), |row| number(row.mean_a, 3))
        .add(Column::figures("B").spare(2), |row| number(row.mean_b, 3))
        .add(Column::figures("B - A ± 95%"), |row| with_interval(row.difference, 4))
        .add(Column::figures("p"), |row| row.all_p.0.map_or("-".to_owned(), p));
    let corrected = if rows.len() > 1 { "; p is corrected for the number of rows" } else { "" };
    format!("points a deal{corrected}\n{}\n", Screen::current().show(&table, rows))
}
