//! Finds a bot's program and the folders in which it lies.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// The system's folders, which every bot may read.
pub(super) const SYSTEM: [&str; 9] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix"];

/// The folders with programs below the prefix of an installation.
const PROGRAMS: [&str; 4] = ["bin", "sbin", "libexec", "shims"];

/// Entries that mark the prefix of an installation: libraries, or files of version managers for Python or Ruby.
const INSTALLED: [&str; 4] = ["lib", "lib64", "versions", "pyvenv.cfg"];

/// The most links that are followed.
const LINKS: usize = 32;

/// A program, and the paths that it needs in addition to the system's folders.
pub(super) struct Program {
    pub(super) file: PathBuf,
    pub(super) readable: Vec<PathBuf>,
}

/// Looks a program up in the folders of `path`.
///
/// Its installation becomes readable, with the installations to which its links lead. A program given by its
/// path adds nothing, since a manifest names it.
pub(super) fn find(name: &str, folder: &Path, path: &OsStr) -> io::Result<Program> {
    if name.contains('/') {
        return Ok(Program { file: folder.join(name), readable: Vec::new() });
    }
    let mut candidates = std::env::split_paths(path).filter(|place| place.is_absolute()).map(|place| place.join(name));
    let Some(file) = candidates.find(|file| is_program(file)) else {
        return Err(io::Error::from_raw_os_error(libc::ENOENT));
    };
    let mut readable = Vec::new();
    let mut link = file.clone();
    for _ in 0..LINKS {
        readable.extend(installation(&link));
        let Ok(to) = std::fs::read_link(&link) else { break };
        link = plain(&link.parent().unwrap_or(Path::new("/")).join(to));
    }
    Ok(Program { file, readable })
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Returns the prefix of the program's installation, its folder, or else the file alone; `None` for the system's.
fn installation(file: &Path) -> Option<PathBuf> {
    if is_within(file, &SYSTEM) {
        return None;
    }
    let folder = file.parent()?;
    if let Some(prefix) = folder.parent()
        && is_prefix(prefix, folder)
    {
        return Some(prefix.to_owned());
    }
    Some(if is_wide(folder) { file.to_owned() } else { folder.to_owned() })
}

/// Returns whether a folder is the prefix of an installation with its programs in `programs`.
fn is_prefix(prefix: &Path, programs: &Path) -> bool {
    let Some(name) = programs.file_name() else { return false };
    PROGRAMS.iter().any(|known| name == *known)
        && INSTALLED.iter().any(|sign| prefix.join(sign).exists())
        && !prefix.ends_with(".local")
        && !is_wide(prefix)
}

/// Returns whether a place is one of some folders, or in one of them.
fn is_within(place: &Path, folders: &[&str]) -> bool {
    folders.iter().any(|folder| place.starts_with(folder))
}

/// Returns whether a folder holds more than one thing: a home, homes, or a part of the system hidden from bots.
pub(super) fn is_wide(folder: &Path) -> bool {
    let mut places = ["/etc", "/proc", "/sys", "/dev", "/run", "/tmp", "/var/tmp", "/boot"].map(PathBuf::from).to_vec();
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    if home.is_absolute() {
        places.extend(home.canonicalize());
        places.push(home);
    }
    places.iter().any(|place| place.starts_with(folder)) || is_within(folder, &["/proc", "/sys", "/dev"])
}

/// Returns the path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_readable_and_no_more_than_that() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (program, has_library) in [("tool/bin", true), ("plain/bin", false), (".local/bin", true)] {
            std::fs::create_dir_all(at(program)).unwrap();
            if has_library {
                std::fs::create_dir_all(at(program).with_file_name("lib")).unwrap();
            }
            std::fs::write(at(program).join("run"), "").unwrap();
        }
        assert_eq!(installation(&at("tool/bin/run")), Some(at("tool")));
        assert_eq!(installation(&at("plain/bin/run")), Some(at("plain/bin")));
        assert_eq!(installation(&at(".local/bin/run")), Some(at(".local/bin")));
        assert_eq!(installation(Path::new("/usr/bin/env")), None);
        assert_eq!(plain(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert!(is_wide(Path::new("/")) && is_wide(Path::new("/tmp")) && !is_wide(folder.path()));
    }
}
