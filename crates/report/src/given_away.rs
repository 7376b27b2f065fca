//! The table of losses by plays, on the terminal.

use overtrick_stats::{GivenAwayRow, Results};

use super::format::{thousands, with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// Returns the sentence and the table of one variant, with bots under their labels; `None` without a
/// double-dummy analysis.
pub(super) fn given_away(
    variant: &str,
    results: &Results,
    label: &dyn Fn(&str) -> String,
    screen: Screen,
) -> Option<[String; 2]> {
    let of = |row: &&GivenAwayRow| row.variant == variant && row.trick.is_none();
    let rows: Vec<&GivenAwayRow> = results.given_away.iter().filter(of).collect();
    let first = rows.first()?;
    let which = if first.unit == "tricks" { "" } else { " in the last tricks, as far as these can be searched" };
    let how = format!("{} that plays gave away a deal{which}, with all cards known, ± 95%", first.unit);
    let has = |role: &str| rows.iter().any(|row| row.role == role);
    let of_role = |own: &GivenAwayRow, role: &str| {
        let row = rows.iter().find(|row| row.bot == own.bot && row.role == role);
        row.map_or("-".to_owned(), |row| with_interval(row.given_away, 3))
    };
    let table = TableOf::<&&GivenAwayRow>::new()
        .add(Column::text("bot"), |row| label(&row.bot))
        .add(Column::figures("deals"), |row| thousands(row.deals))
        .add(Column::figures("given away"), |row| of_role(row, "all"))
        .add_if(has("declarer"), Column::figures("as declarer"), |row| of_role(row, "declarer"))
        .add_if(has("defender"), Column::figures("as defender"), |row| of_role(row, "defender"));
    Some([screen.wrap(&how), screen.show(&table, rows.iter().filter(|row| row.role == "all"))])
}
