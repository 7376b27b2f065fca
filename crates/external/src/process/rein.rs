//! Stops a bot's processes and resumes them.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// The request to the first process inside to stop all others there.
pub(super) const STOP: u8 = b's';
/// The same request, with a reply of one byte when it is done.
pub(super) const STOP_AND_SAY: u8 = b'S';
/// The request to resume them.
pub(super) const GO: u8 = b'g';

/// The longest wait for that reply, on an overloaded machine.
const LONGEST_REPLY: Duration = Duration::from_secs(60);

/// The means of control over a bot's processes.
pub enum Rein {
    /// The first process of the bot's namespace, which reaches all processes there at once.
    Inside(UnixStream),
    /// The bot's group, which some of its processes may have left.
    Group(Pid),
}

impl Rein {
    /// Returns the control through the first process of a namespace, which has the other end of `line`.
    pub fn inside(line: UnixStream) -> Rein {
        // It cannot fail for a time other than zero. At worst the wait would be longer.
        let _ = line.set_read_timeout(Some(LONGEST_REPLY));
        Rein::Inside(line)
    }

    fn send(&self, byte: u8, signal: Signal) {
        // An error means that no process is left.
        match self {
            Rein::Inside(line) => _ = (&*line).write_all(&[byte]),
            Rein::Group(pid) => _ = kill_process_group(*pid, signal),
        }
    }

    /// Stops all processes.
    pub fn stop(&self) {
        self.send(STOP, Signal::STOP);
    }

    /// Stops all processes, and requests a reply.
    pub fn stop_and_say(&self) {
        self.send(STOP_AND_SAY, Signal::STOP);
    }

    /// Waits for that reply.
    pub fn await_stop(&self) {
        if let Rein::Inside(line) = self {
            let _ = (&*line).read(&mut [0]);
        }
    }

    /// Resumes all processes.
    pub fn go(&self) {
        self.send(GO, Signal::CONT);
    }
}
