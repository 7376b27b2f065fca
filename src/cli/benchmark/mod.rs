//! `overtrick benchmark`.

mod play;
mod rounds;
mod setup;
mod table;
mod verify;

use std::path::PathBuf;

use super::Ended;
use super::help;
use super::isolation::SandboxArgs;
use super::output_format::OutputFormat;
use super::threads::ThreadArgs;
use crate::toml_source::InputError;

/// Measure a bot by the open benchmark, or check a result.
///
/// The bot plays a duel with each reference bot in each variant. Its score is 0 at the level of random play and
/// 100 at the level of rule-based play. The result is one file that others can verify by playing a sample of it
/// again.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The score of a bot on the open deals", "benchmark cautious --author Ann"),
    ("The result of someone else, checked by playing a sample again", "benchmark --verify results/benchmark/cautious.json"),
    ("A page with all results of a folder", "benchmark --table results/benchmark --out table.html"),
]))]
pub struct Args {
    /// A bot, by name or as a .toml file.
    ///
    /// `overtrick list bots` lists the names. With --verify, the bot is needed where the result names files
    /// that it has.
    bot: Option<String>,
    /// Check this result, and play a sample of it again.
    ///
    /// The digest, versions and hashes must be right, and the sample must have the same sums.
    #[arg(long, help_heading = help::TASKS, value_name = "FILE")]
    #[arg(conflicts_with_all = ["commit", "table", "author", "out"])]
    verify: Option<PathBuf>,
    /// Begin a sealed round: write ROUND.toml to publish, and ROUND.secret to keep.
    ///
    /// Publish the secret when entries are closed. Its SHA-256 in ROUND.toml shows that it was chosen before.
    #[arg(long, help_heading = help::TASKS, value_name = "ROUND")]
    #[arg(conflicts_with_all = ["bot", "table", "author", "out", "round", "force"])]
    commit: Option<PathBuf>,
    /// Show a table of all results in this folder.
    ///
    /// With --out, also write a page and a CSV file. Files whose digest or benchmark is wrong are left out. Nothing is
    /// played again.
    #[arg(long, help_heading = help::TASKS, value_name = "FOLDER", conflicts_with_all = ["bot", "author"])]
    table: Option<PathBuf>,
    /// Play with the secret of this round, the file ROUND.toml.
    ///
    /// The file ROUND.secret must lie next to it. With --verify, the result must be of this round. With --table,
    /// results of other rounds are left out.
    #[arg(long, help_heading = help::PLAYED, value_name = "FILE")]
    round: Option<PathBuf>,
    /// Name this author in the result.
    ///
    /// Tables show all entries of an author.
    #[arg(long, help_heading = help::PLAYED, value_name = "NAME")]
    author: Option<String>,
    /// Play this number of parts again, chosen at random.
    ///
    /// Each duel has 50 parts. 0 plays nothing.
    #[arg(long, help_heading = help::PLAYED, value_name = "N", default_value_t = 30, requires = "verify")]
    sample: u64,
    /// Choose these parts by this seed, in place of one drawn by the system.
    #[arg(long, help_heading = help::PLAYED, value_name = "SEED", requires = "verify")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Use the benchmark in this file, in place of the program's own.
    #[arg(long, help_heading = help::PLAYED, value_name = "FILE")]
    definition: Option<PathBuf>,
    /// Go on where an earlier benchmark of the same bot was stopped or killed.
    #[arg(long, help_heading = help::COURSE, conflicts_with_all = ["verify", "commit", "table", "force"])]
    resume: bool,
    /// Write the result to this file.
    ///
    /// The default is results/benchmark/BOT.json, or results/benchmark/ROUND/BOT.json in a round. With --table it is
    /// the page, and a CSV file of the same name comes with it.
    #[arg(long, help_heading = help::RESULTS, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it is there, and the checkpoint of another benchmark.
    #[arg(long, help_heading = help::RESULTS)]
    force: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print in this format: a text to read, or rows for a program.
    #[arg(long, help_heading = help::OUTPUT, value_enum, default_value_t)]
    format: OutputFormat,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn benchmark(args: &Args) -> Result<Ended, InputError> {
    if let Some(place) = &args.commit {
        return rounds::commit(args, place);
    }
    if let Some(folder) = &args.table {
        return table::table(args, folder);
    }
    if let Some(file) = &args.verify {
        return verify::verify(args, file);
    }
    match &args.bot {
        Some(bot) => play::play(args, bot),
        None => Err(InputError::plain("name a bot to measure, or a task: --verify, --commit or --table")),
    }
}
