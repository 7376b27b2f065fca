//! Between fork and exec: processes of which each waits for the next, and the root folder. Only system calls are made
//! here, no memory is taken and no lock.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use super::Part;
use super::plan::{PART_SHIFT, Plan, Step};

/// The error of a part of the isolation, with the part in its number.
pub(super) fn at<T>(part: Part, result: rustix::io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::from_raw_os_error((part as i32) << PART_SHIFT | error.raw_os_error()))
}

/// The last error of the C library, of a part.
pub(super) fn last(part: Part) -> io::Error {
    let code = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL);
    io::Error::from_raw_os_error((part as i32) << PART_SHIFT | code)
}

/// Ends this process at once.
pub(super) fn end(code: i32) -> ! {
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(code) }
}

/// Makes a copy of this process: its number, or 0 in the copy.
pub(super) fn fork() -> io::Result<i32> {
    // SAFETY: like fork, without what the C library would run around it; the copy makes system calls alone.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) };
    // No number of a process is beyond an i32.
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid as i32) }
}

/// A pipe that no program inherits.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(pipe_with(PipeFlags::CLOEXEC)?)
}

/// Waits for a process to end: its status as the system gives it.
pub(super) fn wait_for(pid: i32) -> i32 {
    let mut status = 0;
    loop {
        // SAFETY: the status is written to a variable of its type.
        let ended = unsafe { libc::waitpid(pid, &mut status, 0) };
        if ended >= 0 || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return status;
        }
    }
}

/// Gives up every open file but one, which becomes the first, and all signals that can be held back: what a process
/// that only waits is to hold.
fn hold_only(file: &OwnedFd) -> RawFd {
    // SAFETY: files are closed that nobody in this process uses any more, and signals are held back.
    unsafe {
        libc::dup2(file.as_raw_fd(), 0);
        libc::syscall(libc::SYS_close_range, 1, u32::MAX, 0);
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
    }
    0
}

/// The first process inside: takes in the orphans and ends with the bot, `bot`, and with it whatever else there is
/// inside. The bot's status goes to `status`.
pub(super) fn mind(bot: i32, status: &OwnedFd) -> ! {
    let out = hold_only(status);
    loop {
        let mut how = 0;
        // SAFETY: the status is written to a variable of its type, and sent from there.
        unsafe {
            let ended = libc::waitpid(-1, &mut how, 0);
            if ended == bot {
                libc::write(out, (&raw const how).cast(), size_of::<i32>());
                libc::_exit(0);
            }
            if ended < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD) {
                libc::_exit(1);
            }
        }
    }
}

/// The process outside, which the harness knows as the bot: ends as the bot does.
pub(super) fn stand_in(first: i32, status: &OwnedFd) -> ! {
    let from = hold_only(status);
    let mut how = 0i32;
    // SAFETY: the status is read into a variable of its type; then this process ends, by the bot's signal if it ended
    // by one.
    unsafe {
        while libc::read(from, (&raw mut how).cast(), size_of::<i32>()) < 0
            && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
        {}
        let mut end = how;
        let of_first = wait_for(first);
        if of_first != 0 {
            end = of_first;
        }
        if libc::WIFSIGNALED(end) {
            let signal = libc::WTERMSIG(end);
            libc::signal(signal, libc::SIG_DFL);
            let mut all = std::mem::zeroed();
            libc::sigemptyset(&mut all);
            libc::kill(libc::getpid(), signal);
            libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        }
        libc::_exit(libc::WEXITSTATUS(end));
    }
}

/// Writes a small file.
pub(super) fn write(file: &CStr, bytes: &[u8]) -> rustix::io::Result<()> {
    let file = rustix::fs::open(file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, bytes).map(drop)
}

/// Makes what is mounted at `place` read-only, with all below it.
fn protect(place: &CStr, devices: bool, below: bool) -> rustix::io::Result<()> {
    let mut flags = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;
    if !devices {
        flags |= libc::MOUNT_ATTR_NODEV;
    }
    let attributes = libc::mount_attr { attr_set: flags, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let how = if below { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the call reads the path and the attributes, which live until it is over.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            place.as_ptr(),
            how,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 {
        return Ok(());
    }
    Err(rustix::io::Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(rustix::io::Errno::INVAL))
}

/// Puts the bot's root folder together and moves into it; nothing of the old one is left.
pub(super) fn root(plan: &Plan) -> rustix::io::Result<()> {
    let fixed = MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    rustix::mount::mount(c"tmpfs", &*plan.base, c"tmpfs", fixed, c"mode=0755,size=1m")?;
    rustix::process::chdir(&*plan.base)?;
    rustix::fs::mkdirat(CWD, c"old", Mode::RWXU)?;
    rustix::process::pivot_root(c".", c"old")?;
    rustix::process::chdir(c"/")?;
    for step in &plan.steps {
        match step {
            Step::Folder(at) => match rustix::fs::mkdirat(CWD, &**at, Mode::from_raw_mode(0o755)) {
                Err(error) if error != rustix::io::Errno::EXIST => return Err(error),
                _ => {}
            },
            Step::File(at) => {
                let new = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
                rustix::fs::open(&**at, new, Mode::from_raw_mode(0o644)).map(drop)?;
            }
            Step::Link { to, at } => rustix::fs::symlinkat(&**to, CWD, &**at)?,
            Step::Show { from, at, device } => {
                rustix::mount::mount_bind_recursive(&**from, &**at)?;
                protect(at, *device, true)?;
            }
            Step::Scratch { at, options } => rustix::mount::mount(c"tmpfs", &**at, c"tmpfs", fixed, &**options)?,
            Step::Cover(at) => {
                rustix::mount::mount(c"tmpfs", &**at, c"tmpfs", fixed | MountFlags::RDONLY, c"mode=0555,size=4k")?;
            }
        }
    }
    let shut = fixed | MountFlags::NOEXEC | MountFlags::RDONLY;
    rustix::mount::mount(c"proc", c"/proc", c"proc", shut, None)?;
    rustix::mount::unmount(c"/old", UnmountFlags::DETACH)?;
    rustix::fs::unlinkat(CWD, c"/old", rustix::fs::AtFlags::REMOVEDIR)?;
    protect(c"/", false, false)
}
