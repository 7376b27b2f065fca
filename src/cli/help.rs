//! The help of the command line: headings of options, groups of commands, examples.

use clap::Command;
use clap::builder::Styles;

/// The heading of options that say which deals are played, and by which bots.
pub const PLAYED: &str = "Deals and bots";
/// The heading of options for the course of the work.
pub const COURSE: &str = "How it runs";
/// The heading of options for the files of results.
pub const RESULTS: &str = "Results";
/// The heading of options for what a command prints.
pub const OUTPUT: &str = "Output";
/// The heading of options for tasks in place of the usual one.
pub const TASKS: &str = "Other tasks";
/// The heading of options for external bots.
pub const EXTERNAL: &str = "External bots";

/// The last lines of the help of the whole program.
pub const MORE: &str = "`overtrick COMMAND --help` describes a command, with examples. `-h` is shorter.";

/// The commands by task, in the order of docs/commands.md.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Play a tournament", &["run", "duel", "league", "merge"]),
    ("Understand results", &["report", "compare", "explain", "exploit"]),
    ("Tune a bot, change a rule", &["tune", "sweep"]),
    ("Look at deals, and play them", &["play", "replay", "solve"]),
    ("Rate other matches", &["rate"]),
    ("Compare bots of several authors", &["benchmark"]),
    ("Write a bot or a game", &["new-bot", "new-game", "check"]),
    ("Look things up", &["list", "rules", "schema", "bench", "completions", "man"]),
];

/// Returns a heading in the style of clap's own.
fn heading(text: &str) -> String {
    let styles = Styles::styled();
    let style = styles.get_header();
    format!("{style}{text}:{style:#}\n")
}

/// Returns the template for the help of the whole program: `commands` by task, a line each.
pub fn overview(commands: &Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (task, names) in GROUPS {
        text += &heading(task);
        for name in names {
            let about = commands.find_subcommand(name).and_then(Command::get_about);
            text += &format!("  {name:<11}  {}\n", about.expect("every command has a line of help"));
        }
        text.push('\n');
    }
    text + &heading("Options") + "{options}{after-help}"
}

/// Returns the section of examples at the end of a command's help.
///
/// An example is a sentence about it and the arguments of `overtrick`.
pub fn examples(all: &[(&str, &str)]) -> String {
    let example = |(about, arguments): &(&str, &str)| format!("  # {about}\n  overtrick {arguments}\n");
    heading("Examples") + all.iter().map(example).collect::<String>().trim_end()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::{Arg, CommandFactory, Parser};

    use super::*;
    use crate::cli::Cli;

    /// The longest line of help about a command, in characters.
    const LONGEST_ABOUT: usize = 60;
    /// The longest first line of help about an option, in characters.
    const LONGEST_FIRST: usize = 80;
    /// The most words in a sentence.
    const MOST_WORDS: usize = 25;
    /// Commands with more arguments have a heading for each option.
    const MOST_WITHOUT_HEADINGS: usize = 6;
    /// The commands that start external bots.
    const START_BOTS: [&str; 12] = [
        "run",
        "duel",
        "league",
        "explain",
        "exploit",
        "tune",
        "sweep",
        "play",
        "replay",
        "benchmark",
        "check",
        "list",
    ];

    /// Returns the program's own commands.
    fn commands() -> Vec<Command> {
        Cli::command().get_subcommands().cloned().collect()
    }

    /// Returns a command's own arguments, without those that every command has.
    fn arguments(command: &Command) -> Vec<&Arg> {
        command.get_arguments().filter(|argument| !argument.is_hide_set()).collect()
    }

    /// Returns the examples in a command's help.
    fn example_lines(command: &Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.starts_with("Examples:\n"), "{}: {help}", command.get_name());
        help.lines().filter_map(|line| line.strip_prefix("  overtrick ")).map(str::to_owned).collect()
    }

    /// Checks that the sentences of a text are short.
    fn check_sentences(place: &str, text: &str) {
        for sentence in text.lines().flat_map(|line| line.split(". ")) {
            assert!(sentence.split_whitespace().count() <= MOST_WORDS, "{place}: too long: {sentence}");
        }
    }

    #[test]
    fn every_command_is_in_one_group_and_has_one_line() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let commands = commands();
        let names: Vec<&str> = commands.iter().map(Command::get_name).collect();
        assert_eq!(grouped, names);
        for command in &commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && about.chars().count() <= LONGEST_ABOUT, "{}: {about}", command.get_name());
        }
    }

    #[test]
    fn texts_are_short_and_follow_the_style_guide() {
        for mut command in commands() {
            let place = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            assert!(!help.contains(';'), "{place}: a semicolon in {help}");
            check_sentences(&place, &command.get_long_about().map(ToString::to_string).unwrap_or_default());
            for argument in command.get_arguments() {
                let place = format!("{place} {}", argument.get_id());
                let first = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!first.is_empty() && first.chars().count() <= LONGEST_FIRST, "{place}: {first}");
                check_sentences(&place, &argument.get_long_help().map_or(first, ToString::to_string));
                for value in argument.get_possible_values() {
                    let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                    assert!(!help.is_empty() || !argument.get_action().takes_values(), "{place} {}", value.get_name());
                    check_sentences(&place, &help);
                }
            }
        }
    }

    #[test]
    fn options_of_large_commands_have_headings() {
        for command in commands() {
            let own = arguments(&command);
            let options = own.iter().filter(|argument| !argument.is_positional());
            for option in options.filter(|_| own.len() > MOST_WITHOUT_HEADINGS) {
                let heading = option.get_help_heading();
                assert!(heading.is_some(), "{} {}", command.get_name(), option.get_id());
            }
        }
    }

    #[test]
    fn examples_are_commands_and_their_files_exist() {
        for command in commands() {
            let examples = example_lines(&command);
            assert!((2..=3).contains(&examples.len()), "{}: {examples:?}", command.get_name());
            for example in examples {
                let words: Vec<&str> = example.split_whitespace().collect();
                assert_eq!(words[0], command.get_name(), "{example}");
                let parsed = Cli::try_parse_from(["overtrick"].iter().chain(&words)).map(|_| ());
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
                let files = words.iter().filter(|word| word.ends_with(".toml") && !word.starts_with("results/"));
                for file in files {
                    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists(), "{example}: {file}");
                }
            }
        }
    }

    #[test]
    fn the_sandbox_is_an_option_where_bots_start() {
        for command in commands() {
            let has = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
            let starts = START_BOTS.contains(&command.get_name());
            assert_eq!([has("sandbox"), has("bots_may_read")], [starts; 2], "{}", command.get_name());
        }
    }
}
