//! The options that no key of a file uses.

use toml::Value;

use super::GameFile;
use crate::expression::names_in;

/// Keys whose texts are expressions.
const EXPRESSIONS: [&str; 5] = ["let", "when", "points", "made", "flip-when"];

/// Keys whose texts have expressions in braces.
const REASONS: [&str; 2] = ["name", "reason"];

/// Adds the names of options that a value uses. `key` is the last key on the way to it.
fn add_names(value: &Value, key: &str, names: &mut Vec<String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| add_names(value, key, names)),
        Value::Array(list) => list.iter().for_each(|value| add_names(value, key, names)),
        Value::String(text) => match text.strip_prefix('=') {
            Some(expression) => names.extend(names_in(expression)),
            None if key == "let" => names.extend(text.split_once('=').into_iter().flat_map(|(_, of)| names_in(of))),
            None if EXPRESSIONS.contains(&key) => names.extend(names_in(text)),
            None if REASONS.contains(&key) => {
                let inside = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
                names.extend(inside.flat_map(|(expression, _)| names_in(expression)));
            }
            None => {}
        },
        _ => {}
    }
}

impl GameFile {
    /// Returns the names of the options that nothing uses.
    pub fn unused_options(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let table = self.source().table();
        for (key, value) in table.iter().filter(|(key, _)| *key != "options") {
            add_names(value, key, &mut names);
        }
        let all = self.options().iter().map(|option| option.name.as_str());
        all.filter(|option| names.iter().all(|name| name != option)).collect()
    }
}
