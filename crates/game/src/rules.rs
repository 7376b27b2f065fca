//! Rules as data: what a game's rules struct must be, presets, and what can be wrong with rules or with a move.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The rules of one game: a serde struct in kebab-case that denies unknown keys and has a default for each. The doc
/// comment of a field gives its meaning, unit, range and rule number; `overtrick rules` prints it.
pub trait Options: Serialize + DeserializeOwned + Described + Default + Clone + PartialEq + Send + Sync {
    /// Checks what the types cannot: ranges, and fields that exclude each other.
    ///
    /// # Errors
    /// The first field that is wrong.
    fn validate(&self) -> Result<(), FieldError>;
}

/// A type whose fields can be described: one with a JSON schema where the feature `schema` is on, any type otherwise.
#[cfg(feature = "schema")]
pub trait Described: schemars::JsonSchema {}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Described for T {}

/// A type whose fields can be described: one with a JSON schema where the feature `schema` is on, any type otherwise.
#[cfg(not(feature = "schema"))]
pub trait Described {}

#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A field that holds a value it cannot have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{key}` {problem}")]
pub struct FieldError {
    /// The field's key, as written in files.
    pub key: &'static str,
    /// What is wrong and what would be right: "is 0; ...".
    pub problem: String,
}

const RUNS_FROM: &str = "; it runs from ";
const TO: &str = " to ";

impl FieldError {
    /// Refuses `value` of `key` unless it lies in `range`.
    ///
    /// # Errors
    /// The refusal, with the range.
    pub fn check<T: PartialOrd + std::fmt::Display>(
        key: &'static str,
        value: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<(), FieldError> {
        if range.contains(&value) {
            return Ok(());
        }
        let (low, high) = (range.start(), range.end());
        let problem = format!("is {value}{RUNS_FROM}{low}{TO}{high}");
        Err(FieldError { key, problem })
    }

    /// The two ends of the range, as text, if the value was refused for being outside of one.
    pub fn range(&self) -> Option<(&str, &str)> {
        let ends = self.problem.split_once(RUNS_FROM)?.1;
        ends.split_once(", ").map_or(ends, |(ends, _)| ends).split_once(TO)
    }
}

/// A named variant: a filled-in rules struct of its game.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The variant's name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The rules that differ from the game's defaults, as TOML.
    pub rules: &'static str,
}

/// A move that the rules do not allow. The state it was tried on is as it was.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{why} (rule {rule})")]
pub struct IllegalMove {
    /// The number of the rule that forbids it.
    pub rule: &'static str,
    /// What is wrong with the move.
    pub why: String,
}
