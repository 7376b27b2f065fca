//! Variants of games that files declare.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use overtrick_game::Game;
use overtrick_language::DeclaredGame;
use overtrick_language::source::GameFile;
use overtrick_toml::{InputError, Source};
use toml::Table;

use super::{AnyGame, Variant};

/// Returns whether a document is the file of a game, and not of a variant.
pub fn is_game_file(source: &Source) -> bool {
    source.table().contains_key("game")
}

/// Makes the variant of a game file in which every option has its default.
///
/// `is_taken` says which names other games and variants have.
pub(super) fn of_file(source: Source, is_taken: impl Fn(&str) -> bool) -> Result<Variant, InputError> {
    let file = game_file(source, is_taken)?;
    let game = DeclaredGame::of(Arc::clone(&file), &file.defaults())?;
    Ok(variant(file.name().to_owned(), file.about().to_owned(), game))
}

/// The options that a variant sets, at `at` in `source`.
pub(super) struct OptionChanges<'a> {
    pub(super) table: &'a Table,
    pub(super) source: &'a Source,
    pub(super) at: &'a [String],
}

/// Makes the variant of this name, with changes of a game file's options.
pub(super) fn of_base(
    base: GameSource,
    name: String,
    about: Option<String>,
    changes: &OptionChanges<'_>,
    is_taken: impl Fn(&str) -> bool,
) -> Result<Variant, InputError> {
    let file = game_file(base.read()?, is_taken)?;
    let about = about.unwrap_or_else(|| format!("{} with other options", file.name()));
    let game = DeclaredGame::of(Arc::clone(&file), &file.values(changes.table, changes.source, changes.at)?)?;
    Ok(variant(name, about, game))
}

fn game_file(source: Source, is_taken: impl Fn(&str) -> bool) -> Result<Arc<GameFile>, InputError> {
    let file = GameFile::of(source)?;
    if is_taken(file.name()) {
        let problem = format!("{:?} is a game that comes with overtrick; choose another name", file.name());
        return Err(file.source().error(&["game".to_owned()], problem));
    }
    Ok(Arc::new(file))
}

/// The place of the text of a game file.
pub(super) enum GameSource {
    /// A file.
    File(PathBuf),
    /// The text, in the resolved config of the variant of this name.
    Text {
        /// The name of the variant.
        name: String,
        /// The text.
        text: String,
    },
}

impl GameSource {
    fn read(self) -> Result<Source, InputError> {
        let source = match self {
            GameSource::File(file) => Source::read(&file)?,
            GameSource::Text { name, text } => Source::parse(Path::new(&format!("game-file of {name}")), text)?,
        };
        if !is_game_file(&source) {
            let problem = "is no file of a game, since it has no key `game`; name the file of a game as the base";
            return Err(source.error(&[], problem));
        }
        Ok(source)
    }
}

/// Returns the same variant with changes of its options.
pub(super) fn changed(base: &Variant, game: &DeclaredGame, changes: &OptionChanges<'_>) -> Result<Variant, InputError> {
    let mut options = game.rules().0.clone();
    options.extend(changes.table.clone());
    let file = game.file();
    let game = DeclaredGame::of(Arc::clone(file), &file.values(&options, changes.source, changes.at)?)?;
    Ok(variant(base.name.clone(), base.about.clone(), game))
}

