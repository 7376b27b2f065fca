//! Files that are written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

/// What the file `name` is called while it is written.
fn part(name: &str) -> String {
    format!(".{name}.part")
}

/// Takes away what killed runs have left half-written of the files `names` in a folder. One that cannot be taken away
/// harms nobody.
pub fn sweep(folder: &Path, names: &[&str]) {
    for name in names {
        let _ = fs::remove_file(folder.join(part(name)));
    }
}

/// A temporary file with the content that `file` is to have, readable by everybody as result files should be. Its name
/// is fixed, so that what a killed run leaves behind is replaced by the next.
pub(crate) fn stage_file(file: &Path, content: &[u8]) -> std::io::Result<NamedTempFile> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = part(&file.file_name().unwrap_or_default().to_string_lossy());
    match fs::remove_file(folder.join(&name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
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
    file.write_all(content)?;
    file.as_file().sync_all()?;
    Ok(file)
}
