//! A child process in a group of its own, which is killed as a whole.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus};

use super::Params;
use super::sandbox::break_down;
#[cfg(target_os = "linux")]
use super::{
    sandbox::{Level, Plan, lack},
    watch::Watch,
};

/// A child and whatever it has started.
pub struct Group {
    child: Child,
    pid: Pid,
    #[cfg(target_os = "linux")]
    watch: Option<Watch>,
}

impl Group {
    /// Starts the program with pipes for its input, output and errors, shut in as its organiser has settled.
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
        // SAFETY: between fork and exec only system calls are made, no memory is taken and no lock.
        unsafe {
            command.pre_exec(move || {
                // A session of its own, whose processes cannot move into the harness's group.
                rustix::process::setsid()?;
                for &(resource, limit) in &limits {
                    rustix::process::setrlimit(resource, limit)?;
                }
                // If overtrick itself is killed, nothing else would end the child.
                #[cfg(target_os = "linux")]
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                Ok(())
            });
        }
        Group::of(command, params)
    }

    /// Starts the program in a sandbox: of all its parts, or under [`Level::Available`] of those that there are.
    #[cfg(target_os = "linux")]
    fn spawn_inside(params: &Params) -> io::Result<Group> {
        loop {
            let plan = Plan::new(params)?;
            let mut command = program(params, plan.program.as_os_str());
            if plan.has_root() {
                command.env("TMPDIR", "/tmp");
                if params.environment.iter().any(|name| name == "HOME") {
                    command.env("HOME", "/tmp");
                }
            }
            let limits = limits(params);
            // SAFETY: between fork and exec only system calls are made, no memory is taken and no lock.
            unsafe {
                command.pre_exec(move || {
                    rustix::process::setsid()?;
                    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
                    plan.enter()?;
                    for &(resource, limit) in &limits {
                        rustix::process::setrlimit(resource, limit)?;
                    }
                    Ok(())
                });
            }
            match Group::of(command, params) {
                Err(error) => match lack(&error, params.isolation.level()) {
                    Some(Ok(())) => {}
                    Some(Err(problem)) => {
                        break_down(&problem);
                        return Err(io::Error::other(problem));
                    }
                    None => return Err(error),
                },
                started => return started,
            }
        }
    }

    #[cfg_attr(not(target_os = "linux"), allow(unused))]
    fn of(mut command: Command, params: &Params) -> io::Result<Group> {
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
        let mut group = Group {
            child,
            pid,
            #[cfg(target_os = "linux")]
            watch: None,
        };
        #[cfg(target_os = "linux")]
        if params.memory_limit > 0 {
            group.watch = Some(Watch::new(pid, params.memory_limit << 20, kill)?);
        }
        Ok(group)
    }

    /// Whether it was killed because its processes together held more memory than they may.
    pub fn held_too_much(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.watch.as_ref().is_some_and(Watch::is_exceeded);
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits until `deadline` for the child to end, and gives its status if it does. The child stays a zombie, so that
    /// its process number is not given to another process.
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
        // All this is done while the number still belongs to the child.
        #[cfg(target_os = "linux")]
        drop(self.watch.take());
        kill(self.pid);
        let _ = self.child.wait();
    }
}

/// Kills a group and the child that leads it.
fn kill(pid: Pid) {
    // An error means that no process is left in the group; the child itself may have left it.
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let _ = rustix::process::kill_process(pid, Signal::KILL);
}

/// The command that starts `program`, with the environment that the bot is given.
fn program(params: &Params, program: &OsStr) -> Command {
    let mut command = Command::new(program);
    let kept = params.environment.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    command.arg0(&params.command[0]).args(&params.command[1..]).current_dir(&params.folder).env_clear().envs(kept);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The most files that a bot without a sandbox has open, unless it raises the limit: more than programs that wait by
/// `select` can bear are of no use to it.
const FILES: u64 = 1024;

/// The limits that every bot has.
fn limits(params: &Params) -> Vec<(Resource, Rlimit)> {
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    let mut limits = vec![(Resource::Core, limit(0))];
    // macOS refuses limits of address space: a process has more of it from the start.
    if params.memory_limit > 0 && cfg!(not(target_os = "macos")) {
        limits.push((Resource::As, limit(params.memory_limit << 20)));
    }
    limits
}
