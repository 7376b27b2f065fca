//! Writes checkpoints, so that an interruption loses little.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::report::SpooledRun;
use crate::run::{Observer, Progress, SnapshotRef, SoFar};
use crate::toml_source::InputError;

/// The file from which unfinished work resumes.
pub const CHECKPOINT: &str = "checkpoint.bin";

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
    pub fn new(folder: &Path, has_log: bool, every: Duration) -> Checkpoints {
        Checkpoints { folder: folder.to_owned(), has_log, every, last: Instant::now(), cost: Duration::ZERO }
    }

    fn save(&mut self, so_far: &SoFar<'_>) -> Result<(), InputError> {
        let start = Instant::now();
        let config = so_far.tournament.to_toml();
        if self.has_log {
            // After a power failure, the checkpoint must not count deals that are lost.
            SpooledRun::of(&self.folder, so_far.runs.iter().copied()).sync()?;
        }
        let snapshot = SnapshotRef::new(&config, so_far.extent, false, so_far.runs);
        write(&self.folder, |file| snapshot.write(file))?;
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

/// Saves tuning or a sweep in its folder, with the resolved configuration.
///
/// # Errors
/// If the checkpoint cannot be written.
pub fn save(progress: &impl Progress, config: &str, folder: &Path) -> Result<(), InputError> {
    write(folder, |file| progress.save(config, file))
}

fn write(folder: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), InputError> {
    let file = folder.join(CHECKPOINT);
    write(&file).map_err(|error| {
        let problem = format!(
            "the checkpoint cannot be written: {error}; the run stops, and what an earlier one holds is not lost: \
             make room and go on with --resume"
        );
        InputError::file(&file, problem)
    })
}
