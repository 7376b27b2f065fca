//! The command that a config is written for.

use overtrick_toml::{InputError, Source, key};

/// The commands that take a config, each with a key that only its configs have.
const COMMANDS: [(&str, &str); 4] = [("run", "bots"), ("tune", "tune"), ("sweep", "sweep"), ("league", "league")];

/// Checks that a config is not written for another command than `command`: `run`, `tune`, `sweep` or `league`.
///
/// # Errors
/// If it has the key of another command but not the key of `command`. The error names the other command.
pub(super) fn written_for(source: &Source, command: &str) -> Result<(), InputError> {
    let has = |own: &str| source.table().contains_key(own);
    if COMMANDS.iter().any(|&(name, own)| name == command && has(own)) {
        return Ok(());
    }
    for (name, own) in COMMANDS {
        if has(own) {
            let problem = format!(
                "belongs to a config of `overtrick {name}`, not of `overtrick {command}`: run `overtrick {name} {}`",
                source.file().display()
            );
            return Err(source.error(&key(own), problem));
        }
    }
    Ok(())
}
