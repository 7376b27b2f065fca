//! Supervises the processes of a bot.
//!
//! Each process is started when it is needed, restarted after a failure, and given up after too many failures.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use overtrick_strategy::protocol::{Fault, FaultKind, Message, VariantSeen};

use super::session::GRACE;
use super::{Params, Session};

/// The first wait before a restart; it doubles with every failure in a row.
const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The number of failures without an answer between them after which a process is not started again.
const MOST_FAILURES: u32 = 8;

/// One process of a bot, for one variant.
pub struct Supervisor {
    params: Params,
    log: Option<PathBuf>,
    stop: Arc<AtomicBool>,
    session: Option<Session>,
    /// Failures since the last answer.
    failures: u32,
    earliest: Instant,
    /// The last fault of the process, if it is not started again.
    given_up: Option<Fault>,
}

impl Supervisor {
    /// Returns a supervisor that has started nothing yet.
    ///
    /// The bot's standard error is appended to `log`; setting `stop` ends all waiting.
    pub fn new(params: Params, log: Option<PathBuf>, stop: Arc<AtomicBool>) -> Supervisor {
        Supervisor { params, log, stop, session: None, failures: 0, earliest: Instant::now(), given_up: None }
    }

    /// Starts a process for `variant` if none is running, after a pause if the last ones failed.
    ///
    /// # Errors
    /// The fault that kept the process from starting.
    pub fn start(&mut self, variant: &VariantSeen) -> Result<(), Fault> {
        if self.session.is_some() {
            return Ok(());
        }
        if self.given_up.is_none() && self.params.patience.is_spent() {
            let most = self.params.patience.most().as_secs_f64();
            let what = format!("it is given up: the run has waited in vain for it for {most} s in all");
            self.given_up = Some(Fault::new(FaultKind::TimeOut, what));
        }
        if let Some(fault) = &self.given_up {
            return Err(fault.clone());
        }
        self.pause();
        // When a run with many bots is being stopped, the remaining bots are not started.
        if self.stops() {
            return Err(Fault::new(FaultKind::NoStart, "the run is being stopped"));
        }
        match self.begin(variant) {
            Ok(session) => {
                self.session = Some(session);
                Ok(())
            }
            Err(fault) => {
                self.failed(&fault);
                Err(fault)
            }
        }
    }

    /// Calls [`Supervisor::start`] until the process runs or is given up.
    ///
    /// Returns the last fault before it ran, if any.
    ///
    /// # Errors
    /// The last fault, if the process is given up or the run is being stopped.
    pub fn insist(&mut self, variant: &VariantSeen) -> Result<Option<Fault>, Fault> {
        let mut before = None;
        loop {
            match self.start(variant) {
                Ok(()) => return Ok(before),
                Err(fault) if self.given_up.is_some() || self.stops() => return Err(fault),
                Err(fault) => before = Some(fault),
            }
        }
    }

    fn pause(&self) {
        while let left = self.earliest.saturating_duration_since(Instant::now())
            && !left.is_zero()
            && !self.stops()
        {
            std::thread::sleep(left.min(FIRST_WAIT));
        }
    }

    /// Starts a process in addition to the running one, and sends it `variant`.
    ///
    /// # Errors
    /// The fault that kept it from starting.
    pub(super) fn begin(&self, variant: &VariantSeen) -> Result<Session, Fault> {
        let mut session = Session::start(&self.params, self.log.as_deref(), &self.stop)?;
        session.suits(variant)?;
        session.tell(&Message::Variant(variant.clone()))?;
        Ok(session)
    }

    /// Returns the process, if one is running.
    pub fn running(&mut self) -> Option<&mut Session> {
        self.session.as_mut()
    }

    /// Ends the process after a fault. The next process starts after a pause, unless the process is given up.
    pub fn failed(&mut self, fault: &Fault) {
        let mut waited = Duration::ZERO;
        if let Some(mut session) = self.session.take() {
            waited = session.waited();
            self.params.last_words.keep(session.last_words());
        }
        self.earliest = Instant::now() + wait_after(self.failures);
        self.failures += 1;
        if fault.kind == FaultKind::TimeOut {
            self.params.patience.spend(waited);
        }
        if self.failures >= MOST_FAILURES {
            self.given_up = Some(fault.clone());
        }
    }

    /// Ends the process with a `bye`. The next question starts another.
    pub fn renew(&mut self) {
        if let Some(session) = self.session.take() {
            session.close(GRACE);
        }
    }

    /// Records that the process has answered, and resets the count of failures.
    pub fn answered(&mut self) {
        self.failures = 0;
    }

    /// Returns whether the run is being stopped.
    pub fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Returns the pause before a restart; `failures` is the number of failures in a row before the last.
fn wait_after(failures: u32) -> Duration {
    LONGEST_WAIT.min(FIRST_WAIT * (1 << failures.min(10)))
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Some(session) = self.session.take()
            && !self.stops()
        {
            session.close(GRACE);
        }
    }
}

/// The processes of a bot, shared by all threads.
pub struct ProcessPool {
    /// The supervisors, by share of the threads and then by seat.
    keepers: Vec<Mutex<Supervisor>>,
    /// The number of processes that share the seats of a table.
    seats: usize,
}

impl ProcessPool {
    /// Returns a pool of `params.processes` processes, by default one for each of `threads` threads.
    ///
    /// None is started yet.
    pub fn new(params: &Params, threads: usize, log: Option<PathBuf>, stop: Arc<AtomicBool>) -> ProcessPool {
        let processes = params.processes.map_or(threads, |processes| threads.min(processes as usize));
        let supervisor = |_| Mutex::new(Supervisor::new(params.clone(), log.clone(), Arc::clone(&stop)));
        ProcessPool { keepers: (0..processes).map(supervisor).collect(), seats: 1 }
    }

    /// Returns the pool with a process for each of `seats` seats, for bots that sit more than once at a table.
    ///
    /// A process must not see two hands of one deal.
    pub fn by_seat(self, seats: usize) -> ProcessPool {
        let apart = |keeper: &Mutex<Supervisor>| {
            let Supervisor { params, log, stop, .. } = &*keeper.lock().unwrap_or_else(PoisonError::into_inner);
            let supervisor = |_| Mutex::new(Supervisor::new(params.clone(), log.clone(), Arc::clone(stop)));
            (0..seats).map(supervisor).collect::<Vec<_>>()
        };
        ProcessPool { keepers: self.keepers.iter().flat_map(apart).collect(), seats }
    }

    /// Returns the supervisor that a thread uses for a seat. Waits while another thread uses it.
    pub fn supervisor(&self, thread: usize, seat: usize) -> MutexGuard<'_, Supervisor> {
        let share = thread % (self.keepers.len() / self.seats);
        // A restart of the process repairs anything that a panicked thread left half-done.
        self.keepers[share * self.seats + seat % self.seats].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of processes that share the seats of a table.
    pub fn seats(&self) -> usize {
        self.seats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_wait_longer_and_longer() {
        let waits: Vec<u128> = (0..MOST_FAILURES).map(|failures| wait_after(failures).as_millis()).collect();
        assert_eq!(waits, [20, 40, 80, 160, 320, 640, 1000, 1000]);
        let mut supervisor = Supervisor::new(Params::default(), None, Arc::default());
        let before = Instant::now();
        supervisor.failed(&Fault::new(FaultKind::Crash, "a test"));
        assert!(supervisor.earliest >= before + FIRST_WAIT);
    }
}
