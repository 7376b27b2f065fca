//! The table of losses by plays, on the terminal.

use overtrick_stats::{GivenAwayRow, Results};

use super::format::{thousands, with_interval};
use super::screen::{Column, Screen};

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
    let sides = ["declarer", "defender"].into_iter().filter(|side| rows.iter().any(|row| row.role == *side));
    let roles: Vec<&str> = ["all"].into_iter().chain(sides).collect();
    let mut columns = vec![Column::text("bot"), Column::figures("deals")];
    columns.extend(roles.iter().map(|role| match *role {
        "all" => Column::figures("given away"),
        "declarer" => Column::figures("as declarer"),
        _ => Column::figures("as defender"),
    }));
    let line = |own: &&GivenAwayRow| {
        let of_role = |role: &&str| {
            let row = rows.iter().find(|row| row.bot == own.bot && row.role == *role);
            row.map_or("-".to_owned(), |row| with_interval(row.given_away, 3))
        };
        [label(&own.bot), thousands(own.deals)].into_iter().chain(roles.iter().map(of_role)).collect()
    };
    let lines: Vec<Vec<String>> = rows.iter().filter(|row| row.role == "all").map(line).collect();
    Some([screen.wrap(&how), screen.table(&columns, &lines)])
}
