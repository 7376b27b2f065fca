//! The plan for confining a bot, made before its process exists: after fork, only system calls are allowed.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Resource, Rlimit};
use seccompiler::BpfProgram;

use super::program::{self, SYSTEM, is_wide};
use super::{ERROR_MASK, Isolation, Level, MISSING, PART_SHIFT, Part, filter, landlock, missing_parts, shortage};
use crate::process::Params;

/// The bot's folder for files, in memory. `/dev/shm` links to it.
pub(super) const SCRATCH: &str = "/tmp";
/// The size of that folder in MiB, which is also the largest size of a file.
const SCRATCH_SIZE: u64 = 64;
/// The most processes and threads of a bot.
const MOST_PROCESSES: u64 = 256;
/// The same limit without namespaces, where all processes of the user count.
const MOST_PROCESSES_OF_USER: u64 = 4096;
/// The most open files of each of its processes.
const MOST_FILES: u64 = 1024;

/// Files in `/etc` that programs need and that hold no secrets.
const SETTINGS: [&str; 11] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
];
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Folders of the system in which a new root can be built.
const BASES: [&str; 4] = ["/tmp", "/mnt", "/run", "/var"];

/// The user that runs bots if the harness is root: limits of processes do not apply to root.
pub(super) const UNPRIVILEGED: u32 = 65_534;

/// A step on the way to a bot's root folder.
pub(super) enum Step {
    Folder(CString),
    File(CString),
    Link {
        to: CString,
        at: CString,
    },
    /// The file or folder `from` of the old root, which can be read at `at`.
    Show {
        from: CString,
        at: CString,
        device: bool,
    },
    /// An empty folder that can be written to.
    Scratch {
        at: CString,
        options: CString,
    },
    /// An empty, read-only folder over an existing one.
    Cover(CString),
}

/// The users and groups that exist inside, with their numbers outside.
pub(super) struct IdMaps {
    /// The content of `/proc/PID/uid_map`, by line: first number inside, first outside, count.
    pub(super) users: Vec<u8>,
    /// The content of `/proc/PID/gid_map`.
    pub(super) groups: Vec<u8>,
    /// Whether the harness is root and all users exist here: bots run as [`UNPRIVILEGED`].
    pub(super) harness_is_root: bool,
    /// The user that the bot runs as if it has no namespaces.
    pub(super) outside: Outside,
}

/// The user that a bot runs as where it has no namespaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outside {
    /// The user who runs the harness, without further rights.
    Same,
    /// [`UNPRIVILEGED`], since the harness is root.
    Ordinary,
    /// Root, because no other user exists: bots are refused.
    Root,
}

/// A plan for confining a bot.
pub(in super::super) struct Plan {
    /// The path of the program inside the sandbox.
    pub(in super::super) program: PathBuf,
    pub(super) wanted: u32,
    pub(super) ids: IdMaps,
    pub(super) base: CString,
    pub(super) steps: Vec<Step>,
    pub(super) folder: CString,
    pub(super) limits: Vec<(Resource, Rlimit)>,
    pub(super) filters: [BpfProgram; 2],
    /// Limits on files, where the bot has no separate root folder.
    pub(super) rules: Option<OwnedFd>,
    pub(super) harness: Pid,
}

