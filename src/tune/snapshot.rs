//! The file from which tuning goes on after it was stopped or killed.

use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::tuning::Tuning;
use crate::cards::SEEDING_VERSION;
use crate::run::{different_line, sealed, stage_file, unsealed};

/// The version of this form.
const FORM: u32 = 1;

/// Tuning in progress with the plan that it follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSnapshot {
    /// The version of the program that played.
    version: String,
    /// The plan's resolved configuration, as TOML.
    config: String,
    /// How far it is.
    pub tuning: Tuning,
    /// The faults of bots so far.
    pub faults: u64,
}

impl TuneSnapshot {
    /// A snapshot of this version.
    pub fn new(config: String, tuning: Tuning, faults: u64) -> TuneSnapshot {
        TuneSnapshot { version: env!("CARGO_PKG_VERSION").to_owned(), config, tuning, faults }
    }

    fn title() -> String {
        format!("overtrick tuning {FORM}, seeding {SEEDING_VERSION}\n")
    }

    /// Puts the snapshot into a file: under a temporary name first, then safely on the disk, then under its own.
    ///
    /// # Errors
    /// What the system says; the file is then as it was.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        let body = postcard::to_stdvec(self).expect("plain values");
        stage_file(file, &sealed(&TuneSnapshot::title(), &body))?.persist(file).map_err(|error| error.error)?;
        Ok(())
    }

    /// Reads a file; `None` if there is none.
    ///
    /// # Errors
    /// Why tuning by `config` cannot go on from it.
    pub fn read(file: &Path, config: &str) -> Result<Option<TuneSnapshot>, String> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(format!("cannot be read: {error}")),
        };
        let body = unsealed(&TuneSnapshot::title(), "checkpoint of tuning", &bytes)?;
        let snapshot: TuneSnapshot = postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        let version = env!("CARGO_PKG_VERSION");
        if snapshot.version != version {
            return Err(format!("was written by version {}, and this is {version}", snapshot.version));
        }
        match different_line(&snapshot.config, config) {
            None => Ok(Some(snapshot)),
            Some((theirs, own)) => Err(format!("is of another plan: it has `{theirs}` where this one has `{own}`")),
        }
    }
}
