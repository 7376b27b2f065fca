//! The parameters of a strategy, with kind, range, default and meaning.
//!
//! Meaning and kind come from the schema of the parameter struct. Ranges come from its validation: a value
//! that is far too large gives an error with the allowed range.

use overtrick_external::{process, shortest};
use overtrick_game::FieldError;
use overtrick_strategy::protocol::{Knob, KnobRange};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use toml::{Table, Value};

use super::StrategySpec;

/// One parameter of a strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Parameter {
    /// The name of the strategy.
    pub strategy: String,
    /// The parameter's key in the table `parameters`, with dots for tables within it.
    pub parameter: String,
    /// The kind of value: a number, a whole number, a text, a list, a table or one of some choices.
    pub kind: String,
    /// The default as TOML; empty if the parameter is absent by default.
    pub default: String,
    /// The least value allowed, if it is a number.
    pub low: Option<f64>,
    /// The greatest value allowed, if it is a number.
    pub high: Option<f64>,
    /// The meaning of the parameter.
    pub about: String,
    /// Whether more of it buys strength with time.
    #[serde(skip)]
    pub is_effort: bool,
}

impl Parameter {
    /// Returns a parameter that an external bot declares: its key in the parameters is `settings.NAME`.
    pub fn declared(knob: &Knob) -> Parameter {
        let (kind, range) = match &knob.range {
            KnobRange::Number { low, high, .. } => ("number".to_owned(), Some((*low, *high))),
            KnobRange::Integer { low, high, .. } => ("whole number".to_owned(), Some((*low as f64, *high as f64))),
            KnobRange::Switch => ("true or false".to_owned(), None),
            KnobRange::Choice(choices) => {
                let quoted: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
                (quoted.join(" or "), None)
            }
            KnobRange::Text => ("text".to_owned(), None),
        };
        Parameter {
            strategy: process::Params::NAME.to_owned(),
            parameter: format!("settings.{}", knob.name),
            kind,
            default: knob.default.to_string(),
            low: range.map(|(low, _)| low),
            high: range.map(|(_, high)| high),
            about: knob.about.clone(),
            is_effort: false,
        }
    }
}

/// Returns all parameters of a strategy.
pub(super) fn parameters<R: StrategySpec>() -> Vec<Parameter> {
    let schema = schemars::schema_for!(R).to_value();
    let defaults = Table::try_from(R::default()).expect("parameters are plain values");
    let mut found = Vec::new();
    describe::<R>(&schema, &schema, &shortest(defaults.clone()), &mut Vec::new(), &mut |path, field, default| {
        let range = range::<R>(&defaults, path);
        found.push(Parameter {
            strategy: R::NAME.to_owned(),
            parameter: path.join("."),
            kind: kind(&schema, field),
            default: default.map(Value::to_string).unwrap_or_default(),
            low: range.map(|(low, _)| low),
            high: range.map(|(_, high)| high),
            about: field["description"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
            is_effort: R::EFFORT.contains(&path.join(".").as_str()),
        });
    });
    found
}

/// Calls `show` for each parameter in the table that `schema` describes, with its schema and its default.
fn describe<R: StrategySpec>(
    whole: &Json,
    schema: &Json,
    defaults: &Table,
    path: &mut Vec<String>,
    show: &mut impl FnMut(&[String], &Json, Option<&Value>),
) {
    for (name, field) in resolved(whole, schema)["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        match defaults.get(name) {
            Some(Value::Table(inner)) => describe::<R>(whole, field, inner, path, show),
            default => show(path, field, default),
        }
        path.pop();
    }
}