impl Plan {
    /// Returns the plan for a bot, without the parts that the system has turned out to lack.
    ///
    /// # Errors
    /// A mistake in the bot's settings, or a file that cannot be found.
    pub(in super::super) fn new(params: &Params) -> io::Result<Plan> {
        let isolation = &params.isolation;
        let folder = params.folder.canonicalize()?;
        if is_wide(&folder) {
            let problem =
                format!("`folder` is {}, which holds more than the bot. Give the bot its own folder", folder.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let path = if params.environment.iter().any(|name| name == "PATH") { std::env::var_os("PATH") } else { None };
        let path = path.unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"));
        let program = program::find(&params.command[0], &folder, &path)?;
        let given = isolation.readable.iter().filter_map(|place| place.canonicalize().ok());
        let mut shown: Vec<PathBuf> = given.chain(program.readable).chain([folder.clone()]).collect();
        shown.sort();
        shown.dedup_by(|later, earlier| later.starts_with(&*earlier));
        let missing = missing_parts();
        let mut wanted: u32 = Part::ALL.into_iter().filter(|part| !missing.contains(part)).map(Part::bit).sum();
        if wanted & Part::Root.bit() != 0 {
            // Nothing outside the root folder can be reached.
            wanted &= !Part::Files.bit();
        }
        if wanted & (Part::Root.bit() | Part::Files.bit()) != 0 {
            let parts =
                std::iter::once(program.file.to_string_lossy().into_owned()).chain(params.command[1..].iter().cloned());
            for part in parts {
                within_sight(&folder.join(part), &shown)?;
            }
        }
        let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
        let files = rustix::process::getrlimit(Resource::Nofile).maximum.unwrap_or(MOST_FILES).min(MOST_FILES);
        let has_own = wanted & Part::Namespaces.bit() != 0;
        let processes = if has_own { MOST_PROCESSES } else { MOST_PROCESSES_OF_USER };
        let limits = vec![
            (Resource::Nproc, limit(processes)),
            (Resource::Nofile, limit(files)),
            (Resource::Fsize, limit(SCRATCH_SIZE << 20)),
            (Resource::Msgqueue, limit(0)),
        ];
        let ids = id_maps()?;
        let rules = match wanted & Part::Files.bit() {
            0 => None,
            _ => Some(landlock::rules(&reachable(&shown), &DEVICES, &hidden(isolation, &folder, &shown))?),
        };
        let base = BASES.iter().find(|base| Path::new(base).is_dir()).copied().unwrap_or("/");
        Ok(Plan {
            program: program.file,
            wanted,
            base: text(base)?,
            steps: steps(&shown, isolation, &folder, &ids)?,
            folder: text(&folder)?,
            limits,
            filters: filter::filters()?,
            rules,
            harness: rustix::process::getpid(),
            ids,
        })
    }

    /// Returns why this plan cannot start any bot, if so.
    pub(in super::super) fn refusal(&self) -> Option<String> {
        (!self.has_namespaces() && self.ids.outside == Outside::Root).then(|| {
            format!(
                "bots cannot be sandboxed here, since they would be root: the system refuses namespaces and has no user \
                 {UNPRIVILEGED}. Run Overtrick as another user, or trust the bots with --sandbox none"
            )
        })
    }

    /// Returns a remedy for a bot that cannot be read, where it runs as another user than the harness.
    pub(in super::super) fn hint(&self) -> Option<String> {
        (!self.has_namespaces() && self.ids.outside == Outside::Ordinary).then(|| {
            format!(
                "bots run as the user {UNPRIVILEGED} here, who has to be allowed to read their folder and to run their program"
            )
        })
    }

    /// Returns whether the bot gets separate namespaces.
    pub(in super::super) fn has_namespaces(&self) -> bool {
        self.wanted & Part::Namespaces.bit() != 0
    }

    /// Returns whether the bot gets a separate root folder.
    pub(in super::super) fn has_root(&self) -> bool {
        self.wanted & Part::Root.bit() != 0
    }
}

/// The consequence of a part of the isolation that is missing.
pub(in super::super) enum Lack {
    /// The part is recorded as missing, so that the next plan omits it.
    Recorded,
    /// Bots cannot be started, for a reason that the organiser must know.
    Refused(String),
}

/// Checks whether a bot failed to start because a part of the isolation is missing; `None` if not.
///
/// The part is recorded under [`Level::Available`], and refused under any other level.
pub(in super::super) fn lack(error: &io::Error, level: Level) -> Option<Lack> {
    let code = error.raw_os_error()?;
    let part = Part::ALL.into_iter().find(|&part| part as i32 == code >> PART_SHIFT)?;
    // Where namespaces are forbidden, the error for too many of them is no shortage.
    let is_forbidden = part == Part::Namespaces && are_namespaces_forbidden();
    if shortage(error).is_some() && !is_forbidden {
        return None;
    }
    let error = io::Error::from_raw_os_error(code & ERROR_MASK);
    if level == Level::Available {
        // Without namespaces there is no separate root folder.
        let mut with = if part == Part::Namespaces { Part::Root.bit() } else { 0 };
        if matches!(part, Part::Namespaces | Part::Root) && !landlock::is_there() {
            with |= Part::Files.bit();
        }
        MISSING.fetch_or(part.bit() | with, std::sync::atomic::Ordering::Relaxed);
        return Some(Lack::Recorded);
    }
    let (name, remedy) = (part.name(), part.remedy());
    Some(Lack::Refused(format!(
        "bots cannot be sandboxed here, since the system refuses {name}: {error}. Either {remedy}, or take what there is \
         with --sandbox available (root's bots are then the user {UNPRIVILEGED}, without any rights beyond), or trust the bots with \
         --sandbox none"
    )))
}

/// Returns whether the system is configured to allow no user namespaces at all.
fn are_namespaces_forbidden() -> bool {
    std::fs::read_to_string("/proc/sys/user/max_user_namespaces").is_ok_and(|most| most.trim() == "0")
}

/// Checks that a file named in a command is visible inside, with links resolved.
fn within_sight(file: &Path, shown: &[PathBuf]) -> io::Result<()> {
    let Ok(real) = file.canonicalize() else { return Ok(()) };
    if !real.is_file() {
        return Ok(());
    }
    let seen = |place: &Path| {
        SYSTEM.iter().any(|system| place.starts_with(system)) || shown.iter().any(|shown| place.starts_with(shown))
    };
    if seen(&real) || DEVICES.iter().chain(&SETTINGS).any(|known| real.starts_with(known)) {
        return Ok(());
    }
    let problem = format!(
        "`command` names {}, which lies outside of what the bot may read; move it into the bot's folder, or name its \
         folder with --bots-may-read",
        real.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// Returns the users and groups inside.
///
/// Root maps itself, to mount the files that it may read, and the user that then runs bots.
fn id_maps() -> io::Result<IdMaps> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let maps = [std::fs::read_to_string("/proc/self/uid_map")?, std::fs::read_to_string("/proc/self/gid_map")?];
    let is_all = |map: &String| map.split_whitespace().eq(["0", "0", "4294967295"]);
    let outside = match user {
        0 if maps.iter().all(|map| maps_to(map, UNPRIVILEGED).is_some()) => Outside::Ordinary,
        0 if maps_to(&maps[0], 0) == Some(0) => Outside::Root,
        _ => Outside::Same,
    };
    if user == 0 && is_all(&maps[0]) {
        let map = format!("0 0 1\n{UNPRIVILEGED} {UNPRIVILEGED} 1\n").into_bytes();
        return Ok(IdMaps { users: map.clone(), groups: map, harness_is_root: true, outside });
    }
    let alone = |id: u32| format!("{id} {id} 1\n").into_bytes();
    Ok(IdMaps { users: alone(user), groups: alone(group), harness_is_root: false, outside })
}

/// Returns the outside number of a user or group according to the system's map, or `None` if it does not exist here.
fn maps_to(map: &str, id: u32) -> Option<u64> {
    map.lines().find_map(|line| {
        let numbers: Vec<u64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [inside, outside, count] = numbers[..] else { return None };
        let place = u64::from(id).checked_sub(inside)?;
        (place < count).then_some(outside + place)
    })
}

fn text(path: impl AsRef<Path>) -> io::Result<CString> {
    Ok(CString::new(path.as_ref().as_os_str().as_bytes())?)
}

/// Returns the steps to a root folder that shows only `shown` and the harmless parts of the system.
fn steps(shown: &[PathBuf], isolation: &Isolation, folder: &Path, ids: &IdMaps) -> io::Result<Vec<Step>> {
    let (user, group) = if ids.harness_is_root {
        (UNPRIVILEGED, UNPRIVILEGED)
    } else {
        (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw())
    };
    let options = CString::new(format!("mode=0700,size={SCRATCH_SIZE}m,nr_inodes=8192,uid={user},gid={group}"))?;
    let mut steps = vec![Step::Folder(text(SCRATCH)?), Step::Scratch { at: text(SCRATCH)?, options }];
    for place in ["/proc", "/dev"] {
        steps.push(Step::Folder(text(place)?));
    }
    for device in DEVICES.into_iter().filter(|device| Path::new(device).exists()) {
        steps.push(Step::File(text(device)?));
        steps.push(Step::Show { from: old(Path::new(device))?, at: text(device)?, device: true });
    }
    for (to, at) in [
        ("/proc/self/fd", "/dev/fd"),
        ("/proc/self/fd/0", "/dev/stdin"),
        ("/proc/self/fd/1", "/dev/stdout"),
        ("/proc/self/fd/2", "/dev/stderr"),
        (SCRATCH, "/dev/shm"),
    ] {
        steps.push(Step::Link { to: text(to)?, at: text(at)? });
    }
    let mut folders = Vec::new();
    for place in SYSTEM.iter().chain(&SETTINGS).map(Path::new).chain(shown.iter().map(PathBuf::as_path)) {
        let system = SYSTEM.iter().any(|system| place.starts_with(system) && place != Path::new(system));
        let Ok(data) = place.symlink_metadata() else { continue };
        if system || !place.exists() {
            continue;
        }
        let parents: Vec<&Path> = place.ancestors().skip(1).filter(|parent| *parent != Path::new("/")).collect();
        for parent in parents.into_iter().rev().filter(|parent| *parent != Path::new(SCRATCH)) {
            if !folders.contains(&parent) {
                folders.push(parent);
                steps.push(Step::Folder(text(parent)?));
            }
        }
        let at = text(place)?;
        if data.is_symlink() && SYSTEM.iter().any(|system| place == Path::new(system)) {
            steps.push(Step::Link { to: text(std::fs::read_link(place)?)?, at });
            continue;
        }
        steps.push(if place.is_dir() { Step::Folder(at.clone()) } else { Step::File(at.clone()) });
        steps.push(Step::Show { from: old(place)?, at, device: false });
    }
    for hidden in hidden(isolation, folder, shown) {
        steps.push(if hidden.is_dir() {
            Step::Cover(text(&hidden)?)
        } else {
            Step::Show { from: text("/old/dev/null")?, at: text(&hidden)?, device: true }
        });
    }
    Ok(steps)
}

/// Returns the places inside `shown` that the bot must not see. The bot's folder and its parents are never among them.
fn hidden(isolation: &Isolation, folder: &Path, shown: &[PathBuf]) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = isolation.hidden.iter().filter_map(|place| place.canonicalize().ok()).collect();
    let is_seen = |place: &PathBuf| shown.iter().any(|shown| place.starts_with(shown) && place != shown);
    places.retain(|place| is_seen(place) && !folder.starts_with(place));
    places
}

/// Returns all paths that the bot may read: `shown`, and the harmless parts of the system.
fn reachable(shown: &[PathBuf]) -> Vec<PathBuf> {
    let system = SYSTEM.iter().chain(&SETTINGS).map(PathBuf::from).filter(|place| place.exists());
    system.chain(shown.iter().cloned()).collect()
}

/// Returns the path of a place in the old root while the new root is built.
fn old(place: &Path) -> io::Result<CString> {
    text(Path::new("/old").join(place.strip_prefix("/").unwrap_or(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_looked_up_in_the_systems_map() {
        let all = "         0          0 4294967295\n";
        let some = "0 1000 1\n1 100000 65536\n";
        assert_eq!((maps_to(all, UNPRIVILEGED), maps_to(some, UNPRIVILEGED)), (Some(65_534), Some(165_533)));
        assert_eq!((maps_to(some, 0), maps_to("0 0 1\n", UNPRIVILEGED), maps_to("", 0)), (Some(1000), None, None));
    }
}
