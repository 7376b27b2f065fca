//! How a command prints rows: a table to read, or rows for a program.

use clap::ValueEnum;
use serde::Serialize;

use super::print;
use crate::report;

/// How to print rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// A table to read.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// JSON.
    Json,
}

impl Form {
    /// Prints `rows`; `text` makes the table.
    pub fn print<T: Serialize + Default>(self, rows: &[T], text: impl FnOnce() -> String) {
        let bytes = match self {
            Form::Text => text().into_bytes(),
            Form::Csv => report::to_csv(rows),
            Form::Json => report::to_json(&rows),
        };
        print(&String::from_utf8(bytes).expect("text"));
    }
}
