//! The folder that a run writes to: claimed before the first deal, filled after the last.

use std::fs;
use std::path::{Path, PathBuf};

use overtrick_run::{remove_staged, stage_file};
use overtrick_toml::{InputError, home_remedy};

use super::folder_lock::FolderLock;

/// A folder that a run writes to.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// The lock on the folder while a run writes to it, so that no other run adds its files.
    _lock: Option<FolderLock>,
}

/// The remedy if a folder cannot be written to.
const REMEDY: &str = "choose another folder with --out";

impl OutputFolder {
    /// Locks the folder, which is created if necessary, and checks that all files of `names` can be written.
    ///
    /// # Errors
    /// Returns the reason why a file cannot be written.
    pub fn claim(path: &Path, names: &[&str]) -> Result<OutputFolder, InputError> {
        let folder = OutputFolder::lock(path)?;
        folder.check(names)?;
        Ok(folder)
    }

    /// Locks the folder, which is created if necessary. From then on its contents belong to this run.
    ///
    /// When the value is dropped, the folder is removed if it was created and is still empty.
    ///
    /// # Errors
    /// If another run uses the folder, or if it cannot be created.
    pub fn lock(path: &Path) -> Result<OutputFolder, InputError> {
        if let Some(remedy) = home_remedy(path) {
            return Err(InputError::file(path, remedy));
        }
        let lock = FolderLock::take(path, |error| unwritable(path, &error, REMEDY))?;
        Ok(OutputFolder { path: path.to_owned(), _lock: Some(lock) })
    }

    /// Checks that every file of `names` in the folder can be written, and removes remains of killed runs.
    ///
    /// # Errors
    /// Returns the reason why a file cannot be written.
    pub fn check(&self, names: &[&str]) -> Result<(), InputError> {
        self.check_for(names, REMEDY)
    }

    /// Claims the folder of a single file, which an option names. Returns the file's name in the folder.
    ///
    /// An existing file is refused, unless it `may_replace` it.
    ///
    /// # Errors
    /// Returns the reason why it cannot be written.
    pub fn claim_file(file: &Path, option: &str, may_replace: bool) -> Result<(OutputFolder, String), InputError> {
        let refuse = |problem: String| InputError::file(file, problem).at_key(option);
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| refuse(format!("is not a file name; choose another with {option}")))?;
        if let Some(remedy) = home_remedy(file) {
            return Err(refuse(remedy));
        }
        if file.is_file() && !may_replace {
            let remedy = format!("choose another file with {option}, or replace what is there with --force");
            return Err(refuse(format!("is there already; {remedy}")));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let remedy = format!("choose another file with {option}");
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error, &remedy))?;
        let folder = OutputFolder { path: folder.to_owned(), _lock: None };
        folder.check_for(&[name], &remedy)?;
        Ok((folder, name.to_owned()))
    }

    fn check_for(&self, names: &[&str], remedy: &str) -> Result<(), InputError> {
        remove_staged(&self.path, names);
        // The file has no name, so that nothing is left if the run is killed here.
        tempfile::tempfile_in(&self.path).map_err(|error| unwritable(&self.path, &error, remedy))?;
        for name in names {
            let file = self.path.join(name);
            if file.is_dir() {
                return Err(InputError::file(&file, format!("is a folder where a file must go; {remedy}")));
            }
            if file.exists() {
                let opened = fs::OpenOptions::new().append(true).open(&file);
                opened.map_err(|error| unwritable(&file, &error, remedy))?;
            }
        }
        Ok(())
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files, each under a temporary name first. They are renamed when all of them are on the
    /// disk.
    ///
    /// # Errors
    /// If a file cannot be written. Then none has changed, unless renaming itself failed.
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

/// Returns the error for a file or a folder that cannot be written.
fn unwritable(place: &Path, error: &std::io::Error, remedy: &str) -> InputError {
    InputError::file(place, format!("results cannot be written there: {error}; {remedy}")).by_system(error)
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
        assert!(error.contains("another run is using the folder"), "{error}");
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
