//! Losses by plays, from double-dummy analysis.

use super::Files;
use super::design::{MOST_BOTS, note, of_best};
use super::part::{Chart, Part};
use super::source::Row;
use super::standings::point;
use super::svg::{DotRow, Title, dots};
use super::table::{Cell, Heading, Table};

const FIGURES: [&str; 3] = ["given-away", "low", "high"];

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
    let dot =
        |row: &Row<'_>| DotRow { name: row.text("bot").to_owned(), is_bot: true, points: vec![point(row, FIGURES)] };
    let svg = dots(&title, &[], &own.iter().map(dot).collect::<Vec<_>>(), true);
    let numbers = Table::numbers(&own, &["bot"], &["deals", "plays", FIGURES[0], FIGURES[1], FIGURES[2]]);
    let chart = Chart { name: name.clone().into(), svg, left_out: note(left_out, "given-away.csv"), numbers };
    let sides = ["declarer", "defender"].map(|side| (side, of_role(side)));
    let sides: Vec<_> = sides.iter().filter(|(_, rows)| !rows.is_empty()).collect();
    let mut headings = vec![Heading::text("bot"), Heading::figures("a deal ± 95%")];
    headings.extend(sides.iter().map(|(side, _)| match *side {
        "declarer" => Heading::figures("as declarer ± 95%"),
        _ => Heading::figures("as defender ± 95%"),
    }));
    let line = |row: &Row<'_>| {
        let of_side = |rows: &[Row<'_>]| {
            let own = rows.iter().find(|other| other.text("bot") == row.text("bot"));
            own.map_or_else(|| Cell::text("-"), |own| Cell::number(own, FIGURES, 3))
        };
        let mut line = vec![Cell::bot(row.text("bot")), Cell::number(row, FIGURES, 3)];
        line.extend(sides.iter().map(|(_, rows)| of_side(rows)));
        line
    };
    let table = Table::new(&name, headings, own.iter().map(line).collect(), "given-away.csv");
    Some(Part { charts: vec![chart], tables: vec![table], ..Part::new("Given away", "given-away") })
}
