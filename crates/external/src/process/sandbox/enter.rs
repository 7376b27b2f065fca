//! Confines a process that is about to become a bot.
//!
//! ```text
//! harness
//! └─ stand-in    outside; ends as the bot does, and the harness knows it as the bot
//!    ├─ helper   outside; maps the users inside, and ends
//!    └─ minder   the first process inside; reaps orphans, and stops and resumes the others
//!       └─ bot   inside; the only process that goes on to the program
//! ```

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::process::{DumpableBehavior, Pid, Signal};
use rustix::thread::{CapabilitySet, CapabilitySets, UnshareFlags};

use super::plan::{Outside, Plan, UNPRIVILEGED};
use super::stages::{at, end, fork, last, mind, pipe, received, root, stand_in, wait_for, write};
use super::{Part, landlock};

/// An upper bound for the number of capabilities of the kernel.
const MOST_CAPABILITIES: libc::c_ulong = 64;

impl Plan {
    /// Confines the process.
    ///
    /// Several processes enter the sandbox, but this returns only in the process that becomes the bot. `rein`
    /// controls the first process inside.
    ///
    /// # Errors
    /// The part of the isolation that failed, encoded in the error's number.
    pub(in super::super) fn enter(&self, rein: BorrowedFd<'_>) -> io::Result<()> {
        if self.wants(Part::Namespaces) {
            self.namespaces(rein)?;
        } else {
            at(Part::Namespaces, self.step_down())?;
            follow(Some(self.harness));
        }
        for &(resource, limit) in &self.limits {
            rustix::process::setrlimit(resource, limit)?;
        }
        rustix::thread::set_no_new_privs(true)?;
        if let Some(rules) = &self.rules {
            at(Part::Files, landlock::apply(rules.as_fd()))?;
        }
        if self.wants(Part::Calls) {
            for filter in &self.filters {
                seccompiler::apply_filter(filter).map_err(|_| last(Part::Calls))?;
            }
        }
        Ok(())
    }

    fn wants(&self, part: Part) -> bool {
        self.wanted & part.bit() != 0
    }

    fn namespaces(&self, rein: BorrowedFd<'_>) -> io::Result<()> {
        self.unshare()?;
        follow(Some(self.harness));
        let _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
        let (status_in, status_out) = pipe()?;
        let (go_in, go_out) = pipe()?;
        let first = fork()?;
        if first != 0 {
            drop((status_out, go_in));
            // Each of the two processes is bound to end with the other before anything is started.
            stand_in(first, status_in.as_fd(), go_out.as_fd());
        }
        drop((status_in, go_out));
        follow(None);
        let _ = rustix::io::write(&status_out, &[1]);
        if !received(&go_in) {
            end(1);
        }
        drop(go_in);
        let mask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        if self.wants(Part::Root) {
            at(Part::Root, root(self))?;
        }
        rustix::process::umask(mask);
        rustix::process::setsid()?;
        let bot = fork()?;
        if bot != 0 {
            mind(bot, status_out.as_fd(), rein);
        }
        if self.wants(Part::Root) {
            at(Part::Root, rustix::process::chdir(&*self.folder))?;
        }
        at(Part::Namespaces, self.leave_privileges())
    }

