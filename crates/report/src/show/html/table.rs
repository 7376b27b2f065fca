//! Tables of a page.

use serde::Serialize;

use super::source::Row;
pub(super) use crate::show::table::{Cell, Column, TableOf};

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
        let mut rows: Vec<Vec<Cell>> = rows.into_iter().map(|row| table.row(&row)).collect();
        let more = rows.len().saturating_sub(most);
        rows.truncate(most);
        let left_out = (more > 0).then(|| format!("{more} more rows are in {file}."));
        let columns = table.columns;
        let header = columns.iter().position(|column| !column.is_figure).unwrap_or_default();
        Table { caption: caption.into(), columns, rows, header, left_out }
    }

    /// Makes the table of numbers as in their file; `None` without rows.
    pub(super) fn numbers<R: Copy>(file: &str, table: TableOf<'_, R>, rows: &[R]) -> Option<Table> {
        let caption = format!("The numbers, as in {file}");
        (!rows.is_empty()).then(|| Table::new(caption, table, rows.iter().copied(), file))
    }

    /// Makes the table of numbers of some columns. Columns of text come first.
    pub(super) fn columns(rows: &[Row<'_>], text: &[&str], figures: &[&str]) -> Option<Table> {
        let mut table = TableOf::<Row<'_>>::new();
        for &name in text {
            let is_bot = name == "bot";
            let cell = move |row: &Row<'_>| if is_bot { Cell::bot(row.text(name)) } else { Cell::from(row.text(name)) };
            table = table.add(Column::text(name), cell);
        }
        for &name in figures {
            table = table.exact(name, move |row| row.text(name));
        }
        Table::numbers(rows.first()?.file(), table, rows)
    }
}
