//! Sends lines to a child and reads lines from it without blocking.
//!
//! All waiting is in one function and ends at a deadline.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use overtrick_strategy::protocol::LONGEST_LINE;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;

use super::LONGEST_LOG;

/// The reason why no line came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// No line came before the deadline.
    Late,
    /// The child has closed its end.
    Closed,
    /// The line is too long, or lines that answer no question pile up.
    TooLong,
}

/// The interval at which a waiting thread checks whether the run is being stopped.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The size requested for the pipe to the child, in bytes: room for a few hundred decisions.
#[cfg(target_os = "linux")]
const WIDTH: usize = 1 << 18;

/// The number of bytes kept from the end of the log, to show why a child ended.
const TAIL: usize = 4096;

/// Held during writes to a log.
static LOGGING: Mutex<()> = Mutex::new(());

pub struct Pipes {
    /// The child's input; `None` once it is closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// The file for the child's standard error; created when the first bytes come.
    log: Option<PathBuf>,
    open_log: Option<File>,
    stop: Arc<AtomicBool>,
    tail: Vec<u8>,
    inbox: Vec<u8>,
    buffer: Box<[u8]>,
    /// The index of the next line in the inbox.
    start: usize,
    /// The index up to which the inbox has no further line end.
    searched: usize,
    closed: bool,
}

impl Pipes {
    /// Returns the pipes of `child`, whose errors are appended to `log`. Setting `stop` ends all waiting.
    pub fn of(child: &mut Child, log: Option<&Path>, stop: &Arc<AtomicBool>) -> io::Result<Pipes> {
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(io::Error::other("a pipe is missing"));
        };
        // With this size a batch takes one write; smaller pipes take several. Only Linux lets a program
        // choose the size.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&input, WIDTH);
        rustix::io::ioctl_fionbio(&input, true)?;
        rustix::io::ioctl_fionbio(&output, true)?;
        rustix::io::ioctl_fionbio(&errors, true)?;
        Ok(Pipes {
            input: Some(input),
            output,
            errors: Some(errors),
            log: log.map(Path::to_owned),
            open_log: None,
            stop: Arc::clone(stop),
            tail: Vec::new(),
            inbox: Vec::new(),
            buffer: vec![0; 1 << 16].into(),
            start: 0,
            searched: 0,
            closed: false,
        })
    }

    /// Sends all of `bytes`, and reads the child's output meanwhile, so that neither side waits for the other.
    ///
    /// On an error, `bytes` is the rest, which can be sent later.
    pub fn send(&mut self, bytes: &mut &[u8], deadline: Instant) -> Result<(), Silence> {
        while !bytes.is_empty() {
            let Some(input) = &mut self.input else { return Err(Silence::Closed) };
            match input.write(bytes) {
                Ok(count) => *bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.wait(true, deadline)?,
                Err(_) => return Err(Silence::Closed),
            }
        }
        Ok(())
    }

    /// Returns the next line, without its end.
    pub fn line(&mut self, deadline: Instant) -> Result<&[u8], Silence> {
        loop {
            if let Some(length) = self.inbox[self.searched..].iter().position(|&byte| byte == b'\n') {
                let (start, end) = (self.start, self.searched + length);
                (self.start, self.searched) = (end + 1, end + 1);
                if end - start > LONGEST_LINE {
                    return Err(Silence::TooLong);
                }
                return Ok(&self.inbox[start..end]);
            }
            self.inbox.drain(..self.start);
            (self.start, self.searched) = (0, self.inbox.len());
            if self.inbox.len() > LONGEST_LINE {
                return Err(Silence::TooLong);
            }
            if self.closed {
                return Err(Silence::Closed);
            }
            self.wait(false, deadline)?;
        }
    }

    /// Closes the child's input, and reads the child's output until the child closes it.
    pub fn finish(&mut self, deadline: Instant) {
        self.input = None;
        while self.line(deadline).is_ok() {}
        self.read_errors();
    }

    /// Returns the end of the child's standard error.
    pub fn last_words(&mut self) -> &[u8] {
        self.read_errors();
        &self.tail
    }

    /// Waits until output can be read, or until input can be written if `sending`, and reads the output.
    fn wait(&mut self, sending: bool, deadline: Instant) -> Result<(), Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        // A closed pipe would end every wait at once, and no answer can come from it any more.
        if self.closed {
            return Err(Silence::Closed);
        }
        if left.is_zero() || self.stop.load(Ordering::Relaxed) {
            return Err(Silence::Late);
        }
        let timeout = Timespec::try_from(left.min(STOP_CHECK_INTERVAL)).ok();
        let mut waiting = vec![PollFd::new(&self.output, PollFlags::IN)];
        if let Some(input) = self.input.as_ref().filter(|_| sending) {
            waiting.push(PollFd::new(input, PollFlags::OUT));
        }
        if let Some(errors) = &self.errors {
            waiting.push(PollFd::new(errors, PollFlags::IN));
        }
        // An interrupted wait is one that ends early.
        let _ = poll(&mut waiting, timeout.as_ref());
        let readable = !waiting[0].revents().is_empty();
        drop(waiting);
        self.read_errors();
        if readable { self.read() } else { Ok(()) }
    }

    fn read(&mut self) -> Result<(), Silence> {
        match self.output.read(&mut self.buffer) {
            Ok(0) => {
                self.closed = true;
                Ok(())
            }
            // Lines that answer no question must not fill the memory.
            Ok(_) if self.inbox.len() > 2 * LONGEST_LINE => Err(Silence::TooLong),
            Ok(count) => {
                self.inbox.extend_from_slice(&self.buffer[..count]);
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(_) => Err(Silence::Closed),
        }
    }

    /// Reads the child's standard error, at most one buffer per call.
    ///
    /// A child that writes without end must not make the harness miss a deadline.
    fn read_errors(&mut self) {
        let Some(errors) = &mut self.errors else { return };
        match errors.read(&mut self.buffer) {
            Ok(0) => self.errors = None,
            Ok(count) => self.note(count),
            Err(_) => {}
        }
    }

    /// Writes the first `count` bytes of the buffer, which came from standard error, to the log.
    fn note(&mut self, count: usize) {
        let words = &self.buffer[..count];
        self.tail.extend_from_slice(words);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
        // A log that cannot be written is no reason to stop a run.
        if let Some(file) = self.log.take() {
            // Anything but a file must not block, such as a pipe without a reader. Links are not followed.
            let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32;
            let open = OpenOptions::new().create(true).append(true).custom_flags(flags).open(file).ok();
            self.open_log = open.filter(|log| log.metadata().is_ok_and(|data| data.is_file()));
        }
        if let Some(log) = &mut self.open_log {
            // All processes of a bot, in succession and in parallel, write to one file of limited size.
            let _one_at_a_time = LOGGING.lock().unwrap_or_else(PoisonError::into_inner);
            let length = log.metadata().map_or(LONGEST_LOG, |data| data.len());
            let room = LONGEST_LOG.saturating_sub(length).min(words.len() as u64);
            let _ = log.write_all(&words[..room as usize]);
        }
    }
}
