//! A variant: a game with all its rules resolved, under a name.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Table;

use super::{AnyGame, GAMES, GameInfo, ReadRules, Visitor};
use crate::game::{FieldError, FullGame, Options, Preset};
use crate::toml_source::{InputError, Source, did_you_mean};

/// A game with all its rules resolved.
#[derive(Clone)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// The preset that its rules start from.
    pub base: String,
    /// The game under its rules.
    pub game: AnyGame,
}

/// A variant as written down.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Written {
    name: Option<String>,
    about: Option<String>,
    base: Option<String>,
    rules: Table,
}

fn presets() -> impl Iterator<Item = (&'static GameInfo, &'static Preset)> {
    GAMES.iter().flat_map(|game| game.presets.iter().map(move |preset| (game, preset)))
}

/// The rules of a preset, with `overrides` that stand at `at` in `source`.
struct Merged<'a> {
    preset: &'a Preset,
    overrides: &'a Table,
    source: &'a Source,
    at: &'a [String],
}

impl ReadRules for Merged<'_> {
    type Error = InputError;

    fn read<R: Options>(&self) -> Result<R, InputError> {
        self.source.fields::<R>(self.at, self.overrides)?;
        let mut merged: Table = self.preset.rules.parse().expect("a preset is TOML");
        merged.extend(self.overrides.clone());
        self.source.fields(self.at, &merged)
    }

    fn refuse(&self, error: FieldError) -> InputError {
        let key: Vec<String> = self.at.iter().cloned().chain([error.key.to_owned()]).collect();
        self.source.error(&key, error.problem)
    }
}

impl Variant {
    /// The names of all presets.
    pub fn names() -> Vec<&'static str> {
        presets().map(|(_, preset)| preset.name).collect()
    }

    /// Every preset as a variant, in the order of the register.
    pub fn all() -> Vec<Variant> {
        let preset = |name: &str| Variant::preset(name).expect("presets resolve");
        Variant::names().into_iter().map(preset).collect()
    }

    /// The preset of this name.
    ///
    /// # Errors
    /// If there is none; the message lists those that there are.
    pub fn preset(name: &str) -> Result<Variant, InputError> {
        let source = Source::parse(Path::new("presets"), String::new())?;
        let base = find(name).map_err(InputError::plain)?;
        build(base, name.to_owned(), base.1.about.to_owned(), &Table::new(), &source, &[])
    }

    /// Reads a variant file: `name`, `base` (the preset that it starts from), `about`, and a table `rules`.
    ///
    /// # Errors
    /// Whatever is wrong with it, by file, line and key.
    pub fn read(file: &Path) -> Result<Variant, InputError> {
        let source = Source::read(file)?;
        Variant::from_table(&source, &[], source.table())
    }

    /// Reads a variant from `table`, which stands at `at` in `source`.
    ///
    /// # Errors
    /// Whatever is wrong with it, by file, line and key.
    pub fn from_table(source: &Source, at: &[String], table: &Table) -> Result<Variant, InputError> {
        let path = |key: &str| -> Vec<String> { at.iter().cloned().chain([key.to_owned()]).collect() };
        let written: Written = source.fields(at, table)?;
        let missing = |key: &str, hint: &str| source.error(at, format!("a variant needs `{key}`: {hint}"));
        let Some(name) = written.name else {
            return Err(missing("name", "the name that results show"));
        };
        check_row_name(&name).map_err(|problem| source.error(&path("name"), problem))?;
        let Some(base) = written.base else {
            return Err(missing("base", "the variant whose rules it changes, such as \"dumbo\""));
        };
        let base = find(&base).map_err(|problem| source.error(&path("base"), problem))?;
        let about = written.about.unwrap_or_else(|| format!("{} with other rules", base.1.name));
        let variant = build(base, name, about, &written.rules, source, &path("rules"))?;
        let preset = find(&variant.name).ok().map(|_| Variant::preset(&variant.name)).transpose()?;
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

    /// The variant of this name, or of the file if it ends in `.toml`.
    ///
    /// # Errors
    /// If there is none, or whatever is wrong with the file.
    pub fn named(text: &str) -> Result<Variant, InputError> {
        if text.ends_with(".toml") { Variant::read(Path::new(text)) } else { Variant::preset(text) }
    }

    /// The variant as commented TOML that [`Variant::read`] reads back: every rule with its meaning, range and number.
    pub fn to_toml(&self) -> String {
        struct Commented;
        impl Visitor for Commented {
            type Output = String;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> String {
                commented(game.rules())
            }
        }
        format!(
            "# {}: {}.\nname = {:?}\nabout = {:?}\nbase = {:?}\n\n[rules]\n{}",
            self.game.name(),
            GAMES.iter().find(|game| game.name == self.game.name()).map_or("", |game| game.about),
            self.name,
            self.about,
            self.base,
            self.game.visit(Commented)
        )
    }
}

/// The most points, up or down, that a seat may score in a deal: the total of the longest match then fits 32 bits.
const MOST_POINTS: i32 = 32_767;

/// Names go into file names and CSV columns: letters, digits, `-`, `_` and `.`.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("{name:?} is no name: use letters, digits, `-`, `_` and `.`"));
    }
    Ok(())
}

