//! Finds the checkpoint of a config that was renamed between a run and its `--resume`.
//!
//! Results go into a folder with the config's name, so the checkpoint is in another folder than expected.

use std::path::Path;

use super::checkpoints::CHECKPOINT;
use crate::run::name_of;
use crate::toml_source::InputError;

/// Returns the error for a run to resume in `out`, if its checkpoint is in a neighbouring folder.
///
/// The folder `out` has no checkpoint. `config` is the run's resolved configuration, and `config_of` reads
/// the configuration of a checkpoint.
pub fn checkpoint_elsewhere(
    out: &Path,
    config: &str,
    config_of: impl Fn(&Path) -> Option<String>,
) -> Option<InputError> {
    let parent = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut folders: Vec<_> = std::fs::read_dir(parent).ok()?.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        let file = folder.join(CHECKPOINT);
        let Some(theirs) = config_of(&file) else { continue };
        let Some(name) = name_of(&theirs).filter(|name| Some(*name) != name_of(config)) else { continue };
        if nameless(&theirs) != nameless(config) {
            continue;
        }
        let problem = format!(
            "this run was stopped there, when its config had another name: to go on, write `{name}` into the config and \
             give --out {}; to play from the beginning in {}, leave out --resume",
            folder.display(),
            out.display()
        );
        return Some(InputError::file(&file, problem));
    }
    None
}

/// Returns the lines of a resolved configuration without its name and its secret, which differs between
/// folders.
fn nameless(config: &str) -> Vec<&str> {
    let name = name_of(config);
    let mut lines: Vec<&str> = config.lines().filter(|line| !line.starts_with("secret = ")).collect();
    if let Some(at) = lines.iter().position(|&line| Some(line) == name) {
        lines.remove(at);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_secrets_of_runs_make_no_difference_and_those_of_bots_do() {
        let config = |name: &str, bot: &str| {
            format!("deals = 3\nname = {name:?}\nsecret = \"{name}\"\n\n[[bots]]\nname = {bot:?}\n")
        };
        assert_eq!(nameless(&config("a", "x")), nameless(&config("b", "x")));
        assert_ne!(nameless(&config("a", "x")), nameless(&config("a", "y")));
    }
}
