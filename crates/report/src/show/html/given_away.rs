//! Losses by plays, from double-dummy analysis.

use overtrick_stats::GivenAwayRow;

use super::design::{MOST_BOTS, note, of_best};
use super::part::{Chart, Part};
use super::svg::{DotRow, Title, dots};
use super::table::{Cell, Column, Table, TableOf};
use crate::show::variant_results::VariantResults;

/// Returns the part on the losses by the plays of each bot, in total and by side.
///
/// `None` without a double-dummy analysis.
pub(super) fn given_away(variant: &VariantResults<'_>, id: &str) -> Option<Part> {
    let (own, left_out) = of_best(variant.given_away_as("all"), |row| &row.bot, variant, MOST_BOTS);
    let unit = own.first()?.unit;
    let name = format!("{} that plays gave away", if unit == "tricks" { "Tricks" } else { "Points" });
    let which = if unit == "tricks" { "" } else { " in the last tricks" };
    let about = format!(
        "For each bot: how many {unit} a deal of {} its cards gave away{which}, with all cards known, with 95% intervals.",
        variant.name
    );
    let title = Title { id, name: &name, about: &about, axis: &format!("{unit} a deal") };
    let dotted: Vec<DotRow> = own.iter().map(|row| DotRow::new(&row.bot, true, row.given_away)).collect();
    let numbers = TableOf::<&GivenAwayRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .exact("deals", |row| row.deals)
        .exact("plays", |row| row.plays)
        .interval(["given-away", "low", "high"], |row| row.given_away);
    let chart = Chart {
        name: name.clone().into(),
        svg: dots(&title, &[], &dotted, true),
        left_out: note(left_out, "given-away.csv"),
        numbers: Table::numbers("given-away.csv", numbers, &own),
    };
    let [declarer, defender] = ["declarer", "defender"].map(|role| variant.given_away_as(role));
    let of_side = |rows: &[&GivenAwayRow], bot: &str| {
        let own = rows.iter().find(|row| row.bot == bot);
        own.map_or_else(|| Cell::from("-"), |own| Cell::number(own.given_away, 3))
    };
    let table = TableOf::<&GivenAwayRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .add(Column::figures("a deal ± 95%"), |row| Cell::number(row.given_away, 3))
        .add_if(!declarer.is_empty(), Column::figures("as declarer ± 95%"), |row| of_side(&declarer, &row.bot))
        .add_if(!defender.is_empty(), Column::figures("as defender ± 95%"), |row| of_side(&defender, &row.bot));
    let table = Table::new(&name, table, own.iter().copied(), "given-away.csv");
    Some(Part { charts: vec![chart], tables: vec![table], ..Part::new("Given away", "given-away") })
}
