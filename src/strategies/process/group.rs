//! A child process in a group of its own, which is killed as a whole.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus};

use super::Params;

/// A child and whatever it has started.
pub struct Group {
    child: Child,
    pid: Pid,
}

impl Group {
    /// Starts the program with pipes for its input, output and errors.
    pub fn spawn(params: &Params) -> io::Result<Group> {
        let mut command = Command::new(&params.command[0]);
        let kept = params.environment.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command.args(&params.command[1..]).current_dir(&params.folder).env_clear().envs(kept);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
        let mut limits = vec![(Resource::Core, limit(0))];
        // macOS refuses limits of address space: a process has more of it from the start.
        if params.memory_limit > 0 && cfg!(not(target_os = "macos")) {
            limits.push((Resource::As, limit(params.memory_limit << 20)));
        }
        // SAFETY: between fork and exec only system calls are made, no memory is taken and no lock.
        unsafe {
            command.pre_exec(move || {
                for &(resource, limit) in &limits {
                    rustix::process::setrlimit(resource, limit)?;
                }
                // If overtrick itself is killed, nothing else would end the child.
                #[cfg(target_os = "linux")]
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                Ok(())
            });
        }
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        Ok(Group { child, pid })
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
        // The group is killed first, while its number still belongs to the child. An error means that no process is
        // left in it.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let _ = self.child.wait();
    }
}
