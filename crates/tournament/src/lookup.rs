//! Looks up the variants that a config names, and resolves its lists.

use overtrick_games::{Games, Variant};
use overtrick_strategies::beside;
use overtrick_toml::{InputError, Source};
use toml::Value;

/// Resolves the elements of a list, which are names, files or tables.
///
/// # Errors
/// If the list is empty, an element cannot be resolved, or two elements have the same name.
pub fn resolve<T>(
    source: &Source,
    list: &[String],
    values: &[Value],
    find: impl Fn(&[String], &Value) -> Result<T, InputError>,
    name: impl Fn(&T) -> &str,
) -> Result<Vec<T>, InputError> {
    if values.is_empty() {
        let name = list.last().map_or("", String::as_str);
        let hint = format!("a tournament needs `{name}`, a list of names or files");
        return Err(source.error(list, hint));
    }
    let mut all: Vec<T> = Vec::new();
    for (number, value) in values.iter().enumerate() {
        let at = [list, &[number.to_string()]].concat();
        let one = find(&at, value)?;
        if all.iter().any(|other| name(other) == name(&one)) {
            return Err(source.error(&at, format!("{:?} is listed twice; rename one of them", name(&one))));
        }
        all.push(one);
    }
    Ok(all)
}

/// Finds the variant for `value`, a name, a file or a table at `at` in `source`.
///
/// # Errors
/// If there is no such variant, or if its table is wrong, with file, line and key.
pub fn find_variant(source: &Source, at: &[String], value: &Value, games: &Games) -> Result<Variant, InputError> {
    match value {
        Value::String(text) if text.ends_with(".toml") => {
            let file = beside(source, text);
            if !file.exists() {
                return Err(source.error(at, format!("there is no file {text}")));
            }
            games.read(&file)
        }
        Value::String(text) => games.preset(text).map_err(|error| source.error(at, error.problem)),
        Value::Table(table) => games.variant(source, at, table),
        _ => Err(source.error(at, "is neither a name, a file nor a table")),
    }
}
