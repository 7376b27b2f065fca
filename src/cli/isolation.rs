//! The options for the isolation of external bots.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};

use super::help;
use crate::strategies::process::{Isolation, Level, missing_parts};
use crate::toml_source::InputError;

/// The options of all commands that start external bots.
#[derive(clap::Args)]
pub struct SandboxArgs {
    /// How strictly to sandbox external bots.
    ///
    /// The default is "strict" on Linux, elsewhere "none". The option overrides the key `sandbox` of a
    /// config.
    #[arg(long, help_heading = help::EXTERNAL, value_name = "LEVEL")]
    sandbox: Option<SandboxLevel>,
    /// Let external bots read this folder or file, too.
    ///
    /// They may always read the system's and their own. You may give the option several times.
    #[arg(long, help_heading = help::EXTERNAL, value_name = "PATH", value_delimiter = ':')]
    #[arg(env = "OVERTRICK_BOTS_MAY_READ", hide_env_values = true)]
    bots_may_read: Vec<PathBuf>,
}

/// The levels, as the command line names them.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SandboxLevel {
    /// The whole sandbox. Nothing is played where a part is missing.
    Strict,
    /// The parts that the system has. A note lists the others.
    Available,
    /// No sandbox: a bot may do all that you may do.
    None,
}

impl SandboxArgs {
    /// Returns the settings from the environment, without options.
    ///
    /// # Errors
    /// If the environment names an invalid path.
    pub fn of_environment() -> Result<SandboxArgs, InputError> {
        let command = SandboxArgs::augment_args(clap::Command::new("overtrick"));
        let read = command.try_get_matches_from(["overtrick"]).and_then(|found| SandboxArgs::from_arg_matches(&found));
        read.map_err(|error| InputError::plain(error.to_string().trim_end()))
    }

    /// Applies the settings to all bots that this program starts.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn settle(&self) -> Result<(), InputError> {
        let level = self.sandbox.map(|level| match level {
            SandboxLevel::Strict => Level::Strict,
            SandboxLevel::Available => Level::Available,
            SandboxLevel::None => Level::None,
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
    if !is_quiet && let Some(shortfall) = isolation.and_then(shortfall) {
        tell!("note: {shortfall}");
    }
}
