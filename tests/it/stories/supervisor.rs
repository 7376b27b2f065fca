//! Runs the program once, does it the harm that the story has in store, and sees how it ends.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::calls::{Call, Caller, Deed};
use super::clock::Clock;
use super::disk::Disk;
use super::faults::{Fault, Harm};
use super::filter;
use super::listener::{Answer, Heard, Listener, Notice};
use crate::fixtures::sandbox::without_progress;

/// Ends a test that hangs. No machine is too slow for it.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long processes that the program has left may take to end. Older kernels may not say that they have.
const GRACE: Duration = Duration::from_secs(20);

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ending {
    pub status: ExitStatus,
    /// Its standard error, without lines of progress.
    pub stderr: String,
    /// The calls that changed files, in their order.
    pub calls: Vec<Call>,
    /// The call that was harmed, if the fault did not come too late.
    pub struck: Option<Call>,
}

/// The world of a program: the folder in which it works, its disk, and the clock if it is not the machine's.
pub struct World<'a> {
    pub root: &'a Path,
    pub disk: &'a mut Disk,
    pub clock: Option<Clock>,
}

/// Runs a program until it and all that it has started have ended.
pub fn run(mut command: Command, world: World<'_>, fault: Option<Fault>) -> Ending {
    let notes = tempfile::NamedTempFile::new().unwrap();
    let stderr = notes.reopen().unwrap();
    command.current_dir(world.root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    let (child, listener) = filter::start(&mut command, world.clock.is_some()).expect("the program starts");
    let mut running = Running::new(child, listener, world, fault);
    let status = running.attend(notes.as_file());
    let stderr = without_progress(&std::fs::read_to_string(notes.path()).unwrap());
    let Running { calls, struck, .. } = &mut running;
    Ending { status, stderr, calls: std::mem::take(calls), struck: struck.take() }
}

/// The program while it runs.
struct Running<'a> {
    child: Child,
    pidfd: OwnedFd,
    listener: Listener,
    caller: Caller,
    disk: &'a mut Disk,
    clock: Option<Clock>,
    fault: Option<Fault>,
    /// The calls so far that the fault might have met.
    counted: usize,
    calls: Vec<Call>,
    struck: Option<Call>,
}

impl<'a> Running<'a> {
    fn new(child: Child, listener: OwnedFd, world: World<'a>, fault: Option<Fault>) -> Running<'a> {
        let pid = Pid::from_raw(child.id() as i32).expect("an id");
        let pidfd = pidfd_open(pid, PidfdFlags::empty()).unwrap();
        let caller = Caller::new(child.id(), world.root).expect("the memory of a child can be read");
        let World { disk, clock, .. } = world;
        let listener = Listener::new(listener);
        Running { child, pidfd, listener, caller, disk, clock, fault, counted: 0, calls: Vec::new(), struck: None }
    }

    /// Answers calls until the program has ended, with all that it has started.
    fn attend(&mut self, notes: &File) -> ExitStatus {
        let (start, mut ended) = (Instant::now(), None::<(ExitStatus, Instant)>);
        loop {
            let program = self.pidfd.as_fd();
            let program: Option<BorrowedFd<'_>> = ended.is_none().then_some(program);
            match self.listener.wait(program, 5) {
                Heard::Call => {
                    if let Some(notice) = self.listener.next() {
                        self.meet(&notice);
                    }
                }
                Heard::End => ended = Some((self.child.wait().unwrap(), Instant::now())),
                Heard::AllGone => return self.child.wait().unwrap(),
                Heard::Nothing => {}
            }
            match ended {
                Some((status, end)) if end.elapsed() > GRACE => return status,
                _ => assert!(start.elapsed() < PATIENCE, "the program hangs: {notes:?}"),
            }
        }
    }

    /// Lets a call happen, or does it the harm that is due.
    fn meet(&mut self, notice: &Notice) {
        if !self.caller.has(notice) {
            return self.listener.answer(notice, Answer::Go);
        }
        if let Some(clock) = self.clock.as_mut().filter(|_| notice.call == libc::SYS_clock_gettime) {
            let is_read = self.caller.fill(notice.args[1], &clock.look()).is_ok();
            return self.listener.answer(notice, if is_read { Answer::Done(0) } else { Answer::Go });
        }
        let Some(call) = self.caller.read(notice) else { return self.listener.answer(notice, Answer::Go) };
        let answer = self.decide(&call);
        self.calls.push(call);
        match answer {
            Some(answer) => self.listener.answer(notice, answer),
            None => self.child.kill().unwrap(),
        }
    }

    /// How a call is answered; not at all if it is the last.
    fn decide(&mut self, call: &Call) -> Option<Answer> {
        let Some(fault) = self.fault.filter(|fault| fault.counts(call)) else { return Some(self.go(call)) };
        let is_met = fault.meets(self.counted);
        self.counted += 1;
        if self.struck.is_some() && fault.harm == Harm::Full {
            return Some(Answer::Fail(fault.harm.code()));
        }
        if !is_met {
            return Some(self.go(call));
        }
        self.struck = Some(call.clone());
        if fault.harm.is_error() {
            return Some(Answer::Fail(fault.harm.code()));
        }
        if let Harm::Kill | Harm::Outage = fault.harm {
            return None;
        }
        match self.write_part(call, &fault) {
            Some(part) => (fault.harm == Harm::Short).then_some(Answer::Done(part)),
            // Containers may refuse what it takes.
            None => {
                self.struck = None;
                Some(self.go(call))
            }
        }
    }

    /// Lets a call happen. Syncing takes long, and nothing that a test could see comes of it.
    fn go(&mut self, call: &Call) -> Answer {
        self.disk.note(call);
        if call.deed == Deed::Sync { Answer::Done(0) } else { Answer::Go }
    }

    /// Writes the first bytes of what the program would write: their number.
    fn write_part(&mut self, call: &Call, fault: &Fault) -> Option<usize> {
        let Deed::Write { fd, address: Some(address), length } = call.deed else { return None };
        let file = pidfd_getfd(&self.pidfd, fd, PidfdGetfdFlags::empty()).ok()?;
        self.disk.note(call);
        let bytes = self.caller.memory(address, fault.part(length));
        Some(rustix::io::write(file, &bytes).expect("there is room"))
    }
}

impl Drop for Running<'_> {
    /// A test that fails leaves no program behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
