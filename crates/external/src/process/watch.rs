//! Watches the memory that the processes of each bot hold together.
//!
//! The system limits the address space of each process separately. Without this watch, a bot with many
//! processes could take all of the machine's memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;

use super::held::Processes;

/// The interval between checks of the memory. A bot can take a few hundred MiB more in that time.
const PERIOD: Duration = Duration::from_millis(100);

/// A bot's process, and the bytes of memory that it may hold together with its descendants.
#[derive(Clone)]
struct Watched {
    pid: Pid,
    most: u64,
    has_own_network: bool,
    kill: fn(Pid),
    exceeded: Arc<AtomicBool>,
}

/// All watched processes.
#[derive(Default)]
struct All {
    watched: Vec<Watched>,
    /// Whether a thread watches them. It ends when there are none.
    has_thread: bool,
}

static ALL: Mutex<All> = Mutex::new(All { watched: Vec::new(), has_thread: false });

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle that keeps a process watched. It must be dropped before another process can get the number.
pub(super) struct Watch(Watched);

impl Watch {
    /// Watches a process and its descendants, and calls `kill` if they hold more than `most` bytes.
    ///
    /// Sockets count if these processes have a separate network.
    ///
    /// # Errors
    /// If the thread that watches cannot be started.
    pub(super) fn new(pid: Pid, most: u64, has_own_network: bool, kill: fn(Pid)) -> io::Result<Watch> {
        let watched = Watched { pid, most, has_own_network, kill, exceeded: Arc::default() };
        let mut all = all();
        if !all.has_thread {
            std::thread::Builder::new().name("memory".to_owned()).spawn(look_after)?;
            all.has_thread = true;
        }
        all.watched.push(watched.clone());
        Ok(Watch(watched))
    }

    /// Returns whether the processes held more than they may.
    pub(super) fn is_exceeded(&self) -> bool {
        self.0.exceeded.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        all().watched.retain(|other| !Arc::ptr_eq(&other.exceeded, &self.0.exceeded));
    }
}

/// Checks the memory until nothing is watched any more.
fn look_after() {
    loop {
        std::thread::sleep(PERIOD);
        let mut list = all();
        if list.watched.is_empty() {
            list.has_thread = false;
            return;
        }
        let watched = list.watched.clone();
        drop(list);
        let watched = watched.iter().filter(|one| !one.exceeded.load(Ordering::Relaxed));
        for one in watched.filter(|one| Processes::of(one.pid.as_raw_pid(), one.has_own_network).hold_more(one.most)) {
            // A process that is no longer in the list may have left its number to another process.
            let list = all();
            if list.watched.iter().any(|other| Arc::ptr_eq(&other.exceeded, &one.exceeded)) {
                one.exceeded.store(true, Ordering::Relaxed);
                (one.kill)(one.pid);
            }
        }
    }
}
