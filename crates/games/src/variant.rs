//! A variant: a game with all its rules resolved, under a name.

use std::collections::BTreeMap;
use std::sync::Arc;

use overtrick_game::Options;
use toml::{Table, Value};

use super::option_comments::commented_options;
use super::{AnyGame, OpenGame};

/// The most points that a seat may win or lose in a deal.
///
/// With this limit the total of the longest match fits 32 bits.
pub(super) const MOST_POINTS: i32 = 32_767;

/// A game with all its rules resolved, under a name.
#[derive(Clone)]
pub struct Variant {
    /// The variant's name.
    pub name: String,
    /// The variant's description, in one line.
    pub about: String,
    /// The preset that its rules start from.
    pub base: String,
    /// The game under its rules.
    pub game: AnyGame,
}

impl Variant {
    /// Returns the same variant with its game in the form of [`AnyGame::erased`], and that form.
    pub fn erased(&self) -> (Variant, Arc<OpenGame>) {
        let game = self.game.erased();
        (Variant { game: AnyGame::Open(Arc::clone(&game)), ..self.clone() }, game)
    }

    /// Returns the variant as a file has it, with every rule.
    ///
    /// For a game that a file declares it has the text of that file, too, so that it can be read without it.
    pub fn to_table(&self) -> Table {
        let mut table = Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("about".to_owned(), Value::from(self.about.as_str())),
            ("base".to_owned(), Value::from(self.base.as_str())),
            ("rules".to_owned(), Value::Table(self.game.rules())),
        ]);
        if let AnyGame::Declared(game) = &self.game {
            table.insert("game-file".to_owned(), Value::from(game.file().text()));
        }
        table
    }

    /// Returns the variant as commented TOML, which [`Variant::read`] can read.
    ///
    /// Every rule has its meaning, range and number.
    pub fn to_toml(&self) -> String {
        let (base, rules) = match &self.game {
            AnyGame::Declared(game) => {
                (game.file().source().file().to_string_lossy().into_owned(), commented_options(game))
            }
            game => (self.base.clone(), game.inside().commented_rules()),
        };
        format!(
            "# {}: {}.\nname = {:?}\nabout = {:?}\nbase = {:?}\n\n\
             # No seat may win or lose more than {MOST_POINTS} points in a deal; rules under which one could are refused.\n\
             [rules]\n{}",
            self.game.name(),
            self.game.about(),
            self.name,
            self.about,
            base,
            rules
        )
    }
}

/// Checks a name for file names and CSV columns: letters, digits, `-`, `_` and `.`.
///
/// # Errors
/// If the name is empty, has other characters, or consists of dots only.
pub fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("{name:?} is no name: use the letters A to Z and a to z, digits, `-`, `_` and `.`"));
    }
    if name.chars().all(|c| c == '.') {
        return Err(format!("{name:?} is no name, since folders and files are called by it; choose another"));
    }
    Ok(())
}

/// Checks a name of a variant or bot, which has a row in tables.
///
/// # Errors
/// If the name is `all`, or [`check_name`] refuses it.
pub fn check_row_name(name: &str) -> Result<(), String> {
    if name == "all" {
        return Err("\"all\" is the name for all bots or variants together in results. Choose another name".to_owned());
    }
    check_name(name)
}

/// Returns the doc comments of a struct's fields, by key.
#[cfg(feature = "schema")]
fn comments<R: Options>() -> BTreeMap<String, String> {
    let schema = schemars::schema_for!(R);
    let mut comments = BTreeMap::new();
    if let Some(fields) = schema.get("properties").and_then(|fields| fields.as_object()) {
        for (key, field) in fields {
            if let Some(text) = field.get("description").and_then(|text| text.as_str()) {
                comments.insert(key.clone(), text.to_owned());
            }
        }
    }
    comments
}

/// Returns no comments, since only the feature `schema` has them.
#[cfg(not(feature = "schema"))]
fn comments<R: Options>() -> BTreeMap<String, String> {
    BTreeMap::new()
}

/// Formats a struct of plain fields as TOML, each field under its doc comment.
pub(super) fn commented<R: Options>(rules: &R) -> String {
    let mut text = String::new();
    let comments = comments::<R>();
    for line in toml::to_string(rules).expect("rules are plain values").lines() {
        let key = line.split(" = ").next().unwrap_or_default();
        let mut width = usize::MAX;
        for word in comments.get(key).map_or("", String::as_str).split_whitespace() {
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
    use super::super::GAMES;
    use std::path::Path;

    use super::*;
    use overtrick_toml::Source;

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
        assert_eq!(refused, "v.toml:4: `rules.target`: is 0, but must be 1 to 100000");
        assert!(message("tarjet = 5").starts_with("v.toml:4: `rules.tarjet`: unknown key"));
        assert!(message("\nstrip = \"JQK\"").starts_with("v.toml:5: `rules.strip`: strips"));
        assert!(message("strip = 789").starts_with("v.toml:4: `rules.strip`: is of the wrong kind"));
        let unknown = read("name = \"x\"\nbase = \"chess\"").err().unwrap();
        assert!(unknown.starts_with("v.toml:2: `base`: there is no variant \"chess\"; there are dumbo"));
        let misspelt = read("name = \"x\"\nbase = \"dummy-wist\"").err().unwrap();
        assert!(
            misspelt.contains("no variant \"dummy-wist\" (did you mean dummy-whist?); `overtrick list variants`"),
            "{misspelt}"
        );
        assert!(read("base = \"dumbo\"").err().unwrap().contains("needs `name`"));
        assert!(read("name = \"a b\"\nbase = \"dumbo\"").err().unwrap().starts_with("v.toml:1: `name`"));
    }
}
