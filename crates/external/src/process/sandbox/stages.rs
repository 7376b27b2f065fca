//! The stages between fork and exec: processes that each wait for the next, and the root folder.
//!
//! Only system calls are made here: no memory is allocated and no lock is taken.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use super::super::descriptors::close_from;
use super::super::rein::{GO, STOP_AND_SAY};
use super::plan::{Plan, Step};
use super::system_call::checked;
use super::{PART_SHIFT, Part};

/// The descriptor of a waiting process for the status of the bot. [`hold_only`] puts it and the next ones there.
const STATUS: RawFd = 0;
/// In the minder: the descriptor for requests from the harness.
const REIN: RawFd = 1;
/// In the stand-in: the descriptor that lets the minder go on.
const RELEASE: RawFd = 1;

/// Returns the result, with the part of the isolation encoded in the number of its error.
pub(super) fn at<T>(part: Part, result: rustix::io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::from_raw_os_error((part as i32) << PART_SHIFT | error.raw_os_error()))
}

/// Returns the last error of the C library, with the part encoded in its number.
pub(super) fn last(part: Part) -> io::Error {
    let code = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL);
    io::Error::from_raw_os_error((part as i32) << PART_SHIFT | code)
}

/// Ends this process at once.
pub(super) fn end(code: i32) -> ! {
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(code) }
}

/// Copies this process. Returns the process number of the copy, or 0 in the copy.
pub(super) fn fork() -> io::Result<i32> {
    // SAFETY: like fork, without the handlers of the C library; the copy makes only system calls.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) };
    // A process number always fits into an i32.
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid as i32) }
}

/// Creates a pipe that no program inherits.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(pipe_with(PipeFlags::CLOEXEC)?)
}

/// Waits for a process to end. Returns its status as the system gives it.
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

/// Waits for a byte. Returns false if none can come any more.
pub(super) fn received(from: impl AsFd) -> bool {
    let mut byte = [0];
    loop {
        match rustix::io::read(&from, &mut byte) {
            Err(rustix::io::Errno::INTR) => {}
            result => return result == Ok(1),
        }
    }
}

/// Blocks all signals that can be blocked, and keeps only `files` open, as the first descriptors.
///
/// A process that only waits must hold nothing else. The other files are closed last, since the harness takes
/// their closing as the sign that all is ready.
fn hold_only<const N: usize>(files: [BorrowedFd<'_>; N]) {
    // SAFETY: signals are blocked, and files take the places of those that are no longer used.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        for (place, file) in (0..).zip(files) {
            libc::dup2(file.as_raw_fd(), place);
        }
    }
    close_from(N as RawFd);
}

/// Runs the first process inside. It reaps orphans, and ends when the bot does, with all other processes inside.
///
/// It writes the status of the bot to `status`. Requests on `rein` make it stop all other processes or resume them.
pub(super) fn mind(bot: i32, status: BorrowedFd<'_>, rein: BorrowedFd<'_>) -> ! {
    hold_only([status, rein]);
    let news = news_of_children();
    let (mut are_stopped, mut again) = (false, STOP_AGAIN);
    loop {
        reap(bot);
        let mut waiting = [news, REIN].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
        // SAFETY: all results are written to variables of their types.
        unsafe {
            libc::poll(waiting.as_mut_ptr(), 2, if are_stopped { again } else { -1 });
            again = (2 * again).min(LONGEST_AGAIN);
            if waiting[0].revents != 0 {
                let mut news = std::mem::zeroed::<libc::signalfd_siginfo>();
                libc::read(waiting[0].fd, (&raw mut news).cast(), size_of_val(&news));
            }
            let mut request = 0u8;
            if waiting[1].revents != 0 {
                match libc::read(REIN, (&raw mut request).cast(), 1) {
                    1 => (are_stopped, again) = (request != GO, STOP_AGAIN),
                    // The harness has closed its end: it is about to end all processes inside.
                    0 => _ = libc::poll(std::ptr::null_mut(), 0, STOP_AGAIN),
                    _ => {}
                }
            }
            if are_stopped || request == GO {
                libc::kill(-1, if are_stopped { libc::SIGSTOP } else { libc::SIGCONT });
            }
            if request == STOP_AND_SAY {
                libc::send(REIN, (&raw const request).cast(), 1, libc::MSG_NOSIGNAL);
            }
        }
    }
}

/// Milliseconds after which stopped processes are stopped again.
///
/// When a process ends that was about to end when it was stopped, the system itself resumes some others. The
/// interval doubles each time, up to `LONGEST_AGAIN`.
const STOP_AGAIN: i32 = 100;
const LONGEST_AGAIN: i32 = 6_400;

