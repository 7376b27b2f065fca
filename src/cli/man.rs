//! `overtrick man`.

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Cli, Ended, help, print};
use crate::report::VERSION;
use crate::toml_source::{InputError, did_you_mean};

/// Print the manual page of overtrick or of a command.
///
/// It is in the format of man: pipe it into `man -l -`.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The page of overtrick, which lists all commands", "man"),
    ("The page of a command", "man run"),
]))]
pub struct Args {
    /// The command, in place of overtrick itself.
    command: Option<String>,
}

pub fn man(args: &Args) -> Result<Ended, InputError> {
    let mut page = Cli::command().disable_help_subcommand(true);
    // Gives the commands their full names.
    page.build();
    if let Some(name) = &args.command {
        let Some(own) = page.find_subcommand(name).cloned() else {
            let known: Vec<&str> = page.get_subcommands().map(clap::Command::get_name).collect();
            let meant = did_you_mean(name, known.iter().copied());
            return Err(InputError::plain(format!("no command {name:?}{meant}. There are {}", known.join(", "))));
        };
        page = own;
    }
    let mut text = Vec::new();
    let source = format!("overtrick {VERSION}");
    Man::new(page).source(source).render(&mut text).expect("text goes into memory");
    print(&String::from_utf8(text).expect("text"));
    Ok(Ended::Done)
}
