//! Finds the files, bots and variants that a config names.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use crate::games::{Games, Variant, check_row_name};
use crate::strategies::{Bot, Register};
use crate::toml_source::{InputError, Source, key};

/// A bot as a change of another one.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Changed {
    bot: String,
    name: Option<String>,
    about: Option<String>,
    parameters: Table,
}

/// The bot that `value` stands for, which is at `at` in `source`. It is a name or a file, a manifest's table, or a
/// table such as `{ bot = "rule-based", name = "bold", parameters = { dumbo.ambition = 0.4 } }`: the bot found as
/// `bot`, with other parameters.
///
/// ```
/// use std::path::Path;
///
/// use overtrick::strategies::Register;
/// use overtrick::toml_source::{Source, key};
/// use overtrick::tournament::find_bot;
///
/// let text = "bot = { bot = \"rule-based\", name = \"bold\", parameters = { dumbo.ambition = 0.4 } }";
/// let source = Source::parse(Path::new("mine.toml"), text.to_owned())?;
/// let bold = find_bot(&source, &key("bot"), &source.table()["bot"], &Register::default())?;
/// assert_eq!((bold.name.as_str(), bold.spec.name()), ("bold", "rule-based"));
/// # Ok::<(), overtrick::toml_source::InputError>(())
/// ```
///
/// # Errors
/// If there is no such bot, or whatever is wrong with the table, by file, line and key.
pub fn find_bot(source: &Source, at: &[String], value: &Value, register: &Register) -> Result<Bot, InputError> {
    match value {
        Value::String(text) => named(source, at, text, register),
        Value::Table(table) if table.contains_key("bot") => changed(source, at, table, register),
        Value::Table(table) => register.bot(source, at, table),
        _ => Err(source.error(at, "is neither a name, a file nor a table")),
    }
}

/// The bot that a config calls `text`, a name or a file.
fn named(source: &Source, at: &[String], text: &str, register: &Register) -> Result<Bot, InputError> {
    Bot::find(text, &places(source, text), register)
        .unwrap_or_else(|unknown| Err(source.error(at, unknown.to_string())))
}

/// A bot as a change of the one that the table names.
fn changed(source: &Source, at: &[String], table: &Table, register: &Register) -> Result<Bot, InputError> {
    let path = |name: &str| [at, &key(name)].concat();
    if table.contains_key("strategy") {
        let problem = "does not go with `bot`, which has a strategy of its own: take out one of the two";
        return Err(source.error(&path("strategy"), problem));
    }
    let written: Changed = source.fields(at, table)?;
    let base = named(source, &path("bot"), &written.bot, register)?;
    let name = written.name.unwrap_or(base.name.clone());
    check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
    let spec = register.changed_spec(&base, source, &path("parameters"), &written.parameters)?;
    Ok(Bot { name, about: written.about.unwrap_or(base.about), spec })
}

/// Resolves the elements of a list that are names, files or tables, and refuses two of one name.
pub(crate) fn resolve<T>(
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
            return Err(source.error(&at, format!("{:?} is there twice; give one another name", name(&one))));
        }
        all.push(one);
    }
    Ok(all)
}

/// The variant that `value` stands for, which is at `at` in `source`: a name, a file or a table.
///
/// # Errors
/// If there is no such variant, or whatever is wrong with the table, by file, line and key.
pub(crate) fn find_variant(
    source: &Source,
    at: &[String],
    value: &Value,
    games: &Games,
) -> Result<Variant, InputError> {
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

/// A file named in a config: beside the config, else below the working folder.
fn beside(source: &Source, file: &str) -> PathBuf {
    let near = source.file().parent().unwrap_or(Path::new("")).join(file);
    if near.exists() { near } else { PathBuf::from(file) }
}

/// The files in which the bot that a config calls `text` (a name or a file) may be.
pub(super) fn places(source: &Source, text: &str) -> Vec<PathBuf> {
    if text.ends_with(".toml") {
        vec![beside(source, text)]
    } else {
        bot_folders(source.file()).iter().map(|folder| folder.join(format!("{text}.toml"))).collect()
    }
}

/// Where bots are looked for by name: `bots/` in the working folder, beside the config and beside its folder.
fn bot_folders(config: &Path) -> Vec<PathBuf> {
    let folder = config.parent().unwrap_or(Path::new(""));
    let mut folders = vec![PathBuf::from("bots"), folder.join("bots"), folder.join("../bots")];
    folders.dedup();
    folders
}
