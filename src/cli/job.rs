//! The life of a job: a run, a tuning or a sweep, from its options to its exit code.
//!
//! Its steps are [`Job::claim`], [`Claimed::look`], [`Looked::prepare`] and [`Ready::finish`]. Each belongs to the
//! value that the step before it returns, so their order is fixed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::absence::absence;
use super::checkpoints::CHECKPOINT;
use super::earlier::{FolderState, ResumePoint};
use super::isolation::say_shortfall;
use super::programs::{self, SettledPrograms};
use super::threads::ThreadArgs;
use super::{Ended, help, print, signals};
use crate::games::Variant;
use crate::report::OutputFolder;
use crate::run::{Shard, Threads, remove_staged};
use crate::strategies::Bot;
use crate::strategies::process::breakdown;
use crate::toml_source::InputError;
use crate::tournament::{first_start_failure, isolation_of};

/// The message of a job that was stopped before it began to play.
pub const INTERRUPTED_BEFORE: &str = "interrupted before the first deal: nothing was written";

/// A job with its options.
pub struct Job<'a> {
    /// The name of the work in messages, as in "the results of this run".
    pub name: &'static str,
    /// The folder for the results; without one no files are left.
    pub out: Option<&'a Path>,
    /// The files that the job writes there.
    pub files: Vec<&'static str>,
    /// Makes the error for a problem with the bot of a name.
    pub blame: &'a dyn Fn(&str, String) -> InputError,
    /// The flag that stops the work within a moment.
    pub stop: &'a Arc<AtomicBool>,
    /// The threads to start.
    pub threads: ThreadArgs,
    /// Whether it plays even if a bot does not start; `None` if it has no such option.
    pub keep_going: Option<bool>,
    /// Whether nothing but errors is printed.
    pub quiet: bool,
    /// Whether to go on from a checkpoint.
    pub resume: bool,
    /// Whether to replace all earlier work in the folder.
    pub force: bool,
}

/// The options for the course of a sweep or a tuning.
#[derive(clap::Args)]
pub struct CourseArgs {
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Go on where an earlier run of the same configuration was stopped or killed.
    #[arg(long, help_heading = help::COURSE)]
    pub resume: bool,
    /// Start from the beginning, and replace other results in the folder.
    ///
    /// The checkpoint of another run is replaced, too.
    #[arg(long, help_heading = help::COURSE, conflicts_with = "resume")]
    pub force: bool,
}

/// A job that has its folder for itself, with the programs of its bots settled.
pub struct Claimed<'a> {
    job: Job<'a>,
    folder: Option<OutputFolder>,
    programs: SettledPrograms,
}

/// A job that has looked for earlier work.
pub struct Looked<'a> {
    job: Job<'a>,
    folder: Option<OutputFolder>,
}

/// A job that can play.
pub struct Ready<'a> {
    job: Job<'a>,
    /// The folder for the results.
    pub folder: Option<OutputFolder>,
    /// The threads.
    pub threads: Threads,
}

impl<'a> Job<'a> {
    /// Watches signals, locks the folder and settles the programs of all `bots`.
    ///
    /// # Errors
    /// If another job uses the folder, or if a bot may not use its folder.
    pub fn claim<'b>(self, bots: impl IntoIterator<Item = &'b mut Bot>) -> Result<Claimed<'a>, InputError> {
        signals::stop_at(self.stop)?;
        // The folder is looked at under the lock, so that no other job changes it meanwhile.
        let folder = self.out.map(OutputFolder::lock).transpose()?;
        let bots: Vec<&mut Bot> = bots.into_iter().collect();
        let names: Vec<String> = bots.iter().map(|bot| bot.name.clone()).collect();
        let programs = programs::settle(bots, self.quiet, |bot, problem| (self.blame)(&names[bot], problem))?;
        Ok(Claimed { job: self, folder, programs })
    }

    /// Returns all files that the job may write.
    fn all_files(&self) -> Vec<&'static str> {
        [&self.files[..], &[CHECKPOINT]].concat()
    }

    /// Returns the earlier work, if this job may go on from it or replace it.
    fn resume_point<T>(&self, found: FolderState<T>) -> Result<ResumePoint<T>, InputError> {
        if !self.resume {
            return found.may_begin(self.name).map(|()| ResumePoint::Nothing);
        }
        let earlier = found.resume()?;
        if matches!(earlier, ResumePoint::Nothing) && !self.quiet {
            let work = if self.name == "tuning" { self.name.to_owned() } else { format!("the {}", self.name) };
            tell!("note: there is no checkpoint, so {work} starts from the beginning");
        }
        Ok(earlier)
    }

    /// Starts every external bot once, and notes gaps in their isolation.
    fn check_starts(&self, bots: &[Bot], variants: &[Variant], threads: &Threads) -> Result<(), InputError> {
        let mut failure = None;
        if self.keep_going != Some(true) {
            failure = first_start_failure(bots, variants, threads.pool(), self.stop);
        }
        if let Some(why) = breakdown() {
            return Err(InputError::plain(why));
        }
        if let Some((bot, failure)) = failure
            && !self.stop.load(Ordering::Relaxed)
        {
            let remedy = ", or have all its decisions count as faults with --keep-going";
            let bot = &bots[bot.index()];
            return Err((self.blame)(&bot.name, absence(bot, &failure, self.keep_going.map_or("", |_| remedy))));
        }
        say_shortfall(isolation_of(bots), self.quiet);
        Ok(())
    }
}

