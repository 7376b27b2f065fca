//! `overtrick compare`.

use std::path::PathBuf;

use super::host::register;
use super::output_format::OutputFormat;
use super::{Ended, finished, help};
use crate::report;
use crate::run::{Extent, Snapshot};
use crate::stats::{ComparisonRow, Side, compare as compare_sides};
use crate::toml_source::InputError;
use crate::tournament::{Tally, Tournament};

/// Compare two runs, bot by bot.
///
/// They may differ in the build, in parameters of bots or in rules. With the same seed, both runs have the
/// same deals, and the luck of the cards cancels.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("Two builds or two sets of rules", "compare results/before results/after"),
    ("The same as rows for a program", "compare results/before results/after --format csv"),
]))]
pub struct Args {
    /// The results' folder of the first run.
    results_a: PathBuf,
    /// The results' folder of the second run.
    results_b: PathBuf,
    /// Print in this format: a table, or rows for a program.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

pub fn compare(args: &Args) -> Result<Ended, InputError> {
    let [a, b] = [&args.results_a, &args.results_b].map(|folder| finished::read(folder));
    let (a, b) = (a?, b?);
    let [tournament_a, tournament_b] = [a.tournament_with(&register())?, b.tournament_with(&register())?];
    let tallies = |snapshot: &Snapshot| -> Vec<_> { snapshot.runs.iter().map(|run| run.tally.clone()).collect() };
    let (tallies_a, tallies_b) = (tallies(&a), tallies(&b));
    let (tallies_a, tallies_b): (Vec<&Tally>, Vec<&Tally>) = (tallies_a.iter().collect(), tallies_b.iter().collect());
    let partial = |snapshot: &Snapshot, tournament: &Tournament| match &snapshot.extent {
        Extent::Partial(_) => Some(snapshot.extent.ranges(tournament.numbers)),
        _ => None,
    };
    let (partial_a, partial_b) = (partial(&a, &tournament_a), partial(&b, &tournament_b));
    let rows = compare_sides(
        Side { tournament: &tournament_a, tallies: &tallies_a, partial: partial_a.as_deref() },
        Side { tournament: &tournament_b, tallies: &tallies_b, partial: partial_b.as_deref() },
    );
    let rows = rows.map_err(|why| {
        let (a, b) = (args.results_a.display(), args.results_b.display());
        InputError::plain(format!("{a} and {b} cannot be compared: {why}"))
    })?;
    let rows: Vec<ComparisonRow> = rows
        .into_iter()
        .map(|mut row| {
            row.faults = faults(&a, &tournament_a, &row.variant_a, &row.bot)
                + faults(&b, &tournament_b, &row.variant_b, &row.bot);
            row
        })
        .collect();
    let with_faults = rows.iter().any(|row| row.faults > 0);
    let note = if with_faults { "(!): the bot had faults, so it did not always play as it would\n" } else { "" };
    args.format.print(&rows, || report::comparison(&rows) + note);
    Ok(Ended::Done)
}

/// Returns the number of faults of a bot in a variant of a run.
fn faults(snapshot: &Snapshot, tournament: &Tournament, variant: &str, bot: &str) -> u64 {
    let variant = tournament.variants.iter().position(|one| one.name == variant);
    let bot = tournament.bots.iter().position(|one| one.name == bot);
    variant.zip(bot).map_or(0, |(variant, bot)| snapshot.runs[variant].faults[bot].count())
}
