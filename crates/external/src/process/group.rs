//! A child process in a separate group, which is killed as a whole.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::os::{fd::AsFd, unix::net::UnixStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus};

use super::Params;
use super::descriptors::keep_three;
use super::quiet::Place;
use super::rein::Rein;
use super::sandbox::break_down;
#[cfg(target_os = "linux")]
use super::{
    sandbox::{Lack, Level, Plan, lack},
    watch::Watch,
};

/// A child and all processes that it has started.
pub struct Group {
    child: Child,
    pid: Pid,
    /// The function that ends the processes of the group.
    kill: fn(Pid),
    place: Place,
    #[cfg(target_os = "linux")]
    watch: Option<Watch>,
}

impl Group {
    /// Starts the program in the sandbox that the organiser chose, with pipes for its input, output and errors.
    pub fn spawn(params: &Params) -> io::Result<Group> {
        if let Some(most) =
            rustix::process::getrlimit(Resource::As).maximum.filter(|most| *most < params.memory_limit << 20)
        {
            let most = most >> 20;
            break_down(&format!(
                "this program may have {most} MiB of address space, and a bot's `memory-limit` is {} MiB: lower that, or \
                 raise this (`ulimit -Hv`)",
                params.memory_limit
            ));
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        #[cfg(target_os = "linux")]
        if params.isolation.level() != Level::None {
            return Group::spawn_inside(params);
        }
        let mut command = program(params, OsStr::new(&params.command[0]));
        let mut limits = limits(params);
        let files = rustix::process::getrlimit(Resource::Nofile);
        limits.push((Resource::Nofile, Rlimit { current: Some(files.maximum.unwrap_or(FILES).min(FILES)), ..files }));
        // SAFETY: between fork and exec only system calls are made; no memory is allocated and no lock is taken.
        unsafe {
            command.pre_exec(move || {
                keep_three();
                // A separate session, whose processes cannot move into the harness's group.
                rustix::process::setsid()?;
                for &(resource, limit) in &limits {
                    rustix::process::setrlimit(resource, limit)?;
                }
                // If Overtrick itself is killed, nothing else ends the child.
                #[cfg(target_os = "linux")]
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                Ok(())
            });
        }
        Group::of(command, params, kill, None)
    }

    /// Starts the program in a sandbox with all its parts, or under [`Level::Available`] with those available.
    #[cfg(target_os = "linux")]
    fn spawn_inside(params: &Params) -> io::Result<Group> {
        loop {
            let plan = Plan::new(params)?;
            if let Some(problem) = plan.refusal() {
                break_down(&problem);
                return Err(io::Error::other(problem));
            }
            let mut command = program(params, plan.program.as_os_str());
            if plan.has_root() {
                command.env("TMPDIR", "/tmp");
                if params.environment.iter().any(|name| name == "HOME") {
                    command.env("HOME", "/tmp");
                }
            }
            let limits = limits(params);
            let kill = if plan.has_namespaces() { empty } else { kill };
            let hint = plan.hint();
            let (line, inside) = UnixStream::pair()?;
            let rein = plan.has_namespaces().then(|| Rein::inside(line));
            // SAFETY: between fork and exec only system calls are made; no memory is allocated and no lock is taken.
            unsafe {
                command.pre_exec(move || {
                    keep_three();
                    rustix::process::setsid()?;
                    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
                    plan.enter(inside.as_fd())?;
                    for &(resource, limit) in &limits {
                        rustix::process::setrlimit(resource, limit)?;
                    }
                    Ok(())
                });
            }
            match Group::of(command, params, kill, rein) {
                Err(error) => match lack(&error, params.isolation.level()) {
                    Some(Lack::Recorded) => {}
                    Some(Lack::Refused(problem)) => {
                        break_down(&problem);
                        return Err(io::Error::other(problem));
                    }
                    None => return Err(hinted(error, hint)),
                },
                started => return started,
            }
        }
    }

    #[cfg_attr(not(target_os = "linux"), allow(unused))]
    fn of(mut command: Command, params: &Params, kill: fn(Pid), rein: Option<Rein>) -> io::Result<Group> {
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        #[cfg(target_os = "linux")]
        let has_own_network = matches!(rein, Some(Rein::Inside(_)));
        #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
        let mut group = Group {
            child,
            pid,
            kill,
            place: Place::new(rein.unwrap_or(Rein::Group(pid))),
            #[cfg(target_os = "linux")]
            watch: None,
        };
        #[cfg(target_os = "linux")]
        if params.memory_limit > 0 {
            group.watch = Some(Watch::new(pid, params.memory_limit << 20, has_own_network, kill)?);
        }
        Ok(group)
    }

    /// Returns whether it was killed because its processes together held too much memory.
    pub fn held_too_much(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.watch.as_ref().is_some_and(Watch::is_exceeded);
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Returns its place among all running bots.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits until `deadline` for the child to end, and returns its status if it does.
    ///
    /// The child stays a zombie, so that no other process gets its number.
    pub fn ended(&self, deadline: Instant) -> Option<WaitIdStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            match rustix::process::waitid(WaitId::Pid(self.pid), options) {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The number must still belong to the child during all of this.
        let _turn = self.place.leave();
        #[cfg(target_os = "linux")]
        drop(self.watch.take());
        (self.kill)(self.pid);
        let _ = self.child.wait();
    }
}

/// Adds a hint to an error that permission was denied.
#[cfg(target_os = "linux")]
fn hinted(error: io::Error, hint: Option<String>) -> io::Error {
    match hint.filter(|_| error.kind() == io::ErrorKind::PermissionDenied) {
        Some(hint) => io::Error::new(error.kind(), format!("{error}; {hint}")),
        None => error,
    }
}

/// Kills a group and the child that leads it.
fn kill(pid: Pid) {
    // An error means that no process is left in the group; the child itself may have left it.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let _ = rustix::process::kill_process(pid, Signal::KILL);
}

/// Asks the process that stands in for a bot to end everything inside. It ends when nothing is left there.
#[cfg(target_os = "linux")]
fn empty(pid: Pid) {
    let _ = rustix::process::kill_process(pid, Signal::TERM);
}

/// Returns the command that starts `program`, with the environment of the bot.
fn program(params: &Params, program: &OsStr) -> Command {
    let mut command = Command::new(program);
    let kept = params.environment.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    command.arg0(&params.command[0]).args(&params.command[1..]).current_dir(&params.folder).env_clear().envs(kept);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The limit of open files for a bot without a sandbox, which the bot may raise.
///
/// Programs that wait with `select` cannot use more.
const FILES: u64 = 1024;

/// Returns the limits that every bot has.
fn limits(params: &Params) -> Vec<(Resource, Rlimit)> {
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    let mut limits = vec![(Resource::Core, limit(0))];
    // macOS refuses limits of address space, since a process has more of it from the start.
    if params.memory_limit > 0 && cfg!(not(target_os = "macos")) {
        limits.push((Resource::As, limit(params.memory_limit << 20)));
    }
    limits
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Isolation;
    use std::io::Read;

    /// Returns the number of processes with `mark` in their command line.
    fn with(mark: &str) -> usize {
        let lines = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let line = std::fs::read(entry.unwrap().path().join("cmdline")).ok()?;
            String::from_utf8(line).ok()
        });
        lines.filter(|line| line.contains(mark)).count()
    }

    #[test]
    fn nothing_is_left_inside_when_a_bot_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        // Each runs in a separate session and ignores TERM, HUP and INT.
        let mark = format!("3600.{}", std::process::id());
        let one = format!("setsid sh -c 'trap \"\" TERM HUP INT; sleep {mark}; sleep {mark}' & ");
        let script = format!("for n in $(seq 40); do {one}done; echo; wait");
        let isolation = Isolation { level: Some(Level::Strict), readable: Vec::new(), hidden: Vec::new() };
        let command = ["sh", "-c", &script].map(str::to_owned).into();
        let params = Params { command, isolation, folder: folder.path().to_owned(), ..Params::default() };
        for _ in 0..5 {
            let mut group = Group::spawn(&params).unwrap();
            group.child().stdout.take().unwrap().read_exact(&mut [0]).unwrap();
            // A process has no command line during exec.
            let deadline = Instant::now() + Duration::from_secs(600);
            while with(&mark) < 40 {
                assert!(Instant::now() < deadline, "they do not start");
                std::thread::sleep(Duration::from_millis(2));
            }
            drop(group);
            assert_eq!(with(&mark), 0);
        }
    }

