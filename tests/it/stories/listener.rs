//! The supervisor's end of the filter: calls are heard, and answered.

use std::io;
use std::mem::zeroed;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A call that waits for its answer.
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    id: u64,
    /// The thread that calls.
    pub thread: u32,
    /// The call's number.
    pub call: i64,
    pub args: [u64; 6],
}

/// How a call is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The kernel does it.
    Go,
    /// It fails with this number.
    Fail(i32),
    /// It is done already, and gives this number.
    Done(usize),
}

/// Something that the listener hears.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A call may wait.
    Call,
    /// The program has ended.
    End,
    /// All processes behind the filter are gone.
    AllGone,
    /// Nothing came.
    Nothing,
}

/// Hears the calls of a program and of all that it starts.
pub struct Listener(OwnedFd);

impl Listener {
    pub fn new(fd: OwnedFd) -> Listener {
        Listener(fd)
    }

    /// Waits some seconds for a call or, if it has not ended, for the end of `program`.
    pub fn wait(&self, program: Option<BorrowedFd<'_>>, seconds: i64) -> Heard {
        let mut fds = vec![PollFd::new(&self.0, PollFlags::IN)];
        fds.extend(program.as_ref().map(|program| PollFd::new(program, PollFlags::IN)));
        let time = Timespec { tv_sec: seconds, tv_nsec: 0 };
        match poll(&mut fds, Some(&time)) {
            Ok(0) => return Heard::Nothing,
            Ok(_) => {}
            // A signal of the test's process.
            Err(_) => return Heard::Nothing,
        }
        let [calls, end] = [0, 1].map(|at| fds.get(at).map_or(PollFlags::empty(), PollFd::revents));
        match () {
            () if calls.contains(PollFlags::IN) => Heard::Call,
            () if end.contains(PollFlags::IN) => Heard::End,
            () if calls.contains(PollFlags::HUP) => Heard::AllGone,
            () => Heard::Nothing,
        }
    }

    /// The next call, which was heard of; `None` if its process has ended meanwhile.
    pub fn next(&self) -> Option<Notice> {
        // SAFETY: zeros are a notice, and what the kernel asks for.
        let mut notice: libc::seccomp_notif = unsafe { zeroed() };
        // SAFETY: the kernel fills what is there.
        let got = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice) };
        let data = notice.data;
        (got == 0).then_some(Notice { id: notice.id, thread: notice.pid, call: data.nr.into(), args: data.args })
    }

    /// Answers a call. The caller may be gone.
    pub fn answer(&self, notice: &Notice, answer: Answer) {
        let (val, error, flags) = match answer {
            Answer::Go => (0, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Answer::Fail(code) => (0, -code, 0),
            Answer::Done(number) => (number as i64, 0, 0),
        };
        let mut answer = libc::seccomp_notif_resp { id: notice.id, val, error, flags };
        // SAFETY: the kernel reads what is there.
        let sent = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
        let error = io::Error::last_os_error();
        assert!(sent == 0 || error.raw_os_error() == Some(libc::ENOENT), "a call cannot be answered: {error}");
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
