//! Earlier work in a folder, to resume or to protect from replacement.
//!
//! The first line that applies decides. With `--force`, all that the folder holds is replaced.
//!
//! | found in the folder | without `--resume` | with `--resume` |
//! |---|---|---|
//! | a checkpoint of other work, or an unreadable one | refused | refused, unless the results are complete |
//! | complete results of this work | played again | nothing is left to do |
//! | a checkpoint of this work | refused | continued, or from the results if they reach farther |
//! | results of this run up to fewer deals | refused | continued |
//! | results of other work | refused | refused |
//! | nothing | played | played, unless a neighbouring folder has the checkpoint |

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::checkpoints::CHECKPOINT;
use super::host::register;
use super::renamed::checkpoint_elsewhere;
use crate::report::{CONFIG, TALLY};
use crate::run::{Extent, Kin, Progress, Snapshot};
use crate::toml_source::InputError;
use crate::tournament::{Tournament, VariantRun};

/// The point from which work continues.
pub enum ResumePoint<T> {
    /// The results are complete.
    Finished,
    /// The work so far.
    Begun(T),
    /// There is nothing to resume.
    Nothing,
}

/// A file that was found in the folder of some work.
enum FoundFile<T> {
    Nothing,
    /// It belongs to this work.
    Own(T),
    /// It belongs to other work or cannot be read; the text is the reason.
    Useless(String),
}

/// The earlier work in a folder.
pub struct FolderState<T> {
    folder: PathBuf,
    /// The words for a checkpoint that `--resume` cannot use.
    unusable: &'static str,
    /// The resolved configuration of the work.
    config: String,
    /// Reads the resolved configuration of a checkpoint.
    config_of: fn(&Path) -> Option<String>,
    checkpoint: FoundFile<T>,
    /// Whether the results of this work are complete, with all files.
    is_finished: bool,
    /// Whether there are results of this run up to fewer deals or matches.
    is_shorter: bool,
    /// Results of this run from which it can go on, farther than the checkpoint.
    results: Option<T>,
    /// A file of other work that the results would replace, with the problem.
    lost: Option<(&'static str, String)>,
}

impl FolderState<Vec<VariantRun>> {
    /// Looks into a folder for the results `files` of a tournament, as far as `extent` goes.
    pub fn of_run(folder: &Path, files: &[&'static str], tournament: &Tournament, extent: &Extent) -> Self {
        let (checkpoint, _) = read_tallies(&folder.join(CHECKPOINT), tournament, extent);
        let (results, kin) = read_tallies(&folder.join(TALLY), tournament, extent);
        let lost = match &results {
            FoundFile::Own(_) => None,
            FoundFile::Useless(why) => Some((TALLY, format!("the folder holds finished results: {why}"))),
            FoundFile::Nothing => first_file(folder, files)
                .map(|file| (file, format!("is there already, and no {TALLY} says which run it is of"))),
        };
        let done = if let FoundFile::Own(runs) = &checkpoint { numbers(runs) } else { 0 };
        let results = if let FoundFile::Own(runs) = results { Some(runs) } else { None };
        FolderState {
            folder: folder.to_owned(),
            unusable: "cannot be resumed from",
            config: tournament.to_toml(),
            config_of: |file| Some(Snapshot::read_with(file, &register()).ok()??.config),
            checkpoint,
            is_finished: kin == Some(Kin::Same) && has_all(folder, files),
            is_shorter: kin == Some(Kin::Shorter),
            results: results.filter(|runs| numbers(runs) > done).map(|runs| with_times(runs, folder)),
            lost,
        }
    }
}

impl<P: Progress> FolderState<P> {
    /// Looks into a folder for the results `files` of a tuning or a sweep, and for its checkpoint.
    pub fn of_plan(folder: &Path, files: &[&'static str], plan: &P::Plan, config: String) -> Self {
        // Every result has a config, so files without one are of other work.
        let is_own = std::fs::read_to_string(folder.join(CONFIG)).is_ok_and(|theirs| theirs == config);
        let lost = first_file(folder, files).filter(|_| !is_own);
        FolderState {
            folder: folder.to_owned(),
            unusable: "would be replaced",
            config_of: |file| Some(P::read(file).ok()??.config().to_owned()),
            checkpoint: match P::load(plan, &config, &folder.join(CHECKPOINT)) {
                Ok(None) => FoundFile::Nothing,
                Ok(Some(progress)) => FoundFile::Own(progress),
                Err(why) => FoundFile::Useless(format!("it {why}")),
            },
            config,
            is_finished: is_own && has_all(folder, files),
            is_shorter: false,
            results: None,
            lost: lost.map(|file| (file, OF_OTHERS.to_owned())),
        }
    }
}

impl<T> FolderState<T> {
    /// Checks that work from the beginning loses no results.
    ///
    /// It may replace the results of this work, since they are the same. Messages have the `name` of the work.
    ///
    /// # Errors
    /// The results that would be lost.
    pub fn may_begin(&self, name: &str) -> Result<(), InputError> {
        if matches!(self.checkpoint, FoundFile::Own(_)) && !self.is_finished {
            let problem =
                format!("this {name} was stopped there: go on with --resume, or start from the beginning with --force");
            return Err(InputError::file(&self.folder.join(CHECKPOINT), problem));
        }
        if self.is_shorter && !matches!(self.checkpoint, FoundFile::Useless(_)) {
            let problem = "the folder holds finished results of this run up to fewer deals or matches: go on from there \
                           with --resume, or start from the beginning with --force";
            return Err(InputError::file(&self.folder.join(TALLY), problem));
        }
        self.may_replace()
    }

