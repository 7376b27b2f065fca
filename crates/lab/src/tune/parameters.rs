//! The parameters that are tuned, as a config writes them: ranges, steps and choices.

use overtrick_strategies::{Bot, Parameter, Register};
use overtrick_toml::{InputError, Source, did_you_mean, key};
use serde::Deserialize;
use toml::{Table, Value};

use super::constants::MOST_STEPS;
use super::setting::Setting;
use super::space::{ParameterValues, Space, TuneAxis, get};

/// The kind of a parameter that is a whole number.
const WHOLE: &str = "whole number";
/// The prefix of an external bot's own parameters, which its strategy does not know.
pub(super) const OWN: &str = "settings.";

/// The keys of a parameter, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct ParameterKeys {
    low: Option<f64>,
    high: Option<f64>,
    step: Option<f64>,
    choices: Option<Vec<Value>>,
}

/// A parameter in the config: its key in the bot, its place, and its value.
struct NamedParameter {
    key: String,
    at: Vec<String>,
    value: Value,
}

/// Reads the parameters that a config names, and the setting that the bot has.
///
/// `at` is the place of the table that has `bot` and `parameters`.
pub fn read(
    source: &Source,
    at: &[String],
    table: &Table,
    bot: &Bot,
    register: &Register,
) -> Result<(Space, Setting), InputError> {
    let space = space(source, at, table, bot, register)?;
    let start = start(source, at, bot, &space)?;
    Ok((space, start))
}

/// Reads the parameters that a config names, each with the values that it takes.
///
/// `at` is the place of the table that has `bot` and `parameters`. The bot need not have any of the values.
pub fn space(
    source: &Source,
    at: &[String],
    table: &Table,
    start: &Bot,
    register: &Register,
) -> Result<Space, InputError> {
    let within = |name: &str| [at, &[name.to_owned()]].concat();
    let name = start.spec.name();
    let known = register.list_parameters(name)?;
    if known.is_empty() {
        let problem = format!(
            "{}: the strategy `{name}` has no parameters; take another bot, or list several as `bots`",
            start.name
        );
        return Err(source.error(&within("bot"), problem));
    }
    let at = within("parameters");
    if table.is_empty() {
        let problem = format!("is missing: which parameters are tried? `overtrick list parameters {name}` has them");
        return Err(source.error(&at, problem));
    }
    let parameters = start.spec.parameters();
    let mut entries = Vec::new();
    collect(table, "", &at, &known, &mut entries);
    let mut axes: Vec<TuneAxis> = Vec::new();
    for NamedParameter { key, at, value } in entries {
        if axes.iter().any(|axis| axis.key == key) {
            return Err(source.error(&at, format!("{key} is listed twice; leave one out")));
        }
        let parameter = known.iter().find(|parameter| parameter.parameter == key);
        if is_outer(&key, &known) && value.as_table().is_some_and(Table::is_empty) {
            let problem = format!(
                "is an empty table: which parameters in it are tried? `overtrick list parameters {name}` has them"
            );
            return Err(source.error(&at, problem));
        }
        if parameter.is_none() && !(key.starts_with(OWN) && name == "process") {
            let meant = did_you_mean(&key, known.iter().map(|parameter| parameter.parameter.as_str()));
            let problem =
                format!("`{name}` has no parameter {key}{meant}; `overtrick list parameters {name}` has them");
            return Err(source.error(&at, problem));
        }
        // Only the start shows whether an external bot's own parameter is a whole number.
        let is_whole = match parameter {
            Some(parameter) => parameter.kind == WHOLE,
            None => get(&parameters, &key).is_some_and(Value::is_integer),
        };
        let values = values(&value, parameter, is_whole, source, &at)?;
        axes.push(TuneAxis { key, values });
    }
    // The order does not depend on the spelling of the keys.
    axes.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(Space { axes })
}

/// Returns whether parameters stand in a table of this key.
fn is_outer(key: &str, known: &[Parameter]) -> bool {
    known.iter().any(|parameter| parameter.parameter.starts_with(&format!("{key}.")))
}

/// Finds the parameters of a table; keys may have dots in quotes, or stand in nested tables.
///
/// An empty table is found as a parameter.
fn collect(table: &Table, prefix: &str, at: &[String], known: &[Parameter], found: &mut Vec<NamedParameter>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        let at = [at, std::slice::from_ref(name)].concat();
        let is_range =
            |table: &Table| table.keys().all(|key| ["low", "high", "step", "choices"].contains(&key.as_str()));
        match value {
            Value::Table(inner)
                if !inner.is_empty()
                    && (is_outer(&key, known) || (format!("{key}.").starts_with(OWN) && !is_range(inner))) =>
            {
                collect(inner, &format!("{key}."), &at, known, found);
            }
            _ => found.push(NamedParameter { key, at, value: value.clone() }),
        }
    }
}

