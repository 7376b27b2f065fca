//! Tables of a page.

use serde::Serialize;

use super::source::Row;
use crate::format::{known_percent, number, percent_with_interval, signed_with_interval, with_interval};
pub(super) use crate::table::{Cell, Column, TableOf};

/// The most rows of a table. The rest is in the file that it comes from.
pub(super) const MOST_ROWS: usize = 120;

/// A table of a page.
#[derive(Serialize)]
pub(super) struct Table {
    pub(super) caption: String,
    columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// The column that names the rows.
    header: usize,
    /// A sentence on the rows left out, and where they are.
    pub(super) left_out: Option<String>,
}

impl Cell {
    /// Makes a cell with a number as in its file.
    pub(super) fn exact(row: &Row<'_>, column: &str) -> Cell {
        let text = row.text(column);
        Cell { value: (!text.is_empty()).then(|| text.to_owned()), ..Cell::from(text) }
    }

    /// Makes a cell that shows a number of a file as `text`.
    pub(super) fn shown(row: &Row<'_>, column: &str, text: String) -> Cell {
        Cell { text, ..Cell::exact(row, column) }
    }

    /// Makes a cell with a number to `decimals` decimals and half the width of its interval.
    pub(super) fn number(row: &Row<'_>, column: &str, decimals: usize) -> Cell {
        Cell::shown(row, column, with_interval(row.interval(column), decimals))
    }

    /// Makes a cell with a signed number and half the width of its interval.
    pub(super) fn signed(row: &Row<'_>, column: &str, decimals: usize) -> Cell {
        Cell::shown(row, column, signed_with_interval(row.interval(column), decimals))
    }

    /// Makes a cell with a number without its interval.
    pub(super) fn plain(row: &Row<'_>, column: &str, decimals: usize) -> Cell {
        Cell::shown(row, column, number(row.figure(column), decimals))
    }

    /// Makes a cell with a share and its interval.
    pub(super) fn share(row: &Row<'_>, column: &str) -> Cell {
        let share = row.interval(column);
        let text = if share.value.is_some() { percent_with_interval(share, 1) } else { "-".to_owned() };
        Cell::shown(row, column, text)
    }

    /// Makes a cell with a share in percent without its interval; a dash if the interval is too wide.
    pub(super) fn percent(row: &Row<'_>, column: &str) -> Cell {
        Cell::shown(row, column, known_percent(row.interval(column)))
    }
}

impl<'a> TableOf<'a, Row<'_>> {
    /// Adds columns of numbers as in their file.
    pub(super) fn exact(self, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let add = |table: Self, name: &'a str| table.add(Column::figures(name), move |row| Cell::exact(row, name));
        columns.into_iter().fold(self, add)
    }
}

impl Table {
    /// Makes a table, which is cut if it is too long. The whole table is in `file`.
    pub(super) fn new<R>(
        caption: impl Into<String>,
        table: TableOf<'_, R>,
        rows: impl IntoIterator<Item = R>,
        file: &str,
    ) -> Table {
        Table::up_to(MOST_ROWS, caption, table, rows, file)
    }

    /// Makes a table, which is cut if it has more than `most` rows. The whole table is in `file`.
    pub(super) fn up_to<R>(
        most: usize,
        caption: impl Into<String>,
        table: TableOf<'_, R>,
        rows: impl IntoIterator<Item = R>,
        file: &str,
    ) -> Table {
        let rows = rows.into_iter().map(|row| table.row(&row)).collect();
        let columns = table.columns;
        let header = columns.iter().position(|column| !column.is_figure).unwrap_or_default();
        let mut table = Table { caption: caption.into(), columns, rows, header, left_out: None };
        table.cut(most, file);
        table
    }

    /// Makes the table of a chart's numbers as in their file. Columns of text come first.
    pub(super) fn numbers(rows: &[Row<'_>], text: &[&str], figures: &[&str]) -> Option<Table> {
        let file = rows.first()?.file();
        let mut table = TableOf::<Row<'_>>::new();
        for &name in text {
            table = table.add(Column::text(name), move |row| match name {
                "bot" | "bot-a" | "bot-b" | "ahead" | "behind" if row.text(name) != "all" => Cell::bot(row.text(name)),
                _ => Cell::from(row.text(name)),
            });
        }
        let table = table.exact(figures.iter().copied());
        Some(Table::new(format!("The numbers, as in {file}"), table, rows.iter().copied(), file))
    }

    /// Keeps the first `most` rows.
    fn cut(&mut self, most: usize, file: &str) {
        let all = self.rows.len();
        if all > most {
            self.rows.truncate(most);
            self.left_out = Some(format!("{} more rows are in {file}.", all - most));
        }
    }
}
