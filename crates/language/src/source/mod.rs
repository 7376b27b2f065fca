//! The file of a game: its keys, its options, and errors at their lines.

mod keys;
mod later;
mod options;
mod setting;
mod unused;

use std::path::Path;

use overtrick_toml::{InputError, Source, did_you_mean};
use serde::de::DeserializeOwned;
use toml::Table;

pub use keys::{
    AuctionKeys, AuctionWord, BarKeys, BarWord, ByWord, CiteKeys, CompeteWord, DealKeys, DeckKeys, DummyKeys, EndWord,
    FaceWord, FirstDealerWord, ForWord, GameKeys, LastWord, LeadWord, ListedKeys, ListedTable, MatchKeys, MustWord,
    PartnerWinsWord, PartnersWord, PassWord, PassingKeys, PlayKeys, RoleWord, RoundKeys, RoundSuitWord, RowKeys,
    RowLastWord, RowValueKeys, ScoreKeys, SeatKeys, TiesWord, TrumpKeys, TrumpWord, TurnUpWord,
};
pub use options::{GameOption, OptionKeys, OptionRange, OptionValue, OptionValues, table_of};
pub use setting::{AmountSetting, ChoiceSetting, ConditionSetting, FlagSetting, FormulaSetting, word};

/// A file that declares a game.
#[derive(Clone, Debug)]
pub struct GameFile {
    source: Source,
    name: String,
    about: String,
    keys: GameKeys,
    listed: ListedKeys,
    options: Vec<GameOption>,
}

/// Returns the path of a key in a file: its parts, where a number is a place in a list.
pub fn path(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}

impl GameFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is not the file of a game. The message names file, line and key.
    pub fn read(file: &Path) -> Result<GameFile, InputError> {
        GameFile::of(Source::read(file)?)
    }

    /// Reads `text` as the content of `file`.
    ///
    /// # Errors
    /// If it is not the file of a game. The message names file, line and key.
    pub fn parse(file: &Path, text: String) -> Result<GameFile, InputError> {
        GameFile::of(Source::parse(file, text)?)
    }

    /// Reads a document.
    ///
    /// # Errors
    /// If it is not the file of a game. The message names file, line and key.
    pub fn of(source: Source) -> Result<GameFile, InputError> {
        if let Some(key) = later::unsupported(source.table()) {
            return Err(source.error(&key, "is not supported yet; leave it out"));
        }
        let keys: GameKeys = source.fields(&[], source.table())?;
        let listed = ListedKeys {
            dummies: read_list(&source, &["seats", "dummies"], &keys.seats.dummies)?,
            rounds: read_list(&source, &["trumps", "rounds"], &keys.trumps.rounds)?,
            bars: read_list(&source, &["play", "bar"], &keys.play.bar)?,
            rows: read_list(&source, &["score", "row"], &keys.score.row)?,
        };
        if let Some(language) = keys.language.filter(|language| *language != 1) {
            let problem = format!("is {language}, and this program reads language 1; use a newer overtrick");
            return Err(source.error(&path(&["language"]), problem));
        }
        let required = |key: &str, value: &Option<String>, hint: &str| {
            let filled = value.clone().filter(|value| !value.trim().is_empty() && !value.contains('\n'));
            filled.ok_or_else(|| source.error(&[], format!("a game needs `{key}`: {hint}")))
        };
        let name = required("game", &keys.game, "its name")?;
        let about = required("about", &keys.about, "the game in one line")?;
        required("source", &keys.source, "the rule text that the file follows, in one line")?;
        check_name(&name).map_err(|problem| source.error(&path(&["game"]), problem))?;
        let options = read_options(&source, &keys)?;
        Ok(GameFile { source, name, about, keys, listed, options })
    }

    /// Returns the name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the game in one line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns the content of the file.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the document, for errors at its keys.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the keys as written.
    pub fn keys(&self) -> &GameKeys {
        &self.keys
    }

    /// Returns the tables in lists.
    pub fn listed(&self) -> &ListedKeys {
        &self.listed
    }

    /// Returns the options, by name.
    pub fn options(&self) -> &[GameOption] {
        &self.options
    }

    /// Returns the values of all options, of which `changes` sets some.
    ///
    /// `changes` is at `at` in `source`, which is mostly the file of a variant.
    ///
    /// # Errors
    /// The first value that is unknown, of another type or out of range.
    pub fn values(&self, changes: &Table, source: &Source, at: &[String]) -> Result<OptionValues, InputError> {
        let error = |name: &str, problem: String| source.error(&[at, &path(&[name])].concat(), problem);
        let names = || self.options.iter().map(|option| option.name.as_str());
        if let Some(unknown) = changes.keys().find(|name| names().all(|known| known != **name)) {
            let meant = did_you_mean(unknown, names());
            let list = names().collect::<Vec<_>>().join(", ");
            let known = if list.is_empty() { "the game has none".to_owned() } else { format!("there are {list}") };
            return Err(error(unknown, format!("is no option of {}{meant}; {known}", self.name)));
        }
        let mut values = OptionValues::new();
        for option in &self.options {
            let value = match changes.get(&option.name) {
                Some(value) => option.range.read(value).map_err(|problem| error(&option.name, problem))?,
                None => option.default.clone(),
            };
            values.insert(option.name.clone(), value);
        }
        Ok(values)
    }

    /// Returns the values of all options if a variant sets none.
    pub fn defaults(&self) -> OptionValues {
        self.options.iter().map(|option| (option.name.clone(), option.default.clone())).collect()
    }
}

/// Reads the tables of a list.
fn read_list<T: DeserializeOwned>(source: &Source, key: &[&str], tables: &[Table]) -> Result<Vec<T>, InputError> {
    let read = |(number, table): (usize, &Table)| {
        let at = [path(key), vec![number.to_string()]].concat();
        source.fields(&at, table)
    };
    tables.iter().enumerate().map(read).collect()
}

fn read_options(source: &Source, keys: &GameKeys) -> Result<Vec<GameOption>, InputError> {
    let read = |(name, keys): (&String, &OptionKeys)| {
        GameOption::new(name, keys).map_err(|error| {
            let mut key = path(&["options", name]);
            key.extend(error.key.map(str::to_owned));
            source.error(&key, error.problem)
        })
    };
    keys.options.iter().map(read).collect()
}

/// Checks a name that results show and files are called by.
///
/// # Errors
/// If it is empty, `all`, or has characters other than letters, digits, `-`, `_` and `.`.
pub fn check_name(name: &str) -> Result<(), String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name == "all" || !name.chars().all(plain) || name.chars().all(|letter| letter == '.') {
        return Err(format!("{name:?} is no name; use letters, digits, `-`, `_` and `.`, and not the word \"all\""));
    }
    Ok(())
}

/// Returns the JSON Schema of the file of a game, for editors.
#[cfg(feature = "schema")]
pub fn file_schema() -> schemars::Schema {
    let mut schema = schemars::schema_for!(GameKeys);
    schema.insert("title".to_owned(), "overtrick: the file of a game".into());
    schema.insert("required".to_owned(), ["game", "about", "source"].as_slice().into());
    let tidy = |schema: &mut schemars::Schema| {
        if let Some(serde_json::Value::String(text)) = schema.get_mut("description") {
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    };
    schemars::transform::Transform::transform(&mut schemars::transform::RecursiveTransform(tidy), &mut schema);
    schema
}
