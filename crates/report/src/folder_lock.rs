//! The lock on a folder of results. It is held from before a run examines the folder until its last file is
//! written.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use overtrick_toml::InputError;

/// The time that another run may take to release a folder. A killed run still has to end its bots.
const PATIENCE: Duration = Duration::from_secs(3);

/// The number of times that a folder is created while another run removes it.
const TRIES: u32 = 100;

/// The lock on a folder for one run at a time. When it is dropped, the folders that were created for it and
/// left empty are removed.
#[derive(Debug)]
pub(super) struct FolderLock {
    /// The folders that were created, the innermost first.
    made: Vec<PathBuf>,
    /// The locked folder; `None` if the system does not lock folders.
    lock: Option<File>,
}

impl FolderLock {
    /// Locks a folder, which is created if necessary.
    ///
    /// # Errors
    /// If another run has the lock. If the folder cannot be created, returns the error from `refuse`.
    pub(super) fn take(path: &Path, refuse: impl Fn(io::Error) -> InputError) -> Result<FolderLock, InputError> {
        for _ in 0..TRIES {
            let mut held = FolderLock { made: Vec::new(), lock: None };
            make(path, &mut held.made).map_err(&refuse)?;
            match lock(path) {
                // A run that leaves the folder empty removes it, and the name may belong to another folder by
                // now.
                Ok(Some(file)) if !is_at(&file, path) => continue,
                Ok(None) if !path.is_dir() => continue,
                Ok(lock) => held.lock = lock,
                Err(error) => {
                    // The run that has the lock writes there.
                    held.made.clear();
                    return Err(error);
                }
            }
            return Ok(held);
        }
        Err(refuse(ErrorKind::NotFound.into()))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A folder that is not empty stays, and so do all its parents.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// Creates a folder with its parents, and puts those that this call created in front of `made`.
fn make(path: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    for _ in 0..TRIES {
        match fs::create_dir(path) {
            Ok(()) => {
                made.insert(0, path.to_owned());
                return Ok(());
            }
            Err(_) if path.is_dir() => return Ok(()),
            // The parent does not exist, or another run has just removed it.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let Some(parent) = path.parent() else { return Err(error) };
                make(parent, made)?;
            }
            // Another run has just removed the folder.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.symlink_metadata().is_err() => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::NotFound.into())
}

/// Locks a folder until the file is dropped; `None` if the system does not lock folders.
fn lock(path: &Path) -> Result<Option<File>, InputError> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    let start = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => std::thread::sleep(PATIENCE / 30),
            Err(TryLockError::WouldBlock) => {
                let problem = "another run is using the folder; wait until it ends, or choose another with --out";
                return Err(InputError::file(path, problem));
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Returns true if an open folder is the folder at `path`.
#[cfg(unix)]
fn is_at(folder: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: fs::Metadata| (data.dev(), data.ino());
    let [open, named] = [folder.metadata(), path.metadata()].map(|data| data.ok().map(place));
    open.is_some() && open == named
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(path: &Path) -> Result<FolderLock, InputError> {
        FolderLock::take(path, |error| InputError::file(path, error.to_string()))
    }

    #[test]
    fn folders_that_were_made_and_left_empty_are_removed() {
        let base = tempfile::tempdir().unwrap();
        let inner = base.path().join("a/b");
        drop(take(&inner).unwrap());
        assert!(!base.path().join("a").exists());
        let held = take(&inner).unwrap();
        fs::write(base.path().join("a/note"), "").unwrap();
        drop(held);
        assert!(!inner.exists() && base.path().join("a/note").exists());
        let held = take(&inner).unwrap();
        fs::write(inner.join("result"), "").unwrap();
        drop(held);
        assert!(inner.join("result").exists());
        // A folder that existed stays, empty or not.
        drop(take(base.path()).unwrap());
        assert!(base.path().exists());
    }

    /// Threads take, use and release the folder in turn, and no two hold it at once.
    #[cfg(unix)]
    #[test]
    fn runs_that_take_a_folder_away_and_make_it_again_never_share_it() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let base = tempfile::tempdir().unwrap();
        let (path, inside) = (base.path().join("out"), AtomicU32::new(0));
        let turns = || {
            for _ in 0..200 {
                // A thread that waits too long for the other has no turn.
                let Ok(held) = take(&path) else { continue };
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                assert!(path.is_dir());
                inside.fetch_sub(1, Ordering::SeqCst);
                drop(held);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(turns);
            }
        });
        assert!(!path.exists());
    }
}