    /// Becomes an ordinary user without privileges, where there are no namespaces to confine the bot.
    fn step_down(&self) -> rustix::io::Result<()> {
        for capability in 0..MOST_CAPABILITIES {
            // SAFETY: it only gives up a capability. Where that is refused, `no_new_privs` ensures that none
            // is gained.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        }
        if self.ids.outside == Outside::Ordinary {
            become_ordinary()?;
        }
        rustix::thread::clear_ambient_capability_set()?;
        let none = CapabilitySet::empty();
        rustix::thread::set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })
    }

    /// Moves into new namespaces. A copy of this process stays outside and maps the users.
    fn unshare(&self) -> io::Result<()> {
        let (ready_in, ready_out) = pipe()?;
        let own = rustix::process::getpid();
        let helper = fork()?;
        if helper == 0 {
            drop(ready_out);
            let done = if received(&ready_in) { self.map_users(own) } else { Err(rustix::io::Errno::PERM) };
            end(done.map_or_else(|error| error.raw_os_error(), |()| 0));
        }
        let flags = UnshareFlags::NEWUSER
            | UnshareFlags::NEWPID
            | UnshareFlags::NEWNS
            | UnshareFlags::NEWIPC
            | UnshareFlags::NEWNET
            | UnshareFlags::NEWUTS
            | UnshareFlags::NEWCGROUP;
        // SAFETY: this process has one thread, and shares none of its files.
        let moved = unsafe { rustix::thread::unshare_unsafe(flags) };
        if moved.is_ok() {
            let _ = rustix::io::write(&ready_out, &[1]);
        }
        drop(ready_out);
        let mapped = wait_for(helper);
        at(Part::Namespaces, moved)?;
        match libc::WEXITSTATUS(mapped) {
            0 => Ok(()),
            code => at(Part::Namespaces, Err(rustix::io::Errno::from_raw_os_error(code))),
        }
    }

    /// Maps the users in the namespace of the process `of`.
    fn map_users(&self, of: Pid) -> rustix::io::Result<()> {
        let mut room = [0; 64];
        if !self.ids.harness_is_root {
            write(place(&mut room, of, b"setgroups"), b"deny")?;
        }
        write(place(&mut room, of, b"uid_map"), &self.ids.users)?;
        write(place(&mut room, of, b"gid_map"), &self.ids.groups)
    }

    /// Gives up the privileges of the namespace's first user.
    ///
    /// Root becomes an ordinary user, who can still read the files that root can.
    fn leave_privileges(&self) -> rustix::io::Result<()> {
        let mut left = CapabilitySet::empty();
        if self.ids.harness_is_root {
            left = CapabilitySet::DAC_READ_SEARCH;
            rustix::thread::set_keep_capabilities(true)?;
            become_ordinary()?;
        }
        let sets = CapabilitySets { effective: left, permitted: left, inheritable: left };
        rustix::thread::set_capabilities(None, sets)?;
        if self.ids.harness_is_root {
            rustix::thread::configure_capability_in_ambient_set(left, true)?;
        }
        Ok(())
    }
}

/// Becomes the user that runs bots if the harness is root.
fn become_ordinary() -> rustix::io::Result<()> {
    let (user, group) = (rustix::process::Uid::from_raw(UNPRIVILEGED), rustix::process::Gid::from_raw(UNPRIVILEGED));
    rustix::thread::set_thread_groups(&[])?;
    rustix::thread::set_thread_res_gid(group, group, group)?;
    rustix::thread::set_thread_res_uid(user, user, user)
}

/// Has this process killed when its parent ends. `parent` is the expected parent, where it is known.
fn follow(parent: Option<Pid>) {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if parent.is_some() && rustix::process::getppid() != parent {
        end(1);
    }
}

/// Writes the path `/proc/PID/NAME` to `room` and returns it.
fn place<'a>(room: &'a mut [u8; 64], pid: Pid, name: &[u8]) -> &'a CStr {
    let mut length = 0;
    let mut add = |bytes: &[u8]| {
        room[length..length + bytes.len()].copy_from_slice(bytes);
        length += bytes.len();
    };
    add(b"/proc/");
    let (mut digits, mut count, mut rest) = ([0; 10], 0, pid.as_raw_pid());
    while count == 0 || rest > 0 {
        digits[9 - count] = b'0' + (rest % 10) as u8;
        (rest, count) = (rest / 10, count + 1);
    }
    add(&digits[10 - count..]);
    add(b"/");
    add(name);
    add(b"\0");
    CStr::from_bytes_until_nul(room).unwrap_or(c"")
}
