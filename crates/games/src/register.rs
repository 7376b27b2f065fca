//! The register of games by name, and reading of variants from files.

use std::path::Path;
use std::sync::Arc;

use overtrick_game::{FullGame, Game, Preset};
use overtrick_toml::{InputError, Source, did_you_mean, key};
use serde::Deserialize;
use toml::Table;

use super::file_games::{self, GameSource, OptionChanges, is_game_file};
use super::variant::MOST_POINTS;
use super::{AnyGame, GAMES, GameInfo, MAKERS, OpenGame, Variant, check_row_name};

/// The games that can be named: the games of this crate, and added games of other crates.
#[derive(Clone, Debug, Default)]
pub struct Games {
    added: Vec<(GameInfo, MakeGame)>,
}

/// A function that makes a game under written rules.
pub(super) type MakeGame = fn(&WrittenRules<'_>) -> Result<AnyGame, InputError>;

/// A preset, and the function that makes its game under other rules.
#[derive(Clone, Copy)]
struct BasePreset {
    make: MakeGame,
    preset: &'static Preset,
}

/// The keys of a variant, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct VariantKeys {
    name: Option<String>,
    about: Option<String>,
    base: Option<String>,
    /// The text of the file of the game, in resolved configs.
    game_file: Option<String>,
    rules: Table,
}

/// The rules of a preset, changed by `overrides`, which are at `at` in `source`.
pub(super) struct WrittenRules<'a> {
    preset: &'a Preset,
    overrides: &'a Table,
    source: &'a Source,
    at: &'a [String],
}

impl WrittenRules<'_> {
    pub(super) fn game<G: Game>(&self) -> Result<G, InputError> {
        self.source.fields::<G::Rules>(self.at, self.overrides)?;
        let mut merged: Table = self.preset.rules.parse().map_err(|_| self.wrong_preset("is not TOML"))?;
        merged.extend(self.overrides.clone());
        let rules = self.source.fields(self.at, &merged)?;
        G::new(rules).map_err(|error| self.source.error(&[self.at, &key(error.key)].concat(), error.problem))
    }

    fn wrong_preset(&self, problem: &str) -> InputError {
        InputError::plain(format!("the preset {:?} {problem}", self.preset.name))
    }
}

impl Games {
    /// Adds a game of another crate. Its presets become variants, like the presets of this crate.
    ///
    /// # Errors
    /// If a game or a variant of that name exists, or if the rules of a preset cannot be read.
    pub fn add<G: FullGame>(mut self) -> Result<Games, InputError> {
        let info = GameInfo::of::<G>();
        let taken = |what: &str, name: &str| {
            InputError::plain(format!("there is {what} {name:?} already; give that of the other crate another name"))
        };
        if self.infos().any(|known| known.name == info.name) {
            return Err(taken("a game", info.name));
        }
        self.added.push((info, |rules| Ok(AnyGame::Open(Arc::new(OpenGame::of(rules.game::<G>()?))))));
        for preset in info.presets {
            let name = preset.name;
            check_row_name(name).map_err(InputError::plain)?;
            if self.presets().filter(|base| base.preset.name == name).count() > 1 {
                return Err(taken("a variant", name));
            }
            self.preset(name)
                .map_err(|error| InputError::plain(format!("the preset {name:?} of {}: {error}", info.name)))?;
        }
        Ok(self)
    }

    /// Returns the name, description and presets of each game.
    pub fn infos(&self) -> impl Iterator<Item = &GameInfo> {
        GAMES.iter().chain(self.added.iter().map(|(info, _)| info))
    }

    fn presets(&self) -> impl Iterator<Item = BasePreset> {
        let ours = GAMES.iter().zip(MAKERS).map(|(info, &make)| (info.presets, make));
        let all = ours.chain(self.added.iter().map(|(info, make)| (info.presets, *make)));
        all.flat_map(|(presets, make)| presets.iter().map(move |preset| BasePreset { make, preset }))
    }

