//! The page of a benchmark: a table for each round and class.

use overtrick_lab::benchmark::{AuthorRow, StandingRow, Standings};

use super::part::Part;
use super::table::{Cell, Column, Table, TableOf};
use super::{ResultsSection, Subsection};
use crate::show::format::{number, thousands};

/// The table of a benchmark, as a page shows it.
#[derive(Clone, Copy)]
pub struct BenchmarkPage<'a> {
    /// The name and version of the benchmark.
    pub title: &'a str,
    /// The name of the CSV file with all rows.
    pub csv: &'a str,
    /// The table.
    pub standings: &'a Standings,
}

/// Returns the section of a benchmark.
pub(super) fn section(number: usize, page: &BenchmarkPage<'_>) -> ResultsSection {
    let (id, rows) = (format!("r{number}"), &page.standings.rows);
    let of_one_place = rows.chunk_by(|one, other| place(one) == place(other));
    let subsection = |(number, rows): (usize, &[StandingRow])| subsection(page, &format!("{id}-{number}"), rows);
    let bots = if rows.len() == 1 { "one bot".to_owned() } else { format!("{} bots", thousands(rows.len() as u64)) };
    ResultsSection {
        name: page.title.to_owned(),
        extent: format!("The results of {bots}. Their digests were checked, and nothing was played again."),
        subsections: of_one_place.enumerate().map(subsection).collect(),
        notes: page.standings.notes(),
        id,
        ..ResultsSection::default()
    }
}

/// The round, its commitment and the class of a bot.
fn place(row: &StandingRow) -> (&str, &str, &str) {
    (&row.round, &row.commitment, row.class)
}

/// Returns the subsection of a round and a class, which has at least one bot.
fn subsection(page: &BenchmarkPage<'_>, id: &str, rows: &[StandingRow]) -> Subsection {
    let first = &rows[0];
    let deals = if first.commitment.is_empty() {
        "On the open deals, which anyone may know before.".to_owned()
    } else {
        format!("With the secret that was committed to before entries closed: {}...", first.commitment)
    };
    let class = match first.class {
        "wasm" => "WebAssembly modules with the same fuel on any machine.",
        _ => "Bots of any kind, without a limit of compute.",
    };
    let mut part = Part::new("Table", "table");
    part.tables.push(table(page, rows));
    let is_here = |row: &&AuthorRow| (row.round.as_str(), row.commitment.as_str(), row.class) == place(first);
    let authors: Vec<&AuthorRow> = page.standings.authors.iter().filter(is_here).collect();
    if !authors.is_empty() {
        part.tables.push(authors_table(page, authors));
    }
    Subsection {
        id: id.to_owned(),
        name: format!("{}, class {}", first.round, first.class),
        about: format!("{deals} {class}"),
        parts: vec![part],
        ..Subsection::default()
    }
}

fn table(page: &BenchmarkPage<'_>, rows: &[StandingRow]) -> Table {
    let table = TableOf::<&StandingRow>::new()
        .add(Column::figures("rank"), |row| row.rank.to_string())
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .add(Column::text("author"), |row| row.author.as_str())
        .add(Column::figures("entries of the author"), |row| row.entries.to_string())
        .add(Column::figures("score ± 95%"), |row| Cell::number(row.score, 2))
        .add(Column::figures("faults"), |row| thousands(row.faults))
        .add(Column::figures("files"), |row| thousands(row.files as u64))
        .add(Column::text("hash"), |row| row.sha256.chars().take(12).collect::<String>())
        .add(Column::text("file"), |row| row.file.as_str());
    Table::new("The bots, best first", table, rows, page.csv)
}

fn authors_table(page: &BenchmarkPage<'_>, authors: Vec<&AuthorRow>) -> Table {
    let table = TableOf::<&AuthorRow>::new()
        .add(Column::text("author"), |row| row.author.as_str())
        .add(Column::figures("entries"), |row| row.entries.to_string())
        .add(Column::figures("mean"), |row| number(row.mean, 2))
        .add(Column::figures("lowest"), |row| number(row.lowest, 2))
        .add(Column::figures("highest"), |row| number(row.highest, 2));
    Table::new("Authors with several entries", table, authors, page.csv)
}
