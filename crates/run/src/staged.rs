//! Files that are written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

/// Returns the name of the file `name` while it is being written.
fn part(name: &str) -> String {
    format!(".{name}.part")
}

/// Removes the half-written files that killed runs left for `names` in a folder.
///
/// A file that cannot be removed does no harm.
pub fn remove_staged(folder: &Path, names: &[&str]) {
    for name in names {
        let _ = fs::remove_file(folder.join(part(name)));
    }
}

/// Writes `content` to a temporary file for `file`, readable by all users as result files should be.
///
/// Its name is fixed, so that the next run replaces what a killed run left behind. Persist it to put it in
/// the place of `file`.
pub fn stage_file(file: &Path, content: &[u8]) -> std::io::Result<NamedTempFile> {
    stage_with(file, |out| out.write_all(content))
}

/// Makes the same temporary file, with content that `write` writes piece by piece.
fn stage_with<E: From<std::io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut fs::File) -> Result<(), E>,
) -> Result<NamedTempFile, E> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = part(&file.file_name().unwrap_or_default().to_string_lossy());
    match fs::remove_file(folder.join(&name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).rand_bytes(0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = builder.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes a file whole, with content that `write` writes piece by piece.
///
/// The content goes to a temporary file, which is renamed once it is safely on the disk.
///
/// # Errors
/// The error of the system or of `write`; the file then stays as it was.
pub fn write_whole<E: From<std::io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut fs::File) -> Result<(), E>,
) -> Result<(), E> {
    stage_with(file, write)?.persist(file).map_err(|error| error.error)?;
    Ok(())
}
