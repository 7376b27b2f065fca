//! The memory that the processes of a bot hold together.
//!
//! It includes memory that no limit of a process counts: the buffers of sockets, and shared memory whose
//! pages no process maps any more.

use std::collections::BTreeMap;
use std::fs;

/// The name of shared memory in the system's lists.
const SHARED: &str = "/dev/zero (deleted)";

/// The most bytes that wait in a socket, where the system does not report the limit. The bot cannot change it.
const SOCKET: u64 = 212_992;

/// A bot's process and all its descendants.
pub(super) struct Processes {
    all: Vec<i32>,
    /// Whether no other program has sockets in the network of the first process.
    has_own_network: bool,
}

impl Processes {
    /// Returns `pid` and all processes below it.
    pub(super) fn of(pid: i32, has_own_network: bool) -> Processes {
        let mut all = vec![pid];
        let mut next = 0;
        while next < all.len() {
            all.extend(children(all[next]));
            next += 1;
        }
        Processes { all, has_own_network }
    }

    /// Returns whether they hold more than `most` bytes of memory.
    ///
    /// Shared memory counts once if the system gives access to it. The costly lookups are made only if cheap
    /// upper bounds exceed `most`.
    pub(super) fn hold_more(&self, most: u64) -> bool {
        let sockets = self.sockets();
        sockets + self.total(|pid| pages(pid, 0)) > most
            && sockets + self.total(|pid| pages(pid, 1) + sizes_of_shared(pid)) > most
            && sockets + self.exactly() > most
    }

    fn total(&self, of: fn(i32) -> u64) -> u64 {
        self.all.iter().map(|&pid| of(pid)).sum()
    }

    /// Returns the bytes that they hold without sockets, as exactly as the system reports.
    fn exactly(&self) -> u64 {
        let (mut total, mut shared) = (0, BTreeMap::new());
        for &pid in &self.all {
            total += match own(pid, &mut shared) {
                Some(own) => own,
                None => pages(pid, 1),
            };
        }
        total + shared.values().sum::<u64>()
    }

    /// Returns the most bytes that can wait in their sockets.
    fn sockets(&self) -> u64 {
        if !self.has_own_network {
            return 0;
        }
        let list = fs::read(format!("/proc/{}/net/unix", self.all[0])).unwrap_or_default();
        let lines = list.iter().filter(|&&byte| byte == b'\n').count() as u64;
        // The first line is a heading.
        if lines <= 1 {
            return 0;
        }
        let most = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        (lines - 1) * most.trim().parse().unwrap_or(SOCKET)
    }
}

/// Returns the processes that the threads of a process have started.
fn children(pid: i32) -> Vec<i32> {
    let mut children = Vec::new();
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return children };
    for thread in threads.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        children.extend(list.split_ascii_whitespace().flat_map(str::parse::<i32>));
    }
    children
}

/// Returns the number at index `nth` of a process's `statm`, in bytes; 0 if the process has ended.
///
/// Index 0 is the size of the address space. Index 1 is the memory held, including shared memory.
fn pages(pid: i32, nth: usize) -> u64 {
    let list = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages = list.split_ascii_whitespace().nth(nth).unwrap_or_default();
    pages.parse::<u64>().unwrap_or(0) * rustix::param::page_size() as u64
}

/// Returns the number of a shared memory and the offset up to which a process maps it, from a line of `maps`.
fn shared(line: &str) -> Option<(u64, u64)> {
    let line = line.strip_suffix(SHARED)?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
    let offset = hex(fields.nth(1)?)?;
    let number = fields.nth(1)?.parse().ok()?;
    let size = hex(end)?.checked_sub(hex(start)?)?;
    Some((number, offset + size))
}

/// Returns the size of the memory that a process shares or could share with others.
fn sizes_of_shared(pid: i32) -> u64 {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    maps.lines().filter_map(shared).map(|(_, size)| size).sum()
}

/// Returns the bytes that a process holds, with each page divided by the number of processes that map it.
///
/// Shared memory is not included. It is recorded in `all` by its number, with its full size. Returns `None`
/// if the system refuses access.
fn own(pid: i32, all: &mut BTreeMap<u64, u64>) -> Option<u64> {
    let list = fs::read_to_string(format!("/proc/{pid}/smaps")).ok()?;
    if list.is_empty() {
        return None;
    }
    let (mut total, mut counts) = (0, true);
    for line in list.lines() {
        if let Some(part) = line.strip_prefix("Pss:") {
            if counts {
                total += part.split_ascii_whitespace().next()?.parse::<u64>().ok()? << 10;
            }
        } else if !line.starts_with(|first: char| first.is_ascii_uppercase()) {
            let memory = shared(line);
            counts = memory.is_none();
            if let Some((number, size)) = memory {
                let known = all.entry(number).or_default();
                *known = size.max(*known);
            }
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal};
    use std::process::{Child, Command, Stdio};

    fn starts(code: &str) -> Child {
        let mut child = Command::new("python3").args(["-c", code]).stdout(Stdio::piped()).spawn().unwrap();
        // The program writes a byte once it holds the memory.
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        child
    }

    #[test]
    fn what_processes_hold_together_is_counted_and_what_they_share_once() {
        let fork = "os.fork() or os.fork()";
        let hoard = "held = bytearray(b'x') * (64 << 20)";
        // The pages are given back, but remain in memory.
        let given_back = "held = mmap.mmap(-1, 64 << 20); held.write(b'x' * (64 << 20)); held.madvise(4)";
        let say = "os.write(1, b'.'); time.sleep(600)";
        for (first, second, held) in [(fork, hoard, 3), (hoard, fork, 1), (fork, given_back, 3), (given_back, fork, 1)]
        {
            let mut child = starts(&format!("import mmap, os, time\n{first}\n{second}\n{say}"));
            for _ in 1..3 {
                std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
            }
            let processes = Processes::of(Pid::from_child(&child).as_raw_pid(), false);
            assert_eq!(processes.all.len(), 3);
            assert!(processes.hold_more(held * (64 << 20)), "{second}, {held}");
            assert!(!processes.hold_more((held + 1) * (64 << 20)), "{second}, {held}");
            for pid in processes.all.into_iter().rev() {
                rustix::process::kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
            }
            child.wait().unwrap();
        }
    }

    #[test]
    fn memory_that_is_shared_is_known_by_its_number_and_end() {
        let line = "7f0000000000-7f0000100000 rw-s 00200000 00:01 4242                       /dev/zero (deleted)";
        assert_eq!(shared(line), Some((4242, 0x0030_0000)));
        assert_eq!(shared("7f0000000000-7f0000100000 rw-p 00000000 00:00 0"), None);
    }
}
