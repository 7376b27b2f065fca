//! Files of bots, such as WebAssembly modules and nets, that results record with their hashes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use overtrick_game::FieldError;
use overtrick_strategy::protocol::{Fault, FaultKind};
use overtrick_toml::in_home;

/// The content of a file as it was read, or the reason why there is none.
#[derive(Debug, Default, PartialEq)]
pub(super) enum Pinned<T> {
    /// The file has not been read yet.
    #[default]
    Unread,
    /// It was read.
    Read(Arc<T>),
    /// The file is missing or does not have the required hash.
    Lost(String),
}

impl<T> Clone for Pinned<T> {
    // A derived one would require `T: Clone`.
    fn clone(&self) -> Pinned<T> {
        match self {
            Pinned::Unread => Pinned::Unread,
            Pinned::Read(content) => Pinned::Read(Arc::clone(content)),
            Pinned::Lost(problem) => Pinned::Lost(problem.clone()),
        }
    }
}

/// A kind of pinned file.
pub(super) struct FileKind<T> {
    /// The parameter that names the file.
    pub key: &'static str,
    /// The name of the kind in messages.
    pub name: &'static str,
    pub read: fn(&Path) -> Result<T, String>,
    pub sha256: fn(&T) -> &str,
}

impl<T> FileKind<T> {
    /// Makes the path `file` absolute and reads the file. Without a hash, its own is put into `sha256`.
    ///
    /// # Errors
    /// A path that is not UTF-8, or a file without `sha256` that cannot be read.
    pub fn load(&self, file: &mut PathBuf, base_dir: &Path, sha256: &mut String) -> Result<Pinned<T>, FieldError> {
        *file = absolute(file, base_dir, Path::exists, self.key)?;
        match (self.read)(file) {
            Ok(content) if sha256.is_empty() || sha256.eq_ignore_ascii_case((self.sha256)(&content)) => {
                *sha256 = (self.sha256)(&content).to_owned();
                Ok(Pinned::Read(Arc::new(content)))
            }
            Ok(content) => Ok(Pinned::Lost(changed(self.name, file, (self.sha256)(&content), sha256))),
            Err(problem) if sha256.is_empty() => Err(FieldError { key: self.key, problem }),
            Err(problem) => Ok(Pinned::Lost(format!("the {} {problem}", self.name))),
        }
    }

    /// Returns the content.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] if the file was missing, or does not have the hash `sha256`.
    pub fn content(&self, pinned: &Pinned<T>) -> Result<Arc<T>, Fault> {
        match pinned {
            Pinned::Read(content) => Ok(Arc::clone(content)),
            Pinned::Lost(problem) => Err(Fault::new(FaultKind::NoStart, problem)),
            Pinned::Unread => Err(Fault::new(FaultKind::NoStart, format!("the {} has not been read", self.name))),
        }
    }
}

/// Returns the absolute path of the file or folder that the parameter `key` names.
///
/// A relative path is looked up in `base_dir`, the folder of the file that names it, and then in the working
/// directory. Links in it are resolved. A leading `~` is the home folder. `is_there` accepts a path of the right kind.
///
/// # Errors
/// A path that is not UTF-8, since results could not record it.
pub(crate) fn absolute(
    file: &Path,
    base_dir: &Path,
    is_there: fn(&Path) -> bool,
    key: &'static str,
) -> Result<PathBuf, FieldError> {
    let file = in_home(file);
    let file = if file.is_relative() {
        let near = base_dir.join(&file);
        let chosen = if is_there(&near) || !is_there(&file) { near } else { file };
        let place = if chosen.as_os_str().is_empty() { Path::new(".") } else { &chosen };
        place.canonicalize().or_else(|_| std::path::absolute(place)).unwrap_or(chosen)
    } else {
        file
    };
    match file.to_str() {
        Some(_) => Ok(file),
        None => {
            let problem = format!("is {}, a name that is not UTF-8; give it another", file.display());
            Err(FieldError { key, problem })
        }
    }
}

/// Returns the message for a file whose hash is not `wanted`; `what` names the kind of file.
fn changed(what: &str, file: &Path, found: &str, wanted: &str) -> String {
    format!(
        "the {what} {} has changed: its SHA-256 is {found}, and `sha256` asks for {wanted}; put the former {what} back, \
         or take `sha256` out",
        file.display()
    )
}
