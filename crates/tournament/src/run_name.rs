//! The name of a run, tuning or sweep, and the folder for results in its config.

use std::path::PathBuf;

use overtrick_games::check_name;
use overtrick_toml::{InputError, Source, in_home, key};

/// Returns the name in a config: its key `name` as `written`, or else a name made from the config's file
/// name.
///
/// # Errors
/// If it is not a valid name, since folders are named after it.
pub fn run_name(source: &Source, written: Option<String>) -> Result<String, InputError> {
    let refuse = |problem: String| source.error(&key("name"), problem);
    if let Some(name) = written {
        check_name(&name).map_err(refuse)?;
        return Ok(name);
    }
    let stem = source.file().file_stem().unwrap_or_default().to_string_lossy();
    let name = made_of(&stem);
    if check_name(&name).is_err() {
        let problem =
            format!("is missing, and no name can be made of {stem:?}: write `name = \"...\"` into the config");
        return Err(refuse(problem));
    }
    Ok(name)
}

/// Returns the folder for results from the key `out`. A leading `~` is the home folder.
pub fn out_folder(written: Option<PathBuf>) -> Option<PathBuf> {
    written.map(|folder| in_home(&folder))
}

/// Replaces each stretch of characters that names may not have by a `-`, but drops it at the ends. A valid
/// name is returned unchanged.
fn made_of(text: &str) -> String {
    if check_name(text).is_ok() {
        return text.to_owned();
    }
    let is_plain = |letter: &char| check_name(&format!("a{letter}")).is_ok();
    let mut name = String::new();
    for letter in text.chars() {
        if is_plain(&letter) {
            name.push(letter);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn name(file: &str, text: &str) -> Result<String, String> {
        let source = Source::parse(Path::new(file), text.to_owned()).unwrap();
        let written = source.table().get("name").and_then(|name| name.as_str()).map(str::to_owned);
        run_name(&source, written).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_gives_its_name_with_dashes_for_what_no_name_has() {
        for (file, known) in [
            ("quick.toml", "quick"),
            ("a/my config (2).toml", "my-config-2"),
            ("-x_1.2.toml", "-x_1.2"),
            ("Jos\u{e9}s L\u{e4}ufe.toml", "Jos-s-L-ufe"),
            ("-", "-"),
        ] {
            assert_eq!(name(file, "").as_deref(), Ok(known), "{file}");
        }
        let message = name("(?).toml", "").unwrap_err();
        assert!(message.contains("`name`: is missing") && message.contains("write `name"), "{message}");
        assert_eq!(name("my config (2).toml", "name = \"x\"").as_deref(), Ok("x"));
        assert!(name("quick.toml", "name = \"a b\"").unwrap_err().contains("\"a b\" is no name"));
    }
}