/// The same for variants and bots, which have rows in tables.
pub(crate) fn check_row_name(name: &str) -> Result<(), String> {
    if name == "all" {
        return Err("\"all\" is what results call everybody together; choose another name".to_owned());
    }
    check_name(name)
}

fn find(name: &str) -> Result<(&'static GameInfo, &'static Preset), String> {
    presets().find(|(_, preset)| preset.name == name).ok_or_else(|| {
        let meant = did_you_mean(name, Variant::names());
        let names = Variant::names().join(", ");
        format!("there is no variant {name:?}{meant}; there are {names}; a file ends in `.toml`")
    })
}

fn build(
    (game, preset): (&GameInfo, &Preset),
    name: String,
    about: String,
    overrides: &Table,
    source: &Source,
    at: &[String],
) -> Result<Variant, InputError> {
    let merged = Merged { preset, overrides, source, at };
    let game = AnyGame::build(game.name, merged).expect("the register lists the game")?;
    let range = game.score_range();
    let highest = range.end().max(&-range.start()).to_owned();
    if highest > MOST_POINTS {
        let problem =
            format!("a deal could score {highest} points; choose points and factors that keep it within {MOST_POINTS}");
        return Err(source.error(at, problem));
    }
    Ok(Variant { name, about, base: preset.name.to_owned(), game })
}

/// A struct of plain fields as TOML, each field under its doc comment.
fn commented<R: Options>(rules: &R) -> String {
    let schema = schemars::schema_for!(R);
    let describe = |key: &str| {
        let field = schema.get("properties").and_then(|fields| fields.get(key));
        field.and_then(|field| field.get("description")).and_then(|text| text.as_str())
    };
    let mut text = String::new();
    for line in toml::to_string(rules).expect("rules are plain values").lines() {
        let key = line.split(" = ").next().unwrap_or_default();
        let mut width = usize::MAX;
        for word in describe(key).unwrap_or_default().split_whitespace() {
            if width.saturating_add(word.len()) >= 100 {
                text.push_str(if text.is_empty() { "#" } else { "\n#" });
                width = 1;
            }
            text.push(' ');
            text.push_str(word);
            width += word.len() + 1;
        }
        text.push('\n');
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Variant, String> {
        let source = Source::parse(Path::new("v.toml"), text.to_owned()).unwrap();
        Variant::from_table(&source, &[], source.table()).map_err(|error| error.to_string())
    }

    #[test]
    fn preset_names_are_unique_and_the_first_of_a_game_has_its_default_rules() {
        let names = Variant::names();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{name} twice");
        }
        assert!(GAMES.iter().all(|game| game.presets[0].rules.is_empty()));
    }

    #[test]
    fn every_preset_prints_as_toml_that_reads_back_with_a_comment_on_each_rule() {
        for variant in Variant::all() {
            let text = variant.to_toml();
            let back = read(&text).unwrap();
            assert_eq!(back.game.rules(), variant.game.rules());
            assert_eq!((back.name, back.about), (variant.name, variant.about));
            let mut above = "";
            for line in text.split("[rules]").nth(1).unwrap().lines() {
                if line.contains(" = ") {
                    assert!(above.starts_with('#'), "no comment above {line}");
                }
                above = line;
            }
        }
    }

    #[test]
    fn a_designers_rules_override_the_base() {
        let text = "name = \"five\"\nbase = \"dumbo\"\n[rules]\nmatch-bonus = 5";
        let variant = read(text).unwrap();
        assert_eq!(variant.game.rules()["match-bonus"].as_integer(), Some(5));
        assert_eq!(variant.game.rules()["zero-match-bonus"].as_integer(), Some(20));
    }

    #[test]
    fn bad_rules_are_refused_with_file_line_and_key() {
        let base = "name = \"x\"\nbase = \"colour-blind\"\n[rules]\n";
        let message = |rules: &str| read(&format!("{base}{rules}")).err().unwrap();
        let refused = message("target = 0");
        assert_eq!(refused, "v.toml:4: `rules.target`: is 0; it runs from 1 to 100000");
        assert!(message("tarjet = 5").starts_with("v.toml:4: `rules.tarjet`: unknown key"));
        assert!(message("\nstrip = \"JQK\"").starts_with("v.toml:5: `rules.strip`: strips"));
        assert!(message("strip = 789").starts_with("v.toml:4: `rules.strip`: is of the wrong kind"));
        let unknown = read("name = \"x\"\nbase = \"chess\"").err().unwrap();
        assert!(unknown.starts_with("v.toml:2: `base`: there is no variant \"chess\"; there are dumbo"));
        let misspelt = read("name = \"x\"\nbase = \"dummy-wist\"").err().unwrap();
        assert!(misspelt.contains("no variant \"dummy-wist\" (did you mean dummy-whist?); there are"), "{misspelt}");
        assert!(read("base = \"dumbo\"").err().unwrap().contains("needs `name`"));
        assert!(read("name = \"a b\"\nbase = \"dumbo\"").err().unwrap().starts_with("v.toml:1: `name`"));
    }
}
