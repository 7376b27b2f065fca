//! `--log`: the log of deals of a run or of shards.

use std::path::{Path, PathBuf};

use crate::report::{LogForm, OutputFolder, Spool, SpooledRun, write_log};
use crate::run::Threads;
use crate::toml_source::InputError;
use crate::tournament::{Tournament, VariantRun};

/// A requested log.
pub struct Log {
    file: PathBuf,
    form: LogForm,
}

impl Log {
    /// Claims the log `file`, whose name determines the format.
    ///
    /// # Errors
    /// If the format is unknown, the file cannot be written, or it would be replaced without `may_replace`.
    pub fn claim(file: &Path, may_replace: bool) -> Result<Log, InputError> {
        let refuse = |problem: String| InputError::file(file, problem).at_key("--log");
        let form = LogForm::of(file).map_err(refuse)?;
        OutputFolder::claim_file(file, "--log", may_replace)?;
        Ok(Log { file: file.to_owned(), form })
    }

    /// Returns the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Writes the log from the deals that these runs have spooled.
    pub fn write(&self, tournament: &Tournament, runs: &[SpooledRun], threads: &Threads) -> Result<(), InputError> {
        write_log(&self.file, self.form, tournament, runs, threads)
    }
}

/// Checks that a run in `folder` can go on from `earlier`, with or without a log.
///
/// # Errors
/// If a log would lack deals, or if deals that were kept for a log would be lost.
pub fn may_resume(folder: &Path, earlier: &[VariantRun], has_log: bool) -> Result<(), InputError> {
    let spooled = SpooledRun::of(folder, earlier);
    if has_log {
        return spooled.check();
    }
    match Spool::find(folder) {
        Some(file) if spooled.check().is_ok() && !earlier.is_empty() => {
            let problem = "the run was begun with --log; give it again, or remove this file to go on without a log";
            Err(InputError::file(&file, problem))
        }
        _ => Ok(()),
    }
}
