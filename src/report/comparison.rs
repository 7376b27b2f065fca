//! Two runs side by side on the terminal.

use super::format::{number, with_interval};
use super::terminal::table;
use crate::stats::{ComparisonRow, chance_text};

/// The table of a comparison.
pub fn comparison(rows: &[ComparisonRow]) -> String {
    let line = |row: &ComparisonRow| {
        let variant = if row.variant_a == row.variant_b {
            row.variant_a.clone()
        } else {
            format!("{} / {}", row.variant_a, row.variant_b)
        };
        vec![
            variant,
            row.bot.clone(),
            if row.paired { "the same" } else { "different" }.to_owned(),
            number(row.mean_a, 3),
            number(row.mean_b, 3),
            with_interval(row.difference, row.low, row.high, 4),
            row.superiority.0.map_or("-".to_owned(), chance_text),
        ]
    };
    let headings = ["variant", "bot", "deals", "A", "B", "B - A ± 95%", "B better"];
    format!("points a deal\n{}\n", table(&headings, 3, rows.iter().map(line)))
}
