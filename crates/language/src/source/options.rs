//! The options of a game file, and their values.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
use toml::{Table, Value};

use crate::expression::{IntegerInterval, Name, NameSource, ValueType, is_name, is_reserved};

/// The range of all options.
const FARTHEST: i64 = 100_000;

/// An option: its default, the values that it may have, and its meaning.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct OptionKeys {
    /// The value if a variant sets none: a whole number, true or false, or a word. Every option needs it.
    #[cfg_attr(feature = "schema", schemars(with = "Option<serde_json::Value>"))]
    pub default: Option<Value>,
    /// The lowest and the highest value of a number, within -100000 to 100000. Numbers need it.
    pub range: Option<[i64; 2]>,
    /// The step of a number: it divides every value. Default: 1.
    pub step: Option<i64>,
    /// The words that the option may be. Words need it.
    pub values: Option<Vec<String>>,
    /// The meaning of the option, in one line. Every option needs it.
    pub about: Option<String>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A whole number.
    Integer(i32),
    /// A truth value.
    Truth(bool),
    /// A word.
    Word(String),
}

/// The values that an option may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionRange {
    /// Whole numbers of an interval that a step divides.
    Integer {
        /// The lowest value.
        low: i32,
        /// The highest value.
        high: i32,
        /// The number that divides every value.
        step: i32,
    },
    /// True or false.
    Truth,
    /// One of these words.
    Words(Vec<String>),
}

/// An option of a game file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// The name.
    pub name: String,
    /// The value if a variant sets none.
    pub default: OptionValue,
    /// The values that it may have.
    pub range: OptionRange,
    /// The meaning, in one line.
    pub about: String,
}

/// The values of all options, by name.
pub type OptionValues = BTreeMap<String, OptionValue>;

/// The error of an option: the key inside its table, or none, and the problem.
pub(super) struct OptionError {
    pub(super) key: Option<&'static str>,
    pub(super) problem: String,
}

fn wrong(key: impl Into<Option<&'static str>>, problem: impl Into<String>) -> OptionError {
    OptionError { key: key.into(), problem: problem.into() }
}

impl GameOption {
    /// Makes the option of a name and its keys.
    pub(super) fn new(name: &str, keys: &OptionKeys) -> Result<GameOption, OptionError> {
        if !is_name(name) || is_reserved(name) {
            let problem = "is no name for an option; use small letters and digits, with hyphens before letters";
            return Err(wrong(None, problem));
        }
        let Some(default) = &keys.default else {
            return Err(wrong(None, "needs `default`: a whole number, true or false, or a word"));
        };
        let Some(about) = keys.about.clone().filter(|about| !about.trim().is_empty()) else {
            return Err(wrong(None, "needs `about`: the meaning of the option, in one line"));
        };
        let range = GameOption::range(default, keys)?;
        let default = range.read(default).map_err(|problem| wrong("default", problem))?;
        Ok(GameOption { name: name.to_owned(), default, range, about })
    }

    fn range(default: &Value, keys: &OptionKeys) -> Result<OptionRange, OptionError> {
        let is_number = default.is_integer();
        if !is_number && (keys.range.is_some() || keys.step.is_some()) {
            let key = if keys.range.is_some() { "range" } else { "step" };
            return Err(wrong(key, "is for numbers, and `default` is none; leave it out"));
        }
        if keys.values.is_some() && !default.is_str() {
            return Err(wrong("values", "is for words, and `default` is none; leave it out"));
        }
        match default {
            Value::Integer(_) => {
                let Some([low, high]) = keys.range else {
                    return Err(wrong(None, "needs `range = [low, high]`, since its default is a number"));
                };
                let bound = |end: i64| i32::try_from(end).ok().filter(|_| end.abs() <= FARTHEST);
                let (Some(low), Some(high)) = (bound(low), bound(high)) else {
                    return Err(wrong("range", format!("must lie within -{FARTHEST} to {FARTHEST}")));
                };
                if low > high {
                    return Err(wrong("range", format!("is empty, since {low} is above {high}; swap them")));
                }
                let step = keys.step.unwrap_or(1);
                let Some(step) = bound(step).filter(|step| *step >= 1) else {
                    return Err(wrong("step", format!("is {step}, and must be 1 to {FARTHEST}")));
                };
                Ok(OptionRange::Integer { low, high, step })
            }
            Value::Boolean(_) => Ok(OptionRange::Truth),
            Value::String(_) => match keys.values.clone() {
                Some(values) if !values.is_empty() => Ok(OptionRange::Words(values)),
                _ => Err(wrong(None, "needs `values`: the words that it may be")),
            },
            _ => Err(wrong("default", "must be a whole number, true or false, or a word")),
        }
    }

    /// Returns the option as a name of expressions, with this value.
    ///
    /// `wide` gives it all values of its range.
    pub(crate) fn as_name(&self, value: &OptionValue, wide: bool) -> Name {
        let (value_type, value) = match value {
            OptionValue::Integer(value) => (ValueType::Integer, *value),
            OptionValue::Truth(value) => (ValueType::Condition, i32::from(*value)),
            OptionValue::Word(_) => (ValueType::Word, 0),
        };
        let interval = match self.range {
            OptionRange::Integer { low, high, .. } if wide => IntegerInterval::new(low, high),
            OptionRange::Truth if wide => IntegerInterval::CONDITION,
            _ => IntegerInterval::of(value),
        };
        Name { text: self.name.clone(), value_type, interval, source: NameSource::Option(value) }
    }
}

impl OptionRange {
    /// Reads a value.
    ///
    /// # Errors
    /// The problem, if the value is of another type or out of range.
    pub fn read(&self, value: &Value) -> Result<OptionValue, String> {
        match (self, value) {
            (OptionRange::Integer { low, high, step }, Value::Integer(number)) => {
                let inside = i32::try_from(*number).ok().filter(|number| (*low..=*high).contains(number));
                match inside {
                    None => Err(format!("is {number}, but must be {low} to {high}")),
                    Some(number) if number % step != 0 => Err(format!("is {number}, but must be a multiple of {step}")),
                    Some(number) => Ok(OptionValue::Integer(number)),
                }
            }
            (OptionRange::Truth, Value::Boolean(truth)) => Ok(OptionValue::Truth(*truth)),
            (OptionRange::Words(words), Value::String(word)) if words.contains(word) => {
                Ok(OptionValue::Word(word.clone()))
            }
            (OptionRange::Words(words), Value::String(word)) => {
                Err(format!("is {word:?}, but must be one of {}", words.join(", ")))
            }
            (range, _) => Err(format!("is of the wrong kind: write {}", range.kind())),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            OptionRange::Integer { .. } => "a whole number",
            OptionRange::Truth => "true or false",
            OptionRange::Words(_) => "a word",
        }
    }
}

impl OptionValue {
    /// Returns the value as TOML has it.
    pub fn to_toml(&self) -> Value {
        match self {
            OptionValue::Integer(value) => Value::Integer(i64::from(*value)),
            OptionValue::Truth(value) => Value::Boolean(*value),
            OptionValue::Word(word) => Value::String(word.clone()),
        }
    }
}

/// Returns values as a table.
pub fn table_of(values: &OptionValues) -> Table {
    values.iter().map(|(name, value)| (name.clone(), value.to_toml())).collect()
}
