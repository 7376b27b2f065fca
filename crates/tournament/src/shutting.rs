//! The keys of a config that say how far bots outside of the process are shut in: `sandbox` and `bots-may-read`.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, Level};
use overtrick_strategies::Bot;
use overtrick_toml::{InputError, Source, in_home, key};
use toml::{Table, Value};

/// The isolation of bots: what the command line says goes before what the config says.
///
/// # Errors
/// If a folder cannot be read that bots are to see.
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

/// What is settled about the isolation of bots; `None` if none is outside of the process.
pub fn isolation_of<'a>(bots: impl IntoIterator<Item = &'a Bot>) -> Option<&'a Isolation> {
    bots.into_iter().find_map(|bot| Some(&bot.spec.process()?.isolation))
}

/// The same with a folder, such as that of the results, that bots are not to see.
pub fn hiding(isolation: &Isolation, folder: &Path) -> Isolation {
    let mut isolation = isolation.clone();
    isolation.hidden.push(std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    isolation
}

/// Puts the keys into a config.
pub fn write_isolation(isolation: &Isolation, config: &mut Table) {
    if let Some(level) = isolation.level {
        config.insert("sandbox".to_owned(), Value::from(level.name()));
    }
    let readable = isolation.readable.iter().map(|place| Value::from(&*place.to_string_lossy()));
    if !isolation.readable.is_empty() {
        config.insert("bots-may-read".to_owned(), Value::Array(readable.collect()));
    }
}
