//! The page of tuning: its confirmed result, and the course of the search.

mod results;
mod search;

pub use self::results::TuneResults;

use super::part::{Chart, Part};
use super::source::Row;
use super::svg::{DotRow, Title, dots};
use super::table::{Cell, Column, Table, TableOf};
use super::{ResultsSection, Subsection};
use crate::show::format::{half_or_ends, number, signed, thousands};
use crate::show::tune_text::interactions;

/// Returns the section of tuning.
pub(super) fn section(number: usize, label: Option<String>, results: &TuneResults) -> ResultsSection {
    let summary = &results.summary;
    let id = format!("r{number}");
    let confirmed = Subsection {
        id: format!("{id}-0"),
        name: "Result".to_owned(),
        about: "Measured on new deals.".to_owned(),
        sentences: vec![format!("{}.", summary.sentence)],
        parts: vec![confirmed(results, &format!("{id}-c-confirm")), parameters(results, &format!("{id}-c-worth"))],
        ..Subsection::default()
    };
    let parts = search::parts(results, &format!("{id}-c"));
    let search = (!parts.is_empty()).then(|| Subsection {
        id: format!("{id}-1"),
        name: "How the search went".to_owned(),
        about: "This shows where the search looked. Its margins are too high, because the best of many was also lucky. Trust the \
                confirmed result."
            .to_owned(),
        parts,
        ..Subsection::default()
    });
    let faults = match summary.faults {
        0 => Vec::new(),
        faults => vec![format!("Bots had {faults} faults; a random legal move was made each time.")],
    };
    ResultsSection {
        name: summary.name.clone(),
        label,
        extent: format!(
            "Tuned: {} in {}, over {} games.",
            summary.start.name,
            results.variants.join(", "),
            thousands(summary.games)
        ),
        command: "tune config.toml".to_owned(),
        version: summary.overtrick.clone(),
        seed: summary.seed,
        subsections: std::iter::once(confirmed).chain(search).collect(),
        notes: faults,
        config: Some(results.config.clone()),
        id,
        ..ResultsSection::default()
    }
}

