//! Finds the bots that files name, and the files that contain them.

use std::path::{Path, PathBuf};

use overtrick_games::check_row_name;
use overtrick_toml::{InputError, Source, key};
use serde::Deserialize;
use toml::{Table, Value};

use super::{Bot, Register};

/// A bot as a change of another bot.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Changed {
    bot: String,
    name: Option<String>,
    about: Option<String>,
    parameters: Table,
}

impl Register {
    /// Returns the bot for `value`, which is at `at` in `source`.
    ///
    /// The value is a name, a file, a manifest's table, or a table that changes another bot. An example of a
    /// change: `{ bot = "rule-based", name = "bold", parameters = { dumbo.ambition = 0.4 } }`. It is the bot
    /// found as `bot`, with other parameters.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use overtrick_strategies::Register;
    /// use overtrick_toml::{Source, key};
    ///
    /// let text = "bot = { bot = \"rule-based\", name = \"bold\", parameters = { dumbo.ambition = 0.4 } }";
    /// let source = Source::parse(Path::new("mine.toml"), text.to_owned())?;
    /// let bold = Register::default().find_bot(&source, &key("bot"), &source.table()["bot"])?;
    /// assert_eq!((bold.name.as_str(), bold.spec.name()), ("bold", "rule-based"));
    /// # Ok::<(), overtrick_toml::InputError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such bot, or the table is faulty; with file, line and key.
    pub fn find_bot(&self, source: &Source, at: &[String], value: &Value) -> Result<Bot, InputError> {
        match value {
            Value::String(text) => self.named(source, at, text),
            Value::Table(table) if table.contains_key("bot") => self.found_and_changed(source, at, table),
            Value::Table(table) => self.bot(source, at, table),
            _ => Err(source.error(at, "is neither a name, a file nor a table")),
        }
    }

    /// Returns the bot for `text`, a name or a file in a config.
    fn named(&self, source: &Source, at: &[String], text: &str) -> Result<Bot, InputError> {
        Bot::find(text, &places(source, text), self)
            .unwrap_or_else(|unknown| Err(source.error(at, unknown.to_string())))
    }

    /// Returns the bot that the table names, with the changes of the table.
    fn found_and_changed(&self, source: &Source, at: &[String], table: &Table) -> Result<Bot, InputError> {
        let path = |name: &str| [at, &key(name)].concat();
        if table.contains_key("strategy") {
            let problem = "does not go with `bot`, which has its own strategy: take out one of the two";
            return Err(source.error(&path("strategy"), problem));
        }
        let written: Changed = source.fields(at, table)?;
        let base = self.named(source, &path("bot"), &written.bot)?;
        let name = written.name.unwrap_or(base.name.clone());
        check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
        let spec = self.changed_spec(&base, source, &path("parameters"), &written.parameters)?;
        Ok(Bot { name, about: written.about.unwrap_or(base.about), spec })
    }
}

/// Returns the path of a file named in a config.
///
/// It is next to the config if it exists there, else in the working folder. A leading `~` is the home folder.
pub fn beside(source: &Source, file: &str) -> PathBuf {
    source.beside(file)
}

/// Returns the possible files of a bot that a config names by `text`, a name or a file.
pub fn places(source: &Source, text: &str) -> Vec<PathBuf> {
    if text.ends_with(".toml") {
        vec![beside(source, text)]
    } else {
        bot_folders(source.file()).iter().map(|folder| folder.join(format!("{text}.toml"))).collect()
    }
}

/// Returns the `bots/` folders: in the working folder, next to the config, and next to its folder.
fn bot_folders(config: &Path) -> Vec<PathBuf> {
    let folder = config.parent().unwrap_or(Path::new(""));
    let mut folders = vec![PathBuf::from("bots"), folder.join("bots"), folder.join("../bots")];
    folders.dedup();
    folders
}
