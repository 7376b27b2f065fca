//! Detects a renamed config: a config without `name` is named after its file, which may have been moved.

/// Returns the line of a resolved configuration that has its name.
///
/// It is the first such line, since keys come before tables.
pub fn name_of(config: &str) -> Option<&str> {
    config.lines().find(|line| line.starts_with("name = "))
}

/// Returns the remedy if a configuration differs from the run's `own` in `line` first, and that line has its name.
///
/// The remedy is to keep that name. It is empty for any other line, such as the name of a bot.
pub fn remedy_for_name(config: &str, line: &str, own: &str) -> String {
    let name = name_of(config);
    if name != Some(line) || name == name_of(own) {
        return String::new();
    }
    format!("; if only the config was renamed, write `{line}` into it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::different_line;

    fn config(name: &str, bot: &str) -> String {
        format!("deals = 3\nname = {name:?}\nsecret = \"{name}\"\n\n[[bots]]\nname = {bot:?}\n")
    }

    #[test]
    fn the_name_of_a_run_is_not_that_of_a_bot() {
        assert_eq!(name_of(&config("a", "x")), Some("name = \"a\""));
        let remedy = |theirs: &str, own: &str| {
            let (line, _) = different_line(theirs, own).unwrap();
            remedy_for_name(theirs, line, own)
        };
        let renamed = remedy(&config("a", "x"), &config("b", "x"));
        assert_eq!(renamed, "; if only the config was renamed, write `name = \"a\"` into it");
        assert_eq!(remedy(&config("a", "x"), &config("a", "y")), "");
        // A bot with the same name as the run.
        assert_eq!(remedy(&config("a", "a"), &config("a", "y")), "");
    }
}
