//! The header of a config: the keys that `run`, `tune`, `sweep` and `league` share.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, Level};
use overtrick_games::check_name;
use overtrick_toml::{InputError, Joined, Source, in_home, key};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::whole_number::whole_number;
use super::written_for::written_for;

/// The header of a config, as written. Each key is checked when it is asked for.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Header {
    name: Option<String>,
    seed: Option<i64>,
    out: Option<PathBuf>,
    sandbox: Option<Level>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bots_may_read: Vec<PathBuf>,
}

impl Header {
    /// Reads a config for `command`: the header, and the other keys as `Keys`.
    ///
    /// `command` is `run`, `tune`, `sweep` or `league`.
    ///
    /// # Errors
    /// If the config is for another command, or if a key is unknown or of the wrong kind.
    pub fn read<Keys: DeserializeOwned>(source: &Source, command: &str) -> Result<(Header, Keys), InputError> {
        written_for(source, command)?;
        let Joined { first, second } = source.fields(&[], source.table())?;
        Ok((first, second))
    }

    /// Makes the header of a resolved config, without a folder for results.
    pub fn of(name: &str, seed: u64, isolation: Option<&Isolation>) -> Header {
        // A path that is not UTF-8 has no exact form in TOML.
        let text = |place: &PathBuf| PathBuf::from(place.to_string_lossy().into_owned());
        Header {
            name: Some(name.to_owned()),
            seed: Some(seed as i64),
            out: None,
            sandbox: isolation.and_then(|isolation| isolation.level),
            bots_may_read: isolation.map_or_else(Vec::new, |isolation| isolation.readable.iter().map(text).collect()),
        }
    }

    /// Returns the config with this header and the keys of a command.
    ///
    /// The keys are sorted, so that the order of fields does not show in files.
    pub fn to_toml(self, keys: impl Serialize) -> String {
        let table = Table::try_from(Joined { first: self, second: keys });
        table.and_then(|table| toml::to_string(&table)).expect("a configuration is plain values")
    }

    /// Returns the name, or else a name made from the config's file name.
    ///
    /// # Errors
    /// If it is not a valid name, since folders are named after it.
    pub fn name(&self, source: &Source) -> Result<String, InputError> {
        let refuse = |problem: String| source.error(&key("name"), problem);
        if let Some(name) = &self.name {
            check_name(name).map_err(refuse)?;
            return Ok(name.clone());
        }
        let stem = source.file().file_stem().unwrap_or_default().to_string_lossy();
        let name = made_of(&stem);
        if check_name(&name).is_err() {
            let problem =
                format!("is missing, and no name can be made of {stem:?}: write `name = \"...\"` into the config");
            return Err(refuse(problem));
        }
        Ok(name)
    }

    /// Returns the master seed.
    ///
    /// # Errors
    /// If it is missing or negative.
    pub fn seed(&self, source: &Source) -> Result<u64, InputError> {
        let at = key("seed");
        let Some(seed) = self.seed else {
            return Err(source.error(&at, "is missing: give a whole number, so that the result can be repeated"));
        };
        whole_number(source, &at, seed, 0..=i64::MAX)
    }

    /// Returns the folder for results, if the config names one. A leading `~` is the home folder.
    pub fn out(&self) -> Option<PathBuf> {
        self.out.as_deref().map(in_home)
    }

    /// Returns the isolation of external bots. The command line overrides the config.
    ///
    /// # Errors
    /// If a folder that bots may read cannot be read.
    pub fn isolation(&self, source: &Source) -> Result<Isolation, InputError> {
        let mut isolation = Isolation::default();
        isolation.level = isolation.level.or(self.sandbox);
        for place in &self.bots_may_read {
            let near = source.file().parent().unwrap_or(Path::new("")).join(in_home(place));
            let place = near.canonicalize().map_err(|error| {
                source.error(&key("bots-may-read"), format!("names {}, which cannot be read: {error}", place.display()))
            })?;
            isolation.readable.push(place);
        }
        isolation.readable.sort();
        isolation.readable.dedup();
        isolation.hidden.extend(source.file().canonicalize());
        Ok(isolation)
    }
}

/// Replaces each stretch of characters that names may not have by a `-`, but drops it at the ends. A valid
/// name is returned unchanged.
fn made_of(text: &str) -> String {
    if check_name(text).is_ok() {
        return text.to_owned();
    }
    let is_plain = |letter: &char| check_name(&format!("a{letter}")).is_ok();
    let mut name = String::new();
    for letter in text.chars() {
        if is_plain(&letter) {
            name.push(letter);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(file: &str, text: &str) -> Result<String, String> {
        let source = Source::parse(Path::new(file), text.to_owned()).unwrap();
        let (header, _): (Header, Table) = Header::read(&source, "run").map_err(|error| error.to_string())?;
        header.name(&source).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_gives_its_name_with_dashes_for_what_no_name_has() {
        for (file, known) in [
            ("quick.toml", "quick"),
            ("a/my config (2).toml", "my-config-2"),
            ("-x_1.2.toml", "-x_1.2"),
            ("Jos\u{e9}s L\u{e4}ufe.toml", "Jos-s-L-ufe"),
            ("-", "-"),
        ] {
            assert_eq!(name(file, "").as_deref(), Ok(known), "{file}");
        }
        let message = name("(?).toml", "").unwrap_err();
        assert!(message.contains("`name`: is missing") && message.contains("write `name"), "{message}");
        assert_eq!(name("my config (2).toml", "name = \"x\"").as_deref(), Ok("x"));
        assert!(name("quick.toml", "name = \"a b\"").unwrap_err().contains("\"a b\" is no name"));
    }
}
