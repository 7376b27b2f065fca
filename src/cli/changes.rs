//! The option `--set`, which changes bots.

use super::help;
use crate::tournament::BotChange;

/// Changes of the tournament's bots.
#[derive(clap::Args)]
pub struct Changes {
    /// Change a parameter of a bot, or add a bot NEW with the change.
    ///
    /// The value is TOML or a word: rule-based:dumbo.ambition=0.4. NEW is the same bot as BOT except for the
    /// parameter. You may give the option several times.
    #[arg(long, help_heading = help::PLAYED, value_name = "[NEW=]BOT:KEY=VALUE")]
    pub set: Vec<BotChange>,
}
