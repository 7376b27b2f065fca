//! Checkpoints: the results of a run so far, written to a file every few seconds, so that an interruption loses little.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::run::{Observer, SnapshotRef, SoFar};
use crate::toml_source::InputError;

/// Checkpoints take at most one part in this many of the time.
const SHARE: u32 = 20;

/// Writes the checkpoints of a run.
pub struct Checkpoints {
    file: PathBuf,
    every: Duration,
    last: Instant,
    /// How long the last one took to write.
    cost: Duration,
}

impl Checkpoints {
    /// Checkpoints in `file`, one in each period of `every` from now on.
    pub fn new(file: PathBuf, every: Duration) -> Checkpoints {
        Checkpoints { file, every, last: Instant::now(), cost: Duration::ZERO }
    }

    fn save(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        let start = Instant::now();
        let config = so_far.tournament.to_toml();
        SnapshotRef::new(&config, so_far.extent, false, so_far.runs).write(&self.file).map_err(|error| {
            let problem = format!(
                "the checkpoint cannot be written: {error}; the run stops, and what an earlier one holds is not lost: \
                 make room and go on with --resume"
            );
            InputError::file(&self.file, problem)
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

    /// Writes a last checkpoint with everything played so far.
    fn interrupted(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        self.save(so_far)
    }
}
