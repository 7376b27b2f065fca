//! Messages of deserializers for users.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{did_you_mean, printable};

/// Returns the innermost key of `table` that does not fit `T`, and its error message.
///
/// The table is at `path` in a `T`.
pub(super) fn culprit<T: DeserializeOwned>(path: &[String], table: &Table) -> Option<(Vec<String>, String)> {
    for (name, value) in table {
        let here = [path, std::slice::from_ref(name)].concat();
        let Err(error) = read_at::<T>(&here, value.clone()) else { continue };
        // An empty table that fails too is itself unknown or misplaced.
        if let Value::Table(inner) = value
            && read_at::<T>(&here, Value::Table(Table::new())).is_ok()
            && let Some(found) = culprit::<T>(&here, inner)
        {
            return Some(found);
        }
        return Some((here, in_words(error.message())));
    }
    None
}

/// Reads `inner`, wrapped in the tables of `path`, as a `T`.
fn read_at<T: DeserializeOwned>(path: &[String], inner: Value) -> Result<T, toml::de::Error> {
    let wrap = |inner, name: &String| Value::Table(Table::from_iter([(name.clone(), inner)]));
    T::deserialize(path.iter().rev().fold(inner, wrap))
}

/// Returns a deserializer's error message without the names of Rust types.
///
/// The wording that it replaces is that of `serde` 1.0 and `toml` 1.2.
pub fn in_words(message: &str) -> String {
    let message = printable(message.trim_end());
    let mut text = message.clone();
    // As in: "unknown field `nerves`, expected one of `rng`, `nerve`"
    if message.starts_with("unknown ") {
        let mut names = message.split('`').skip(1).step_by(2);
        let unknown = names.next().unwrap_or_default();
        let end = message.find("`,").map_or(message.len(), |comma| comma + 1);
        text.insert_str(end, &did_you_mean(unknown, names));
    }
    for (typed, plain) in [
        ("unknown variant ", "unknown choice "),
        ("unknown field ", "unknown key "),
        (", there are no fields", ": nothing can be set here"),
        ("expected one of ", "choose one of "),
        ("invalid type: ", "is of the wrong kind: "),
        ("invalid value: ", "is out of range: "),
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("a boolean", "true or false"),
    ] {
        text = text.replace(typed, plain);
    }
    // `expected u8` and similar words are at the end.
    let (start, last) = text.rsplit_once(' ').unwrap_or(("", &text));
    let plain = match last {
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f32" | "f64" => "a number",
        _ => return text,
    };
    format!("{start} {plain}")
}
