//! Losses by plays, from double-dummy analysis.

use super::Files;
use super::design::{MOST_BOTS, note, of_best};
use super::part::{Chart, Part};
use super::source::Row;
use super::standings::point;
use super::svg::{DotRow, Title, dots};
use super::table::{Cell, Column, Table, TableOf};

/// Returns the part on the losses by the plays of each bot, in total and by side.
///
/// `None` without a double-dummy analysis.
pub(super) fn given_away(files: &Files, variant: &str, id: &str) -> Option<Part> {
    let all = files.given_away.of_variant(variant);
    let of_role = |role: &str| -> Vec<Row<'_>> {
        all.iter().filter(|row| row.text("role") == role && row.text("trick").is_empty()).copied().collect()
    };
    let (own, left_out) = of_best(of_role("all"), files, variant, MOST_BOTS);
    let unit = own.first()?.text("unit");
    let name = format!("{} that plays gave away", if unit == "tricks" { "Tricks" } else { "Points" });
    let which = if unit == "tricks" { "" } else { " in the last tricks" };
    let about = format!(
        "For each bot: how many {unit} a deal of {variant} its cards gave away{which}, with all cards known, with 95% intervals."
    );
    let title = Title { id, name: &name, about: &about, axis: &format!("{unit} a deal") };
    let dot = |row: &Row<'_>| DotRow {
        name: row.text("bot").to_owned(),
        is_bot: true,
        points: vec![point(row.interval("given-away"))],
    };
    let svg = dots(&title, &[], &own.iter().map(dot).collect::<Vec<_>>(), true);
    let numbers = Table::numbers(&own, &["bot"], &["deals", "plays", "given-away", "low", "high"]);
    let chart = Chart { name: name.clone().into(), svg, left_out: note(left_out, "given-away.csv"), numbers };
    let [declarer, defender] = ["declarer", "defender"].map(of_role);
    let of_side = |rows: &[Row<'_>], row: &Row<'_>| {
        let own = rows.iter().find(|other| other.text("bot") == row.text("bot"));
        own.map_or_else(|| Cell::from("-"), |own| Cell::number(own, "given-away", 3))
    };
    let table = TableOf::<Row<'_>>::new()
        .add(Column::text("bot"), |row| Cell::bot(row.text("bot")))
        .add(Column::figures("a deal ± 95%"), |row| Cell::number(row, "given-away", 3))
        .add_if(!declarer.is_empty(), Column::figures("as declarer ± 95%"), |row| of_side(&declarer, row))
        .add_if(!defender.is_empty(), Column::figures("as defender ± 95%"), |row| of_side(&defender, row));
    let table = Table::new(&name, table, own.iter().copied(), "given-away.csv");
    Some(Part { charts: vec![chart], tables: vec![table], ..Part::new("Given away", "given-away") })
}
