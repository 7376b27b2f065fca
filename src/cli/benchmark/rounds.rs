//! Begins a sealed round.

use std::path::Path;

use super::Args;
use super::setup::definition;
use crate::benchmark::BenchmarkRound;
use crate::cli::{Ended, print};
use crate::toml_source::InputError;

pub fn commit(args: &Args, place: &Path) -> Result<Ended, InputError> {
    let definition = definition(args)?;
    let round = BenchmarkRound::commit(place, &definition)?;
    if !args.quiet {
        print(&format!(
            "round {} of {} is committed to: {}\npublish {} now, and {} when entries are closed\n",
            round.name,
            definition.title(),
            round.commitment,
            round.file.display(),
            round.secret_file().display()
        ));
    }
    Ok(Ended::Done)
}
