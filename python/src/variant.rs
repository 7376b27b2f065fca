//! Variants and configs as Python gives them: a name, or JSON that stands for TOML.

use std::path::Path;

use overtrick::games::Variant;
use overtrick::toml_source::{InputError, Source};
use pyo3::prelude::*;
use serde_json::Value as Json;
use toml::{Table, Value};

use crate::errors::{OvertrickError, raised};

/// The variant of a name, of a file, or of a table of rules written as JSON.
pub fn variant(text: &str) -> PyResult<Variant> {
    let found = match text.starts_with('{') {
        false => Variant::named(text),
        true => {
            let read = |source: Source| Variant::from_table(&source, &[], source.table());
            Source::parse(Path::new("variant"), to_toml(text)?).and_then(read)
        }
    };
    found.map_err(|error| raised(&error))
}

/// A table that is written as JSON, as TOML.
pub fn to_toml(json: &str) -> PyResult<String> {
    let wrong = |problem: String| raised(&InputError::plain(problem));
    let json: Json = serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
    let Some(Value::Table(table)) = value("", json).map_err(OvertrickError::new_err)? else {
        return Err(wrong("a config is a dict".to_owned()));
    };
    toml::to_string(&table).map_err(|error| wrong(error.to_string()))
}

/// A JSON value at the dotted key `at` as TOML; nothing for null, which stands for a key that is left out.
fn value(at: &str, json: Json) -> Result<Option<Value>, String> {
    let below = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::Bool(yes) => Value::Boolean(yes),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Integer(whole),
            (None, Some(float)) if !number.is_u64() => Value::Float(float),
            _ => return Err(format!("config: `{at}`: {number} is too large; numbers end at {}", i64::MAX)),
        },
        Json::String(text) => Value::String(text),
        Json::Array(all) => {
            let one = |(nth, json)| {
                let missing = || format!("config: `{at}.{nth}`: is None; take it out");
                value(&below(&format!("{nth}")), json)?.ok_or_else(missing)
            };
            Value::Array(all.into_iter().enumerate().map(one).collect::<Result<_, _>>()?)
        }
        Json::Object(fields) => {
            let mut table = Table::new();
            for (key, json) in fields {
                if let Some(value) = value(&below(&key), json)? {
                    table.insert(key, value);
                }
            }
            Value::Table(table)
        }
    }))
}