/// Returns the part on the gain of the result, over all line-ups and at each.
fn confirmed(results: &TuneResults, id: &str) -> Part {
    let rows = results.confirm.rows();
    let mut part = Part::new("Confirmed gain, by line-up", "confirm");
    let Some(gain) = rows.first() else {
        part.sentences.push("Nothing was left that could be confirmed: the result is the start.".to_owned());
        return part;
    };
    let start = &results.summary.start.name;
    part.sentences.push(format!(
        "The best that was found met {start}, where it started, on {} deals at each line-up. A gain at one line-up that is a \
         loss at another is no better play.",
        thousands(gain.count("deals"))
    ));
    if results.summary.better {
        part.sentences.push(
            "A gain is only reported when it looks large, so the plain mean is too high. The figures here are corrected for \
             that. confirm.csv also has the plain mean."
                .to_owned(),
        );
    }
    let is_new = |row: &&Row<'_>| row.text("what") == "unseen";
    if rows.iter().any(|row| is_new(&row)) {
        part.sentences.push("Then it met bots that tuning had not met: these are called new.".to_owned());
    }
    let mut count = [0, 0];
    let mut name = |row: &Row<'_>| match row.text("what") {
        "gain" => "all line-ups".to_owned(),
        what => {
            let new = usize::from(what == "unseen");
            count[new] += 1;
            format!("{} {}", ["line-up", "new"][new], count[new])
        }
    };
    let names: Vec<String> = rows.iter().map(&mut name).collect();
    let dot = |(row, name): (&Row<'_>, &String)| DotRow::new(name, false, row.interval("gain"));
    let about = format!(
        "A dot for all line-ups together and for each: points a deal by which the best that was found is ahead of {start}, with \
         the 95% interval."
    );
    let title = Title { id, name: "Gain at each line-up", about: &about, axis: "points a deal ahead of the start" };
    let svg = dots(&title, &[""], &rows.iter().zip(&names).map(dot).collect::<Vec<_>>(), true);
    let numbers =
        Table::columns(&rows, &["what", "variant", "line-up"], &["deals", "gain", "se", "low", "high", "mean"]);
    part.charts.push(Chart { name: "Gain at each line-up".into(), svg, left_out: None, numbers });
    let several = results.variants.len() > 1;
    let table = TableOf::<(&Row<'_>, &String)>::new()
        .add(Column::text("which"), |(_, name)| name.as_str())
        .add(Column::text("who sat at the table"), |(row, _)| row.text("line-up"))
        .add_if(several, Column::text("variant"), |(row, _)| row.text("variant"))
        .add(Column::figures("deals"), |(row, _)| Cell::exact(row.text("deals")))
        .add(Column::figures("ahead of the start, 95%"), |(row, _)| ahead(row));
    part.tables.push(Table::new("Gain at each line-up, points a deal", table, rows.iter().zip(&names), "confirm.csv"));
    part
}

/// Returns a cell with the lead of a row over the start.
///
/// It has half the width of its interval. Or it has both ends, if the interval holds given that a gain is
/// claimed.
fn ahead(row: &Row<'_>) -> Cell {
    let gain = row.interval("gain");
    let text = match gain.ends() {
        None => "too few deals".to_owned(),
        Some(_) => half_or_ends(signed, gain, 3, gain.value == row.figure("mean").0),
    };
    Cell::shown(row.text("gain"), text)
}

/// The outcomes of parameters as in their file, and in words.
const OUTCOMES: [(&str, &str); 6] = [
    ("changed", "Changed"),
    (
        "unproven",
        "Different in the best that was found, which is not certainly ahead, so the result has the start's value",
    ),
    ("set back", "Set back to the start, since the change was not shown to matter"),
    ("same", "Best where it started"),
    ("untried", "Not searched, though deals change with it at the result; tune again from there"),
    ("dead", "Left alone, since no deal changed with it"),
];

/// Returns the part on the parameters: start, result, and the worth of the change.
fn parameters(results: &TuneResults, id: &str) -> Part {
    let rows = results.optimum.rows();
    let mut part = Part::new("Parameters", "parameters");
    for (change, what) in OUTCOMES {
        let own = rows.iter().filter(|row| row.text("change") == change);
        let names: Vec<&str> = own.map(|row| row.text("parameter")).collect();
        if !names.is_empty() {
            part.sentences.push(format!("{what}: {}.", names.join(", ")));
        }
    }
    for said in interactions(&results.summary.interactions) {
        part.sentences.push(format!("{said}, by the surface."));
    }
    let known: Vec<Row<'_>> = rows.iter().filter(|row| row.figure("confirmed").0.is_some()).copied().collect();
    if !known.is_empty() {
        part.charts.push(worth(&known, id));
    }
    let between = |row: &Row<'_>| match row.text("low") {
        "" => String::new(),
        low => format!("{low} to {}", row.text("high")),
    };
    let confirmed = |row: &Row<'_>| match row.text("confirmed") {
        "" => Cell::from(""),
        _ => Cell::signed(row.interval("confirmed"), 3),
    };
    let best = if results.summary.better { "result" } else { "best that was tried" };
    let table = TableOf::<Row<'_>>::new()
        .add(Column::text("parameter"), |row| row.text("parameter"))
        .add(Column::figures("start"), |row| row.text("start").trim_matches('"'))
        .add(Column::figures(best), |row| row.text("best").trim_matches('"'))
        .add(Column::text("outcome"), |row| row.text("change"))
        .add(Column::figures("best between (95%)"), between)
        .add(Column::figures("worth of the change ± 95%"), confirmed)
        .add(Column::figures("loss at the ends of the range, points a deal ± 95%"), cost);
    let caption = "Parameters. The worth of a change was confirmed on new deals. The other two intervals come from the fitted \
                   surface.";
    part.tables.push(Table::new(caption, table, rows, "optimum.csv"));
    part
}

/// Returns the chart of the worth of each change.
fn worth(rows: &[Row<'_>], id: &str) -> Chart {
    // The part before the dot is often the same for all, and there is little space.
    let group = |row: &Row<'_>| row.text("parameter").rsplit_once('.').map(|(group, _)| group.to_owned());
    let is_shared = rows.iter().all(|row| group(row) == group(&rows[0]));
    let mut dotted = Vec::with_capacity(rows.len());
    for row in rows {
        let name = row.text("parameter");
        let own = name.rsplit_once('.').filter(|_| is_shared).map_or(name, |(_, own)| own);
        dotted.push(DotRow::new(own, false, row.interval("confirmed")));
    }
    let about = "A dot for each parameter that was changed: what the change was worth in the company of the others, in \
                 points a deal, with the 95% interval.";
    let name = "Worth of each change";
    let title = Title { id, name, about, axis: "points a deal, against setting it back alone" };
    let figures = ["confirmed", "confirmed-low", "confirmed-high", "worth", "worth-half-width"];
    let numbers = Table::columns(rows, &["parameter", "change"], &figures);
    Chart { name: name.into(), svg: dots(&title, &[""], &dotted, true), left_out: None, numbers }
}

/// Returns a cell with the cost of the ends of a parameter's range, and half the width of its interval.
fn cost(row: &Row<'_>) -> Cell {
    let (worth, half) = (row.figure("worth"), row.figure("worth-half-width"));
    let known = half.0.map_or_else(String::new, |half| format!(" ± {}", number(half, 3)));
    match worth.0 {
        Some(worth) => Cell::shown(row.text("worth"), number(worth, 3) + &known),
        None => Cell::from(""),
    }
}
