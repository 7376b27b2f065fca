//! `overtrick bench`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::output_format::OutputFormat;
use super::{Ended, arguments, help};
use crate::games::Variant;
use crate::report::table;
use crate::toml_source::InputError;
use crate::tournament::measure_random;

/// The number of deals in one measured round.
const ROUND: u64 = 200_000;
/// The number of rounds, of which the median is reported.
const ROUNDS: u64 = 7;

/// Measure deals a second on one core with random bots.
///
/// It also prints a signature, which changes if any score of any deal changes.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("All variants", "bench"),
    ("One variant, for a program", "bench --variant dumbo --format json"),
]))]
pub struct Args {
    /// Measure this variant alone, by name or as a .toml file.
    #[arg(long)]
    variant: Option<String>,
    /// Print in this format: a table, or rows for a program.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    /// The old name of `--format json`.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

/// A variant's line.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Row {
    /// The variant.
    variant: String,
    /// Deals a second on one core with random bots: the median of some rounds.
    deals_per_second: f64,
    /// The same in the fastest round.
    deals_per_second_best: f64,
    /// Changes if any score of any deal changes.
    signature: String,
}

pub fn bench(args: &Args) -> Result<Ended, InputError> {
    let variants = arguments::variants(args.variant.as_deref())?;
    let rate = |time: Duration| (ROUND as f64 / time.as_secs_f64()).round();
    let row = |variant: Variant| {
        let (mut times, signature) = measure_random(&variant, ROUNDS, ROUND);
        times.sort_unstable();
        Row {
            variant: variant.name,
            deals_per_second: rate(times[times.len() / 2]),
            deals_per_second_best: rate(times[0]),
            signature: format!("{signature:016x}"),
        }
    };
    let rows: Vec<Row> = variants.into_iter().map(row).collect();
    let form = if args.json { OutputFormat::Json } else { args.format };
    form.print(&rows, || {
        let row = |row: &Row| {
            let millions = |rate: f64| format!("{:.3}", rate / 1e6);
            let (median, best) = (millions(row.deals_per_second), millions(row.deals_per_second_best));
            vec![row.variant.clone(), row.signature.clone(), median, best]
        };
        let headings = ["variant", "signature", "median", "best"];
        format!("million deals a second, on one core\n{}\n", table(&headings, 2, rows.iter().map(row)))
    });
    Ok(Ended::Done)
}
