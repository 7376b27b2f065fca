//! New files of a bot or of a game.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::toml_source::InputError;

/// Writes all files or none, and replaces no existing file.
pub(super) fn write(files: &[(PathBuf, String)]) -> Result<(), InputError> {
    for (nth, (file, text)) in files.iter().enumerate() {
        if let Err(error) = create(file, text) {
            files[..nth].iter().for_each(|(file, _)| drop(fs::remove_file(file)));
            return Err(error);
        }
    }
    Ok(())
}

fn create(file: &Path, text: &str) -> Result<(), InputError> {
    if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
        fs::create_dir_all(folder)
            .map_err(|error| InputError::file(folder, format!("cannot be made a folder: {error}")))?;
    }
    let mut out = File::create_new(file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            InputError::file(file, "is there already. Choose another name, or another --folder")
        }
        _ => InputError::file(file, format!("cannot be written: {error}")),
    })?;
    out.write_all(text.as_bytes()).map_err(|error| {
        drop(fs::remove_file(file));
        InputError::file(file, format!("cannot be written: {error}"))
    })
}
