//! The command line.

use std::process::ExitCode;

use clap::Parser;
use overtrick::cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
