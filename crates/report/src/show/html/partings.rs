//! The decisions at which two bots differ, from the files of `overtrick explain` among the results.

use std::path::Path;

use overtrick_toml::InputError;
use serde_json::Value;

use super::part::Part;
use super::source::{CsvFile, Row};
use super::table::{Cell, Column, Table, TableOf};
use crate::EXPLAIN_FILES;

/// The most categories of a table that are shown.
const MOST_ROWS: usize = 5;

/// The columns of numbers.
const FIGURES: [&str; 6] = ["partings", "decisions", "points", "share", "low", "high"];

/// The files of an explanation.
pub struct ExplanationFiles {
    rows: CsvFile,
    explanation: Value,
}

impl ExplanationFiles {
    /// Reads the files from a folder of results; `None` if there are none.
    ///
    /// # Errors
    /// If they cannot be read, or are not files of an explanation.
    pub fn read(folder: &Path) -> Result<Option<ExplanationFiles>, InputError> {
        let [csv, json] = EXPLAIN_FILES;
        if !EXPLAIN_FILES.iter().any(|name| folder.join(name).exists()) {
            return Ok(None);
        }
        let words = ["variant", "bot-a", "bot-b", "table", "category"];
        let rows = CsvFile::read(folder, csv, &words, &FIGURES)?;
        let file = folder.join(json);
        let text = std::fs::read(&file).map_err(|error| InputError::unreadable(&file, &error))?;
        let explanation = serde_json::from_slice(&text).map_err(|error| {
            let problem = format!("is no JSON: {error}. Explain the bots again with `overtrick explain`, or remove it");
            InputError::file(&file, problem).at_line(error.line())
        })?;
        Ok(Some(ExplanationFiles { rows, explanation }))
    }

    /// Returns the part of a variant.
    pub(super) fn part(&self, variant: &str) -> Option<Part> {
        let rows = self.rows.of_variant(variant);
        let of_variant = self.explanation["variants"].as_array()?.iter().find(|one| one["variant"] == variant)?;
        let [one, other] = ["bot-a", "bot-b"].map(|column| rows.first().map_or("", |row| row.text(column)));
        let mut part = Part::new("Where they part", "partings");
        part.sentences.extend(of_variant["sentence"].as_str().map(|sentence| format!("{sentence}.")));
        let notes = self.explanation["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        part.sentences.extend(notes.map(|note| format!("Note: {note}.")));
        let tables = rows.chunk_by(|one, other| one.text("table") == other.text("table"));
        let shown = tables.flat_map(|table| table.iter().take(MOST_ROWS).copied());
        let caption = format!(
            "Decisions at which {one} and {other} differ, and what {one}'s choices there are worth in points a deal if {other} \
             plays on; each table adds up to the margin"
        );
        let table = TableOf::<Row<'_>>::new()
            .add(Column::text("table"), |row| row.text("table"))
            .add(Column::text("category"), |row| row.text("category"))
            .add(Column::figures("games where they first differ"), |row| Cell::exact(row.text("partings")))
            .add(Column::figures("decisions that differ"), |row| Cell::exact(row.text("decisions")))
            .add(Column::figures("worth ± 95%"), |row| Cell::number(row.interval("share"), 4));
        part.tables.push(Table::new(caption, table, shown, self.rows.name));
        part.numbers = Table::columns(&rows, &["table", "category"], &FIGURES);
        Some(part)
    }
}
