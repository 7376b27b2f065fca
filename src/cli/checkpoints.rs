//! Writes a checkpoint of a run every few seconds, so that an interruption loses little.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::earlier::CHECKPOINT;
use crate::report::SpooledRun;
use crate::run::{Observer, SnapshotRef, SoFar};
use crate::toml_source::InputError;

/// Checkpoints take at most one part in this number of the time.
const SHARE: u32 = 20;

/// An observer that writes the checkpoints of a run.
pub struct Checkpoints {
    folder: PathBuf,
    /// Whether the run spools its deals in the folder for a log.
    has_log: bool,
    every: Duration,
    last: Instant,
    /// The time taken by the last checkpoint.
    cost: Duration,
}

impl Checkpoints {
    /// Returns a writer of checkpoints for a run in `folder`, at most one in each period of `every`.
    pub fn new(folder: PathBuf, has_log: bool, every: Duration) -> Checkpoints {
        Checkpoints { folder, has_log, every, last: Instant::now(), cost: Duration::ZERO }
    }

    fn save(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        let start = Instant::now();
        let (config, file) = (so_far.tournament.to_toml(), self.folder.join(CHECKPOINT));
        if self.has_log {
            // After a power failure, the checkpoint must not count deals that are lost.
            SpooledRun::of(&self.folder, so_far.runs.iter().copied()).sync()?;
        }
        SnapshotRef::new(&config, so_far.extent, false, so_far.runs).write(&file).map_err(|error| {
            let problem = format!(
                "the checkpoint cannot be written: {error}; the run stops, and what an earlier one holds is not lost: \
                 make room and go on with --resume"
            );
            InputError::file(&file, problem)
        })?;
        self.cost = start.elapsed();
        self.last = Instant::now();
        Ok(())
    }
}

impl Observer for Checkpoints {
    fn segment_ends(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        let due = self.last.elapsed() >= self.every.max(self.cost * SHARE);
        if due { self.save(so_far) } else { Ok(()) }
    }

    /// Writes a last checkpoint with all results so far.
    fn interrupted(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        self.save(so_far)
    }
}
