//! Looks for results of an earlier tuning or sweep in a folder.

use std::path::Path;

use super::earlier::CHECKPOINT;
use super::renamed::checkpoint_elsewhere;
use crate::run::Progress;
use crate::toml_source::InputError;

/// The results of an earlier run in the folder.
pub enum Earlier<P> {
    /// All results.
    Finished,
    /// A checkpoint.
    Begun(P),
    /// Nothing to resume.
    Nothing,
}

/// A folder and the command that will write to it.
pub struct Asked<'a> {
    /// The folder.
    pub out: &'a Path,
    /// The resolved configuration.
    pub config: &'a str,
    /// The files of the results.
    pub files: &'a [&'a str],
    /// The results file that names its part of the points, for a shard.
    pub part: Option<&'a str>,
    /// Result files that must not be in the same folder, although their configuration is equal.
    pub others: &'a [&'a str],
    /// The kind of command: "tuning" or "sweep".
    pub what: &'a str,
    /// Whether to go on from a checkpoint.
    pub resume: bool,
    /// Whether to replace all existing results.
    pub force: bool,
}

impl Asked<'_> {
    /// Looks for results and a checkpoint, and refuses to lose those of another run.
    pub fn earlier<P: Progress>(&self, plan: &P::Plan) -> Result<Earlier<P>, InputError> {
        let Asked { out, config, files, part, others, what, resume, force } = *self;
        if force {
            return Ok(Earlier::Nothing);
        }
        let remedy = "choose another folder with --out, or replace what is there with --force";
        let refuse = |name: &str, problem: String| InputError::file(&out.join(name), format!("{problem}; {remedy}"));
        let another = |name: &str| Err(refuse(name, "the folder holds the results of another run".to_owned()));
        if let Some(name) = others.iter().find(|name| out.join(name).is_file()) {
            return another(name);
        }
        if let Some(name) = part
            && let Err(why) = P::load(plan, config, &out.join(name))
        {
            return Err(refuse(name, format!("would be replaced: it {why}")));
        }
        let is_own = std::fs::read_to_string(out.join("config.toml")).is_ok_and(|theirs| theirs == config);
        let is_finished = is_own && files.iter().all(|name| out.join(name).is_file());
        match P::load(plan, config, &out.join(CHECKPOINT)) {
            found if is_finished && resume => {
                if let Ok(Some(_)) = found {
                    // The run was killed just before removing its checkpoint.
                    let _ = std::fs::remove_file(out.join(CHECKPOINT));
                }
                return Ok(Earlier::Finished);
            }
            Ok(Some(progress)) if resume => return Ok(Earlier::Begun(progress)),
            Ok(Some(_)) if !is_finished => {
                let problem = format!(
                    "this {what} was stopped there: go on with --resume, or start from the beginning with --force"
                );
                return Err(InputError::file(&out.join(CHECKPOINT), problem));
            }
            Ok(_) => {}
            Err(why) => return Err(refuse(CHECKPOINT, format!("would be replaced: it {why}"))),
        }
        // Files of a run would be lost, too, since every run has a summary and a config.
        match files.iter().find(|name| out.join(name).is_file()) {
            Some(name) if !is_own => another(name),
            _ if resume => {
                let read = |file: &Path| Some(P::read(file).ok()??.config().to_owned());
                checkpoint_elsewhere(out, config, read).map_or(Ok(Earlier::Nothing), Err)
            }
            _ => Ok(Earlier::Nothing),
        }
    }

    /// Notes that there is nothing to go on from.
    pub fn note_the_beginning(&self) {
        let verb = if self.what == "tuning" { self.what.to_owned() } else { format!("the {}", self.what) };
        tell!("note: there is no checkpoint, so {verb} starts from the beginning");
    }

    /// Saves the progress in the folder.
    pub fn save(&self, progress: &impl Progress) -> Result<(), InputError> {
        let file = self.out.join(CHECKPOINT);
        progress.save(self.config, &file).map_err(|error| {
            let problem = format!(
                "the checkpoint cannot be written: {error}; the run stops, and what an earlier one holds is not lost: \
                 make room and go on with --resume"
            );
            InputError::file(&file, problem)
        })
    }
}
