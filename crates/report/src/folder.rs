//! The folder that a run writes to: claimed before the first deal, filled after the last.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use overtrick_run::{remove_staged, stage_file};
use overtrick_toml::{InputError, home_remedy};

/// A folder that was seen to be writable, with the files that will go into it.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// The folder itself, locked while a run writes to it, so that no other run mixes its files in.
    _lock: Option<File>,
}

/// How long another run may take to let go of a folder: one that was killed still ends its bots.
const PATIENCE: Duration = Duration::from_secs(3);

impl OutputFolder {
    /// Makes the folder if need be, and checks that it and every file of `names` in it can be written.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub fn claim(path: &Path, names: &[&str]) -> Result<OutputFolder, InputError> {
        let folder = OutputFolder::claim_for(path, names, "choose another folder with --out")?;
        Ok(OutputFolder { _lock: lock(path)?, ..folder })
    }

    /// Claims the folder of a single file, which an option names; gives the file's name there. A file that is there
    /// already is refused, unless it `may_replace` it.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub fn claim_file(file: &Path, option: &str, may_replace: bool) -> Result<(OutputFolder, String), InputError> {
        let refuse = |problem: String| InputError::file(file, problem).at_key(option);
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| refuse(format!("is no name for a file; choose another with {option}")))?;
        if let Some(remedy) = home_remedy(file) {
            return Err(refuse(remedy));
        }
        if file.is_file() && !may_replace {
            let remedy = format!("choose another file with {option}, or replace what is there with --force");
            return Err(refuse(format!("is there already; {remedy}")));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let remedy = format!("choose another file with {option}");
        Ok((OutputFolder::claim_for(folder, &[name], &remedy)?, name.to_owned()))
    }

    fn claim_for(path: &Path, names: &[&str], remedy: &str) -> Result<OutputFolder, InputError> {
        let refuse = |what: &Path, error: std::io::Error| {
            InputError::file(what, format!("results cannot be written there: {error}; {remedy}")).by_system(&error)
        };
        if let Some(remedy) = home_remedy(path) {
            return Err(InputError::file(path, remedy));
        }
        fs::create_dir_all(path).map_err(|error| refuse(path, error))?;
        remove_staged(path, names);
        // Without a name, so that nothing is left if the run is killed here.
        tempfile::tempfile_in(path).map_err(|error| refuse(path, error))?;
        for name in names {
            let file = path.join(name);
            if file.is_dir() {
                return Err(InputError::file(&file, format!("is a folder where a file must go; {remedy}")));
            }
            if file.exists() {
                fs::OpenOptions::new().append(true).open(&file).map_err(|error| refuse(&file, error))?;
            }
        }
        Ok(OutputFolder { path: path.to_owned(), _lock: None })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files, each under a temporary name first. Only when all are on the disk do they get their own names.
    ///
    /// # Errors
    /// If one cannot be written; none has then changed, unless renaming itself failed.
    pub fn write(&self, files: &[(&str, Vec<u8>)]) -> Result<(), InputError> {
        let failed = |name: &str, error: std::io::Error| {
            let problem = format!("cannot be written: {error}; results already there are as they were");
            InputError::file(&self.path.join(name), problem)
        };
        let mut staged = Vec::new();
        for (name, content) in files {
            let file = stage_file(&self.path.join(name), content).map_err(|error| failed(name, error))?;
            staged.push((*name, file));
        }
        for (name, file) in staged {
            file.persist(self.path.join(name)).map_err(|error| failed(name, error.error))?;
        }
        Ok(())
    }
}

/// Locks a folder until the file is dropped; `None` where the system locks no folders.
fn lock(path: &Path) -> Result<Option<File>, InputError> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    let start = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => std::thread::sleep(PATIENCE / 30),
            Err(TryLockError::WouldBlock) => {
                let problem = "another run is writing there; wait for it, or choose another folder with --out";
                return Err(InputError::file(path, problem));
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_appear_whole_and_leave_nothing_else_behind() {
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::claim(&folder.path().join("new/results"), &["a.csv"]).unwrap();
        out.write(&[("a.csv", b"1".to_vec()), ("b.csv", b"2".to_vec())]).unwrap();
        out.write(&[("a.csv", b"3".to_vec())]).unwrap();
        let mut names: Vec<_> = fs::read_dir(out.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.csv", "b.csv"]);
        assert_eq!(fs::read(out.path().join("a.csv")).unwrap(), b"3");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_of_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = OutputFolder::claim(folder.path(), &[]).unwrap();
        let error = OutputFolder::claim(folder.path(), &[]).unwrap_err().to_string();
        assert!(error.contains("another run is writing there"), "{error}");
        drop(first);
        OutputFolder::claim(folder.path(), &[]).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_is_refused_before_anything_is_played() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = OutputFolder::claim(&file, &[]).unwrap_err().to_string();
        assert!(error.contains("--out"), "{error}");
        fs::create_dir(folder.path().join("bots.csv")).unwrap();
        let error = OutputFolder::claim(folder.path(), &["bots.csv"]).unwrap_err().to_string();
        assert!(error.contains("bots.csv: is a folder"), "{error}");
    }
}
