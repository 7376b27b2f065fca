//! Work in progress, saved in a file from which it continues after it was stopped or killed.

use std::io::ErrorKind;
use std::path::Path;

use overtrick_cards::SEEDING_VERSION;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Extent;
use super::changed_program::changed_program;
use super::renamed::remedy_for_name;
use super::sealed::{unsealed, write_sealed};
use super::snapshot::different_line;
use super::staged::stage_with;

/// Work that can be saved and continued.
pub trait Progress: Serialize + DeserializeOwned {
    /// The name in the first line of its file, with the version of its form: `tuning 1`.
    const FORM: &'static str;
    /// The name of its file in messages: `checkpoint of tuning`.
    const FILE: &'static str;

    /// The plan that the work carries out.
    type Plan;

    /// Returns the part of the work that this is.
    fn extent(&self) -> Extent {
        Extent::Whole
    }

    /// Returns the part of the work that the plan asks for.
    fn extent_of(_: &Self::Plan) -> Extent {
        Extent::Whole
    }

    /// Checks that it is a possible state of work on `plan`: a file with the right checksum may hold anything.
    ///
    /// # Errors
    /// The flaw, in words that continue "its".
    fn check(&self, plan: &Self::Plan) -> Result<(), &'static str>;

    /// Writes it to a file, together with its resolved configuration.
    ///
    /// The content goes to a temporary file, which is renamed once it is safely on the disk.
    ///
    /// # Errors
    /// The error of the system; the file then stays as it was.
    fn save(&self, config: &str, file: &Path) -> std::io::Result<()> {
        let saved = Saved { version: VERSION.to_owned(), config: config.to_owned(), progress: self };
        let staged = stage_with(file, |out| write_sealed(&title::<Self>(), &saved, out))?;
        staged.persist(file).map_err(|error| error.error)?;
        Ok(())
    }

    /// Reads a file; returns `None` if it does not exist. `config` is the resolved configuration of `plan`.
    ///
    /// # Errors
    /// The reason why the work cannot continue from the file.
    fn load(plan: &Self::Plan, config: &str, file: &Path) -> Result<Option<Self>, String> {
        let Some(saved) = Self::read(file)? else { return Ok(None) };
        if let Some((theirs, own)) = different_line(&saved.config, config) {
            if let Some(bot) = changed_program(&saved.config, config) {
                return Err(format!("is of another program of {bot}: to go on, put back the files that it had"));
            }
            let remedy = remedy_for_name(&saved.config, theirs, config);
            return Err(format!("is of another plan: it has `{theirs}` where this one has `{own}`{remedy}"));
        }
        let (theirs, own) = (saved.progress.extent(), Self::extent_of(plan));
        if theirs != own {
            return Err(format!("is of {theirs}, and this is {own}"));
        }
        saved.progress(plan).map(Some)
    }

    /// Reads a file whose plan is not known; returns `None` if it does not exist.
    ///
    /// # Errors
    /// If it cannot be read, was not written by this version, or is cut off or damaged.
    fn read(file: &Path) -> Result<Option<Saved<Self>>, String> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(format!("cannot be read: {error}")),
        };
        let body = unsealed(&title::<Self>(), Self::FILE, &bytes)?;
        let saved: Saved<Self> = postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        // Messages may quote both, on one line.
        let is_odd = |letter: char| letter.is_control() && !['\n', '\t'].contains(&letter);
        if saved.version.contains(char::is_control) || saved.config.contains(is_odd) {
            return Err("is damaged or was changed: its version or configuration is none".to_owned());
        }
        if saved.version != VERSION {
            return Err(format!("was written by version {}, and this is {VERSION}", saved.version));
        }
        if !saved.progress.extent().is_possible() {
            return Err("is damaged or was changed: its shards are none of a run".to_owned());
        }
        Ok(Some(saved))
    }
}

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The content of a file.
#[derive(Serialize, Deserialize)]
pub struct Saved<P> {
    version: String,
    config: String,
    progress: P,
}

impl<P: Progress> Saved<P> {
    /// Returns the version that wrote the file.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the resolved configuration of its plan.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// Returns the part of the work that it is.
    pub fn extent(&self) -> Extent {
        self.progress.extent()
    }

    /// Returns the progress, if it is a possible state of work on `plan`.
    ///
    /// # Errors
    /// The flaw.
    pub fn progress(self, plan: &P::Plan) -> Result<P, String> {
        self.progress.check(plan).map_err(|flaw| format!("is damaged or was changed: its {flaw}"))?;
        Ok(self.progress)
    }
}

fn title<P: Progress>() -> String {
    format!("overtrick {}, seeding {SEEDING_VERSION}\n", P::FORM)
}
