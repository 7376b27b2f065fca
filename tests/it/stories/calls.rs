//! Calls that change files, as the story sees them: by what they do and to which file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::listener::Notice;

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// Opens a file to write to it; it is made if it is not there.
    Open,
    /// Writes `length` bytes that lie at an address; without one they lie in several places.
    Write {
        fd: i32,
        address: Option<u64>,
        length: usize,
    },
    Truncate,
    Sync,
    Rename,
    Unlink,
    MakeFolder,
    RemoveFolder,
}

/// A call that changes a file of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub deed: Deed,
    /// The file that a user knows: a part is written for the file that it becomes. `.` is the story's folder.
    pub file: String,
    /// The file, or the folder of one without a name.
    pub path: PathBuf,
    /// Its new path, if it gets one.
    pub to: Option<PathBuf>,
}

impl Call {
    /// A call on a file of a story in the folder `root`; none if it is elsewhere.
    pub fn new(deed: Deed, path: PathBuf, to: Option<PathBuf>, root: &Path) -> Option<Call> {
        let name = to.as_ref().unwrap_or(&path).strip_prefix(root).ok()?.file_name();
        let name = name.map_or(".".into(), |name| name.to_string_lossy());
        let file = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part")).unwrap_or(&name).to_owned();
        Some(Call { deed, file, path, to })
    }
}

/// A running program whose calls are read.
pub struct Caller {
    process: u32,
    memory: File,
    /// The folder of the story, in which the program works.
    root: PathBuf,
}

impl Caller {
    /// A program that has this id and works in `root`.
    ///
    /// # Errors
    /// If its memory cannot be read.
    pub fn new(process: u32, root: &Path) -> io::Result<Caller> {
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"))?;
        Ok(Caller { process, memory, root: root.canonicalize()? })
    }

    /// Whether a call is of the program itself, and not of one that it has started.
    pub fn has(&self, notice: &Notice) -> bool {
        Path::new(&format!("/proc/{}/task/{}", self.process, notice.thread)).exists()
    }

    /// The call of a notice of the program, if it changes files of the story.
    pub fn read(&self, notice: &Notice) -> Option<Call> {
        let args = notice.args;
        let of_fd = |deed| self.of_fd(args[0]).map(|path| (deed, path, None));
        let at = |folder: u64, name: u64| self.path(folder, name);
        let here = libc::AT_FDCWD as u32 as u64;
        let (deed, path, to) = match notice.call {
            libc::SYS_write | libc::SYS_pwrite64 => {
                // The supervisor can write in the program's stead, but not at an offset.
                let address = (notice.call == libc::SYS_write).then_some(args[1]);
                of_fd(Deed::Write { fd: args[0] as i32, address, length: args[2] as usize })?
            }
            libc::SYS_writev | libc::SYS_pwritev => {
                of_fd(Deed::Write { fd: args[0] as i32, address: None, length: 0 })?
            }
            libc::SYS_ftruncate => of_fd(Deed::Truncate)?,
            libc::SYS_fsync | libc::SYS_fdatasync => of_fd(Deed::Sync)?,
            libc::SYS_openat => (Deed::Open, at(args[0], args[1])?, None),
            libc::SYS_unlinkat if args[2] as i32 & libc::AT_REMOVEDIR != 0 => {
                (Deed::RemoveFolder, at(args[0], args[1])?, None)
            }
            libc::SYS_unlinkat => (Deed::Unlink, at(args[0], args[1])?, None),
            libc::SYS_mkdirat => (Deed::MakeFolder, at(args[0], args[1])?, None),
            libc::SYS_renameat | libc::SYS_renameat2 => {
                (Deed::Rename, at(args[0], args[1])?, Some(at(args[2], args[3])?))
            }
            #[cfg(target_arch = "x86_64")]
            libc::SYS_open => (Deed::Open, at(here, args[0])?, None),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_unlink => (Deed::Unlink, at(here, args[0])?, None),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_mkdir => (Deed::MakeFolder, at(here, args[0])?, None),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_rmdir => (Deed::RemoveFolder, at(here, args[0])?, None),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_rename => (Deed::Rename, at(here, args[0])?, Some(at(here, args[1])?)),
            _ => return None,
        };
        Call::new(deed, path, to, &self.root)
    }

    /// Reads bytes of the program's memory, as many as are there.
    pub fn memory(&self, address: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let read = self.memory.read_at(&mut bytes, address).unwrap_or(0);
        bytes.truncate(read);
        bytes
    }

    /// Writes bytes to the program's memory.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn fill(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.memory.write_all_at(bytes, address)
    }

    /// The file behind a descriptor; none if it has no name.
    fn of_fd(&self, fd: u64) -> Option<PathBuf> {
        let path = fs::read_link(format!("/proc/{}/fd/{}", self.process, fd as u32 as i32)).ok()?;
        (!path.to_string_lossy().ends_with(" (deleted)")).then_some(path)
    }

    /// The path whose text lies at an address, seen from a folder.
    fn path(&self, folder: u64, address: u64) -> Option<PathBuf> {
        let mut text = self.memory(address, libc::PATH_MAX as usize);
        text.truncate(text.iter().position(|&byte| byte == 0)?);
        let path = PathBuf::from(std::ffi::OsString::from_vec(text));
        let folder = match folder as u32 as i32 {
            _ if path.is_absolute() => return Some(path),
            libc::AT_FDCWD => self.root.clone(),
            fd => self.of_fd(fd as u64)?,
        };
        // `.` is left out, so that the same file has the same path.
        Some(folder.join(path).components().collect())
    }
}
