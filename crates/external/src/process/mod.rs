//! `process`: an external bot in any language.
//!
//! The modules hold its settings, start and end its processes, and exchange messages with them.

#[cfg(not(all(unix, feature = "process")))]
mod absent;
mod audit;
mod declared;
#[cfg(all(unix, feature = "process"))]
mod descriptors;
mod external;
#[cfg(all(unix, feature = "process"))]
mod group;
#[cfg(all(target_os = "linux", feature = "process"))]
mod held;
mod last_words;
mod own_folder;
mod patience;
#[cfg(all(unix, feature = "process"))]
mod pipes;
mod quiet;
#[cfg_attr(not(all(unix, feature = "process")), path = "absent_rein.rs")]
mod rein;
mod sandbox;
mod session;
mod start_check;
mod supervisor;
pub mod trial;
#[cfg(all(target_os = "linux", feature = "process"))]
mod watch;

use std::fmt;
use std::path::{Path, PathBuf};

use overtrick_game::{FieldError, FullGame, Options};
use overtrick_strategy::Strategy;
use overtrick_toml::in_home;
use schemars::JsonSchema;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use toml::{Table, Value};

use crate::pinned::absolute;
use crate::{BuildContext, written};
pub use declared::Declared;
pub use external::External;
pub use last_words::{LastWords, last_lines};
pub use patience::Patience;
pub use sandbox::{Isolation, Level, Part, breakdown, missing_parts};
pub use session::Session;
pub use start_check::{StartFailure, start_check};
pub use supervisor::{ProcessPool, Supervisor};

/// How a bot outside the process is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder that it runs in. A relative one is looked for next to the file that names it, or else below the
    /// folder that Overtrick runs in. From then on it is an absolute one.
    pub folder: PathBuf,
    /// The environment variables that it is given, by name; it gets no others.
    pub environment: Vec<String>,
    /// The longest time that it may take to introduce itself, in seconds, 0.001 to 3600.
    pub start_timeout: f64,
    /// The longest time that it may take to answer a message, whether that holds one decision or many, in seconds,
    /// 0.001 to 3600.
    pub move_timeout: f64,
    /// How much memory each of its processes may have, in MiB of address space, 16 to 1048576; 0, or "none", for no
    /// limit. Address space is more than the memory that is used: libraries count as a whole, and so does what threads
    /// reserve. On macOS there is none. On Linux, what one of its processes holds together with all that it has started
    /// has the same limit.
    #[serde(deserialize_with = "mebibytes")]
    pub memory_limit: u64,
    /// The most processes of it that run at once, 1 to 1024; one for each thread if absent. With fewer processes than
    /// threads, threads wait for one another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The SHA-256 of its program: of the files that `command` names, and of those in its folder. Results have it, and
    /// nothing is played with another program. Absent, any program will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Settings for the bot, sent in `hello`: numbers, texts, true or false, lists and tables of them.
    #[serde(deserialize_with = "tellable", skip_serializing_if = "Table::is_empty")]
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub settings: Table,
    /// How it is sandboxed. The organiser decides that, and no manifest.
    #[serde(skip)]
    pub isolation: Isolation,
    /// How long a run waits for it in vain.
    #[serde(skip)]
    pub patience: Patience,
    /// Its standard error before its first fault.
    #[serde(skip)]
    pub last_words: LastWords,
    /// The parameters that it declares.
    #[serde(skip)]
    pub declared: Declared,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            command: Vec::new(),
            folder: ".".into(),
            environment: ["PATH", "HOME", "LANG"].map(str::to_owned).into(),
            start_timeout: 10.0,
            move_timeout: 5.0,
            memory_limit: 8192,
            processes: None,
            digest: None,
            settings: Table::new(),
            isolation: Isolation::default(),
            patience: Patience::default(),
            last_words: LastWords::default(),
            declared: Declared::default(),
        }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("start-timeout", self.start_timeout, 0.001..=3600.0)?;
        FieldError::check("move-timeout", self.move_timeout, 0.001..=3600.0)?;
        if self.memory_limit != 0 {
            FieldError::check("memory-limit", self.memory_limit, 16..=1 << 20)
                .map_err(|error| FieldError { problem: error.problem + ", or is 0 for no limit", ..error })?;
        }
        FieldError::check("processes", self.processes.unwrap_or(1), 1..=1024)?;
        if self.digest.as_ref().is_some_and(|digest| !is_sha256(digest)) {
            let problem =
                "is no SHA-256, which has 64 digits, 0 to f; take it from the config.toml of results".to_owned();
            return Err(FieldError { key: "digest", problem });
        }
        // This check comes last, because the default has no command.
        if self.command.first().is_none_or(String::is_empty) {
            let problem = "names no program; write it like [\"python3\", \"bot.py\"]".to_owned();
            return Err(FieldError { key: "command", problem });
        }
        Ok(())
    }
}

