//! Work in progress, saved in a file from which it continues after it was stopped or killed.

use std::path::Path;

use overtrick_tournament::Flaw;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Extent;
use super::difference::ConfigDifference;
use super::sealed::{changed, check_header, read_bytes, unsealed, write_sealed};
use super::staged::write_whole;

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

    /// Checks that the work can go on with `plan`: a file with the right checksum may hold anything.
    ///
    /// Work that passes may still be made up.
    ///
    /// # Errors
    /// The flaw.
    fn check(&self, plan: &Self::Plan) -> Result<(), Flaw>;

    /// Writes it to a file, together with its resolved configuration.
    ///
    /// # Errors
    /// The error of the system; the file then stays as it was.
    fn save(&self, config: &str, file: &Path) -> std::io::Result<()> {
        let saved = Saved { version: VERSION.to_owned(), config: config.to_owned(), progress: self };
        write_whole(file, |out| write_sealed(Self::FORM, &saved, out))
    }

    /// Reads a file; returns `None` if it does not exist. `config` is the resolved configuration of `plan`.
    ///
    /// # Errors
    /// The reason why the work cannot continue from the file.
    fn load(plan: &Self::Plan, config: &str, file: &Path) -> Result<Option<Self>, String> {
        let Some(saved) = Self::read(file)? else { return Ok(None) };
        match ConfigDifference::of(&saved.config, config) {
            None => {}
            Some(ConfigDifference::Program(bot)) => {
                return Err(format!("is of another program of {bot}: to go on, put back the files that it had"));
            }
            Some(ConfigDifference::Line { theirs, own, remedy }) => {
                return Err(format!("is of another plan: it has `{theirs}` where this one has `{own}`{remedy}"));
            }
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
        let bytes = read_bytes(file).map_err(|error| format!("cannot be read: {error}"))?;
        let Some(bytes) = bytes else { return Ok(None) };
        let saved: Saved<Self> = unsealed(Self::FORM, Self::FILE, &bytes)?;
        check_header(&saved.version, &saved.config, &saved.extent())?;
        if saved.version != VERSION {
            return Err(format!("was written by version {}, and this is {VERSION}", saved.version));
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

    /// Returns the progress, if the work can go on with `plan`.
    ///
    /// # Errors
    /// The flaw.
    pub fn progress(self, plan: &P::Plan) -> Result<P, String> {
        self.progress.check(plan).map_err(changed)?;
        Ok(self.progress)
    }
}
