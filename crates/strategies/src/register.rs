//! The register of games and strategies by name.

use std::path::Path;

use overtrick_game::FullGame;
use overtrick_games::{Games, check_row_name};
use overtrick_toml::{InputError, Source, did_you_mean, key};
use serde::Deserialize;
use toml::{Table, Value};

use super::bot::Parameters;
use super::changes::{merge, unfolded};
use super::parameters::parameters;
use super::rule_based::declared;
use super::{AnySpec, Bot, OpenSpec, Parameter, READERS, STRATEGIES, StrategyInfo, StrategySpec};

/// The games and strategies that files can name: those of this crate, and added ones of other crates.
///
/// ```no_run
/// # use std::path::Path;
/// # use overtrick_games::dumbo::Dumbo as Plain;
/// # use overtrick_strategies::{Register, random::Params as Thrifty};
/// # use overtrick_tournament::{Overrides, Tournament};
/// let register = Register::default().game::<Plain>()?.strategy::<Thrifty>()?;
/// let tournament = Tournament::read_with(Path::new("plain.toml"), Overrides::default(), &register)?;
/// # Ok::<(), overtrick_toml::InputError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Register {
    games: Games,
    added: Vec<AddedStrategy>,
    /// The nesting depth of the bot that is read, counted in bots around it.
    depth: usize,
}

/// The maximum nesting depth of bots.
const DEEPEST: usize = 8;

/// The keys of a manifest, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct BotKeys {
    name: Option<String>,
    about: Option<String>,
    strategy: Option<String>,
    parameters: Table,
}

/// A strategy of another crate.
#[derive(Clone, Copy, Debug)]
struct AddedStrategy {
    info: StrategyInfo,
    reader: Reader,
}

/// Functions that read a strategy's specification and list its parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) read: fn(&Parameters<'_>) -> Result<AnySpec, InputError>,
    pub(super) list: fn() -> Vec<Parameter>,
}

impl Register {
    /// Adds a game of another crate. Its presets turn into variants, like those of this crate.
    ///
    /// # Errors
    /// If there is already a game or a variant of that name, or if the rules of a preset cannot be read.
    pub fn game<G: FullGame>(self) -> Result<Register, InputError> {
        Ok(Register { games: self.games.add::<G>()?, ..self })
    }

