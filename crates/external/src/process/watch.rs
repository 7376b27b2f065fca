//! Watches how much memory the processes of each bot hold together. The system's limit of address space holds for each
//! process alone, so a bot of many could take the machine's memory.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;

/// How often the memory is looked up. A bot can take a few hundred MiB more in that time.
const PERIOD: Duration = Duration::from_millis(100);

/// A bot's process and how much memory it may hold together with those that it has started.
#[derive(Clone)]
struct Watched {
    pid: Pid,
    most: u64,
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
    /// Watches a process, and all below it, which may hold `most` bytes; `kill` is called if they hold more.
    ///
    /// # Errors
    /// If there can be no thread that does it.
    pub(super) fn new(pid: Pid, most: u64, kill: fn(Pid)) -> io::Result<Watch> {
        let watched = Watched { pid, most, kill, exceeded: Arc::default() };
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
        for one in watched.iter().filter(|one| !one.exceeded.load(Ordering::Relaxed) && holds_more(one.pid, one.most)) {
            // Who is no longer in the list may have left its number to another process.
            let list = all();
            if list.watched.iter().any(|other| Arc::ptr_eq(&other.exceeded, &one.exceeded)) {
                one.exceeded.store(true, Ordering::Relaxed);
                (one.kill)(one.pid);
            }
        }
    }
}

/// Whether a process and all below it hold more than `most` bytes of memory. What processes share counts once if they
/// can be asked about it.
fn holds_more(pid: Pid, most: u64) -> bool {
    let processes = tree(pid.as_raw_pid());
    let total = |of: fn(i32) -> u64| processes.iter().map(|&pid| of(pid)).sum::<u64>();
    total(resident) > most && total(|pid| proportional(pid).unwrap_or_else(|| resident(pid))) > most
}

/// A process and all below it.
fn tree(pid: i32) -> Vec<i32> {
    let mut processes = vec![pid];
    let mut next = 0;
    while let Some(&pid) = processes.get(next) {
        next += 1;
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            processes.extend(children.split_ascii_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        }
    }
    processes
}

/// The bytes of memory that a process holds, shared ones among them; 0 if it has ended.
fn resident(pid: i32) -> u64 {
    let told = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages = told.split_ascii_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

/// The same with each shared page divided by the number of processes that share it, if that may be asked.
fn proportional(pid: i32) -> Option<u64> {
    let told = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::Signal;
    use std::process::{Child, Command, Stdio};

    fn starts(code: &str) -> Child {
        let mut child = Command::new("python3").args(["-c", code]).stdout(Stdio::piped()).spawn().unwrap();
        // It says when it holds what it is to hold.
        io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        child
    }

    #[test]
    fn what_processes_hold_together_is_counted_and_what_they_share_once() {
        let hoard = "held = bytearray(b'x') * (64 << 20)";
        let tell = "os.write(1, b'.'); time.sleep(600)";
        let apart = format!("import os, time\nos.fork() or os.fork()\n{hoard}\n{tell}");
        let shared = format!("import os, time\n{hoard}\nos.fork() or os.fork()\n{tell}");
        for (code, held) in [(apart, 3), (shared, 1)] {
            let mut child = starts(&code);
            for _ in 1..3 {
                io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
            }
            let pid = Pid::from_child(&child);
            let all = tree(pid.as_raw_pid());
            assert_eq!(all.len(), 3);
            assert!(holds_more(pid, held * (64 << 20)), "{held}");
            assert!(!holds_more(pid, (held + 1) * (64 << 20)), "{held}");
            for pid in all.into_iter().rev() {
                rustix::process::kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
            }
            child.wait().unwrap();
        }
    }
}