/// Returns a file that becomes readable when a child has ended. Signals must be blocked.
fn news_of_children() -> RawFd {
    // SAFETY: the structures are filled before they are used.
    unsafe {
        // Do not report children that only stop.
        let mut action = std::mem::zeroed::<libc::sigaction>();
        (action.sa_sigaction, action.sa_flags) = (libc::SIG_DFL, libc::SA_NOCLDSTOP);
        libc::sigaction(libc::SIGCHLD, &action, std::ptr::null_mut());
        let mut ended = std::mem::zeroed();
        libc::sigemptyset(&mut ended);
        libc::sigaddset(&mut ended, libc::SIGCHLD);
        libc::signalfd(-1, &ended, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    }
}

/// Reaps all children that have ended. Ends this process if the bot is among them or no child is left.
fn reap(bot: i32) {
    let mut how = 0;
    loop {
        // SAFETY: the status is written to a variable of its type, and sent from there.
        unsafe {
            match libc::waitpid(-1, &mut how, libc::WNOHANG) {
                0 => return,
                ended if ended == bot => {
                    libc::write(STATUS, (&raw const how).cast(), size_of::<i32>());
                    libc::_exit(0);
                }
                ended if ended < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD) => {
                    libc::_exit(1);
                }
                _ => {}
            }
        }
    }
}

/// Runs the process outside, which the harness knows as the bot. It ends as the bot does, or on SIGTERM.
///
/// In either case no process is left inside when it ends. The first process inside, `first`, reports on
/// `status` that it ends with this one, and only then may it go on.
pub(super) fn stand_in(first: i32, status: BorrowedFd<'_>, go: BorrowedFd<'_>) -> ! {
    // This must come before `first` goes on, which changes the root folder of both processes. The open files
    // are looked up there.
    hold_only([status, go]);
    // SAFETY: `hold_only` has just put these two there.
    let (status, go) = unsafe { (BorrowedFd::borrow_raw(STATUS), OwnedFd::from_raw_fd(RELEASE)) };
    if received(status) {
        let _ = rustix::io::write(&go, &[1]);
    }
    drop(go);
    let mut end = await_end(first);
    let mut how = 0i32;
    // SAFETY: the status is read into a variable of its type. Then this process ends, by the bot's signal if
    // a signal ended the bot.
    unsafe {
        while libc::read(STATUS, (&raw mut how).cast(), size_of::<i32>()) < 0
            && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
        {}
        if end == 0 {
            end = how;
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

/// Waits for the first process inside to end, and kills it on SIGTERM.
///
/// Signals must be blocked. The system ends every other process inside before the first one ends.
fn await_end(first: i32) -> i32 {
    let mut status = 0;
    // SAFETY: the set is filled before it is used, and the status is written to a variable of its type.
    unsafe {
        // If SIGCHLD were ignored, neither the signals of children nor the status would arrive.
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let mut awaited = std::mem::zeroed();
        libc::sigemptyset(&mut awaited);
        libc::sigaddset(&mut awaited, libc::SIGTERM);
        libc::sigaddset(&mut awaited, libc::SIGCHLD);
        while libc::waitpid(first, &mut status, libc::WNOHANG) == 0 {
            if libc::sigwaitinfo(&awaited, std::ptr::null_mut()) == libc::SIGTERM {
                libc::kill(first, libc::SIGKILL);
                return wait_for(first);
            }
        }
    }
    status
}

/// Writes a small file.
pub(super) fn write(file: &CStr, bytes: &[u8]) -> rustix::io::Result<()> {
    let file = rustix::fs::open(file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, bytes).map(drop)
}

/// Makes the mount at `place` read-only, with all mounts below it if `below` is set.
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
    checked(done)
}

/// Builds the bot's root folder and moves into it. Nothing of the old root is left.
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
    // /proc shows only the processes that the bot could trace, its own. It hides the processes that wait for
    // the bot, since they have the harness's command line.
    let shut = fixed | MountFlags::NOEXEC | MountFlags::RDONLY;
    rustix::mount::mount(c"proc", c"/proc", c"proc", shut, c"hidepid=ptraceable,subset=pid")?;
    rustix::mount::unmount(c"/old", UnmountFlags::DETACH)?;
    rustix::fs::unlinkat(CWD, c"/old", rustix::fs::AtFlags::REMOVEDIR)?;
    protect(c"/", false, false)
}
