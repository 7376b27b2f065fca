//! Results of an earlier run in a folder, to resume or to protect from replacement.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::report;
use crate::run::{Extent, Kin, Snapshot};
use crate::toml_source::InputError;
use crate::tournament::{Tournament, VariantRun};

/// The file that an unfinished run resumes from.
pub const CHECKPOINT: &str = "checkpoint.bin";

/// The state from which a run resumes.
pub enum Earlier {
    /// The results are complete.
    Finished,
    /// The results of each variant so far in an unfinished run.
    Begun(Vec<VariantRun>),
    /// There is nothing to resume.
    Nothing,
}

/// A snapshot in the folder, from the point of view of the run that will write there.
enum Found {
    Nothing,
    /// It belongs to this run, or to the same run with fewer numbers.
    Own(Snapshot, Kin),
    /// It belongs to another run or cannot be read; the text is the reason.
    Useless(String),
}

/// A folder before a run writes to it.
pub struct Left<'a> {
    folder: &'a Path,
    files: &'a [&'a str],
    checkpoint: Found,
    results: Found,
}

impl<'a> Left<'a> {
    /// Looks into a folder for the results `files` of a tournament, as far as `extent` goes.
    pub fn look(folder: &'a Path, files: &'a [&'a str], tournament: &Tournament, extent: &Extent) -> Left<'a> {
        let found = |name: &str| match Snapshot::read_with(&folder.join(name), &tournament.register) {
            Ok(None) => Found::Nothing,
            Ok(Some(snapshot)) => match snapshot.kin(tournament, extent) {
                Ok(kin) => Found::Own(snapshot, kin),
                Err(why) => Found::Useless(why.to_string()),
            },
            Err(error) => Found::Useless(format!("it {}", error.problem)),
        };
        Left { folder, files, checkpoint: found(CHECKPOINT), results: found(report::TALLY) }
    }

    /// Returns whether the results of this run are complete, with all files.
    fn is_finished(&self) -> bool {
        matches!(self.results, Found::Own(_, Kin::Same))
            && self.files.iter().all(|file| self.folder.join(file).is_file())
    }

    /// Checks that a run from the beginning loses no results.
    ///
    /// It may replace the results of this run, since they are the same.
    ///
    /// # Errors
    /// The results that would be lost.
    pub fn may_begin(&self) -> Result<(), InputError> {
        if matches!(self.checkpoint, Found::Own(..)) && !self.is_finished() {
            let problem = "this run was stopped there: go on with --resume, or start from the beginning with --force";
            return Err(InputError::file(&self.folder.join(CHECKPOINT), problem));
        }
        if matches!(self.results, Found::Own(_, Kin::Shorter)) && !matches!(self.checkpoint, Found::Useless(_)) {
            let problem = "the folder holds finished results of this run up to fewer deals or matches: go on from there \
                           with --resume, or start from the beginning with --force";
            return Err(InputError::file(&self.folder.join(report::TALLY), problem));
        }
        self.may_finish()
    }

    /// Checks that writing results replaces only equal results.
    ///
    /// # Errors
    /// The results that would be lost.
    pub fn may_finish(&self) -> Result<(), InputError> {
        if let Found::Useless(why) = &self.checkpoint {
            return Err(self.refuse(CHECKPOINT, &format!("would be replaced: {why}")));
        }
        match &self.results {
            Found::Own(..) => Ok(()),
            Found::Useless(why) => {
                Err(self.refuse(report::TALLY, &format!("the folder holds finished results: {why}")))
            }
            Found::Nothing => match self.files.iter().find(|file| self.folder.join(file).is_file()) {
                None => Ok(()),
                Some(file) => {
                    let problem = format!("is there already, and no {} says which run it is of", report::TALLY);
                    Err(self.refuse(file, &problem))
                }
            },
        }
    }

    /// Returns the point from which this run can go on.
    ///
    /// # Errors
    /// If there is a checkpoint that cannot be used, or only the results of another run, which would be lost.
    pub fn resume(self) -> Result<Earlier, InputError> {
        if self.is_finished() {
            if matches!(self.checkpoint, Found::Own(_, Kin::Same)) {
                // The run was killed just before removing its checkpoint.
                let _ = std::fs::remove_file(self.folder.join(CHECKPOINT));
            }
            return Ok(Earlier::Finished);
        }
        if let Found::Useless(why) = &self.checkpoint {
            return Err(self.refuse(CHECKPOINT, &format!("cannot be resumed from: {why}")));
        }
        if matches!(self.checkpoint, Found::Nothing) {
            self.may_finish()?;
        }
        let timing = self.folder.join("timing.json");
        let runs = [self.checkpoint, self.results].map(|found| match found {
            Found::Own(snapshot, _) => snapshot.runs,
            _ => Vec::new(),
        });
        let [checkpoint, mut results] = runs;
        let numbers = |runs: &[VariantRun]| runs.iter().map(|ran| ran.next - ran.start).sum::<u64>();
        if numbers(&checkpoint) >= numbers(&results) {
            return Ok(if checkpoint.is_empty() { Earlier::Nothing } else { Earlier::Begun(checkpoint) });
        }
        restore_times(&mut results, timing);
        Ok(Earlier::Begun(results))
    }

    fn refuse(&self, file: &str, problem: &str) -> InputError {
        let remedy = "choose another folder with --out, or replace what is there with --force";
        InputError::file(&self.folder.join(file), format!("{problem}; {remedy}"))
    }
}

/// Restores the time of each variant from `timing.json`, since finished results have no times.
///
/// Times of decisions start again at zero.
fn restore_times(runs: &mut [VariantRun], timing: PathBuf) {
    let timing = std::fs::read(timing).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    let Some(timing) = timing else {
        return;
    };
    for (number, ran) in runs.iter_mut().enumerate() {
        let seconds = timing["variants"][number]["seconds"].as_f64();
        ran.wall = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(ran.wall);
    }
}
