//! A knob: a parameter that a bot declares, with its range and its default.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use toml::Value;

/// A parameter that a bot declares, so that manifests can set it and tunings change it.
///
/// ```
/// use overtrick_strategy::protocol::Knob;
///
/// let risk = Knob::integer("risk", 0..=5, 0).about("unseen cards that may beat a winner");
/// assert_eq!(risk.refusal(&7.into()).unwrap(), "is 7, but must be 0 to 5");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// The name, which is a key of the settings.
    pub name: String,
    /// The values that it may take.
    pub range: KnobRange,
    /// The value if the settings have none.
    pub default: Value,
    /// The meaning, in a line.
    pub about: String,
}

/// The values that a knob may take.
#[derive(Clone, Debug, PartialEq)]
pub enum KnobRange {
    /// Numbers.
    Number {
        /// The least number.
        low: f64,
        /// The greatest number.
        high: f64,
        /// The distance between the numbers that a tuning tries, if the bot names one.
        step: Option<f64>,
    },
    /// Whole numbers.
    Integer {
        /// The least number.
        low: i64,
        /// The greatest number.
        high: i64,
        /// The distance between the numbers that a tuning tries, if the bot names one.
        step: Option<i64>,
    },
    /// True or false.
    Switch,
    /// One of some texts.
    Choice(Vec<String>),
    /// Any text. A tuning does not change it.
    Text,
}

impl KnobRange {
    /// Returns the name of the kind in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            KnobRange::Number { .. } => "number",
            KnobRange::Integer { .. } => "integer",
            KnobRange::Switch => "switch",
            KnobRange::Choice(_) => "choice",
            KnobRange::Text => "text",
        }
    }
}

/// Writes the values in words, such as `a number, 0 to 1`.
impl fmt::Display for KnobRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnobRange::Number { low, high, .. } => write!(out, "a number, {low} to {high}"),
            KnobRange::Integer { low, high, .. } => write!(out, "a whole number, {low} to {high}"),
            KnobRange::Switch => out.write_str("true or false"),
            KnobRange::Choice(choices) => {
                let quoted: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
                write!(out, "one of {}", quoted.join(", "))
            }
            KnobRange::Text => out.write_str("a text"),
        }
    }
}

impl Knob {
    /// Returns a knob with these values and this default.
    pub(super) fn new(name: &str, range: KnobRange, default: Value) -> Knob {
        Knob { name: name.to_owned(), range, default, about: String::new() }
    }

    /// Returns a knob that is a number.
    pub fn number(name: &str, range: RangeInclusive<f64>, default: f64) -> Knob {
        let (low, high) = range.into_inner();
        Knob::new(name, KnobRange::Number { low, high, step: None }, default.into())
    }

    /// Returns a knob that is a whole number.
    pub fn integer(name: &str, range: RangeInclusive<i64>, default: i64) -> Knob {
        let (low, high) = range.into_inner();
        Knob::new(name, KnobRange::Integer { low, high, step: None }, default.into())
    }

    /// Returns a knob that is on or off.
    pub fn switch(name: &str, default: bool) -> Knob {
        Knob::new(name, KnobRange::Switch, default.into())
    }

    /// Returns a knob that is one of some texts.
    pub fn choice(name: &str, choices: &[&str], default: &str) -> Knob {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        Knob::new(name, KnobRange::Choice(choices), default.into())
    }

    /// Returns a knob that is any text.
    pub fn text(name: &str, default: &str) -> Knob {
        Knob::new(name, KnobRange::Text, default.into())
    }

    /// Returns the knob with its meaning.
    pub fn about(self, about: &str) -> Knob {
        Knob { about: about.to_owned(), ..self }
    }

    /// Returns the reason why it cannot have a value; `None` if it can.
    ///
    /// A whole number is a number, and a number is no whole number.
    pub fn refusal(&self, value: &Value) -> Option<String> {
        match (&self.range, value) {
            (KnobRange::Number { low, high, .. }, Value::Float(number)) => outside(number, low, high),
            (KnobRange::Number { low, high, .. }, Value::Integer(number)) => outside(&(*number as f64), low, high),
            (KnobRange::Integer { low, high, .. }, Value::Integer(number)) => outside(number, low, high),
            (KnobRange::Choice(choices), Value::String(text)) if choices.contains(text) => None,
            (KnobRange::Switch, Value::Boolean(_)) | (KnobRange::Text, Value::String(_)) => None,
            (range, value) => Some(format!("is {value}, but must be {range}")),
        }
    }
}

/// Returns the reason why a number is outside its range.
fn outside<T: PartialOrd + fmt::Display>(number: &T, low: &T, high: &T) -> Option<String> {
    let is_within = low <= number && number <= high;
    (!is_within).then(|| format!("is {number}, but must be {low} to {high}"))
}

/// The keys of a knob in a message.
#[derive(Serialize)]
struct KnobKeys<'a, T: Serialize> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<&'a [String]>,
    default: &'a Value,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
}

impl Serialize for Knob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.range {
            KnobRange::Number { low, high, step } => self.keys(Some(*low), Some(*high), *step).serialize(serializer),
            KnobRange::Integer { low, high, step } => self.keys(Some(*low), Some(*high), *step).serialize(serializer),
            KnobRange::Choice(choices) => {
                KnobKeys { choices: Some(choices), ..self.keys::<f64>(None, None, None) }.serialize(serializer)
            }
            KnobRange::Switch | KnobRange::Text => self.keys::<f64>(None, None, None).serialize(serializer),
        }
    }
}

impl Knob {
    fn keys<T: Serialize>(&self, low: Option<T>, high: Option<T>, step: Option<T>) -> KnobKeys<'_, T> {
        let Knob { name, range, default, about } = self;
        KnobKeys { name, kind: range.kind(), low, high, step, choices: None, default, about }
    }
}
