//! Bots: named strategies with their parameters fixed, as manifests write them.

use std::path::Path;

use overtrick_toml::{InputError, Source, key};
use toml::{Table, Value};

use super::{AnySpec, FindBot, StrategySpec};

/// A named strategy with its parameters fixed: an entrant.
#[derive(Clone, Debug, PartialEq)]
pub struct Bot {
    /// The name of the bot in configurations and tables.
    pub name: String,
    /// A description of the bot in one line.
    pub about: String,
    /// The strategy and its parameters.
    pub spec: AnySpec,
}

/// The parameters of a manifest.
pub(super) struct Parameters<'a> {
    pub(super) table: &'a Table,
    pub(super) source: &'a Source,
    pub(super) at: &'a [String],
    /// Finds the bots that the parameters name.
    pub(super) find: &'a FindBot<'a>,
}

impl Parameters<'_> {
    pub(super) fn spec<S: StrategySpec>(&self) -> Result<S, InputError> {
        let mut spec: S = self.source.fields(self.at, self.table)?;
        let base_dir = self.source.file().parent().unwrap_or(Path::new(""));
        let settled = spec.validate().and_then(|()| spec.resolve_paths(base_dir));
        settled.map_err(|error| self.source.error(&[self.at, &key(error.key)].concat(), error.problem))?;
        if let Some((key, bot)) = spec.inner_mut() {
            bot.resolve(key, self.find)?;
        }
        Ok(spec)
    }
}

impl Bot {
    /// Returns the name of the log file for the bot's standard error, if it is a process.
    pub fn log_name(&self) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '-' };
        format!("{}.log", self.name.chars().map(plain).collect::<String>())
    }

    /// Returns the bot as a manifest with every parameter.
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
