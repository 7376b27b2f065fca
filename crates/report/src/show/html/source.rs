//! Reads results of tunings, sweeps and explanations from their CSV files, so that pages show the numbers of the
//! files.

use std::path::Path;

use overtrick_stats::{Figure, Interval};
use overtrick_toml::InputError;

/// The remedy for a file that was changed.
const REMEDY: &str = "Make it again with the command that wrote it";

/// A file of results, by its text.
pub(super) struct CsvFile {
    /// The file's name.
    pub(super) name: &'static str,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A row of a file.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    file: &'a CsvFile,
    cells: &'a [String],
}

impl CsvFile {
    /// Reads the file of this name in a folder of results.
    ///
    /// It must have the columns `words` and `figures`. The columns `figures` may contain only numbers and
    /// empty cells.
    ///
    /// # Errors
    /// If the file cannot be read or is not of this form.
    pub(super) fn read(
        folder: &Path,
        name: &'static str,
        words: &[&str],
        figures: &[&str],
    ) -> Result<CsvFile, InputError> {
        let file = folder.join(name);
        let text = std::fs::read(&file).map_err(|error| InputError::unreadable(&file, &error))?;
        let damaged = |error: csv::Error| {
            let mut found = InputError::file(&file, format!("cannot be read as CSV: {}. {REMEDY}", plain(&error)));
            found.line = error.position().map(|place| place.line() as usize);
            found
        };
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let mut found = CsvFile { name, columns: cells(reader.headers().map_err(damaged)?), rows: Vec::new() };
        if let Some(missing) = words.iter().chain(figures).find(|name| !found.columns.iter().any(|own| own == *name)) {
            let problem =
                format!("has no column `{missing}`: it is of another version, or not of these results. {REMEDY}");
            return Err(InputError::file(&file, problem).at_line(1));
        }
        let figures: Vec<usize> = figures.iter().map(|name| found.column(name)).collect();
        for record in reader.records() {
            let record = record.map_err(damaged)?;
            let is_wrong = |column: &&usize| {
                let text = &record[**column];
                !text.is_empty() && !text.parse().is_ok_and(f64::is_finite)
            };
            if let Some(&column) = figures.iter().find(is_wrong) {
                let problem = format!("has {:?} where a number must be. {REMEDY}", &record[column]);
                let mut error = InputError::file(&file, problem).at_key(found.columns[column].clone());
                error.line = record.position().map(|place| place.line() as usize);
                return Err(error);
            }
            found.rows.push(cells(&record));
        }
        Ok(found)
    }

    /// Returns all rows.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        self.rows.iter().map(|cells| Row { file: self, cells }).collect()
    }

    /// Returns the names of the columns.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the rows of a variant.
    pub(super) fn of_variant<'a>(&'a self, variant: &str) -> Vec<Row<'a>> {
        self.rows().into_iter().filter(|row| row.text("variant") == variant).collect()
    }

    fn column(&self, name: &str) -> usize {
        let found = self.columns.iter().position(|own| own == name);
        found.unwrap_or_else(|| panic!("{} has no column {name}", self.name))
    }
}

impl<'a> Row<'a> {
    /// Returns the text in a column.
    pub(super) fn text(&self, column: &str) -> &'a str {
        &self.cells[self.file.column(column)]
    }

    /// Returns the number in a column.
    pub(super) fn figure(&self, column: &str) -> Figure {
        Figure(self.text(column).parse().ok())
    }

    /// Returns the number in a column with the ends of its interval.
    ///
    /// The ends of `won` are `won-low` and `won-high`; those of the main figure of a row are `low` and `high`.
    pub(super) fn interval(&self, column: &str) -> Interval {
        let own = format!("{column}-");
        let has_own = self.file.columns.iter().any(|name| name.strip_prefix(&own) == Some("low"));
        let ends = if has_own { &own } else { "" };
        let [low, high] = ["low", "high"].map(|end| self.figure(&format!("{ends}{end}")).0);
        Interval { value: self.figure(column).0, low, high, ..Interval::default() }
    }

    /// Returns the whole number in a column; 0 if the cell has none.
    pub(super) fn count(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap_or_default()
    }

    /// Returns the name of the row's file.
    pub(super) fn file(&self) -> &'static str {
        self.file.name
    }
}

/// Returns the problem with a file, without the position.
fn plain(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("a row has {len} cells instead of {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}
