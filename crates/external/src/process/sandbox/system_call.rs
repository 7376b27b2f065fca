//! The outcome of a bare system call.

/// Returns the error of a system call that returned `done`, unless that is 0.
pub(super) fn checked(done: libc::c_long) -> rustix::io::Result<()> {
    if done == 0 {
        return Ok(());
    }
    Err(rustix::io::Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(rustix::io::Errno::INVAL))
}