impl<'a> Claimed<'a> {
    /// Returns the earlier work that `look` finds in the folder.
    ///
    /// The job may go on from it or replace it.
    ///
    /// # Errors
    /// The results that would be lost, or the reason why the job cannot go on.
    pub fn look<T>(
        self,
        look: impl FnOnce(&Path) -> Result<FolderState<T>, InputError>,
    ) -> Result<(ResumePoint<T>, Looked<'a>), InputError> {
        let Claimed { job, folder, programs } = self;
        let earlier = match &folder {
            Some(folder) if !job.force => job.resume_point(look(folder.path())?)?,
            _ => ResumePoint::Nothing,
        };
        // Programs matter only if something is left to play.
        if !matches!(earlier, ResumePoint::Finished) {
            programs.require_unchanged()?;
        }
        Ok((earlier, Looked { job, folder }))
    }
}

impl<'a> Looked<'a> {
    /// Leaves finished results as they are.
    ///
    /// `add` may write a file that was not requested then.
    ///
    /// # Errors
    /// The error of `add`.
    pub fn leave(self, add: impl FnOnce(&OutputFolder) -> Result<(), InputError>) -> Result<Ended, InputError> {
        let Looked { job, folder } = self;
        if let Some(folder) = folder {
            remove_staged(folder.path(), &job.all_files());
            add(&folder)?;
            if !job.quiet {
                let place = folder.path().display();
                print(&format!("nothing to do: {place} holds the results of this {}\n", job.name));
            }
        }
        Ok(Ended::Done)
    }

    /// Starts threads, and checks that bots start and that files can be written.
    ///
    /// Returns `None` if the job was stopped.
    ///
    /// # Errors
    /// The first thread, bot or file that fails.
    pub fn prepare(self, bots: &[Bot], variants: &[Variant]) -> Result<Option<Ready<'a>>, InputError> {
        self.prepare_if(bots, variants, || Ok(()))
    }

    /// Does the same, with another `check` when all bots have started once.
    ///
    /// # Errors
    /// The first thread, bot or file that fails, or the error of `check`.
    pub fn prepare_if(
        self,
        bots: &[Bot],
        variants: &[Variant],
        check: impl FnOnce() -> Result<(), InputError>,
    ) -> Result<Option<Ready<'a>>, InputError> {
        let Looked { job, folder } = self;
        let threads = job.threads.start()?;
        job.check_starts(bots, variants, &threads)?;
        check()?;
        if job.stop.load(Ordering::Relaxed) {
            tell!("{INTERRUPTED_BEFORE}");
            return Ok(None);
        }
        if let Some(folder) = &folder {
            folder.check(&job.all_files())?;
        }
        Ok(Some(Ready { job, folder, threads }))
    }
}

impl Ready<'_> {
    /// Reports the `place` at which the job was interrupted, and how it can go on.
    pub fn interrupt(self, place: &str, has_results: bool) -> Ended {
        let remedy = match self.folder.as_ref().map(|folder| folder.path().display()) {
            None => "nothing is kept without --out".to_owned(),
            Some(folder) if has_results => format!("go on with --resume; the checkpoint is in {folder}"),
            Some(folder) => format!("nothing was written to {folder}"),
        };
        tell!("interrupted {place}: {remedy}");
        Ended::Interrupted
    }

    /// Ends the job when all results are written: removes its checkpoint and prints `text`.
    ///
    /// With `--force` it also removes those of `others`, the files of other work, that the results do not replace.
    pub fn finish(self, text: &str, others: &[&str], is_faulty: bool) -> Ended {
        if let Some(folder) = &self.folder {
            let others = if self.job.force { others } else { &[] };
            remove_others(folder, others, &self.job.files);
        }
        if !self.job.quiet {
            print(text);
        }
        if is_faulty { Ended::Faulty } else { Ended::Done }
    }
}

/// Removes the checkpoint, and those of `others` that are not among `files`.
pub fn remove_others(folder: &OutputFolder, others: &[&str], files: &[&str]) {
    for name in others.iter().filter(|name| !files.contains(name)).chain([&CHECKPOINT]) {
        let _ = std::fs::remove_file(folder.path().join(name));
    }
}

/// Returns the words that say where results are.
pub fn place_of_results(folder: &Path, shard: Option<Shard>) -> String {
    match shard {
        None => format!("results are in {}", folder.display()),
        Some(shard) => format!("shard {shard} is in {}: put all together with `overtrick merge`", folder.display()),
    }
}

/// Returns a line that counts the faults of bots, or nothing without faults.
pub fn faults_text(faults: u64) -> String {
    if faults > 0 { format!("note: bots had {faults} faults\n") } else { String::new() }
}