impl Params {
    /// The name of the strategy.
    pub const NAME: &'static str = "process";
    /// The description of the strategy, in one line.
    pub const ABOUT: &'static str =
        "a program of yours, in any language, that answers over its standard input and output";

    /// Returns the strategy that asks the program.
    ///
    /// # Errors
    /// None: a program that cannot start is reported when the bot starts.
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        Ok(Box::new(External::new(self, context)))
    }

    /// Returns every parameter with its value. The settings keep every digit, since the bot defines their meaning.
    pub fn parameters(&self) -> Table {
        written_with(self, &self.settings)
    }

    /// Takes over what a bot keeps when a parameter changes: its isolation and its declaration.
    ///
    /// Another program may declare other parameters.
    pub fn take_over(&mut self, before: &Params) {
        self.isolation = before.isolation.clone();
        if (&self.command, &self.folder) == (&before.command, &before.folder) {
            self.declared = before.declared.clone();
        }
    }

    /// Makes the folder an absolute path, and resolves links in a relative one.
    ///
    /// A resolved configuration thus has the same bytes regardless of where the run was started and where its
    /// results go. A leading `~` is the home folder.
    ///
    /// # Errors
    /// A folder whose name is not UTF-8, or whose path consists of steps upwards alone.
    pub fn resolve_paths(&mut self, base_dir: &Path) -> Result<(), FieldError> {
        self.folder = in_home(&self.folder);
        if own_folder::leads_out(&self.folder) {
            let problem = format!(
                "is {}, which leads to all that lies around the file that names it, and a bot may read its folder; give \
                 it one with its files alone",
                self.folder.display()
            );
            return Err(FieldError { key: "folder", problem });
        }
        self.folder = absolute(&self.folder, base_dir, Path::is_dir, "folder")?;
        Ok(())
    }
}

/// Returns whether a text is a SHA-256 in the form of results.
fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// Reads an amount of memory; "none" stands for 0.
fn mebibytes<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    struct Amount;
    impl Visitor<'_> for Amount {
        type Value = u64;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a whole number of MiB, or \"none\" for no limit")
        }

        fn visit_u64<E: de::Error>(self, amount: u64) -> Result<u64, E> {
            Ok(amount)
        }

        fn visit_i64<E: de::Error>(self, amount: i64) -> Result<u64, E> {
            amount.try_into().map_err(|_| E::invalid_value(Unexpected::Signed(amount), &self))
        }

        fn visit_str<E: de::Error>(self, word: &str) -> Result<u64, E> {
            if word == "none" { Ok(0) } else { Err(E::invalid_value(Unexpected::Str(word), &self)) }
        }
    }
    from.deserialize_any(Amount)
}

/// Returns the parameters as a manifest writes them, with every digit of `settings`.
pub(super) fn written_with(params: &impl Serialize, settings: &Table) -> Table {
    let mut table = written(params);
    if let Some(written) = table.get_mut("settings") {
        *written = Value::Table(settings.clone());
    }
    table
}

/// Reads settings, and refuses values that a message cannot hold.
pub(super) fn tellable<'de, D: Deserializer<'de>>(from: D) -> Result<Table, D::Error> {
    let settings = Table::deserialize(from)?;
    match settings.values().find_map(untellable) {
        None => Ok(settings),
        Some(value) => Err(de::Error::custom(format!("{value} cannot be sent to a bot. Write it as a text in quotes"))),
    }
}

/// Returns a number in the value that has no form in JSON, since it is not finite. (Dates are texts by then.)
fn untellable(value: &Value) -> Option<&Value> {
    match value {
        Value::Float(number) => (!number.is_finite()).then_some(value),
        Value::Array(list) => list.iter().find_map(untellable),
        Value::Table(table) => table.values().find_map(untellable),
        _ => None,
    }
}

/// The largest size of a bot's log, in bytes. The rest of the bot's output is dropped.
pub const LONGEST_LOG: u64 = 1 << 20;
