//! The files of a finished run: the register that lists them, and the code that writes them.

use std::path::Path;

use overtrick_games::check_name;
use overtrick_run::{RunOutcome, Snapshot};
use overtrick_stats::Results;
use overtrick_toml::InputError;

use super::json::{summary, timing, to_json};
use super::{OutputFolder, to_csv};

/// The results of a finished run, from which its files are written.
pub struct Report<'a> {
    /// The run.
    pub outcome: &'a RunOutcome,
    /// The tables of results, computed from the tallies.
    pub results: Results,
    /// The number of threads that played, if it is known and was always the same.
    pub threads: Option<usize>,
}

/// A file that every finished run writes.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// The file's name.
    pub name: &'static str,
    /// The content of the file, in one line.
    pub about: &'static str,
    /// Whether every run of a configuration gives the same bytes.
    pub is_reproducible: bool,
    /// Makes the file's content.
    pub write: fn(&Report<'_>) -> Vec<u8>,
}

impl Output {
    /// Describes a file that is the same from every run of a configuration.
    const fn reproducible(name: &'static str, about: &'static str, write: fn(&Report<'_>) -> Vec<u8>) -> Output {
        Output { name, about, is_reproducible: true, write }
    }
}

/// The name of the file of tallies.
pub const TALLY: &str = "tally.bin";
/// The name of the file of the resolved configuration.
pub const CONFIG: &str = "config.toml";
/// The outputs that a shard writes. Its tallies keep their times, which `merge` adds up.
pub const SHARD_OUTPUTS: [&str; 2] = [CONFIG, TALLY];

/// The files that this crate writes. The tallies come last, as a sign that all other files are written.
pub const OUTPUTS: &[Output] = &[
    Output::reproducible("summary.json", "all tables and everything needed to reproduce them", |report| {
        let RunOutcome { tournament, extent, runs, .. } = report.outcome;
        to_json(&summary(tournament, runs, &report.results, extent.partial(tournament.numbers)))
    }),
    Output::reproducible(
        "bots.csv",
        "each bot in each variant: points a deal with interval, spread, shares of games won, tied, lost",
        |report| to_csv(&report.results.bots),
    ),
    Output::reproducible(
        "ratings.csv",
        "the bots of each variant, best first: points a deal ahead of the others, Elo in matches, and the places that each may really have",
        |report| to_csv(&report.results.ratings),
    ),
    Output::reproducible("pairs.csv", "each two bots on common deals: the difference with its interval", |report| {
        to_csv(&report.results.pairs)
    }),
    Output::reproducible(
        "meta.csv",
        "whether one number for each bot is enough: cycles, the mix that no bot is ahead of, votes of variants",
        |report| to_csv(&report.results.meta),
    ),
    Output::reproducible(
        "seats.csv",
        "what each seat at the table is worth, over all bots and to each, with interval",
        |report| to_csv(&report.results.seats),
    ),
    Output::reproducible(
        "balance.csv",
        "how deals end, how scores spread, and whether bots, seats or cards decide",
        |report| to_csv(&report.results.balance),
    ),
    Output::reproducible(
        "contracts.csv",
        "how often each contract was played and made, and what it scored, by declaring bot",
        |report| to_csv(&report.results.contracts),
    ),
    Output::reproducible(
        "curves.csv",
        "what the first deals are like from trick to trick: how much there is to decide, how soon the winner leads",
        |report| to_csv(&report.results.curves),
    ),
    Output::reproducible(
        "swings.csv",
        "the deals that made the difference: those in which one bot was farthest ahead of another",
        |report| to_csv(&report.results.swings),
    ),
    Output::reproducible(
        "given-away.csv",
        "what plays gave away with all cards known, by bot, role and trick; no rows without `--analyse`",
        |report| to_csv(&report.results.given_away),
    ),
    Output::reproducible("looks.csv", "how the rules of a run that may stop early went along", |report| {
        to_csv(&report.results.looks)
    }),
    Output {
        name: "timing.json",
        about: "how long it took: the one file that differs from run to run",
        is_reproducible: false,
        write: |report| to_json(&timing(&report.outcome.tournament, &report.outcome.runs, report.threads)),
    },
    Output::reproducible(
        CONFIG,
        "the configuration with everything resolved: `overtrick run config.toml` gives the same files",
        |report| report.outcome.tournament.to_toml().into_bytes(),
    ),
    Output::reproducible(TALLY, "the tallies, for `overtrick compare`", |report| {
        let RunOutcome { tournament, extent, runs, .. } = report.outcome;
        Snapshot::finished(tournament.to_toml(), extent.clone(), runs.clone()).timeless().to_bytes()
    }),
];

/// Returns the names of the files that this crate writes.
pub fn output_names() -> Vec<&'static str> {
    OUTPUTS.iter().map(|output| output.name).collect()
}

impl<'a> Report<'a> {
    /// Computes the results of a run.
    pub fn new(outcome: &'a RunOutcome) -> Report<'a> {
        Report { results: outcome.results(), outcome, threads: None }
    }

    /// Writes the results to a folder, which is created if necessary: the files of this crate and `more`.
    ///
    /// Either all files are written, or none has changed if one cannot be written. Files of an earlier run
    /// are replaced.
    ///
    /// # Errors
    /// If a name is not a file name, two names are the same, or a file cannot be written.
    pub fn write(&self, folder: &Path, more: &[Output]) -> Result<(), InputError> {
        let outputs: Vec<&Output> = more.iter().chain(OUTPUTS).collect();
        for (number, output) in outputs.iter().enumerate() {
            check_name(output.name).map_err(InputError::plain)?;
            if outputs[..number].iter().any(|other| other.name == output.name) {
                let problem = format!("there are two outputs {:?}; give one of them another name", output.name);
                return Err(InputError::plain(problem));
            }
        }
        let names: Vec<&str> = outputs.iter().map(|output| output.name).collect();
        self.write_to(&OutputFolder::claim(folder, &names)?, outputs.into_iter())
    }

    /// Writes the files of this crate to a folder that was claimed for them.
    #[cfg(feature = "cli")]
    pub fn write_ours(&self, folder: &OutputFolder) -> Result<(), InputError> {
        self.write_to(folder, OUTPUTS.iter())
    }

    /// Writes `outputs` to a folder that was claimed for them.
    fn write_to<'o>(&self, folder: &OutputFolder, outputs: impl Iterator<Item = &'o Output>) -> Result<(), InputError> {
        let contents: Vec<_> = outputs.map(|output| (output.name, (output.write)(self))).collect();
        folder.write(&contents)
    }
}
