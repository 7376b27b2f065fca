//! Files of bots that results name with their hashes: WebAssembly modules, nets.

use std::path::{Path, PathBuf};

use overtrick_game::FieldError;
use overtrick_toml::in_home;

/// The absolute path, without links, of a file that the parameter `key` names: beside the file that names it, in the
/// folder `base_dir`, or else below the folder that overtrick runs in. A `~` that it begins with is the home folder.
///
/// # Errors
/// If its name is not UTF-8, since results could not name it.
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

/// What to say of a file, a `what`, that is not the one with the hash `wanted`.
pub(super) fn changed(what: &str, file: &Path, found: &str, wanted: &str) -> String {
    format!(
        "the {what} {} has changed: its SHA-256 is {found}, and `sha256` asks for {wanted}; put the former {what} back, \
         or take `sha256` out",
        file.display()
    )
}
