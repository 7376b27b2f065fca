//! The options for the isolation of external bots.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};

use crate::strategies::process::{Isolation, Level, missing_parts};
use crate::toml_source::InputError;

/// How far external bots are sandboxed.
#[derive(clap::Args)]
pub struct Shutting {
    /// How far external bots are sandboxed. The default is "strict" on Linux, elsewhere "none". The option goes before
    /// the key `sandbox` of a config.
    #[arg(long, global = true, value_name = "LEVEL")]
    sandbox: Option<How>,
    /// A folder or file that external bots may read, in addition to the system's and their own. It may be given several
    /// times.
    #[arg(long, global = true, value_name = "PATH", env = "OVERTRICK_BOTS_MAY_READ", value_delimiter = ':')]
    #[arg(hide_env_values = true)]
    bots_may_read: Vec<PathBuf>,
}

/// The levels, as the command line names them.
#[derive(Clone, Copy, clap::ValueEnum)]
enum How {
    /// By all there is; where a part is missing, nothing is played.
    Strict,
    /// By what the system has of it; a note says what is missing.
    Available,
    /// Not at all: a bot may do all that you may do.
    None,
}

impl Shutting {
    /// Returns the settings from the environment, without options.
    ///
    /// # Errors
    /// If the environment names an invalid path.
    pub fn of_environment() -> Result<Shutting, InputError> {
        let command = Shutting::augment_args(clap::Command::new("overtrick"));
        let read = command.try_get_matches_from(["overtrick"]).and_then(|found| Shutting::from_arg_matches(&found));
        read.map_err(|error| InputError::plain(error.to_string().trim_end()))
    }

    /// Applies the settings to all bots that this program starts.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn settle(&self) -> Result<(), InputError> {
        let level = self.sandbox.map(|how| match how {
            How::Strict => Level::Strict,
            How::Available => Level::Available,
            How::None => Level::None,
        });
        let place = |place: &PathBuf| {
            place.canonicalize().map_err(|error| {
                InputError::plain(format!("{} cannot be read: {error}", place.display())).at_key("--bots-may-read")
            })
        };
        let mut readable = self.bots_may_read.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        readable.sort();
        readable.dedup();
        Isolation { level, readable, hidden: Vec::new() }.give();
        Ok(())
    }
}

/// Returns the note about the isolation of bots, if it is off or incomplete here.
fn shortfall(isolation: &Isolation) -> Option<String> {
    let missing: Vec<&str> = missing_parts().into_iter().map(|part| part.name()).collect();
    match isolation.level() {
        Level::None => Some("external bots are not sandboxed: they may do all that you may do".to_owned()),
        Level::Available if !missing.is_empty() => {
            Some(format!("external bots are sandboxed except for {}", missing.join(" and ")))
        }
        _ => None,
    }
}

/// Reports on standard error what the sandbox lacks, unless `is_quiet`.
///
/// External bots must have been started: the first start shows what the system lacks.
pub fn say_shortfall(isolation: Option<&Isolation>, is_quiet: bool) {
    if let Some(shortfall) = isolation.and_then(shortfall).filter(|_| !is_quiet) {
        tell!("note: {shortfall}");
    }
}