/// Reads the values of a parameter.
fn values(
    value: &Value,
    parameter: Option<&Parameter>,
    is_whole: bool,
    source: &Source,
    at: &[String],
) -> Result<ParameterValues, InputError> {
    let refused = |problem: String| Err(source.error(at, problem));
    let written = match value {
        Value::Array(choices) => ParameterKeys { choices: Some(choices.clone()), ..ParameterKeys::default() },
        Value::Table(table) => source.fields(at, table)?,
        _ => return refused("is neither a table with `low` and `high` nor a list of choices".to_owned()),
    };
    let ParameterKeys { low, high, step, choices } = written;
    if let Some(choices) = choices.clone().or_else(|| kinds(parameter?)) {
        if low.is_some() || high.is_some() || step.is_some() {
            return refused("has choices; `low`, `high` and `step` do not go with them".to_owned());
        }
        if let Some(twice) = (0..choices.len()).find(|&number| choices[..number].contains(&choices[number])) {
            return refused(format!("has the choice {} twice", choices[twice]));
        }
        if choices.len() < 2 {
            return refused("has fewer than two choices, so there is nothing to choose".to_owned());
        }
        return Ok(ParameterValues::Choices(choices));
    }
    if let Some(kind) = parameter.map(|one| one.kind.as_str()).filter(|kind| !["number", WHOLE].contains(kind)) {
        return refused(format!("is a {kind} and has no range; give a list of choices"));
    }
    let (own_low, own_high) = (parameter.and_then(|one| one.low), parameter.and_then(|one| one.high));
    let (Some(low), Some(high)) = (low.or(own_low), high.or(own_high)) else {
        return refused("needs `low` and `high`: its strategy has no range for it".to_owned());
    };
    if !low.is_finite() || !high.is_finite() || low >= high {
        return refused(format!("runs from {low} to {high}; `low` must be below `high`"));
    }
    if let Some((own_low, own_high)) = own_low.zip(own_high)
        && (low < own_low || high > own_high)
    {
        return refused(format!("runs from {low} to {high}; the strategy allows {own_low} to {own_high}"));
    }
    if is_whole && [Some(low), Some(high), step].into_iter().flatten().any(|number| number.fract() != 0.0) {
        return refused("is a whole number, and so are `low`, `high` and `step`".to_owned());
    }
    if let Some(step) = step
        && !(step > 0.0 && (high - low) / step >= 1.0)
    {
        return refused(format!("has a step of {step}; it must be above 0 and at most {}", high - low));
    }
    if (high - low) / step.unwrap_or(if is_whole { 1.0 } else { high - low }) > MOST_STEPS {
        return refused(format!("has more than {MOST_STEPS} values; give a longer `step` or a smaller range"));
    }
    Ok(ParameterValues::numbers(low, high, step, is_whole))
}

/// Returns the choices of a parameter that has a fixed list of them.
pub(super) fn kinds(parameter: &Parameter) -> Option<Vec<Value>> {
    let kind = parameter.kind.as_str();
    kind.starts_with('"').then(|| kind.split(" or ").map(|one| Value::from(one.trim_matches('"'))).collect())
}

/// Returns the setting of the start.
fn start(source: &Source, at: &[String], start: &Bot, space: &Space) -> Result<Setting, InputError> {
    let parameters = start.spec.parameters();
    let coordinate = |axis: &TuneAxis| {
        let refused = |problem: String| source.error(&[at, &key("parameters"), &key(&axis.key)].concat(), problem);
        let Some(value) = get(&parameters, &axis.key) else {
            return Err(refused(format!("{} does not set it; give it the value to start from", start.name)));
        };
        match axis.values.nearest(value) {
            Some(number) => Ok(axis.values.coordinate(number)),
            None => Err(refused(format!(
                "{} starts with {value}, which is none of the values to try; widen them, or start from another value",
                start.name
            ))),
        }
    };
    space.axes.iter().map(coordinate).collect()
}

/// Returns the space as a config writes it.
pub fn to_table(space: &Space) -> Table {
    let number = |number: f64, whole: bool| if whole { Value::from(number as i64) } else { Value::from(number) };
    let one = |axis: &TuneAxis| {
        let value = match &axis.values {
            ParameterValues::Choices(all) => Value::Array(all.clone()),
            ParameterValues::Numbers { low, step, count, whole } => Value::Table(Table::from_iter([
                ("low".to_owned(), number(*low, *whole)),
                ("high".to_owned(), axis.values.value(*count as usize - 1)),
                ("step".to_owned(), number(*step, *whole)),
            ])),
        };
        (axis.key.clone(), value)
    };
    space.axes.iter().map(one).collect()
}