fn variant(name: String, about: String, game: DeclaredGame) -> Variant {
    let base = game.file().name().to_owned();
    Variant { name, about, base, game: AnyGame::Declared(Arc::new(game)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;
    use overtrick_toml::key;
    use tempfile::TempDir;

    const GAME: &str = "game = \"plain\"\nabout = \"win tricks\"\nsource = \"none\"\n[options]\n\
        points = { default = 1, range = [0, 10], about = \"points for a trick\" }\n\
        face = { default = \"up\", values = [\"up\", \"after-lead\"], about = \"when the dummy is seen\" }\n\
        [seats]\nplayers = 3\ndummies = [{ face = \"=face\" }]\n[[score.row]]\npoints = \"points * tricks\"\n\
        [match]\ntarget = 30\n";

    /// Writes the game and a variant of it into a folder, and reads a file of it.
    fn read(game: &str, variant: &str, file: &str) -> Result<Variant, String> {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("plain.toml"), game).unwrap();
        std::fs::write(folder.path().join("v.toml"), variant).unwrap();
        let error = |error: InputError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        Games::default().read(&folder.path().join(file)).map_err(error)
    }

    #[test]
    fn a_game_file_is_a_variant_and_a_base_of_variants() {
        let plain = read(GAME, "", "plain.toml").unwrap();
        assert_eq!((&*plain.name, &*plain.about, &*plain.base), ("plain", "win tricks", "plain"));
        assert_eq!((plain.game.name(), plain.game.score_range()), ("plain", 0..=13));
        let variant = "name = \"more\"\nbase = \"plain.toml\"\n[rules]\npoints = 2\n";
        let more = read(GAME, variant, "v.toml").unwrap();
        assert_eq!((&*more.name, &*more.about, &*more.base), ("more", "plain with other options", "plain"));
        assert_eq!((more.game.name(), more.game.score_range()), ("plain", 0..=26));
        assert_eq!(more.game.rules().to_string(), "face = \"up\"\npoints = 2\n");
    }

    /// A resolved config has the text of the file, and needs the file no more.
    #[test]
    fn a_resolved_variant_reads_without_its_file() {
        let variant = "name = \"more\"\nabout = \"x\"\nbase = \"plain.toml\"\n[rules]\npoints = 2\n";
        let more = read(GAME, variant, "v.toml").unwrap();
        let table = more.to_table();
        let source = Source::parse(Path::new("c.toml"), table.to_string()).unwrap();
        let again = Games::default().variant(&source, &[], source.table()).unwrap();
        assert_eq!(again.to_table(), table);
        assert_eq!((again.game.rules(), again.game.score_range()), (more.game.rules(), 0..=26));
        assert_eq!(table["game-file"].as_str(), Some(GAME));
    }

    #[test]
    fn a_sweep_changes_options() {
        let plain = read(GAME, "", "plain.toml").unwrap();
        let source = Source::parse(Path::new("s.toml"), "[axes]\npoints = 3\nface = 1\n".to_owned()).unwrap();
        let changed = |text: &str| Games::default().changed(&plain, &text.parse().unwrap(), &source, &key("axes"));
        assert_eq!(changed("points = 3").unwrap().game.score_range(), 0..=39);
        let error = changed("points = 11").err().unwrap().to_string();
        assert_eq!(error, "s.toml:2: `axes.points`: is 11, but must be 0 to 10");
        let error = changed("face = 1").err().unwrap().to_string();
        assert_eq!(error, "s.toml:3: `axes.face`: is of the wrong kind: write a word");
    }

    #[test]
    fn printed_options_have_their_meaning_and_read_back() {
        let plain = read(GAME, "", "plain.toml").unwrap();
        let text = plain.to_toml();
        assert!(text.contains("# points for a trick: 0 to 10.\npoints = 1\n"), "{text}");
        assert!(text.contains("# when the dummy is seen: \"up\", \"after-lead\".\nface = \"up\"\n"), "{text}");
        let base = text.lines().find(|line| line.starts_with("base = ")).unwrap();
        let again = text.replace(base, "base = \"plain.toml\"");
        assert_eq!(read(GAME, &again, "v.toml").unwrap().game.rules(), plain.game.rules());
    }

    #[test]
    fn wrong_files_and_variants_are_refused() {
        for (game, variant, file, message) in [
            (GAME, "", "other.toml", "other.toml: there is no such file"),
            (
                &*GAME.replace("\"plain\"", "\"dumbo\""),
                "",
                "plain.toml",
                "plain.toml:1: `game`: \"dumbo\" is a game that comes with overtrick; choose another name",
            ),
            (
                &*GAME.replace("\"plain\"", "\"euchre\""),
                "",
                "plain.toml",
                "plain.toml:1: `game`: \"euchre\" is a game that comes with overtrick",
            ),
            (GAME, "name = \"x\"\nbase = \"y.toml\"", "v.toml", "v.toml:2: `base`: there is no file y.toml"),
            (
                GAME,
                "name = \"x\"\nbase = \"v.toml\"",
                "v.toml",
                "v.toml: is no file of a game, since it has no key `game`",
            ),
            (
                GAME,
                "name = \"dumbo\"\nbase = \"plain.toml\"",
                "v.toml",
                "v.toml:1: `name`: \"dumbo\" is a variant that",
            ),
            (
                GAME,
                "name = \"x\"\nbase = \"plain.toml\"\n[rules]\npoint = 2",
                "v.toml",
                "v.toml:4: `rules.point`: is no option of plain (did you mean points?); there are face, points",
            ),
            (
                &*GAME.replace("points * tricks", "points * trick"),
                "name = \"x\"\nbase = \"plain.toml\"",
                "v.toml",
                "plain.toml:11: `score.row #1.points`: column 10: `trick` is no name here (did you mean tricks?)",
            ),
        ] {
            let error = read(game, variant, file).err().unwrap();
            assert!(error.starts_with(message), "{error}\n{message}");
        }
    }
}
