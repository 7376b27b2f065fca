//! A conversation with a running bot.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use overtrick_strategy::protocol::{Asked, Fault, FaultKind, Greeting, Hello, LONGEST_LINE, Message, VariantSeen};

use super::Params;
#[cfg(not(all(unix, feature = "process")))]
use super::absent::{Group, Pipes, Silence};
use super::quiet::{QUIET, Turn};
use super::sandbox::{break_down, breakdown, shortage};
#[cfg(all(unix, feature = "process"))]
use super::{
    group::Group,
    pipes::{Pipes, Silence},
};

/// The time that a bot has to end after it is asked to.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// The longest time that a child may take to end after it has closed its output.
const FAREWELL: Duration = Duration::from_secs(2);

/// The wait for a bot after which all bots that are not being asked are stopped.
///
/// A bot that took longer to answer is stopped at once, since stopping takes little time in comparison.
const STOP_OTHERS_AFTER: Duration = Duration::from_millis(5);

/// Messages of programs that get no memory: Python, Rust, C++, the C library and PyTorch, the dynamic linker,
/// Java, Node, Go.
const OUT_OF_MEMORY: [&str; 11] = [
    "MemoryError",
    "memory allocation of",
    "bad_alloc",
    "allocate memory",
    "failed to map segment",
    "OutOfMemoryError",
    "Could not reserve enough space",
    "Could not allocate",
    "Failed to reserve virtual memory",
    "cannot reserve arena",
    "runtime: out of memory",
];

/// A conversation with a running bot. Dropping it ends the bot, with all that it has started.
pub struct Session {
    pipes: Pipes,
    group: Group,
    hello: Hello,
    move_timeout: Duration,
    memory_limit: u64,
    /// The factor by which the time limit was extended for the last answer.
    time_limit_factor: u32,
    /// Bytes to send with the next message.
    buffer: Vec<u8>,
}

impl Session {
    /// Starts the bot and reads its `hello`.
    ///
    /// The bot's standard error is appended to `log`; setting `stop` ends all waiting.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`], [`FaultKind::WrongHandshake`], or the fault in its first line. A handshake is also wrong
    /// if the settings do not fit the parameters that the bot declares.
    pub fn start(params: &Params, log: Option<&Path>, stop: &Arc<AtomicBool>) -> Result<Session, Fault> {
        let unable = |error: std::io::Error| no_start(params, &error, stop);
        params.check_folder().map_err(|what| Fault { kind: FaultKind::NoStart, what })?;
        let turn = QUIET.start();
        let mut group = Group::spawn(params).map_err(unable)?;
        let turn = group.place().take(turn);
        let pipes = Pipes::of(group.child(), log, stop).map_err(unable)?;
        let mut session = Session {
            pipes,
            group,
            hello: Hello::default(),
            move_timeout: Duration::from_secs_f64(params.move_timeout),
            memory_limit: params.memory_limit,
            time_limit_factor: 1,
            buffer: Vec::new(),
        };
        let greeting = Greeting { settings: params.settings.clone(), ..Greeting::default() };
        Message::Hello(greeting).write(&mut session.buffer);
        let limit = Duration::from_secs_f64(params.start_timeout);
        match session.exchange(turn, limit, |pipes, deadline| pipes.line(deadline).map(Hello::read)) {
            Ok(hello) => session.hello = hello?,
            Err(silence) => return Err(session.explain_start(silence, params)),
        }
        params.declared.check(&session.hello, &params.settings)?;
        Ok(session)
    }

    /// Returns the fault that explains why no `hello` came.
    fn explain_start(&mut self, silence: Silence, params: &Params) -> Fault {
        let mut fault = self.explain(silence);
        params.last_words.keep(self.pipes.last_words());
        if fault.kind == FaultKind::TimeOut {
            fault.what += &format!(" (`start-timeout` is {} s)", params.start_timeout);
            if self.wants_memory() {
                fault.what += &format!(", and {}", self.memory());
            }
        }
        let before = matches!(fault.kind, FaultKind::Crash | FaultKind::Exit | FaultKind::TimeOut);
        let kind = if before { FaultKind::NoStart } else { fault.kind };
        Fault::new(kind, format!("no `hello`: {}", fault.what))
    }

    /// Returns the bot's introduction.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Returns the end of the bot's standard error.
    pub(super) fn last_words(&mut self) -> &[u8] {
        self.pipes.last_words()
    }

    /// Checks that the bot plays a variant.
    ///
    /// # Errors
    /// [`FaultKind::WrongHandshake`] if it does not.
    pub fn suits(&self, variant: &VariantSeen) -> Result<(), Fault> {
        if self.hello.plays(variant) {
            return Ok(());
        }
        let what = format!("it plays {}, and not {}", self.hello.variants.join(", "), variant.variant);
        Err(Fault::new(FaultKind::WrongHandshake, what))
    }

    /// Sends a message that needs no answer.
    ///
    /// # Errors
    /// If the bot has ended or does not read its input in time.
    pub fn tell(&mut self, message: &Message<'_>) -> Result<(), Fault> {
        let _turn = self.group.place().turn();
        self.tell_now(message)
    }

    /// Sends such a message within a turn.
    fn tell_now(&mut self, message: &Message<'_>) -> Result<(), Fault> {
        message.write(&mut self.buffer);
        let sent = self.pipes.send(&mut &self.buffer[..], Instant::now() + self.move_timeout);
        self.buffer.clear();
        sent.map_err(|silence| self.explain(silence))
    }

