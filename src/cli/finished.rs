//! Reads the results of a run back from their folder.

use std::path::Path;

use super::checkpoints::CHECKPOINT;
use super::host::register;
use crate::report::TALLY;
use crate::run::{Extent, RunOutcome, Snapshot};
use crate::toml_source::InputError;

/// Reads the tallies of a whole run.
///
/// # Errors
/// If there are none, if they cannot be read, or if they belong to a single shard or to a run that is not finished.
pub(super) fn read(folder: &Path) -> Result<Snapshot, InputError> {
    let file = folder.join(TALLY);
    match Snapshot::read_with(&file, &register())? {
        None => Err(InputError::file(folder, format!("these are no results of `overtrick run`: there is no {TALLY}"))),
        Some(snapshot) if !snapshot.finished => {
            Err(InputError::file(&file, "is of a run that is not finished; go on with `overtrick run --resume`"))
        }
        Some(snapshot) => whole(&file, snapshot),
    }
}

/// Returns the tallies of a file unless they belong to a single shard.
///
/// # Errors
/// If they belong to a shard.
fn whole(file: &Path, snapshot: Snapshot) -> Result<Snapshot, InputError> {
    match snapshot.extent {
        Extent::Shard(shard) => {
            Err(InputError::file(file, format!("is shard {shard}; put the shards together with `overtrick merge`")))
        }
        _ => Ok(snapshot),
    }
}

/// Reads the tallies of a run: the finished ones, or else those of its checkpoint.
///
/// # Errors
/// The errors of [`read`], or if there are neither tallies nor a checkpoint.
pub(super) fn read_or_begun(folder: &Path) -> Result<Snapshot, InputError> {
    let has = |name: &str| folder.join(name).is_file();
    if has(TALLY) {
        return read(folder);
    }
    for (command, name) in [("tune", "tune.csv"), ("sweep", "sweep.csv"), ("league", "league.csv")] {
        if has(name) {
            let problem = format!("holds results of `overtrick {command}`; give the folder of a run");
            return Err(InputError::file(folder, problem));
        }
    }
    begun(folder)?.ok_or_else(|| {
        let problem = format!(
            "these are no results of `overtrick run`: there is neither {TALLY} nor {CHECKPOINT}; give the folder that `overtrick run` wrote"
        );
        InputError::file(folder, problem)
    })
}

/// Reads the tallies of a run from its checkpoint, if there is one.
///
/// # Errors
/// If they cannot be read, or if they belong to a shard.
pub(super) fn begun(folder: &Path) -> Result<Option<Snapshot>, InputError> {
    let checkpoint = folder.join(CHECKPOINT);
    Snapshot::read_with(&checkpoint, &register())?.map(|snapshot| whole(&checkpoint, snapshot)).transpose()
}

/// Returns the version that played a run, and the outcome of the run.
///
/// # Errors
/// If this version does not accept the configuration.
pub(super) fn outcome(snapshot: Snapshot) -> Result<(String, RunOutcome), InputError> {
    let tournament = snapshot.tournament_with(&register())?;
    let Snapshot { version, extent, finished, runs, .. } = snapshot;
    Ok((version, RunOutcome::new(tournament, extent, finished, runs)))
}
