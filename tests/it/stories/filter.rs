//! The filter that hands the calls of a program which change files to its supervisor, before they are done.
//!
//! It is put on between fork and exec, so the program is the one that users have. All that it starts has it, too.

use std::io;
use std::mem::{offset_of, size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::ptr::{addr_of, null_mut};

use super::clock;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Calls that write to the descriptor that is their first argument.
const WRITING: [i64; 4] = [libc::SYS_write, libc::SYS_writev, libc::SYS_pwrite64, libc::SYS_pwritev];
/// Calls that are handed on with any arguments.
const CHANGING: &[i64] = &[
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
];
/// Calls that open a file, with the place of their flags among the arguments.
const OPENING: &[(i64, usize)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];
/// The flags of an opening that may change a file.
const MAY_CHANGE: u32 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u32;

/// The place of the low half of an argument.
fn argument(number: usize) -> u32 {
    let half = if cfg!(target_endian = "big") { 4 } else { 0 };
    (offset_of!(libc::seccomp_data, args) + 8 * number + half) as u32
}

/// The filter, which hands on looks at the clock if it `has_clock`. Standard input, output and error are no files of a
/// story.
fn filter(has_clock: bool) -> Vec<libc::sock_filter> {
    let step = |code: u32, k: u32, jt: u8, jf: u8| libc::sock_filter { code: code as u16, jt, jf, k };
    let load = |place: u32| step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, place, 0, 0);
    let skip_unless = |test: u32, k: u32, steps: u8| step(libc::BPF_JMP | test | libc::BPF_K, k, 0, steps);
    let end = |action: u32| step(libc::BPF_RET | libc::BPF_K, action, 0, 0);
    let (allow, hand_on) = (end(libc::SECCOMP_RET_ALLOW), end(libc::SECCOMP_RET_USER_NOTIF));
    let mut steps = vec![load(offset_of!(libc::seccomp_data, arch) as u32)];
    steps.extend([step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, ARCHITECTURE, 1, 0), allow]);
    steps.push(load(offset_of!(libc::seccomp_data, nr) as u32));
    let of_call = |call: i64, steps: u8| skip_unless(libc::BPF_JEQ, call as u32, steps);
    for call in WRITING {
        steps.extend([of_call(call, 4), load(argument(0)), skip_unless(libc::BPF_JGE, 3, 1), hand_on, allow]);
    }
    for &(call, flags) in OPENING {
        let may_change = skip_unless(libc::BPF_JSET, MAY_CHANGE, 1);
        steps.extend([of_call(call, 4), load(argument(flags)), may_change, hand_on, allow]);
    }
    if has_clock {
        let is_steady = skip_unless(libc::BPF_JEQ, libc::CLOCK_MONOTONIC as u32, 1);
        steps.extend([of_call(libc::SYS_clock_gettime, 4), load(argument(0)), is_steady, hand_on, allow]);
    }
    CHANGING.iter().for_each(|&call| steps.extend([of_call(call, 1), hand_on]));
    steps.push(allow);
    steps
}

/// Puts the filter on the calling thread, and gives the descriptor to listen at.
fn put_on(steps: &[libc::sock_filter]) -> io::Result<RawFd> {
    let program = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_ptr().cast_mut() };
    let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
    // SAFETY: the program lives until the calls are over, which keep nothing of it.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return Err(io::Error::last_os_error());
        }
        match libc::syscall(libc::SYS_seccomp, mode, flags, addr_of!(program)) {
            fd if fd >= 0 => Ok(fd as RawFd),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// A message of one byte with room for one descriptor, for `act`.
fn with_message(byte: &mut u8, act: impl FnOnce(&mut libc::msghdr) -> isize) -> io::Result<()> {
    let mut part = libc::iovec { iov_base: (&raw mut *byte).cast(), iov_len: 1 };
    // Words, so that it is aligned as the header must be.
    let mut room = [0_u64; 8];
    // SAFETY: a header of zeros is an empty one.
    let mut message: libc::msghdr = unsafe { zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
    // SAFETY: it works out a number.
    let length = unsafe { libc::CMSG_SPACE(size_of::<RawFd>() as u32) };
    (message.msg_control, message.msg_controllen) = (room.as_mut_ptr().cast(), length as _);
    if act(&mut message) == 1 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sends a descriptor and a byte. It is called between fork and exec, so it allocates nothing.
fn send(socket: RawFd, fd: RawFd, mut byte: u8) -> io::Result<()> {
    with_message(&mut byte, |message| {
        // SAFETY: the message has room for the header and one descriptor.
        unsafe {
            let header = libc::CMSG_FIRSTHDR(message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
            libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(fd);
            libc::sendmsg(socket, message, 0)
        }
    })
}

/// Receives a descriptor and a byte.
fn receive(socket: RawFd) -> io::Result<(OwnedFd, u8)> {
    let (mut found, mut byte) = (None, 0);
    with_message(&mut byte, |message| {
        // SAFETY: the message has room for the header and one descriptor, which no other code has.
        unsafe {
            let length = libc::recvmsg(socket, message, libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT);
            let header = libc::CMSG_FIRSTHDR(message);
            if length == 1 && !header.is_null() && (*header).cmsg_type == libc::SCM_RIGHTS {
                let fd = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
                found = Some(OwnedFd::from_raw_fd(fd));
            }
            length
        }
    })?;
    let fd = found.ok_or_else(|| io::Error::other("the message has no descriptor"))?;
    Ok((fd, byte))
}

/// Starts a program behind the filter: the program, and the descriptor at which its calls are heard. If it `has_clock`
/// its looks at the clock are among them, unless the system refuses what that takes.
///
/// # Errors
/// If it does not start.
pub fn start(command: &mut Command, has_clock: bool) -> io::Result<(Child, OwnedFd)> {
    let (own, theirs) = UnixDatagram::pair()?;
    let (steps, socket) = (filter(has_clock), theirs.as_raw_fd());
    // SAFETY: nothing is allocated and no lock is taken between fork and exec.
    unsafe {
        command.pre_exec(move || {
            let listener = put_on(&steps)?;
            let stands_still = has_clock && clock::stand_still();
            send(socket, listener, stands_still.into())
        });
    }
    let child = command.spawn()?;
    drop(theirs);
    let (listener, stands_still) = receive(own.as_raw_fd())?;
    if stands_still != 0 {
        clock::take_away(child.id())?;
    }
    Ok((child, listener))
}

/// Whether the kernel hands calls on; the reason if it does not.
///
/// # Errors
/// The reason.
pub fn is_there() -> Result<(), String> {
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the number lives until the call is over.
    let answer = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, addr_of!(action), null_mut::<u8>())
    };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error().to_string()) }
}
