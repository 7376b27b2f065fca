//! The axes of a sweep: a rule and the values that it takes.

use overtrick_games::{Games, Variant};
use overtrick_toml::{InputError, Source, did_you_mean};
use serde::Deserialize;
use toml::{Table, Value};

const MOST_VALUES: u64 = 10_000;

/// A rule and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepAxis {
    /// The key of the rule.
    pub key: String,
    /// The values of the rule; at least two, unless the sweep has one point.
    pub values: Vec<Value>,
}

/// An axis as read from a config.
pub(super) struct ReadAxis {
    pub axis: SweepAxis,
    /// By value: the base variant with that value.
    pub variants: Vec<Variant>,
}

/// The keys of a range of values, as written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct RangeKeys {
    low: f64,
    high: f64,
    steps: u64,
}

impl SweepAxis {
    /// Reads the axis at `at` for a rule of `base`.
    ///
    /// The rules must allow each of its values by itself.
    pub(super) fn read(
        source: &Source,
        at: &[String],
        key: &str,
        written: &Value,
        base: &Variant,
        games: &Games,
    ) -> Result<ReadAxis, InputError> {
        let rules = base.game.rules();
        let Some(own) = rules.get(key) else {
            let meant = did_you_mean(key, rules.keys().map(String::as_str));
            let problem =
                format!("{} has no rule {key}{meant}; `overtrick rules {}` has them", base.game.name(), base.name);
            return Err(source.error(at, problem));
        };
        let values = match written {
            Value::Array(values) => values.clone(),
            Value::Table(table) => range(source, at, source.fields(at, table)?, own)?,
            _ => return Err(source.error(at, "is neither a list of values nor a table with `low`, `high` and `steps`")),
        };
        if values.is_empty() {
            return Err(source.error(at, "has no values: give a list such as [0, 10, 20]"));
        }
        if let Some(twice) = (0..values.len()).find(|&number| values[..number].contains(&values[number])) {
            return Err(source.error(at, format!("has the value {} twice", values[twice])));
        }
        let axes = &at[..at.len() - 1];
        let mut variants = Vec::with_capacity(values.len());
        for value in &values {
            variants.push(games.changed(base, &Table::from_iter([(key.to_owned(), value.clone())]), source, axes)?);
        }
        Ok(ReadAxis { axis: SweepAxis { key: key.to_owned(), values }, variants })
    }

    /// Returns the values as numbers, if all of them are numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(number).collect()
    }

    /// Returns the indices of the lowest and the highest value.
    ///
    /// Both are 0 if the values are no numbers.
    pub fn ends(&self) -> (usize, usize) {
        let numbers = self.numbers().unwrap_or_default();
        let by_number = |one: &usize, other: &usize| numbers[*one].total_cmp(&numbers[*other]);
        let places = || 0..numbers.len();
        (places().min_by(by_number).unwrap_or(0), places().max_by(by_number).unwrap_or(0))
    }

    /// Returns a value as text for a sentence.
    pub fn text(&self, value: usize) -> String {
        value_text(&self.values[value])
    }
}

/// Returns a value of a rule as text for a sentence.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns a value as a number, if it is a number.
pub fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|whole| whole as f64))
}

/// Returns the values of a range; they are whole numbers if the value of the rule is.
fn range(source: &Source, at: &[String], range: RangeKeys, own: &Value) -> Result<Vec<Value>, InputError> {
    let RangeKeys { low, high, steps } = range;
    if !own.is_integer() && !own.is_float() {
        return Err(source.error(at, "is no number; give a list of its values"));
    }
    if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) {
        return Err(source.error(at, format!("has low = {low} and high = {high}; low must be below high")));
    }
    if !(2..=MOST_VALUES).contains(&steps) {
        return Err(source.error(at, format!("has steps = {steps}, but must be 2 to {MOST_VALUES}")));
    }
    let mut values = Vec::new();
    for step in 0..steps {
        let value = low + (high - low) * step as f64 / (steps - 1) as f64;
        values.push(if own.is_integer() { Value::from(value.round() as i64) } else { Value::from(value) });
    }
    // With more steps than whole numbers, neighbours are equal.
    values.dedup();
    Ok(values)
}
