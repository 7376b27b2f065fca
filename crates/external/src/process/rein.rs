//! How a bot's processes are stopped and let go on.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// Asks the first process inside to stop all others there.
pub(super) const STOP: u8 = b's';
/// Asks for the same, and for the answer of one byte that it is done.
pub(super) const STOP_AND_SAY: u8 = b'S';
/// Asks it to let them go on.
pub(super) const GO: u8 = b'g';

/// The longest time that is waited for that answer, on a machine that is overrun.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a bot's processes are held by.
pub enum Rein {
    /// The first process of the bot's namespace, which reaches all processes there at once.
    Inside(UnixStream),
    /// The bot's group, which a process of it may have left.
    Group(Pid),
}

impl Rein {
    /// By the first process of a namespace, which has the other end of `line`.
    pub fn inside(line: UnixStream) -> Rein {
        // It cannot fail for a time that is not zero; nothing but the wait would be longer.
        let _ = line.set_read_timeout(Some(PATIENCE));
        Rein::Inside(line)
    }

    fn send(&self, byte: u8, signal: Signal) {
        // An error means that nothing is left to be held.
        match self {
            Rein::Inside(line) => _ = (&*line).write_all(&[byte]),
            Rein::Group(pid) => _ = kill_process_group(*pid, signal),
        }
    }

    /// Stops all that run.
    pub fn stop(&self) {
        self.send(STOP, Signal::STOP);
    }

    /// The same, with an answer to wait for.
    pub fn stop_and_say(&self) {
        self.send(STOP_AND_SAY, Signal::STOP);
    }

    /// Waits for that answer.
    pub fn await_stop(&self) {
        if let Rein::Inside(line) = self {
            let _ = (&*line).read(&mut [0]);
        }
    }

    /// Lets all go on.
    pub fn go(&self) {
        self.send(GO, Signal::CONT);
    }
}
