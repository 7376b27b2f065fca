//! The files of a finished run.

use super::json::{summary, timing, to_json};
use super::to_csv;
use crate::run::{Extent, Snapshot};
use crate::stats::Results;
use crate::tournament::{Tournament, VariantRun};

/// The file of tallies among them.
pub const TALLY: &str = "tally.bin";

/// Their names.
pub const FILES: [&str; 10] = [
    "summary.json",
    "bots.csv",
    "ratings.csv",
    "pairs.csv",
    "seats.csv",
    "balance.csv",
    "contracts.csv",
    "timing.json",
    "config.toml",
    TALLY,
];

/// Their contents; `threads` is how many played, where that is one number.
pub fn contents(
    tournament: &Tournament,
    results: &Results,
    runs: Vec<VariantRun>,
    threads: Option<usize>,
    extent: &Extent,
) -> Vec<(&'static str, Vec<u8>)> {
    let config = tournament.to_toml();
    let mut summary = summary(tournament, &runs, results);
    if let Some(partial) = extent.partial(tournament.numbers) {
        summary["partial"] = partial;
    }
    let texts = [
        to_json(&summary),
        to_csv(&results.bots),
        to_csv(&results.ratings),
        to_csv(&results.pairs),
        to_csv(&results.seats),
        to_csv(&results.balance),
        to_csv(&results.contracts),
        to_json(&timing(tournament, &runs, threads)),
        config.clone().into_bytes(),
        Snapshot::finished(config, extent.clone(), runs).timeless().to_bytes(),
    ];
    FILES.into_iter().zip(texts).collect()
}
