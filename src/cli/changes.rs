//! The option `--set`, which changes bots.

use crate::tournament::BotChange;

/// Changes of the tournament's bots.
#[derive(clap::Args)]
pub struct Changes {
    /// Change a parameter of a bot, or add a bot NEW that is BOT but for that parameter; may be given several times.
    /// The value is TOML or a word: rule-based:dumbo.ambition=0.4.
    #[arg(long, value_name = "[NEW=]BOT:KEY=VALUE")]
    pub set: Vec<BotChange>,
}