/// Returns a part of a schema, with a reference resolved.
fn resolved<'a>(whole: &'a Json, part: &'a Json) -> &'a Json {
    let place = part["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
    place.and_then(|place| whole.pointer(place)).unwrap_or(part)
}

/// Returns the kind of value that a parameter takes, in words.
fn kind(whole: &Json, field: &Json) -> String {
    let field = resolved(whole, field);
    let listed = field["enum"].as_array().into_iter().flatten();
    let single = field["oneOf"].as_array().into_iter().flatten();
    let single = single.flat_map(|one| one["enum"].as_array().into_iter().flatten().chain(one.get("const")));
    let mut choices: Vec<String> = listed.chain(single).map(Json::to_string).collect();
    if !choices.is_empty() {
        // The title names the values that are not choices.
        choices.extend(field["title"].as_str().map(str::to_owned));
        return choices.join(" or ");
    }
    let kind = field["type"].as_array().and_then(|kinds| kinds.first()).unwrap_or(&field["type"]);
    match kind.as_str() {
        Some("integer") => "whole number",
        Some("number") => "number",
        Some("string") => "text",
        Some("array") => "list of texts",
        Some("object") => "table",
        _ => "value",
    }
    .to_owned()
}

/// Returns the range of a number, taken from the error of its validation.
fn range<R: StrategySpec>(defaults: &Table, path: &[String]) -> Option<(f64, f64)> {
    let whole = [i64::MAX, i64::from(u32::MAX), i64::from(i32::MAX), i64::from(u8::MAX)].map(Value::Integer);
    let far = std::iter::once(Value::Float(1e30)).chain(whole);
    far.filter_map(|value| refusal::<R>(defaults, path, value)).find_map(|refusal| {
        let (low, high) = refusal.range().filter(|_| refusal.key == path.join("."))?;
        low.parse().ok().zip(high.parse().ok())
    })
}

/// Returns the error of the parameter at `path` with this value, if it is refused.
fn refusal<R: StrategySpec>(defaults: &Table, path: &[String], value: Value) -> Option<FieldError> {
    let mut table = defaults.clone();
    let (last, tables) = path.split_last()?;
    let inner = tables.iter().try_fold(&mut table, |table, name| table.get_mut(name)?.as_table_mut())?;
    inner.insert(last.clone(), value);
    R::deserialize(Value::Table(table)).ok()?.validate().err()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Bot, Register, STRATEGIES};
    use super::*;
    use overtrick_toml::Source;

    fn listed(strategy: &str) -> Vec<Parameter> {
        Register::default().list_parameters(strategy).unwrap()
    }

    /// Checks a value of a parameter; the error is the key that is refused.
    fn allowed(row: &Parameter, value: f64) -> Result<(), String> {
        let command = if row.strategy == "process" { "command = [\"x\"]\n" } else { "" };
        let (strategy, name) = (&row.strategy, &row.parameter);
        let number = if row.kind == "number" { format!("{value:?}") } else { format!("{value}") };
        let text = format!("name = \"x\"\nstrategy = {strategy:?}\n[parameters]\n{command}{name} = {number}\n");
        let source = Source::parse(Path::new("x.toml"), text).unwrap();
        Bot::from_table(&source, &[], source.table()).map(|_| ()).map_err(|error| error.key.unwrap())
    }

    #[test]
    fn listed_ranges_are_those_of_the_validation() {
        // A bot with the strategy `wasm` needs a module; tests/it/bots/wasm.rs has some.
        for strategy in STRATEGIES.iter().filter(|info| info.name != "wasm") {
            for row in listed(strategy.name) {
                let number = ["number", "whole number"].contains(&row.kind.as_str());
                assert_eq!(number, row.low.is_some() && row.high.is_some(), "{row:?}");
                let Some((low, high)) = row.low.zip(row.high) else { continue };
                let step = if row.kind == "number" { 1e-4 } else { 1.0 };
                assert_eq!((allowed(&row, low), allowed(&row, high)), (Ok(()), Ok(())), "{row:?}");
                let refused = Err(format!("parameters.{}", row.parameter));
                assert_eq!(
                    (allowed(&row, low - step), allowed(&row, high + step)),
                    (refused.clone(), refused),
                    "{row:?}"
                );
            }
        }
    }

    #[test]
    fn parameters_that_take_time_are_marked() {
        let marked = |strategy: &str| -> Vec<String> {
            listed(strategy).into_iter().filter(|row| row.is_effort).map(|row| row.parameter).collect()
        };
        assert_eq!(marked("ismcts"), ["iterations"]);
        let searched = marked("pimc");
        assert!(searched.contains(&"worlds".to_owned()) && searched.len() == 8, "{searched:?}");
        assert!(marked("rule-based").is_empty());
    }

    #[test]
    fn every_parameter_has_a_meaning_a_kind_and_a_default_that_reads_back() {
        for strategy in STRATEGIES {
            for row in listed(strategy.name) {
                assert!(!row.about.is_empty() && row.kind != "value", "{row:?}");
                let absent = ["digest", "processes", "settings", "sha256"].contains(&row.parameter.as_str());
                assert_eq!(row.default.is_empty(), absent, "{row:?}");
                assert!(row.default.is_empty() || format!("x = {}", row.default).parse::<Table>().is_ok(), "{row:?}");
            }
        }
        assert_eq!(listed("random"), []);
        let rollout = listed("pimc").into_iter().find(|row| row.parameter == "rollout").unwrap();
        assert_eq!(rollout.kind, "\"random\" or \"rule-based-calls\" or \"rule-based\" or a bot");
        let spite = listed("rule-based").into_iter().find(|row| row.parameter == "colour-blind.spite").unwrap();
        assert_eq!((spite.default.as_str(), spite.low, spite.high), ("0.55", Some(0.0), Some(2.0)));
        let unknown = Register::default().list_parameters("pmic").unwrap_err().to_string();
        assert!(
            unknown.starts_with("there is no strategy \"pmic\" (did you mean pimc?); there are random"),
            "{unknown}"
        );
    }
}
