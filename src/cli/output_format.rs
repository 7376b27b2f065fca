//! The output format of a command: a text to read, or data for a program.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::print;
use crate::report;

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// A text to read.
    #[default]
    Text,
    /// Comma-separated values.
    Csv,
    /// JSON.
    Json,
}

impl OutputFormat {
    /// Returns a parser of the formats of a command that prints no rows.
    pub fn text_or_json() -> impl TypedValueParser<Value = OutputFormat> {
        let values =
            [OutputFormat::Text, OutputFormat::Json].map(|form| form.to_possible_value().expect("none is skipped"));
        PossibleValuesParser::new(values).map(|name| OutputFormat::from_str(&name, false).expect("one of these"))
    }

    /// Prints `rows`; `text` makes the table.
    pub fn print<T: Serialize + Default>(self, rows: &[T], text: impl FnOnce() -> String) {
        let bytes = match self {
            OutputFormat::Text => text().into_bytes(),
            OutputFormat::Csv => report::to_csv(rows),
            OutputFormat::Json => report::to_json(&rows),
        };
        print(&String::from_utf8(bytes).expect("text"));
    }
}

pub fn print_json(value: &impl Serialize) {
    print(&String::from_utf8(report::to_json(value)).expect("text"));
}