    /// Returns the names of all presets.
    pub fn names(&self) -> Vec<&'static str> {
        self.presets().map(|base| base.preset.name).collect()
    }

    /// Returns whether a game or a preset has this name.
    fn is_taken(&self, name: &str) -> bool {
        self.infos().any(|info| info.name == name) || self.names().contains(&name)
    }

    /// Returns the preset of this name.
    ///
    /// # Errors
    /// If there is none. The message lists the presets.
    pub fn preset(&self, name: &str) -> Result<Variant, InputError> {
        let source = Source::parse(Path::new("presets"), String::new())?;
        let base = self.find(name).map_err(InputError::plain)?;
        build(base, name.to_owned(), base.preset.about.to_owned(), &Table::new(), &source, &[])
    }

    /// Reads the file of a variant or of a game.
    ///
    /// A variant has `name`, `base` (the preset or the game file that it starts from), `about`, and a table `rules`.
    ///
    /// # Errors
    /// If the file is neither. The message names file, line and key.
    pub fn read(&self, file: &Path) -> Result<Variant, InputError> {
        let source = Source::read(file)?;
        if is_game_file(&source) {
            return file_games::of_file(source, |name| self.is_taken(name));
        }
        self.variant(&source, &[], source.table())
    }

    /// Reads a variant from `table`, which is at `at` in `source`.
    ///
    /// # Errors
    /// If the table is not a valid variant. The message names file, line and key.
    pub fn variant(&self, source: &Source, at: &[String], table: &Table) -> Result<Variant, InputError> {
        let path = |key: &str| -> Vec<String> { at.iter().cloned().chain([key.to_owned()]).collect() };
        let written: VariantKeys = source.fields(at, table)?;
        let missing = |key: &str, hint: &str| source.error(at, format!("a variant needs `{key}`: {hint}"));
        let Some(name) = written.name else {
            return Err(missing("name", "the name that results show"));
        };
        check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
        let Some(base) = written.base else {
            return Err(missing("base", "the variant whose rules it changes, such as \"dumbo\""));
        };
        let game = match written.game_file {
            Some(text) => Some(GameSource::Text { name: name.clone(), text }),
            None if base.ends_with(".toml") => {
                let file = source.beside(&base);
                if !file.exists() {
                    return Err(source.error(&path("base"), format!("there is no file {base}")));
                }
                Some(GameSource::File(file))
            }
            None => None,
        };
        if let Some(game) = game {
            if self.names().contains(&name.as_str()) {
                let problem = format!("{name:?} is a variant that comes with overtrick; choose another name");
                return Err(source.error(&path("name"), problem));
            }
            let changes = OptionChanges { table: &written.rules, source, at: &path("rules") };
            return file_games::of_base(game, name, written.about, &changes, |name| self.is_taken(name));
        }
        let base = self.find(&base).map_err(|problem| source.error(&path("base"), problem))?;
        let about = written.about.unwrap_or_else(|| format!("{} with other rules", base.preset.name));
        let variant = build(base, name, about, &written.rules, source, &path("rules"))?;
        let preset = self.find(&variant.name).ok().map(|_| self.preset(&variant.name)).transpose()?;
        if preset.is_some_and(|preset| {
            preset.game.name() != variant.game.name() || preset.game.rules() != variant.game.rules()
        }) {
            let problem = format!(
                "{:?} is a variant that comes with overtrick, and these rules differ from it; choose another name",
                variant.name
            );
            return Err(source.error(&path("name"), problem));
        }
        Ok(variant)
    }

    /// Returns `base` with the rules of `changes`, which are at `at` in `source`.
    ///
    /// # Errors
    /// If the rules are not valid. The message names file, line and key.
    pub fn changed(
        &self,
        base: &Variant,
        changes: &Table,
        source: &Source,
        at: &[String],
    ) -> Result<Variant, InputError> {
        if let AnyGame::Declared(game) = &base.game {
            return file_games::changed(base, game, &OptionChanges { table: changes, source, at });
        }
        let made = self.find(&base.base).map_err(InputError::plain)?;
        let mut rules = base.game.rules();
        rules.extend(changes.clone());
        build(made, base.name.clone(), base.about.clone(), &rules, source, at)
    }

    fn find(&self, name: &str) -> Result<BasePreset, String> {
        self.presets().find(|base| base.preset.name == name).ok_or_else(|| {
            let meant = did_you_mean(name, self.names());
            let known = match meant.as_str() {
                "" => format!("there are {}", self.names().join(", ")),
                _ => "`overtrick list variants` lists all".to_owned(),
            };
            format!("there is no variant {name:?}{meant}; {known}, and the name of a file must end in .toml")
        })
    }
}

impl Variant {
    /// Returns the names of all presets of this crate.
    pub fn names() -> Vec<&'static str> {
        Games::default().names()
    }

    /// Returns every preset of this crate as a variant, in the order of the register.
    pub fn all() -> Vec<Variant> {
        let preset = |name: &str| Variant::preset(name).expect("presets resolve");
        Variant::names().into_iter().map(preset).collect()
    }

    /// Returns the preset of this name, of this crate (see [`Games::preset`]).
    ///
    /// # Errors
    /// If there is none. The message lists the presets.
    pub fn preset(name: &str) -> Result<Variant, InputError> {
        Games::default().preset(name)
    }

    /// Reads a variant file of a game of this crate (see [`Games::read`]).
    ///
    /// # Errors
    /// If the file is not a valid variant. The message names file, line and key.
    pub fn read(file: &Path) -> Result<Variant, InputError> {
        Games::default().read(file)
    }

    /// Reads a variant of a game of this crate (see [`Games::variant`]).
    ///
    /// # Errors
    /// If the table is not a valid variant. The message names file, line and key.
    pub fn from_table(source: &Source, at: &[String], table: &Table) -> Result<Variant, InputError> {
        Games::default().variant(source, at, table)
    }

    /// Returns the variant of this name, or of the file if the text ends in `.toml`.
    ///
    /// # Errors
    /// If there is no such variant, or if the file is not valid.
    pub fn named(text: &str) -> Result<Variant, InputError> {
        if text.ends_with(".toml") { Variant::read(Path::new(text)) } else { Variant::preset(text) }
    }
}

fn build(
    BasePreset { make, preset }: BasePreset,
    name: String,
    about: String,
    overrides: &Table,
    source: &Source,
    at: &[String],
) -> Result<Variant, InputError> {
    let game = make(&WrittenRules { preset, overrides, source, at })?;
    let range = game.score_range();
    let highest = range.end().max(&-range.start()).to_owned();
    if highest > MOST_POINTS {
        let problem =
            format!("a deal could score {highest} points; choose points and factors that keep it within {MOST_POINTS}");
        return Err(source.error(at, problem));
    }
    Ok(Variant { name, about, base: preset.name.to_owned(), game })
}
