//! `overtrick completions`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::{Cli, Ended, help, print};
use crate::toml_source::InputError;

/// Print the script by which a shell completes commands.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("For bash, with the folder of its line above", "completions bash"),
    ("For fish", "completions fish"),
]))]
pub struct Args {
    /// The shell. Its line names the file for the script.
    #[arg(value_parser = shells())]
    shell: Shell,
}

/// Returns a parser of shell names, whose help says where each script goes.
fn shells() -> impl TypedValueParser<Value = Shell> {
    let place = |shell: &Shell| match shell {
        Shell::Bash => "~/.local/share/bash-completion/completions/overtrick",
        Shell::Elvish => "the end of ~/.config/elvish/rc.elv",
        Shell::Fish => "~/.config/fish/completions/overtrick.fish",
        Shell::PowerShell => "the end of the file $PROFILE",
        Shell::Zsh => "_overtrick in a folder of $fpath",
        _ => "where the shell looks for it",
    };
    let value = |shell: &Shell| shell.to_possible_value().expect("none is skipped").help(place(shell));
    let values: Vec<_> = Shell::value_variants().iter().map(value).collect();
    PossibleValuesParser::new(values).map(|name| Shell::from_str(&name, false).expect("one of these"))
}

pub fn completions(args: &Args) -> Result<Ended, InputError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "overtrick", &mut script);
    print(&String::from_utf8(script).expect("text"));
    Ok(Ended::Done)
}
