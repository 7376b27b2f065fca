//! The isolation of external bots: the requested level, the means of the system, and the sandbox.
//!
//! The organiser of a tournament decides on the level; no manifest can.

#![cfg_attr(not(all(target_os = "linux", feature = "process")), allow(dead_code))]

#[cfg(all(target_os = "linux", feature = "process"))]
mod enter;
#[cfg(all(target_os = "linux", feature = "process"))]
mod filter;
#[cfg(all(target_os = "linux", feature = "process"))]
mod landlock;
#[cfg(all(target_os = "linux", feature = "process"))]
mod plan;
#[cfg(all(target_os = "linux", feature = "process"))]
mod program;
#[cfg(all(target_os = "linux", feature = "process"))]
mod stages;
#[cfg(all(target_os = "linux", feature = "process"))]
mod system_call;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(all(target_os = "linux", feature = "process"))]
pub(super) use plan::{Lack, Plan, lack};

/// How far external bots are sandboxed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A bot is sandboxed by all parts, or the run is refused.
    #[default]
    Strict,
    /// A bot is sandboxed by the parts that the system has. A note lists the missing parts.
    Available,
    /// A bot may do all that the user who runs the tournament may do.
    None,
}

impl Level {
    /// Returns the name in files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Strict => "strict",
            Level::Available => "available",
            Level::None => "none",
        }
    }
}

/// An organiser's settings for the isolation of bots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isolation {
    /// How far bots are confined; the system's default if absent.
    pub level: Option<Level>,
    /// Folders and files that bots may read in addition to the system's and their own.
    pub readable: Vec<PathBuf>,
    /// Folders and files that bots must not see, even in a folder that they may read.
    pub hidden: Vec<PathBuf>,
}

/// The default settings of this program for all bots.
static GIVEN: OnceLock<Isolation> = OnceLock::new();

impl Default for Isolation {
    /// Returns the settings passed to [`Isolation::give`], or else the system's default without further folders.
    fn default() -> Isolation {
        GIVEN.get().cloned().unwrap_or(Isolation { level: None, readable: Vec::new(), hidden: Vec::new() })
    }
}

impl Isolation {
    /// Sets the default settings of this program for all bots. Only the first call counts.
    pub fn give(self) {
        let _ = GIVEN.set(self);
    }

    /// Returns how far bots are confined here. Only Linux has the means; elsewhere it is [`Level::None`].
    pub fn level(&self) -> Level {
        if cfg!(target_os = "linux") { self.level.unwrap_or_default() } else { Level::None }
    }
}

/// A part of the isolation that a system may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Part {
    /// Separate namespaces: users, processes, network, mounts and more.
    Namespaces = 1,
    /// A separate root folder.
    Root = 2,
    /// The filter of system calls.
    Calls = 3,
    /// Limits on the files that the bot can reach, in place of a root folder.
    Files = 4,
}

impl Part {
    const ALL: [Part; 4] = [Part::Namespaces, Part::Root, Part::Calls, Part::Files];

    const fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns the name of the part in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Namespaces => "namespaces (of users, processes, files and the network)",
            Part::Root => "a separate root folder",
            Part::Calls => "the filter of system calls (seccomp)",
            Part::Files => "limits on files (Landlock)",
        }
    }

    /// Returns the remedy for an administrator if the part is missing.
    const fn remedy(self) -> &'static str {
        match self {
            Part::Namespaces => {
                "allow them (`sysctl user.max_user_namespaces`, `kernel.unprivileged_userns_clone` and \
                 `kernel.apparmor_restrict_unprivileged_userns` say whether they are; containers take a seccomp profile \
                 that has them)"
            }
            Part::Root => "run Overtrick where a process may mount in a separate namespace, with all of /proc visible",
            Part::Calls => "take a kernel that has it (CONFIG_SECCOMP_FILTER)",
            Part::Files => "take a kernel of version 6.2 or later that has it (CONFIG_SECURITY_LANDLOCK)",
        }
    }
}

/// The parts that this system has turned out to lack, one bit each.
static MISSING: AtomicU32 = AtomicU32::new(0);

/// Returns the parts of the isolation that this system has turned out to lack since bots were started.
pub fn missing_parts() -> Vec<Part> {
    let missing = MISSING.load(Ordering::Relaxed);
    Part::ALL.into_iter().filter(|part| missing & part.bit() != 0).collect()
}

/// The lowest bit of the failed part in an error's number.
const PART_SHIFT: u32 = 16;
/// The bits below, which hold the system's number of the error.
const ERROR_MASK: i32 = (1 << PART_SHIFT) - 1;

// The crate `libc` has these numbers, but not on every system that this is compiled for.
const EAGAIN_LINUX: i32 = 11;
const EAGAIN_MACOS: i32 = 35;
const ENOMEM: i32 = 12;
const ENFILE: i32 = 23;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const EUSERS: i32 = 87;

/// Returns the exhausted resource with the remedy, if that is why no process starts.
pub(super) fn shortage(error: &std::io::Error) -> Option<String> {
    if !cfg!(unix) {
        return None;
    }
    let code = error.raw_os_error()? & ERROR_MASK;
    let remedy = match code {
        EAGAIN_LINUX | EAGAIN_MACOS => "allow more processes (`ulimit -u`), or play with fewer --threads",
        ENOMEM => "free memory, or play with fewer --threads",
        ENFILE | EMFILE => "allow more open files (`ulimit -n`), or play with fewer --threads",
        ENOSPC | EUSERS => "allow more namespaces (`sysctl user.max_user_namespaces`), or play with fewer --threads",
        _ => return None,
    };
    Some(format!("{}; {remedy}", std::io::Error::from_raw_os_error(code)))
}

/// The reason why the harness cannot start any bot.
static BREAKDOWN: RwLock<Option<String>> = RwLock::new(None);

/// Returns why bots can no longer be started, if the cause is the machine or the harness.
///
/// The run has then been stopped. Its results so far are valid, and it can be resumed.
pub fn breakdown() -> Option<String> {
    BREAKDOWN.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Records why bots can no longer be started.
pub(super) fn break_down(why: &str) {
    BREAKDOWN.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.to_owned());
}
