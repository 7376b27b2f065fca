//! The parts that `overtrick merge` joins: the shards of one run or of one sweep, each once.

use std::path::{Path, PathBuf};

use crate::report::LEAGUE_FILES;
use crate::run::{ConfigDifference, Shard, different_line, named};
use crate::toml_source::InputError;

/// A shard and its folder.
pub struct Part<'a, T> {
    pub folder: &'a Path,
    pub shard: Shard,
    /// The version of the program that played it.
    pub version: String,
    /// The resolved configuration.
    pub config: String,
    /// The results.
    pub played: T,
}

/// Returns the error for a folder without a finished shard.
pub fn not_finished(folder: &Path) -> InputError {
    if folder.join(LEAGUE_FILES[0]).is_file() {
        let problem = "holds results of `overtrick league`, which has no shards; there is nothing to put together";
        return InputError::file(folder, problem);
    }
    let problem = "holds no finished shard: play it with `overtrick run CONFIG --shard K/N --out` this folder (of a sweep, \
                   with `overtrick sweep`), or go on with --resume";
    InputError::file(folder, problem)
}

/// Returns a resolved configuration without the folders of external bots, which may differ between machines.
fn without_folders(config: &str) -> String {
    config.lines().filter(|line| !line.starts_with("folder = ")).fold(String::new(), |text, line| text + line + "\n")
}

/// Sorts the parts by number and returns the missing shards.
///
/// All parts must be shards of the same run or sweep, each once.
///
/// # Errors
/// The first part that does not fit the others.
pub fn put_in_order<T>(parts: &mut [Part<'_, T>]) -> Result<Vec<Shard>, InputError> {
    parts.sort_by_key(|part| part.shard.number);
    let first = &parts[0];
    for part in &parts[1..] {
        let name = first.folder.display();
        if part.version != first.version {
            let problem = format!("was played by version {}, {name} by {}", part.version, first.version);
            return Err(InputError::file(part.folder, problem));
        }
        let [theirs, own] = [part, first].map(|part| without_folders(&part.config));
        if let Some(difference) = ConfigDifference::of(&theirs, &own) {
            let problem = match difference {
                ConfigDifference::Program(bot) => format!(
                    "was played with another program of {bot} than {name}: play one of the two again, with the same files"
                ),
                ConfigDifference::Line { theirs, own, .. } => {
                    format!("is of another run than {name}: it has `{theirs}` where that one has `{own}`")
                }
            };
            return Err(InputError::file(part.folder, problem));
        }
        if part.shard.of != first.shard.of {
            let problem = format!("is shard {}, and {name} is shard {}", part.shard, first.shard);
            return Err(InputError::file(part.folder, problem));
        }
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].shard == pair[1].shard) {
        let problem = format!("is shard {}, which {} is, too", pair[1].shard, pair[0].folder.display());
        return Err(InputError::file(pair[1].folder, problem));
    }
    let missing = (1..=first.shard.of).filter(|&number| parts.iter().all(|part| part.shard.number != number));
    Ok(missing.map(|number| Shard { number, ..first.shard }).collect())
}

/// Returns a note if external bots had different folders in the parts.
///
/// The results name the folders of the first part.
pub fn note_of_folders<T>(parts: &[Part<'_, T>]) -> Option<String> {
    let first = &parts[0];
    let part = parts.iter().find(|part| different_line(&part.config, &first.config).is_some())?;
    Some(format!(
        "note: external bots lay in another folder for shard {} than for shard {}, whose folder is noted",
        part.shard, first.shard
    ))
}

/// Returns the error for missing shards; `otherwise` names another remedy.
pub fn are_missing(missing: &[Shard], otherwise: &str) -> InputError {
    let verb = if missing.len() == 1 { "is" } else { "are" };
    let of = missing.first().map_or(0, |shard| shard.of);
    InputError::plain(format!("{} {verb} missing; give the folders of all {of}{otherwise}", named(missing)))
}

/// Returns the folder for the results: `out`, or else results/`name`.
///
/// # Errors
/// If it is the folder of a part.
pub fn whole_folder<T>(out: Option<&Path>, name: &str, parts: &[Part<'_, T>]) -> Result<PathBuf, InputError> {
    let out = out.map_or_else(|| Path::new("results").join(name), Path::to_owned);
    let same =
        |folder: &Path| out.canonicalize().is_ok_and(|out| folder.canonicalize().is_ok_and(|folder| folder == out));
    if let Some(part) = parts.iter().find(|part| same(part.folder)) {
        let problem =
            format!("holds shard {}, which the results would replace; choose another folder with --out", part.shard);
        return Err(InputError::file(&out, problem));
    }
    Ok(out)
}

/// Returns the number of merged shards in words.
pub fn counted(shards: usize) -> String {
    format!("{shards} {} put together", if shards == 1 { "shard" } else { "shards" })
}
