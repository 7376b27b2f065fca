//! Files of bots, such as WebAssembly modules and nets, that results record with their hashes.

use std::path::{Path, PathBuf};

use overtrick_game::FieldError;
use overtrick_toml::in_home;

/// Returns the absolute path of the file that the parameter `key` names.
///
/// A relative path is looked up in `base_dir`, the folder of the file that names it, and then in the working
/// directory. Links in it are resolved. A leading `~` is the home folder.
///
/// # Errors
/// A path that is not UTF-8, since results could not record it.
pub(super) fn absolute(file: &Path, base_dir: &Path, key: &'static str) -> Result<PathBuf, FieldError> {
    let file = in_home(file);
    let file = if file.is_relative() {
        let near = base_dir.join(&file);
        let chosen = if near.exists() || !file.exists() { near } else { file };
        chosen.canonicalize().or_else(|_| std::path::absolute(&chosen)).unwrap_or(chosen)
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
pub(super) fn changed(what: &str, file: &Path, found: &str, wanted: &str) -> String {
    format!(
        "the {what} {} has changed: its SHA-256 is {found}, and `sha256` asks for {wanted}; put the former {what} back, \
         or take `sha256` out",
        file.display()
    )
}