    /// Queues a message that needs no answer, to be sent with the next one.
    pub fn tell_later(&mut self, message: &Message<'_>) {
        message.write(&mut self.buffer);
    }

    /// Sends the questions and reads answers until none is missing.
    ///
    /// # Errors
    /// The fault of the bot. Answers that came before it remain valid, but the session cannot be used any longer.
    pub fn ask(&mut self, asked: &mut Asked) -> Result<(), Fault> {
        asked.write(&mut self.buffer);
        let turn = self.group.place().turn();
        let answered = self.exchange(turn, self.move_timeout, |pipes, deadline| {
            while asked.missing() > 0 {
                if let Err(fault) = asked.take(pipes.line(deadline)?) {
                    return Ok(Err(fault));
                }
            }
            Ok(Ok(()))
        });
        answered.unwrap_or_else(|silence| Err(self.explain(silence)))
    }

    /// Sends the buffer and calls `read` for the reply, all within `limit`.
    ///
    /// If the time runs out and there are other bots, they may be the cause. This bot then gets the same time
    /// again, while no other bot runs.
    fn exchange<T>(
        &mut self,
        mut turn: Turn,
        limit: Duration,
        mut read: impl FnMut(&mut Pipes, Instant) -> Result<T, Silence>,
    ) -> Result<T, Silence> {
        let Session { pipes, group, time_limit_factor, buffer, .. } = self;
        let mut left = &buffer[..];
        let mut until = |deadline| {
            pipes.send(&mut left, deadline)?;
            read(pipes, deadline)
        };
        let start = Instant::now();
        *time_limit_factor = 1;
        let mut outcome = until(start + limit.min(STOP_OTHERS_AFTER));
        if limit > STOP_OTHERS_AFTER && matches!(outcome, Err(Silence::Late)) {
            group.place().stop_idle_bots();
            outcome = until(start + limit);
        }
        if matches!(outcome, Err(Silence::Late)) && group.place().has_others() {
            drop(turn);
            turn = group.place().turn_alone();
            *time_limit_factor = 2;
            outcome = until(Instant::now() + limit);
        }
        buffer.clear();
        if outcome.is_ok() && start.elapsed() > STOP_OTHERS_AFTER {
            turn.end_and_stop();
        }
        outcome
    }

    /// Returns the time for which the bot was waited for, if its last answer was late.
    pub fn waited(&self) -> Duration {
        self.move_timeout * self.time_limit_factor
    }

    /// Sends `bye` and gives the bot `grace` to end by itself.
    pub fn close(mut self, grace: Duration) {
        let _turn = self.group.place().turn();
        if self.tell_now(&Message::Bye {}).is_ok() {
            let deadline = Instant::now() + grace;
            self.pipes.finish(deadline);
            self.group.ended(deadline);
        }
    }

    /// Returns the fault that explains why no line came.
    fn explain(&mut self, silence: Silence) -> Fault {
        match silence {
            // The text is the same with and without a second chance. Whether another bot was there depends on
            // threads, and results must not.
            Silence::Late => Fault::new(FaultKind::TimeOut, "no answer in time"),
            Silence::TooLong => {
                Fault::new(FaultKind::LongLine, format!("a line, or unasked lines, of more than {LONGEST_LINE} bytes"))
            }
            Silence::Closed => self.end(),
        }
    }

    /// Returns the fault for the bot's end.
    fn end(&mut self) -> Fault {
        let status = self.group.ended(Instant::now() + FAREWELL);
        if self.group.held_too_much() {
            let what = format!("its processes together held more than its `memory-limit`, {} MiB", self.memory_limit);
            return Fault::new(FaultKind::MemoryLimit, what);
        }
        if status.is_some() && self.wants_memory() {
            return Fault::new(FaultKind::MemoryLimit, format!("it ended; {}", self.memory()));
        }
        let Some(status) = status else { return Fault::new(FaultKind::Exit, "it closed its output") };
        match (status.terminating_signal(), status.exit_status()) {
            (Some(signal), _) => Fault::new(FaultKind::Crash, format!("it was ended by signal {signal}")),
            (None, code) => Fault::new(FaultKind::Exit, format!("it ended with code {}", code.unwrap_or(-1))),
        }
    }

    /// Returns whether the end of its standard error says that it ran out of memory.
    fn wants_memory(&mut self) -> bool {
        let words = String::from_utf8_lossy(self.pipes.last_words());
        OUT_OF_MEMORY.iter().any(|sign| words.contains(sign))
    }

    /// Returns the message for a bot that ran out of memory.
    fn memory(&self) -> String {
        match self.memory_limit {
            0 => "it got no memory, though it has no `memory-limit`".to_owned(),
            limit => format!("it got no memory beyond its `memory-limit`, {limit} MiB of address space; 0 sets none"),
        }
    }
}

/// Returns the fault of a bot whose process cannot be started.
///
/// Without processes the run can only stop, so that it can be resumed later. Then `stop` is set.
fn no_start(params: &Params, error: &std::io::Error, stop: &AtomicBool) -> Fault {
    let program = params.command.first().map_or("", String::as_str);
    if let Some(why) = shortage(error) {
        break_down(&format!("{program:?} cannot be started: {why}"));
    }
    if breakdown().is_some() {
        stop.store(true, Ordering::Relaxed);
    }
    let mut what = format!("{program:?} cannot be started: {error}");
    if !params.folder.is_dir() {
        what = format!("{program:?} cannot be started: there is no folder {}", params.folder.display());
    }
    // These words come from the system and the organiser, not from the bot, so they are neither escaped nor
    // shortened.
    Fault { kind: FaultKind::NoStart, what }
}
