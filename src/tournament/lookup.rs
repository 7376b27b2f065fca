//! Finds the files that a config names.

use std::path::{Path, PathBuf};

use crate::toml_source::Source;

/// A file named in a config: beside the config, else below the working folder.
pub(super) fn beside(source: &Source, file: &str) -> PathBuf {
    let near = source.file().parent().unwrap_or(Path::new("")).join(file);
    if near.exists() { near } else { PathBuf::from(file) }
}

/// The files in which the bot that a config calls `text` (a name or a file) may be.
pub(super) fn places(source: &Source, text: &str) -> Vec<PathBuf> {
    if text.ends_with(".toml") {
        vec![beside(source, text)]
    } else {
        bot_folders(source.file()).iter().map(|folder| folder.join(format!("{text}.toml"))).collect()
    }
}

/// Where bots are looked for by name: `bots/` in the working folder, beside the config and beside its folder.
fn bot_folders(config: &Path) -> Vec<PathBuf> {
    let folder = config.parent().unwrap_or(Path::new(""));
    let mut folders = vec![PathBuf::from("bots"), folder.join("bots"), folder.join("../bots")];
    folders.dedup();
    folders
}
