//! The model of a table: columns, each with the cell that a row has in it. The terminal and pages show it.

use overtrick_stats::{Figure, Interval};
use serde::Serialize;

use super::format::{known_percent, known_share, signed_with_interval, with_interval};
use crate::csv::cell_text;

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    pub(super) title: String,
    /// Whether it is aligned to the right.
    pub(super) is_figure: bool,
    /// The bot that the title names.
    pub(super) bot: Option<String>,
    /// If a table is too wide for a terminal, columns with the highest number are dropped first. Columns with
    /// 0 are never dropped.
    #[serde(skip)]
    pub(super) spare: u8,
}

impl Column {
    /// Makes a left-aligned column of words, which may be shortened.
    pub fn text(title: impl Into<String>) -> Column {
        Column { title: title.into(), is_figure: false, bot: None, spare: 0 }
    }

    /// Makes a right-aligned column of figures.
    pub fn figures(title: impl Into<String>) -> Column {
        Column { is_figure: true, ..Column::text(title) }
    }

    /// Makes a right-aligned column of figures of a bot.
    pub(super) fn of_bot(name: &str) -> Column {
        Column { bot: Some(name.to_owned()), ..Column::figures(name) }
    }

    /// Returns the column as one that may be dropped. Columns with a higher number are dropped first.
    pub fn spare(self, spare: u8) -> Column {
        Column { spare, ..self }
    }
}

/// A cell of a table.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Cell {
    /// The text that is shown.
    pub(super) text: String,
    /// The number as in the file.
    pub(super) value: Option<String>,
    /// The bot that the cell names.
    pub(super) bot: Option<String>,
    /// The class of its shade in a heat map.
    pub(super) shade: Option<String>,
    /// The anchor on the page that it links to.
    pub(super) link: Option<String>,
}

impl Cell {
    /// Makes a cell that names a bot, or `all`.
    pub(super) fn bot(name: &str) -> Cell {
        Cell { bot: (name != "all").then(|| name.to_owned()), ..Cell::from(name) }
    }

    /// Makes a cell with a value as in its file.
    pub(super) fn exact(value: impl Serialize) -> Cell {
        let text = cell_text(value);
        Cell { value: (!text.is_empty()).then(|| text.clone()), ..Cell::from(text) }
    }

    /// Makes a cell that shows a value as `text`.
    pub(super) fn shown(value: impl Serialize, text: String) -> Cell {
        Cell { text, ..Cell::exact(value) }
    }

    /// Makes a cell with a number and half the width of its interval.
    pub(super) fn number(figure: Interval, decimals: usize) -> Cell {
        Cell::shown(Figure(figure.value), with_interval(figure.rounded(), decimals))
    }

    /// Makes a cell with a signed number and half the width of its interval.
    pub(super) fn signed(figure: Interval, decimals: usize) -> Cell {
        Cell::shown(Figure(figure.value), signed_with_interval(figure.rounded(), decimals))
    }

    /// Makes a cell with a number without an interval.
    pub(super) fn plain(figure: Figure, decimals: usize) -> Cell {
        Cell::number(Interval::new(figure.0, None), decimals)
    }

    /// Makes a cell with a share and its interval.
    pub(super) fn share(share: Interval) -> Cell {
        Cell::shown(Figure(share.value), known_share(share.rounded()))
    }

    /// Makes a cell with a share in percent, or a dash if its interval is too wide.
    pub(super) fn percent(share: Interval) -> Cell {
        Cell::shown(Figure(share.value), known_percent(share.rounded()))
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}

/// The columns of a table whose rows are made of values of type `R`.
pub(super) struct TableOf<'a, R> {
    pub(super) columns: Vec<Column>,
    cells: Vec<MakeCell<'a, R>>,
}

type MakeCell<'a, R> = Box<dyn Fn(&R) -> Cell + 'a>;

impl<'a, R> TableOf<'a, R> {
    /// Makes a table without columns.
    pub(super) fn new() -> TableOf<'a, R> {
        TableOf { columns: Vec::new(), cells: Vec::new() }
    }

    /// Adds a column; `cell` makes its cell of a row.
    pub(super) fn add<C: Into<Cell>>(mut self, column: Column, cell: impl Fn(&R) -> C + 'a) -> TableOf<'a, R> {
        self.columns.push(column);
        self.cells.push(Box::new(move |row| cell(row).into()));
        self
    }

    /// Adds a column if the table `has` it.
    pub(super) fn add_if<C: Into<Cell>>(
        self,
        has: bool,
        column: Column,
        cell: impl Fn(&R) -> C + 'a,
    ) -> TableOf<'a, R> {
        if has { self.add(column, cell) } else { self }
    }

    /// Adds a column of values as in their file.
    pub(super) fn exact<V: Serialize>(self, title: &str, value: impl Fn(&R) -> V + 'a) -> TableOf<'a, R> {
        self.add(Column::figures(title), move |row| Cell::exact(value(row)))
    }

    /// Adds the columns of a figure as in their file.
    ///
    /// One title is for the figure, two for the ends of its interval, three for both, and four for the
    /// standard error between.
    pub(super) fn interval<const COLUMNS: usize>(
        mut self,
        titles: [&str; COLUMNS],
        figure: impl Fn(&R) -> Interval + Copy + 'a,
    ) -> TableOf<'a, R> {
        let parts: [fn(Interval) -> Option<f64>; 4] = [|it| it.value, |it| it.se, |it| it.low, |it| it.high];
        let places: &[usize] = match COLUMNS {
            1 => &[0],
            2 => &[2, 3],
            3 => &[0, 2, 3],
            _ => &[0, 1, 2, 3],
        };
        for (title, &place) in titles.into_iter().zip(places) {
            self = self.exact(title, move |row| Figure(parts[place](figure(row))));
        }
        self
    }

    /// Returns the cells of a row.
    pub(super) fn row(&self, row: &R) -> Vec<Cell> {
        self.cells.iter().map(|cell| cell(row)).collect()
    }
}
