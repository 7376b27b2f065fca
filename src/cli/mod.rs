//! The commands, one file each.

/// Writes a line to standard error, or passes it to the program that called the command.
macro_rules! tell {
    ($($part:tt)*) => { $crate::cli::host::note(&format!($($part)*)) };
}

mod absence;
mod arguments;
mod bench;
mod benchmark;
mod changes;
mod check;
mod checkpoints;
mod compare;
mod completions;
mod declared;
mod display;
mod duel;
mod earlier;
mod explain;
mod exploit;
mod finished;
mod help;
mod host;
mod isolation;
mod job;
mod last_words;
mod league;
mod list;
mod log;
mod man;
mod merge;
mod merge_sweep;
mod new_bot;
mod new_files;
mod new_game;
mod output_format;
mod parameters;
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
mod threads;
mod tune;
mod tune_subject;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::strategies::process::breakdown;
use crate::toml_source::InputError;
pub use host::{Host, Progress};
use isolation::SandboxArgs;

/// Plays tournaments of card games between bots, and says how certain the results are.
#[derive(Parser)]
#[command(version = crate::report::VERSION, about, propagate_version = true)]
#[command(help_template = help::overview(&Command::augment_subcommands(clap::Command::new("overtrick"))))]
#[command(after_help = help::MORE)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Duel(duel::Args),
    League(league::Args),
    Merge(merge::Args),
    Report(report::Args),
    Compare(compare::Args),
    Explain(explain::Args),
    Exploit(exploit::Args),
    Tune(tune::Args),
    Sweep(sweep::Args),
    Play(play::Args),
    Replay(replay::Args),
    Solve(solve::Args),
    Rate(rate::Args),
    Benchmark(benchmark::Args),
    NewBot(new_bot::Args),
    NewGame(new_game::Args),
    Check(check::Args),
    List(list::Args),
    Rules(rules::Args),
    Schema(schema::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Returns the options for external bots, if the command starts any.
    fn sandbox(&self) -> Option<&SandboxArgs> {
        match self {
            Command::Run(args) => Some(&args.how.sandbox),
            Command::Duel(args) => Some(&args.how.sandbox),
            Command::League(args) => Some(&args.sandbox),
            Command::Explain(args) => Some(&args.sandbox),
            Command::Exploit(args) => Some(&args.sandbox),
            Command::Tune(args) => Some(&args.sandbox),
            Command::Sweep(args) => Some(&args.sandbox),
            Command::Play(args) => Some(&args.sandbox),
            Command::Replay(args) => Some(&args.sandbox),
            Command::Benchmark(args) => Some(&args.sandbox),
            Command::Check(args) => Some(&args.sandbox),
            Command::List(args) => Some(&args.sandbox),
            _ => None,
        }
    }
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
        self.command.sandbox().map_or(Ok(()), SandboxArgs::settle)?;
        let ended = match self.command {
            Command::Run(args) => run::run(&args),
            Command::Duel(args) => duel::duel(&args),
            Command::League(args) => league::league(&args),
            Command::Merge(args) => merge::merge(&args),
            Command::Report(args) => report::report(&args),
            Command::Compare(args) => compare::compare(&args),
            Command::Explain(args) => explain::explain(&args),
            Command::Exploit(args) => exploit::exploit(&args),
            Command::Tune(args) => tune::tune(&args),
            Command::Sweep(args) => sweep::sweep(&args),
            Command::Play(args) => play::play(&args),
            Command::Replay(args) => replay::replay(&args),
            Command::Solve(args) => solve::solve(&args),
            Command::Rate(args) => rate::rate(&args),
            Command::Benchmark(args) => benchmark::benchmark(&args),
            Command::NewBot(args) => new_bot::new_bot(&args),
            Command::NewGame(args) => new_game::new_game(&args),
            Command::Check(args) => check::check(&args),
            Command::List(args) => list::list(&args),
            Command::Rules(args) => rules::rules(&args),
            Command::Schema(args) => schema::schema(&args),
            Command::Bench(args) => bench::bench(&args),
            Command::Completions(args) => completions::completions(&args),
            Command::Man(args) => man::man(&args),
        }?;
        match (ended, breakdown()) {
            (Ended::Interrupted, Some(why)) => Err(InputError::plain(why)),
            (ended, _) => Ok(ended),
        }
    }
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
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
