//! Bots outside the process: their settings, and the keeping of one running child.

mod group;
mod pipes;
mod session;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{FieldError, RuleSet};
use crate::protocol::Fault;
pub use session::Session;

/// How a bot outside the process is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder that it runs in; "." is where overtrick runs.
    pub folder: PathBuf,
    /// The environment variables that it is given, by name; it gets no others.
    pub environment: Vec<String>,
    /// How long it may take to introduce itself, in seconds, 0.001 to 3600.
    pub start_timeout: f64,
    /// How long it may take to answer a message, whether that holds one decision or many, in seconds, 0.001 to 3600.
    pub move_timeout: f64,
    /// How much memory each of its processes may have, in MiB of address space, 16 to 1048576.
    pub memory_limit: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            command: Vec::new(),
            folder: ".".into(),
            environment: ["PATH", "HOME", "LANG"].map(str::to_owned).into(),
            start_timeout: 10.0,
            move_timeout: 5.0,
            memory_limit: 2048,
        }
    }
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        if self.command.first().is_none_or(String::is_empty) {
            let problem = "names no program; write it like [\"python3\", \"bot.py\"]".to_owned();
            return Err(FieldError { key: "command", problem });
        }
        FieldError::check("start-timeout", self.start_timeout, 0.001..=3600.0)?;
        FieldError::check("move-timeout", self.move_timeout, 0.001..=3600.0)?;
        FieldError::check("memory-limit", self.memory_limit, 16..=1 << 20)
    }
}

/// The most bytes that a bot's log takes.
pub const LONGEST_LOG: u64 = 1 << 20;

/// The first wait before a restart; it doubles with every failure in a row.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// One process of a bot, started again when it has failed.
pub struct Keeper {
    params: Params,
    log: Option<PathBuf>,
    session: Option<Session>,
    /// Failures since the last answer.
    failures: u32,
    earliest: Instant,
}

impl Keeper {
    /// Nothing is started yet. What the bot writes to standard error is appended to `log`.
    pub fn new(params: Params, log: Option<PathBuf>) -> Keeper {
        Keeper { params, log, session: None, failures: 0, earliest: Instant::now() }
    }

    /// The running process; one is started if there is none, after a pause if the last ones failed.
    ///
    /// # Errors
    /// Why it did not start.
    pub fn session(&mut self) -> Result<&mut Session, Fault> {
        if self.session.is_none() {
            std::thread::sleep(self.earliest.saturating_duration_since(Instant::now()));
            match Session::start(&self.params, self.log.as_deref()) {
                Ok(session) => self.session = Some(session),
                Err(fault) => {
                    self.failed();
                    return Err(fault);
                }
            }
        }
        Ok(self.session.as_mut().expect("it was just started"))
    }

    /// Ends the process, which did not do its work: the next is started after a pause.
    pub fn failed(&mut self) {
        self.session = None;
        self.earliest = Instant::now() + LONGEST_WAIT.min(FIRST_WAIT * (1 << self.failures.min(10)));
        self.failures += 1;
    }

    /// Notes that the process does its work.
    pub fn answered(&mut self) {
        self.failures = 0;
    }
}
