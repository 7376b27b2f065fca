//! The config keys for the isolation of external bots: `sandbox` and `bots-may-read`.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, Level};
use overtrick_strategies::Bot;
use overtrick_toml::{InputError, Source, in_home, key};
use toml::{Table, Value};

/// Reads the isolation of bots. The command line overrides the config.
///
/// # Errors
/// If a folder that bots may read cannot be read.
pub fn isolation(source: &Source, level: Option<Level>, readable: &[PathBuf]) -> Result<Isolation, InputError> {
    let mut isolation = Isolation::default();
    isolation.level = isolation.level.or(level);
    for place in readable {
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

/// Returns the isolation of the bots; `None` if all bots run inside the process.
pub fn isolation_of<'a>(bots: impl IntoIterator<Item = &'a Bot>) -> Option<&'a Isolation> {
    bots.into_iter().find_map(|bot| Some(&bot.spec.process()?.isolation))
}

/// Returns the isolation with another hidden folder, such as the folder of results.
pub fn hiding(isolation: &Isolation, folder: &Path) -> Isolation {
    let mut isolation = isolation.clone();
    isolation.hidden.push(std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    isolation
}

/// Writes the keys into a config.
pub fn write_isolation(isolation: &Isolation, config: &mut Table) {
    if let Some(level) = isolation.level {
        config.insert("sandbox".to_owned(), Value::from(level.name()));
    }
    let readable = isolation.readable.iter().map(|place| Value::from(&*place.to_string_lossy()));
    if !isolation.readable.is_empty() {
        config.insert("bots-may-read".to_owned(), Value::Array(readable.collect()));
    }
}