    /// Returns the states of the processes with `mark` in their command line, as letters.
    fn states(mark: &str) -> Vec<char> {
        let states = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let place = entry.unwrap().path();
            let line = String::from_utf8(std::fs::read(place.join("cmdline")).ok()?).ok()?;
            let state = std::fs::read_to_string(place.join("stat")).ok()?;
            line.contains(mark).then(|| state.rsplit(") ").next().unwrap().chars().next().unwrap())
        });
        states.collect()
    }

    #[test]
    fn all_processes_of_a_bot_are_stopped_and_go_on() {
        let folder = tempfile::tempdir().unwrap();
        for (level, setsid) in [(Level::Strict, "setsid "), (Level::None, "")] {
            let mark = format!("mark{}{}", std::process::id(), level.name());
            // They only start new processes. In the sandbox each of them runs in a separate session.
            let one = format!("{setsid}sh -c 'while :; do (: {mark}); done' & ");
            let script = format!("for n in 1 2 3 4 5; do {one}done; echo; wait");
            let isolation = Isolation { level: Some(level), readable: Vec::new(), hidden: Vec::new() };
            let command = ["sh", "-c", &script].map(str::to_owned).into();
            let params = Params { command, isolation, folder: folder.path().to_owned(), ..Params::default() };
            let mut group = Group::spawn(&params).unwrap();
            group.child().stdout.take().unwrap().read_exact(&mut [0]).unwrap();
            let until = |what: &str, done: fn(&[char]) -> bool| {
                let deadline = Instant::now() + Duration::from_secs(600);
                while !done(&states(&mark)) {
                    assert!(Instant::now() < deadline, "{what}: {:?}", states(&mark));
                    std::thread::sleep(Duration::from_millis(2));
                }
            };
            until("they start", |states| states.len() > 5);
            for _ in 0..20 {
                group.place().turn().end_and_stop();
                until("they stop", |states| states.iter().all(|state| ['T', 'Z'].contains(state)));
                drop(group.place().turn());
                until("they go on", |states| states.iter().any(|state| !['T', 'Z'].contains(state)));
            }
        }
    }
}
