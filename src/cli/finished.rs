//! The results of a finished run, read back from their folder.

use std::path::Path;

use crate::report::TALLY;
use crate::run::{Extent, Snapshot};
use crate::toml_source::InputError;

/// Reads the tallies of a whole run.
///
/// # Errors
/// If there are none, if they cannot be read, or are those of one shard.
pub(super) fn read(folder: &Path) -> Result<Snapshot, InputError> {
    let file = folder.join(TALLY);
    match Snapshot::read(&file)? {
        None => Err(InputError::file(folder, format!("holds no results of a run: there is no {TALLY}"))),
        Some(snapshot) => whole(&file, snapshot),
    }
}

/// Tallies of a file, if they are not those of one shard.
///
/// # Errors
/// If they are.
pub(super) fn whole(file: &Path, snapshot: Snapshot) -> Result<Snapshot, InputError> {
    match snapshot.extent {
        Extent::Shard(shard) => {
            Err(InputError::file(file, format!("is shard {shard}; put the shards together with `overtrick merge`")))
        }
        _ => Ok(snapshot),
    }
}
