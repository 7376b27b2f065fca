//! `overtrick compare`.

use std::ops::Range;
use std::path::PathBuf;

use super::host::register;
use super::output_format::OutputFormat;
use super::{Ended, finished, help};
use crate::report;
use crate::run::{Extent, Snapshot};
use crate::stats::{Side, compare as compare_sides};
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

/// A run that is compared.
struct ComparedRun {
    snapshot: Snapshot,
    tournament: Tournament,
    /// The numbers that the run has, if it is a part of one.
    partial: Option<Vec<Range<u64>>>,
}

impl ComparedRun {
    fn new(snapshot: Snapshot) -> Result<ComparedRun, InputError> {
        let tournament = snapshot.tournament_with(&register())?;
        let is_partial = matches!(snapshot.extent, Extent::Partial(_));
        let partial = is_partial.then(|| snapshot.extent.ranges(tournament.numbers));
        Ok(ComparedRun { snapshot, tournament, partial })
    }

    fn tallies(&self) -> Vec<&Tally> {
        self.snapshot.runs.iter().map(|run| &run.tally).collect()
    }

    /// Returns the number of faults of a bot in a variant.
    fn faults(&self, variant: &str, bot: &str) -> u64 {
        let variant = self.tournament.variants.iter().position(|one| one.name == variant);
        let bot = self.tournament.bots.iter().position(|one| one.name == bot);
        variant.zip(bot).map_or(0, |(variant, bot)| self.snapshot.runs[variant].faults[bot].count())
    }
}

pub fn compare(args: &Args) -> Result<Ended, InputError> {
    let [a, b] = [&args.results_a, &args.results_b].map(|folder| finished::read(folder));
    let (a, b) = (a?, b?);
    let (a, b) = (ComparedRun::new(a)?, ComparedRun::new(b)?);
    let rows = compare_sides(
        Side { tournament: &a.tournament, tallies: &a.tallies(), partial: a.partial.as_deref() },
        Side { tournament: &b.tournament, tallies: &b.tallies(), partial: b.partial.as_deref() },
    );
    let mut rows = rows.map_err(|why| {
        let (a, b) = (args.results_a.display(), args.results_b.display());
        InputError::plain(format!("{a} and {b} cannot be compared: {why}"))
    })?;
    for row in &mut rows {
        row.faults = a.faults(&row.variant_a, &row.bot) + b.faults(&row.variant_b, &row.bot);
    }
    let with_faults = rows.iter().any(|row| row.faults > 0);
    let note = if with_faults { "(!): the bot had faults, so it did not always play as it would\n" } else { "" };
    args.format.print(&rows, || report::comparison(&rows) + note);
    Ok(Ended::Done)
}
