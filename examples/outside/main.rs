//! A game, a strategy and an output that overtrick knows nothing of, in one tournament.
//!
//! `cargo run --example outside -- CONFIG.toml FOLDER` plays the tournament of a config, which may name them, and
//! writes its results to a folder.

use std::path::Path;
use std::process::ExitCode;

use overtrick::report::Report;
use overtrick::run::Run;
use overtrick::strategies::Register;
use overtrick::toml_source::InputError;
use overtrick::tournament::{Overrides, Tournament};

mod markdown;
mod plain;
mod thrifty;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [config, folder] = &args[..] else {
        eprintln!("usage: outside CONFIG.toml FOLDER");
        return ExitCode::from(2);
    };
    match play(Path::new(config), Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn play(config: &Path, folder: &Path) -> Result<(), InputError> {
    let register = Register::default().game::<plain::Plain>()?.strategy::<thrifty::Params>()?;
    let tournament = Tournament::read_with(config, Overrides::default(), &register)?;
    let outcome = Run::new(tournament).play()?;
    Report::new(&outcome).write(folder, &[markdown::BOTS])
}
