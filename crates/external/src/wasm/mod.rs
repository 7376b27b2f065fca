//! `wasm`: a bot as a WebAssembly module, run by an interpreter within limits that are the same on every machine.
//!
//! The modules hold its settings, encode decisions, read a module, run it, and ask it.

#[cfg(not(feature = "wasm"))]
mod absent;
#[cfg(feature = "wasm")]
mod instance;
pub mod layout;
mod player;
#[cfg(feature = "wasm")]
mod program;
mod setup;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use overtrick_game::{FieldError, FullGame, Options};
use overtrick_strategy::Strategy;
use overtrick_strategy::protocol::{Fault, FaultKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::pinned::{FileKind, Pinned};
use super::process::{tellable, written_with};
use crate::BuildContext;
#[cfg(not(feature = "wasm"))]
use absent::{Instance, Program};
#[cfg(feature = "wasm")]
pub use instance::Instance;
use player::Player;
#[cfg(feature = "wasm")]
pub use program::Program;
pub use setup::Setup;

/// How a WebAssembly module is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The module's file. A relative one is looked for next to the file that names it, or else below the folder that
    /// Overtrick runs in. From then on it is an absolute one.
    pub module: PathBuf,
    /// The SHA-256 of the module's content, in hexadecimal. Results have it in their config.toml, so that a module that
    /// was changed is refused; in a manifest of your own leave it out.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// How much fuel a decision may take, 1000 to 1000000000000: about the number of WebAssembly instructions.
    pub fuel: u64,
    /// How much memory the module may have, in MiB, 1 to 1024.
    pub memory_limit: u64,
    /// Settings for the bot, sent before the first deal: numbers, texts, true or false, lists and tables of them.
    #[serde(deserialize_with = "tellable", skip_serializing_if = "Table::is_empty")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub settings: Table,
    /// The module as it was read.
    #[serde(skip)]
    program: Pinned<Program>,
}

const MODULE: FileKind<Program> =
    FileKind { key: "module", name: "module", read: Program::read, sha256: Program::sha256 };

impl Default for Params {
    fn default() -> Params {
        Params {
            module: PathBuf::new(),
            sha256: String::new(),
            fuel: 10_000_000,
            memory_limit: 16,
            settings: Table::new(),
            program: Pinned::Unread,
        }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("fuel", self.fuel, 1000..=1_000_000_000_000)?;
        FieldError::check("memory-limit", self.memory_limit, 1..=1024)?;
        // This check comes last, because the default has no module.
        if self.module.as_os_str().is_empty() {
            let problem = "names no module; write it like \"bot.wasm\"".to_owned();
            return Err(FieldError { key: "module", problem });
        }
        Ok(())
    }
}

impl Params {
    /// The name of the strategy.
    pub const NAME: &'static str = "wasm";
    /// The description of the strategy, in one line.
    pub const ABOUT: &'static str =
        "a WebAssembly module of yours, run within limits that are the same on every machine";

    /// Returns the strategy that asks the module.
    ///
    /// # Errors
    /// If the module does not play the game, or does not start.
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        // The bytes of a decision have room for three totals.
        if context.game.as_ref().is_some_and(|game| game.layout().seats > 3) {
            let problem =
                format!("does not play {}, which is for four; use a process or a net", context.game_name::<G>());
            return Err(FieldError { key: "", problem });
        }
        let player = Player::new(self, context);
        match player.begun() {
            Ok(true) => Ok(Box::new(player)),
            Ok(false) => Err(context.does_not_play::<G>()),
            // A missing module is reported when bots start, so that results can be read without it.
            Err(fault) if fault.kind == FaultKind::NoStart => Ok(Box::new(player)),
            Err(fault) => Err(FieldError { key: "module", problem: format!("does not start: {fault}") }),
        }
    }

    /// Returns every parameter with its value. The settings keep every digit, since the bot defines their meaning.
    pub fn parameters(&self) -> Table {
        written_with(self, &self.settings)
    }

    /// Makes the path absolute, resolves links in a relative one, and reads the module.
    ///
    /// # Errors
    /// A path that is not UTF-8, or a module without `sha256` that cannot be read.
    pub fn resolve_paths(&mut self, base_dir: &Path) -> Result<(), FieldError> {
        self.program = MODULE.load(&mut self.module, base_dir, &mut self.sha256)?;
        Ok(())
    }

    /// Returns the module.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] if the file was missing, or does not have the hash `sha256`.
    pub fn program(&self) -> Result<Arc<Program>, Fault> {
        MODULE.content(&self.program)
    }
}
