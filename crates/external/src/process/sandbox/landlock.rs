//! Limits on files by the kernel's Landlock, for bots that cannot have a separate root folder.
//!
//! Such a bot reads the same files as in its root folder. It sees the names but not the contents of hidden files, and
//! writes to devices only. From kernel 6.12 on, it cannot send signals to processes other than its own.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr,
    RulesetError, Scope, path_beneath_rules,
};

use super::system_call::checked;

/// The first ABI that limits the truncation of files. Before it, not all writing is limited.
const LEAST: ABI = ABI::V3;
/// The ABI up to which further limits are used where the kernel has them.
const BEST: ABI = ABI::V6;

/// Returns whether the kernel can limit the files that a bot reaches.
pub(super) fn is_there() -> bool {
    ruleset().is_ok()
}

/// Returns the rules for a bot that may read all in `readable` except `hidden`, and read and write `devices`.
///
/// All paths must exist.
///
/// # Errors
/// If the kernel has no such rules.
pub(super) fn rules(readable: &[PathBuf], devices: &[&str], hidden: &[PathBuf]) -> io::Result<OwnedFd> {
    let mut parted = Parted::default();
    for place in readable {
        parted.add(place, hidden);
    }
    let rules = allowed(parted, devices).map_err(io::Error::other)?;
    Option::<OwnedFd>::from(rules).ok_or_else(|| io::ErrorKind::Unsupported.into())
}

/// Returns rules that allow to read these paths, and to read and write `devices`.
fn allowed(parted: Parted, devices: &[&str]) -> Result<RulesetCreated, RulesetError> {
    ruleset()?
        .add_rules(path_beneath_rules(parted.whole, AccessFs::from_read(BEST)))?
        .add_rules(path_beneath_rules(parted.listed, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(devices, AccessFs::ReadFile | AccessFs::WriteFile))
}

/// Binds this process and all that it starts to the rules, for good. Only a system call is made.
pub(super) fn apply(rules: BorrowedFd<'_>) -> rustix::io::Result<()> {
    // SAFETY: it only takes rights away from this process.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) })
}

/// Returns rules that allow nothing yet.
fn ruleset() -> Result<RulesetCreated, RulesetError> {
    let all =
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(LEAST))?;
    let more: BitFlags<AccessFs> = AccessFs::from_all(BEST);
    all.set_compatibility(CompatLevel::BestEffort).handle_access(more)?.scope(Scope::from_all(BEST))?.create()
}

/// Paths split into parts such that no part contains a hidden path.
#[derive(Default)]
struct Parted {
    /// Paths without anything hidden in them.
    whole: Vec<PathBuf>,
    /// Folders with something hidden in them. Bots may only list them.
    listed: Vec<PathBuf>,
}

impl Parted {
    fn add(&mut self, place: &Path, hidden: &[PathBuf]) {
        if hidden.iter().any(|hidden| hidden == place) {
            return;
        }
        if !hidden.iter().any(|hidden| hidden.starts_with(place)) {
            return self.whole.push(place.to_owned());
        }
        self.listed.push(place.to_owned());
        let Ok(entries) = std::fs::read_dir(place) else { return };
        for entry in entries.flatten() {
            self.add(&entry.path(), hidden);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_in_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("runs/first")).unwrap();
        for name in ["bot.py", "runs/first/checkpoint.bin", "runs/notes"] {
            std::fs::write(at(name), "").unwrap();
        }
        let mut parted = Parted::default();
        parted.add(folder.path(), &[at("runs/first")]);
        parted.whole.sort();
        assert_eq!(parted.whole, [at("bot.py"), at("runs/notes")]);
        assert_eq!(parted.listed, [folder.path().to_owned(), at("runs")]);
        let mut parted = Parted::default();
        parted.add(folder.path(), &[]);
        assert_eq!((parted.whole, parted.listed.len()), (vec![folder.path().to_owned()], 0));
    }
}
