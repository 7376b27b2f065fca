//! Two runs compared on the terminal.

use overtrick_stats::{ComparisonRow, p_value_text};

use super::format::{number, with_interval};
use super::screen::{Column, Screen};

/// Returns the table of a comparison.
pub fn comparison(rows: &[ComparisonRow]) -> String {
    let line = |row: &ComparisonRow| {
        let variant = if row.variant_a == row.variant_b {
            row.variant_a.clone()
        } else {
            format!("{} / {}", row.variant_a, row.variant_b)
        };
        vec![
            variant,
            if row.faults > 0 { format!("{} (!)", row.bot) } else { row.bot.clone() },
            if row.paired { "the same" } else { "different" }.to_owned(),
            number(row.mean_a, 3),
            number(row.mean_b, 3),
            with_interval(row.difference, 4),
            row.all_p.0.map_or("-".to_owned(), |p| p_value_text(p).trim_start_matches("= ").to_owned()),
        ]
    };
    let columns = [
        Column::text("variant"),
        Column::text("bot"),
        Column::text("deals").spare(1),
        Column::figures("A").spare(2),
        Column::figures("B").spare(2),
        Column::figures("B - A ± 95%"),
        Column::figures("p"),
    ];
    let rows: Vec<Vec<String>> = rows.iter().map(line).collect();
    let corrected = if rows.len() > 1 { "; p is corrected for the number of rows" } else { "" };
    format!("points a deal{corrected}\n{}\n", Screen::current().table(&columns, &rows))
}
