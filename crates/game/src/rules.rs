//! Rules as data: the traits of rules, presets, and the errors of rules and moves.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The rules of one game.
///
/// They are a serde struct in kebab-case that denies unknown keys and has a default for each. The doc comment
/// of a field gives its meaning, unit, range and rule number, and `overtrick rules` prints it.
pub trait Options: Serialize + DeserializeOwned + Described + Default + Clone + PartialEq + Send + Sync {
    /// Checks ranges, and fields that exclude each other.
    ///
    /// # Errors
    /// The first wrong field.
    fn validate(&self) -> Result<(), FieldError>;
}

/// A type whose fields can be described.
///
/// With the feature `schema`, it must have a JSON schema. Without, every type qualifies.
#[cfg(feature = "schema")]
pub trait Described: schemars::JsonSchema {}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Described for T {}

/// A type whose fields can be described.
///
/// With the feature `schema` on, it has a JSON schema. Otherwise every type is described.
#[cfg(not(feature = "schema"))]
pub trait Described {}

#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// The error of a field with a value that it cannot have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{key}` {problem}")]
pub struct FieldError {
    /// The field's key, as written in files.
    pub key: &'static str,
    /// The problem and the remedy: "is 0; ...".
    pub problem: String,
}

const MUST_BE: &str = ", but must be ";
const TO: &str = " to ";

impl FieldError {
    /// Refuses `value` of `key` unless it lies in `range`.
    ///
    /// # Errors
    /// The error, with the range.
    pub fn check<T: PartialOrd + std::fmt::Display>(
        key: &'static str,
        value: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<(), FieldError> {
        if range.contains(&value) {
            return Ok(());
        }
        let (low, high) = (range.start(), range.end());
        let problem = format!("is {value}{MUST_BE}{low}{TO}{high}");
        Err(FieldError { key, problem })
    }

    /// Refuses a `changed` value of `key` that has an effect only with other options, unless they are `met`.
    ///
    /// To set an option without effect would be a silent mistake.
    ///
    /// # Errors
    /// The error, with the options that it `needs`.
    pub fn needs(key: &'static str, changed: bool, met: bool, needs: &str) -> Result<(), FieldError> {
        if changed && !met {
            return Err(FieldError { key, problem: format!("means nothing here: it needs {needs}") });
        }
        Ok(())
    }

    /// Returns both ends of the range as text, if the value was refused for being out of range.
    pub fn range(&self) -> Option<(&str, &str)> {
        let ends = self.problem.split_once(MUST_BE)?.1;
        ends.split_once(", ").map_or(ends, |(ends, _)| ends).split_once(TO)
    }
}

/// A named variant: a filled-in rules struct of its game.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The variant's name.
    pub name: &'static str,
    /// The variant's description, in one line.
    pub about: &'static str,
    /// The rules that differ from the game's defaults, as TOML.
    pub rules: &'static str,
}

/// An error for a move that the rules do not allow. The state is unchanged.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{why} (rule {rule})")]
pub struct IllegalMove {
    /// The number of the rule that forbids it.
    pub rule: &'static str,
    /// The reason why the move is refused.
    pub why: String,
}