    /// Adds a strategy of another crate.
    ///
    /// # Errors
    /// If there is already a strategy of that name.
    pub fn strategy<S: StrategySpec + 'static>(mut self) -> Result<Register, InputError> {
        let info = StrategyInfo::of::<S>();
        if self.strategies().any(|known| known.name == info.name) {
            let problem =
                format!("there is a strategy {:?} already; give that of the other crate another name", info.name);
            return Err(InputError::plain(problem));
        }
        let read = |table: &Parameters<'_>| Ok(AnySpec::Open(OpenSpec::of(table.spec::<S>()?)));
        self.added.push(AddedStrategy { info, reader: Reader { read, list: parameters::<S> } });
        Ok(self)
    }

    /// Returns the games.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// Returns the name and description of each strategy.
    pub fn strategies(&self) -> impl Iterator<Item = &StrategyInfo> {
        STRATEGIES.iter().chain(self.added.iter().map(|entry| &entry.info))
    }

    /// Returns the parameters of the strategy named `name`.
    ///
    /// # Errors
    /// If there is no such strategy; the message lists all strategies.
    pub fn list_parameters(&self, name: &str) -> Result<Vec<Parameter>, InputError> {
        self.reader(name).map(|reader| (reader.list)()).map_err(InputError::plain)
    }

    /// Returns the parameters of a strategy that matter in a game: all but those in the tables of other games.
    ///
    /// One table is for all games from files.
    ///
    /// # Errors
    /// If there is no such strategy; the message lists all strategies.
    pub fn parameters_in_game(&self, strategy: &str, game: &str) -> Result<Vec<Parameter>, InputError> {
        let mut listed = self.list_parameters(strategy)?;
        let is_game = |name: &str| self.games.infos().any(|info| info.name == name);
        listed.retain(|row| match row.parameter.split_once('.') {
            Some((declared::TABLE, _)) => !is_game(game),
            Some((table, _)) => table == game || !is_game(table),
            None => true,
        });
        Ok(listed)
    }

    /// Reads a specification from the parameters in `table`, which is at `at` in `source`.
    fn spec(&self, reader: Reader, table: &Table, source: &Source, at: &[String]) -> Result<AnySpec, InputError> {
        let find = |name: &str, value: &Value| {
            let at = [at, &key(name)].concat();
            if self.depth == DEEPEST {
                let problem = format!("bots are nested more than {DEEPEST} deep: does one contain itself?");
                return Err(source.error(&at, problem));
            }
            Register { depth: self.depth + 1, ..self.clone() }.find_bot(source, &at, value)
        };
        (reader.read)(&Parameters { table, source, at, find: &find })
    }

    /// Returns the reader of the strategy named `name`, or the message that there is none.
    pub(super) fn reader(&self, name: &str) -> Result<Reader, String> {
        let readers = READERS.iter().copied().chain(self.added.iter().map(|entry| entry.reader));
        let found = self.strategies().zip(readers).find(|(info, _)| info.name == name);
        found.map(|(_, reader)| reader).ok_or_else(|| {
            let names: Vec<&str> = self.strategies().map(|strategy| strategy.name).collect();
            let meant = did_you_mean(name, names.iter().copied());
            format!("there is no strategy {name:?}{meant}; there are {}", names.join(", "))
        })
    }

    /// Reads a bot's manifest: `name`, `about`, `strategy`, and a table `parameters`.
    ///
    /// # Errors
    /// Any fault of the manifest, with file, line and key.
    pub fn read_bot(&self, file: &Path) -> Result<Bot, InputError> {
        let source = Source::read(file)?;
        self.bot(&source, &[], source.table())
    }

    /// Reads a bot from `table`, which is at `at` in `source`.
    ///
    /// # Errors
    /// Any fault of the table, with file, line and key.
    pub fn bot(&self, source: &Source, at: &[String], table: &Table) -> Result<Bot, InputError> {
        let path = |key: &str| -> Vec<String> { at.iter().cloned().chain([key.to_owned()]).collect() };
        let missing = |key: &str, hint: &str| source.error(at, format!("a bot needs `{key}`: {hint}"));
        let written: BotKeys = source.fields(at, table)?;
        let Some(name) = written.name else {
            return Err(missing("name", "the name that results show"));
        };
        check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
        let Some(strategy) = written.strategy else {
            return Err(missing("strategy", "how it plays, such as \"random\""));
        };
        let reader = self.reader(&strategy).map_err(|problem| source.error(&path("strategy"), problem))?;
        let at = path("parameters");
        let table = in_one_spelling(source, &at, &written.parameters)?;
        let spec = self.spec(reader, &table, source, &at)?;
        Ok(Bot { name, about: written.about.unwrap_or_default(), spec })
    }

    /// Returns the bot under another name with the parameters in `changes` replaced.
    ///
    /// `changes` is written as in a manifest. The other parameters stay.
    ///
    /// ```
    /// use overtrick_strategies::{Bot, Register};
    ///
    /// let register = Register::default();
    /// let rules = Bot::find("rule-based", &[], &register)??;
    /// let bold = register.changed(&rules, "bold", &"dumbo.ambition = 0.4".parse()?)?;
    /// assert!(register.changed(&rules, "odd", &"dumbo.ambiton = 0.4".parse()?).is_err());
    /// # assert_eq!(bold.spec.parameters()["dumbo"]["ambition"].as_float(), Some(0.4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a parameter is unknown or out of range. The error has its key, and `name` in place of a file.
    pub fn changed(&self, bot: &Bot, name: &str, changes: &Table) -> Result<Bot, InputError> {
        let source = Source::parse(Path::new(name), String::new())?;
        check_row_name(name).map_err(|problem| source.error(&[], problem))?;
        let spec = self.changed_spec(bot, &source, &key("parameters"), changes)?;
        Ok(Bot { name: name.to_owned(), about: bot.about.clone(), spec })
    }

    /// Returns the bot's strategy with the parameters in `changes` replaced; `changes` is at `at` in
    /// `source`.
    pub fn changed_spec(
        &self,
        bot: &Bot,
        source: &Source,
        at: &[String],
        changes: &Table,
    ) -> Result<AnySpec, InputError> {
        let mut table = bot.spec.parameters();
        merge(&mut table, in_one_spelling(source, at, changes)?);
        let reader = self.reader(bot.spec.name()).map_err(|problem| source.error(at, problem))?;
        let mut spec = self.spec(reader, &table, source, at)?;
        if let (Some(before), Some(params)) = (bot.spec.process(), spec.process_mut()) {
            params.take_over(before);
        }
        Ok(spec)
    }
}

/// Returns the parameters in `table`, which is at `at` in `source`, with tables in place of dotted keys.
fn in_one_spelling(source: &Source, at: &[String], table: &Table) -> Result<Table, InputError> {
    unfolded(table)
        .map_err(|twice| source.error(&[at, &twice].concat(), "is set twice, in two spellings; take one of them out"))
}

impl Bot {
    /// Reads a manifest of a strategy of this crate; see [`Register::read_bot`].
    ///
    /// # Errors
    /// Any fault of the manifest, with file, line and key.
    pub fn read(file: &Path) -> Result<Bot, InputError> {
        Register::default().read_bot(file)
    }

    /// Reads a bot with a strategy of this crate; see [`Register::bot`].
    ///
    /// # Errors
    /// Any fault of the table, with file, line and key.
    pub fn from_table(source: &Source, at: &[String], table: &Table) -> Result<Bot, InputError> {
        Register::default().bot(source, at, table)
    }
}
