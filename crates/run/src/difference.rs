//! The difference of two resolved configurations: of a file, and of the run that would use it.
//!
//! A resolved configuration is canonical: each key has a line, in a fixed order. Equal ones are thus equal texts, and
//! lines can be compared, found by their beginning and left out without reading them as TOML.

use super::changed_program::changed_program;
use super::renamed::remedy_for_name;

/// The first difference of a file's configuration from the run's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigDifference {
    /// This bot has another program, and nothing else differs but numbers and secret.
    Program(String),
    /// A line differs.
    Line {
        /// The line of the file, or "nothing".
        theirs: String,
        /// The line of the run, or "nothing".
        own: String,
        /// The remedy if only the name differs, as the end of a message; empty otherwise.
        remedy: String,
    },
}

impl ConfigDifference {
    /// Returns the first difference; `None` if the two are equal.
    pub fn of(theirs: &str, own: &str) -> Option<ConfigDifference> {
        let (line, own_line) = different_line(theirs, own)?;
        if let Some(bot) = changed_program(theirs, own) {
            return Some(ConfigDifference::Program(bot.to_owned()));
        }
        let remedy = remedy_for_name(theirs, line, own);
        Some(ConfigDifference::Line { theirs: line.to_owned(), own: own_line.to_owned(), remedy })
    }
}

/// Returns the first line in which two texts differ. A missing line is given as "nothing".
pub fn different_line<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((a.unwrap_or("nothing"), b.unwrap_or("nothing"))),
        }
    }
}
