//! The commands, one file each.

/// Writes a line to standard error, or passes it to the program that called the command.
macro_rules! tell {
    ($($part:tt)*) => { $crate::cli::host::note(&format!($($part)*)) };
}

mod absence;
mod bench;
mod changes;
mod check;
mod checkpoints;
mod compare;
mod completions;
mod display;
mod duel;
mod earlier;
mod explain;
mod exploit;
mod finished;
mod host;
mod isolation;
mod job;
mod last_words;
mod list;
mod log;
mod man;
mod merge;
mod merge_sweep;
mod new_bot;
mod output_format;
mod parts;
mod play;
mod programs;
mod progress;
mod rate;
mod renamed;
mod replay;
mod report;
mod rules;
mod run;
mod schema;
mod secret;
mod session;
mod signals;
pub mod solve;
mod sweep;
mod tune;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::strategies::process::breakdown;
use crate::toml_source::InputError;
pub use host::{Host, Progress};

/// Tournaments of trick-taking card games: seeded simulation, exact rules, honest intervals.
#[derive(Parser)]
#[command(version = crate::report::VERSION, about, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    shutting: isolation::Shutting,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Duel(duel::Args),
    Tune(tune::Args),
    Sweep(sweep::Args),
    Merge(merge::Args),
    Compare(compare::Args),
    Report(report::Args),
    Explain(explain::Args),
    Exploit(exploit::Args),
    Rate(rate::Args),
    List(list::Args),
    Rules(rules::Args),
    Play(play::Args),
    Replay(replay::Args),
    Bench(bench::Args),
    NewBot(new_bot::Args),
    Check(check::Args),
    Solve(solve::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The way in which a command ended.
pub enum Ended {
    /// The command finished.
    Done,
    /// The command finished, but a bot had faults.
    Faulty,
    /// The user stopped the command.
    Interrupted,
}

impl Cli {
    /// Runs the command. Each error is a line on standard error.
    pub fn run(self) -> ExitCode {
        signals::prepare();
        match self.perform() {
            Ok(Ended::Done) => ExitCode::SUCCESS,
            Ok(Ended::Faulty) => ExitCode::from(1),
            Ok(Ended::Interrupted) => ExitCode::from(signals::exit_code()),
            Err(error) => {
                tell!("error: {error}");
                ExitCode::from(2)
            }
        }
    }

    /// Performs the command.
    fn perform(self) -> Result<Ended, InputError> {
        self.shutting.settle()?;
        let ended = match self.command {
            Command::Run(args) => run::run(&args),
            Command::Duel(args) => duel::duel(&args),
            Command::Tune(args) => tune::tune(&args),
            Command::Sweep(args) => sweep::sweep(&args),
            Command::Merge(args) => merge::merge(&args),
            Command::Compare(args) => compare::compare(&args),
            Command::Report(args) => report::report(&args),
            Command::Explain(args) => explain::explain(&args),
            Command::Exploit(args) => exploit::exploit(&args),
            Command::Rate(args) => rate::rate(&args),
            Command::List(args) => list::list(&args),
            Command::Rules(args) => rules::rules(&args),
            Command::Play(args) => play::play(&args),
            Command::Replay(args) => replay::replay(&args),
            Command::Bench(args) => bench::bench(&args),
            Command::NewBot(args) => new_bot::new_bot(&args),
            Command::Check(args) => check::check(&args),
            Command::Solve(args) => solve::solve(&args),
            Command::Schema(args) => schema::schema(&args),
            Command::Completions(args) => completions::completions(&args),
            Command::Man(args) => man::man(&args),
        }?;
        match (ended, breakdown()) {
            (Ended::Interrupted, Some(why)) => Err(InputError::plain(why)),
            (ended, _) => Ok(ended),
        }
    }
}

/// Returns an error in an argument.
fn argument(name: &str, problem: String) -> InputError {
    InputError::plain(problem).at_key(name)
}

/// Prints to standard output, or passes the text to the program that called the command.
///
/// A reader that has gone away (`| head`) is no error. Any other error ends the program.
fn print(text: &str) {
    use std::io::{ErrorKind, Write};
    if host::print(text) {
        return;
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            tell!("error: the output cannot be written: {error}");
            std::process::exit(2);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn bench_still_takes_the_old_name_of_its_format() {
        let parsed = |args: &[&str]| Cli::try_parse_from([&["overtrick", "bench"], args].concat()).is_ok();
        assert!(parsed(&["--json"]) && parsed(&["--format", "json"]) && !parsed(&["--json", "--format", "csv"]));
    }

    #[test]
    fn everything_that_can_be_given_has_a_line_of_help() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        for command in cli.get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                let (name, help) =
                    (argument.get_id(), argument.get_help().map(ToString::to_string).unwrap_or_default());
                assert!(!help.is_empty(), "{} {name}", command.get_name());
                for value in argument.get_possible_values() {
                    let flag = argument.get_action().takes_values();
                    assert!(!flag || value.get_help().is_some(), "{} {name} {}", command.get_name(), value.get_name());
                }
            }
        }
    }
}
