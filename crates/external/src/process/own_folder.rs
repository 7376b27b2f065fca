//! The folder that a bot may read; refused if it holds more than a bot.

use std::path::{Component, Path, PathBuf};

use super::Params;

/// Folders in which people keep keys.
const KEYS: [&str; 8] = [".aws", ".azure", ".docker", ".gnupg", ".kube", ".password-store", ".ssh", "keyrings"];

impl Params {
    /// Checks that the bot's folder holds no more than the bot.
    ///
    /// Refused are the root folder, a home or its parents, folders of keys, and the folder of a run's results.
    ///
    /// # Errors
    /// The kind of folder, with the remedy.
    pub fn check_folder(&self) -> Result<(), String> {
        let Ok(folder) = self.folder.canonicalize() else { return Ok(()) };
        let hidden = self.isolation.hidden.iter().filter_map(|place| place.canonicalize().ok());
        match flaw(&folder, std::env::home_dir(), hidden) {
            None => Ok(()),
            Some(flaw) => Err(format!(
                "`folder` is {}, {flaw}, which holds more than the bot. Give the bot its own folder",
                folder.display()
            )),
        }
    }
}

/// Returns whether a written path consists of steps upwards alone: `..`, `../..` and so on.
pub(super) fn leads_out(folder: &Path) -> bool {
    let mut parts = folder.components().filter(|part| *part != Component::CurDir).peekable();
    parts.peek().is_some() && parts.all(|part| part == Component::ParentDir)
}

/// Returns why a folder cannot be a bot's, if so.
fn flaw(folder: &Path, home: Option<PathBuf>, mut hidden: impl Iterator<Item = PathBuf>) -> Option<&'static str> {
    if folder.parent().is_none() {
        return Some("the root of all files");
    }
    let home = home.filter(|home| home.is_absolute() && home.parent().is_some());
    if home.is_some_and(|home| home.canonicalize().unwrap_or(home).starts_with(folder)) {
        return Some("your home folder or one around it");
    }
    if folder.components().any(|part| KEYS.iter().any(|keys| part.as_os_str() == *keys)) {
        return Some("a folder of keys");
    }
    hidden.any(|place| place == folder).then_some("the folder of this run's results")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_hold_more_than_a_bot_are_refused() {
        let home = || Some(PathBuf::from("/home/ann"));
        let flaw = |folder: &str| flaw(Path::new(folder), home(), [PathBuf::from("/home/ann/out")].into_iter());
        for (folder, part) in [
            ("/", "root"),
            ("/home", "home"),
            ("/home/ann", "home"),
            ("/home/ann/.ssh", "keys"),
            ("/home/bob/.gnupg/private-keys-v1.d", "keys"),
            ("/home/ann/out", "results"),
        ] {
            assert!(flaw(folder).is_some_and(|flaw| flaw.contains(part)), "{folder}: {:?}", flaw(folder));
        }
        for folder in ["/home/ann/bots", "/home/ann/out/bot", "/srv/bots/ssh"] {
            assert_eq!(flaw(folder), None, "{folder}");
        }
    }

    #[test]
    fn only_steps_upwards_lead_out() {
        assert!(["..", "./..", "../..", "../."].iter().all(|folder| leads_out(Path::new(folder))));
        assert!([".", "", "bot", "../bot", "bot/.."].iter().all(|folder| !leads_out(Path::new(folder))));
    }
}
