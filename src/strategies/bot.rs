//! Bots: named strategies with their parameters fixed, as manifests write them.

use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::{AnySpec, ReadParameters, STRATEGIES};
use crate::game::{FieldError, Options};
use crate::games::check_row_name;
use crate::toml_source::{InputError, Source, did_you_mean, key};

/// A named strategy with its parameters fixed: an entrant.
#[derive(Clone, Debug, PartialEq)]
pub struct Bot {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// Its strategy and parameters.
    pub spec: AnySpec,
}

/// A manifest as written down.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Written {
    name: Option<String>,
    about: Option<String>,
    strategy: Option<String>,
    parameters: Table,
}

struct Parameters<'a> {
    table: &'a Table,
    source: &'a Source,
    at: &'a [String],
}

impl ReadParameters for Parameters<'_> {
    type Error = InputError;

    fn read<R: Options>(&self) -> Result<R, InputError> {
        self.source.fields(self.at, self.table)
    }

    fn base_dir(&self) -> &Path {
        self.source.file().parent().unwrap_or(Path::new(""))
    }

    fn refuse(&self, error: FieldError) -> InputError {
        let path: Vec<String> = self.at.iter().cloned().chain(key(error.key)).collect();
        self.source.error(&path, error.problem)
    }
}

/// What to say where a strategy is named that there is not.
pub(crate) fn no_strategy(name: &str) -> String {
    let names: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
    let meant = did_you_mean(name, names.iter().copied());
    format!("there is no strategy {name:?}{meant}; there are {}", names.join(", "))
}

impl Bot {
    /// Reads a manifest: `name`, `about`, `strategy`, and a table `parameters`.
    ///
    /// # Errors
    /// Whatever is wrong with it, by file, line and key.
    pub fn read(file: &Path) -> Result<Bot, InputError> {
        let source = Source::read(file)?;
        Bot::from_table(&source, &[], source.table())
    }

    /// Reads a bot from `table`, which stands at `at` in `source`.
    ///
    /// # Errors
    /// Whatever is wrong with it, by file, line and key.
    pub fn from_table(source: &Source, at: &[String], table: &Table) -> Result<Bot, InputError> {
        let path = |key: &str| -> Vec<String> { at.iter().cloned().chain([key.to_owned()]).collect() };
        let missing = |key: &str, hint: &str| source.error(at, format!("a bot needs `{key}`: {hint}"));
        let written: Written = source.fields(at, table)?;
        let Some(name) = written.name else {
            return Err(missing("name", "the name that results show"));
        };
        check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
        let Some(strategy) = written.strategy else {
            return Err(missing("strategy", "how it plays, such as \"random\""));
        };
        let parameters = Parameters { table: &written.parameters, source, at: &path("parameters") };
        let Some(spec) = AnySpec::read(&strategy, parameters) else {
            return Err(source.error(&path("strategy"), no_strategy(&strategy)));
        };
        Ok(Bot { name, about: written.about.unwrap_or_default(), spec: spec? })
    }

    /// The name of the file that takes what it writes to its standard error, if it is a process.
    pub fn log_name(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '-' };
        format!("{}.log", self.name.chars().map(plain).collect::<String>())
    }

    /// The bot as a manifest, every parameter written out.
    pub fn to_table(&self) -> Table {
        let parameters = Value::Table(self.spec.parameters());
        Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("about".to_owned(), Value::from(self.about.as_str())),
            ("strategy".to_owned(), Value::from(self.spec.name())),
            ("parameters".to_owned(), parameters),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Bot, String> {
        let source = Source::parse(Path::new("b.toml"), text.to_owned()).unwrap();
        Bot::from_table(&source, &[], source.table()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_manifest_reads_back_from_its_table() {
        let bot = read("name = \"chaos\"\nstrategy = \"random\"").unwrap();
        let text = toml::to_string(&bot.to_table()).unwrap();
        assert_eq!(read(&text), Ok(bot));
    }

    #[test]
    fn bad_manifests_are_refused_with_file_line_and_key() {
        let refused = |text: &str| read(text).unwrap_err();
        assert!(refused("strategy = \"random\"").contains("needs `name`"));
        assert!(refused("name = \"x\"").contains("needs `strategy`"));
        let message = refused("name = \"x\"\nstrategy = \"ranodm\"");
        assert!(
            message
                .starts_with("b.toml:2: `strategy`: there is no strategy \"ranodm\" (did you mean random?); there are"),
            "{message}"
        );
        let message = refused("name = \"x\"\nstrategy = \"random\"\n[parameters]\nluck = 1");
        assert!(message.starts_with("b.toml:4: `parameters.luck`: unknown key"), "{message}");
    }
}