    /// Checks that writing results replaces only equal results.
    ///
    /// # Errors
    /// The results that would be lost.
    pub fn may_replace(&self) -> Result<(), InputError> {
        if let FoundFile::Useless(why) = &self.checkpoint {
            return Err(refusal(&self.folder, CHECKPOINT, &format!("would be replaced: {why}")));
        }
        match &self.lost {
            None => Ok(()),
            Some((file, problem)) => Err(refusal(&self.folder, file, problem)),
        }
    }

    /// Returns the point from which this work can go on.
    ///
    /// # Errors
    /// A checkpoint that cannot be used or is in another folder, or results of other work that would be lost.
    pub fn resume(self) -> Result<ResumePoint<T>, InputError> {
        if self.is_finished {
            if matches!(self.checkpoint, FoundFile::Own(_)) {
                // The work was killed just before removing its checkpoint.
                let _ = std::fs::remove_file(self.folder.join(CHECKPOINT));
            }
            return Ok(ResumePoint::Finished);
        }
        if let FoundFile::Useless(why) = &self.checkpoint {
            return Err(refusal(&self.folder, CHECKPOINT, &format!("{}: {why}", self.unusable)));
        }
        if matches!(self.checkpoint, FoundFile::Nothing) {
            self.may_replace()?;
        }
        if let Some(results) = self.results {
            return Ok(ResumePoint::Begun(results));
        }
        if let FoundFile::Own(begun) = self.checkpoint {
            return Ok(ResumePoint::Begun(begun));
        }
        checkpoint_elsewhere(&self.folder, &self.config, self.config_of).map_or(Ok(ResumePoint::Nothing), Err)
    }
}

/// The problem with files of other work.
pub const OF_OTHERS: &str = "the folder holds the results of another run";

/// Returns the error for a file of a folder that the results would replace.
pub fn refusal(folder: &Path, file: &str, problem: &str) -> InputError {
    let remedy = "choose another folder with --out, or replace what is there with --force";
    InputError::file(&folder.join(file), format!("{problem}; {remedy}"))
}

/// Reads the tallies in a file, and their relation to a run.
fn read_tallies(file: &Path, tournament: &Tournament, extent: &Extent) -> (FoundFile<Vec<VariantRun>>, Option<Kin>) {
    match Snapshot::read_with(file, &tournament.register) {
        Ok(Some(snapshot)) => match snapshot.kin(tournament, extent) {
            Ok(kin) if !snapshot.runs.is_empty() => (FoundFile::Own(snapshot.runs), Some(kin)),
            Ok(_) => (FoundFile::Nothing, None),
            Err(why) => (FoundFile::Useless(why.to_string()), None),
        },
        Ok(None) => (FoundFile::Nothing, None),
        Err(error) => (FoundFile::Useless(format!("it {}", error.problem)), None),
    }
}

fn has_all(folder: &Path, files: &[&str]) -> bool {
    files.iter().all(|file| folder.join(file).is_file())
}

fn first_file(folder: &Path, files: &[&'static str]) -> Option<&'static str> {
    files.iter().find(|file| folder.join(file).is_file()).copied()
}

/// Returns the number of deal or match numbers that were played, over all variants.
fn numbers(runs: &[VariantRun]) -> u64 {
    runs.iter().map(|run| run.next - run.start).sum()
}

/// Returns finished results with the time of each variant from `timing.json`.
///
/// Finished results have no times. Times of decisions start again at zero.
fn with_times(mut runs: Vec<VariantRun>, folder: &Path) -> Vec<VariantRun> {
    let timing = std::fs::read(folder.join("timing.json")).ok();
    let timing = timing.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
    let Some(timing) = timing else { return runs };
    for (number, run) in runs.iter_mut().enumerate() {
        let seconds = timing["variants"][number]["seconds"].as_f64();
        run.wall = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(run.wall);
    }
    runs
}
