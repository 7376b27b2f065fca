//! What a page shows comes from the text of the CSV files, so that no number on it can be another one.

use serde::Serialize;

use crate::report::to_csv;
use crate::stats::Figure;

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
    /// The file of these rows.
    pub(super) fn of<R: Serialize + Default>(name: &'static str, rows: &[R]) -> CsvFile {
        let text = to_csv(rows);
        let mut reader = csv::Reader::from_reader(text.as_slice());
        let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
        let columns = cells(reader.headers().expect("our own CSV"));
        let rows = reader.records().map(|record| cells(&record.expect("our own CSV"))).collect();
        CsvFile { name, columns, rows }
    }

    /// The rows of a variant.
    pub(super) fn of_variant<'a>(&'a self, variant: &str) -> Vec<Row<'a>> {
        let rows = self.rows.iter().map(|cells| Row { file: self, cells });
        rows.filter(|row| row.text("variant") == variant).collect()
    }

    fn column(&self, name: &str) -> usize {
        let found = self.columns.iter().position(|own| own == name);
        found.unwrap_or_else(|| panic!("{} has no column {name}", self.name))
    }
}

impl<'a> Row<'a> {
    /// The text in a column.
    pub(super) fn text(&self, column: &str) -> &'a str {
        &self.cells[self.file.column(column)]
    }

    /// The number in a column.
    pub(super) fn figure(&self, column: &str) -> Figure {
        Figure(self.text(column).parse().ok())
    }

    /// The number in a column with the ends of its interval: `mean`, `low`, `high` for a column without a family, else
    /// `won`, `won-low`, `won-high`.
    pub(super) fn interval(&self, columns: [&str; 3]) -> [Figure; 3] {
        columns.map(|column| self.figure(column))
    }

    /// The file that it comes from.
    pub(super) fn file(&self) -> &'static str {
        self.file.name
    }
}
