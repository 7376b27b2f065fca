//! The table of losses by plays, on the terminal.

use overtrick_stats::GivenAwayRow;

use super::format::{thousands, with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};
use super::variant_results::VariantResults;

/// Returns the sentence and the table of one variant, with bots under their labels; `None` without a
/// double-dummy analysis.
pub(super) fn given_away(
    variant: &VariantResults<'_>,
    label: &dyn Fn(&str) -> String,
    screen: Screen,
) -> Option<[String; 2]> {
    let [all, declarer, defender] = ["all", "declarer", "defender"].map(|role| variant.given_away_as(role));
    let unit = all.first()?.unit;
    let which = if unit == "tricks" { "" } else { " in the last tricks, as far as these can be searched" };
    let how = format!("{unit} that plays gave away a deal{which}, with all cards known, ± 95%");
    let of_side = |rows: &[&GivenAwayRow], bot: &str| {
        let row = rows.iter().find(|row| row.bot == bot);
        row.map_or("-".to_owned(), |row| with_interval(row.given_away, 3))
    };
    let table = TableOf::<&GivenAwayRow>::new()
        .add(Column::text("bot"), |row| label(&row.bot))
        .add(Column::figures("deals"), |row| thousands(row.deals))
        .add(Column::figures("given away"), |row| with_interval(row.given_away, 3))
        .add_if(!declarer.is_empty(), Column::figures("as declarer"), |row| of_side(&declarer, &row.bot))
        .add_if(!defender.is_empty(), Column::figures("as defender"), |row| of_side(&defender, &row.bot));
    Some([screen.wrap(&how), screen.show(&table, all.iter().copied())])
}
