//! The secret of a run with external bots, drawn at the start and published at the end.

use std::path::Path;

use super::checkpoints::CHECKPOINT;
use crate::report::{OutputFolder, TALLY};
use crate::run::{Extent, Snapshot};
use crate::toml_source::InputError;
use crate::tournament::{Secret, Tournament};

/// The file that commits, from the start of a run, to its secret.
pub const HASH: &str = "secret-hash.txt";

/// Returns whether a run must draw its secret: it has external bots, and the config names no secret.
pub fn is_wanted(tournament: &Tournament) -> bool {
    tournament.needs_secret() && tournament.secret.is_none()
}

/// Returns the secret of an earlier run of the same tournament in a folder, if there is one.
pub fn of_earlier(folder: &Path, tournament: &Tournament, extent: &Extent) -> Option<Secret> {
    [CHECKPOINT, TALLY].iter().find_map(|name| {
        let snapshot = Snapshot::read_with(&folder.join(name), &tournament.register).ok()??;
        let secret = snapshot.tournament_with(&tournament.register).ok()?.secret?;
        let mut with_secret = tournament.clone();
        with_secret.secret = Some(secret);
        let kin = snapshot.kin(&with_secret, extent);
        kin.is_ok().then_some(secret)
    })
}

/// Returns the error for a shard without a secret, since every shard would draw a different one.
pub fn for_shards() -> InputError {
    let remedy = Secret::draw().map_or_else(|error| error.to_string(), |secret| format!("secret = \"{secret}\""));
    let problem = format!(
        "is missing: with external bots all shards need the same one, since cards come from it. Write into the \
         config, where no bot can read it: {remedy}"
    );
    InputError::plain(problem).at_key("secret")
}

/// Returns the error for results that a run with a new secret would replace with different ones.
pub fn of_finished(folder: &Path) -> InputError {
    let problem = format!(
        "holds the results of this run under another secret, and the new ones would differ; repeat them with \
         `overtrick run {0}/config.toml`, choose another folder with --out, or replace them with --force",
        folder.display()
    );
    InputError::file(folder, problem)
}

/// Draws the secret of a run.
///
/// # Errors
/// If the system provides no random numbers.
pub fn draw(tournament: &mut Tournament) -> Result<(), InputError> {
    tournament.draw_secret().map_err(|error| InputError::plain(error.to_string()))
}

/// Writes the hash of the secret to the results' folder, or removes it without a secret.
///
/// # Errors
/// If it cannot be written.
pub fn store_hash(folder: &OutputFolder, tournament: &Tournament) -> Result<(), InputError> {
    match tournament.secret {
        Some(secret) => folder.write(&[(HASH, format!("{}\n", secret.hash()).into_bytes())]),
        None => {
            // The hash of another run would seem to be the hash of this run.
            let _ = std::fs::remove_file(folder.path().join(HASH));
            Ok(())
        }
    }
}
