//! Watches how much memory the processes of each bot hold together. The system's limit of address space holds for each
//! process alone, so a bot of many could take the machine's memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;

use super::held::Processes;

/// How often the memory is looked up. A bot can take a few hundred MiB more in that time.
const PERIOD: Duration = Duration::from_millis(100);

/// A bot's process and how much memory it may hold together with those that it has started.
#[derive(Clone)]
struct Watched {
    pid: Pid,
    most: u64,
    has_own_network: bool,
    kill: fn(Pid),
    exceeded: Arc<AtomicBool>,
}

/// All that are watched.
#[derive(Default)]
struct All {
    watched: Vec<Watched>,
    /// Whether a thread looks after them: it ends when there are none.
    has_thread: bool,
}

static ALL: Mutex<All> = Mutex::new(All { watched: Vec::new(), has_thread: false });

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process is watched as long as this lives, which must end before the process's number is given to another.
pub(super) struct Watch(Watched);

impl Watch {
    /// Watches a process, and all below it, which may hold `most` bytes; `kill` is called if they hold more. Sockets
    /// count if these have a network that no other program is in.
    ///
    /// # Errors
    /// If there can be no thread that does it.
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

    /// Whether the processes held more than they may.
    pub(super) fn is_exceeded(&self) -> bool {
        self.0.exceeded.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        all().watched.retain(|other| !Arc::ptr_eq(&other.exceeded, &self.0.exceeded));
    }
}

/// Looks the memory up until nothing is watched any more.
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
            // Who is no longer in the list may have left its number to another process.
            let list = all();
            if list.watched.iter().any(|other| Arc::ptr_eq(&other.exceeded, &one.exceeded)) {
                one.exceeded.store(true, Ordering::Relaxed);
                (one.kill)(one.pid);
            }
        }
    }
}
