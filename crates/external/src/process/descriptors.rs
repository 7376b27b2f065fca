//! Keeps the harness's open files from bots, except for the first three.
//!
//! This runs between fork and exec, so only system calls are made here: no memory is allocated and no lock is taken.

use std::os::fd::{BorrowedFd, RawFd};

use rustix::io::FdFlags;
use rustix::process::Resource;

/// The first descriptor that bots do not get.
const FIRST: RawFd = 3;

/// The bound up to which descriptors are tried one by one where the system does not list the open ones.
///
/// Linux gives a process no more unless it is configured to.
const MOST: u64 = 1 << 20;

/// Marks all open files but the first three to be closed on exec.
pub(super) fn keep_three() {
    #[cfg(target_os = "linux")]
    if close_range(FIRST, libc::CLOSE_RANGE_CLOEXEC) {
        return;
    }
    each_from(FIRST, |file| {
        // SAFETY: a descriptor that is not open gives an error and nothing else.
        let _ = rustix::io::fcntl_setfd(unsafe { BorrowedFd::borrow_raw(file) }, FdFlags::CLOEXEC);
    });
}

/// Closes all open files from `first` on. Nothing in this process may use them any more.
#[cfg(target_os = "linux")]
pub(super) fn close_from(first: RawFd) {
    if !close_range(first, 0) {
        // SAFETY: the caller guarantees that they are not used.
        each_from(first, |file| _ = unsafe { libc::close(file) });
    }
}

/// Closes or marks all files with one call, which kernels before 5.11 lack and some containers refuse.
#[cfg(target_os = "linux")]
fn close_range(first: RawFd, flags: libc::c_uint) -> bool {
    // SAFETY: the callers of the two functions above guarantee that the files are not used.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, flags) == 0 }
}

/// Calls `act` for every open file from `first` on, and perhaps for numbers that are not open.
fn each_from(first: RawFd, act: impl Fn(RawFd)) {
    #[cfg(target_os = "linux")]
    if each_listed(first, &act) {
        return;
    }
    let most = rustix::process::getrlimit(Resource::Nofile).maximum.map_or(MOST, |most| most.min(MOST));
    (first..most as RawFd).for_each(act);
}

/// Calls `act` for the open files that the system lists. Returns false if it does not list them.
#[cfg(target_os = "linux")]
fn each_listed(first: RawFd, act: &impl Fn(RawFd)) -> bool {
    use rustix::fs::{Mode, OFlags, RawDir};
    use std::os::fd::AsRawFd;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(list) = rustix::fs::open(c"/proc/self/fd", flags, Mode::empty()) else { return false };
    let own = list.as_raw_fd();
    let mut room = [std::mem::MaybeUninit::uninit(); 2048];
    let mut entries = RawDir::new(&list, &mut room);
    while let Some(entry) = entries.next() {
        let Ok(entry) = entry else { return false };
        if let Some(file) = number(entry.file_name().to_bytes()).filter(|&file| file >= first && file != own) {
            act(file);
        }
    }
    true
}

#[cfg(target_os = "linux")]
fn number(digits: &[u8]) -> Option<RawFd> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::group::Group;
    use crate::process::{Isolation, Level, Params};
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    use std::io::Read;
    use std::os::fd::AsRawFd;

    /// Returns the number of descriptors that a bot has besides the first three and the listing's own.
    fn seen(level: Level) -> usize {
        // The listing opens a folder, which adds a descriptor.
        let command = ["sh", "-c", "ls /proc/self/fd"].map(str::to_owned).into();
        let isolation = Isolation { level: Some(level), readable: Vec::new(), hidden: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let params = Params { command, isolation, folder: folder.path().to_owned(), ..Params::default() };
        let mut group = Group::spawn(&params).unwrap();
        let mut text = String::new();
        group.child().stdout.take().unwrap().read_to_string(&mut text).unwrap();
        let mut errors = String::new();
        group.child().stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        text.lines().count().checked_sub(4).unwrap_or_else(|| panic!("three files and the list: {text}{errors}"))
    }

    /// Returns a file that all programs started by this process inherit.
    fn inherited() -> std::fs::File {
        let file = std::fs::File::open("/").unwrap();
        rustix::io::fcntl_setfd(&file, FdFlags::empty()).unwrap();
        file
    }

    /// Takes `close_range` away from this thread and all that it starts.
    fn without_close_range(error: i32) {
        let rules = [(libc::SYS_close_range, Vec::new())].into();
        let arch = std::env::consts::ARCH.try_into().unwrap();
        let refuse = SeccompAction::Errno(error as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).unwrap();
        seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
        assert!(!close_range(RawFd::MAX, 0));
    }

    #[test]
    fn no_bot_has_what_is_open_in_the_harness() {
        let _open = inherited();
        assert_eq!([Level::Strict, Level::None].map(seen), [0, 0]);
    }

    #[test]
    fn nor_where_no_call_closes_many() {
        let open = inherited();
        for error in [libc::ENOSYS, libc::EPERM] {
            let seen = std::thread::spawn(move || {
                without_close_range(error);
                [Level::Strict, Level::None].map(seen)
            });
            assert_eq!(seen.join().unwrap(), [0, 0]);
        }
        assert!(rustix::io::fcntl_getfd(&open).is_ok());
    }

    #[test]
    fn all_that_is_open_is_listed() {
        let open = inherited();
        let listed = std::cell::RefCell::new(Vec::new());
        // Between fork and exec the list cannot grow, but here it can.
        assert!(each_listed(FIRST, &|file| listed.borrow_mut().push(file)));
        assert!(listed.borrow().contains(&open.as_raw_fd()) && listed.borrow().iter().all(|&file| file >= FIRST));
        assert_eq!((number(b"12"), number(b".."), number(b"")), (Some(12), None, None));
    }
}
