//! `overtrick explain`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::help;
use super::isolation::{SandboxArgs, say_shortfall};
use super::output_format::{OutputFormat, print_json};
use super::progress::{Meter, line};
use super::signals;
use super::threads::threads;
use super::{Ended, arguments, finished, print, programs};
use crate::explain::{ExplainQuestion, ExplainRow, Explanation};
use crate::ids::BotId;
use crate::report::{self, CONFIG, EXPLAIN_FILES, OutputFolder, Screen, explain_files};
use crate::run::RunOutcome;
use crate::toml_source::InputError;
use crate::tournament::Tournament;

/// Show which decisions make one bot better than another.
///
/// Every game of the run in which the two met is played again, and B is asked at every decision of A. Where B
/// chooses otherwise, B plays the game on in A's place: once after A's choice, and once after B's. The
/// difference of A's margin is the worth of A's choice. All worths add up to the difference of the two bots
/// in pairs.csv. explain.csv and explain.json list them by kind of decision.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The decisions behind the difference of two bots", "explain results/quick rule-based cautious"),
    ("Only the first 1,000 deals, in another folder",
     "explain results/quick rule-based cautious --deals 1000 --out why"),
]))]
pub struct Args {
    /// The results' folder of the run.
    results: PathBuf,
    /// The bot whose margin is explained.
    a: String,
    /// The bot that it is compared with.
    b: String,
    /// Play this number of deals again, from the first on.
    ///
    /// The default is all deals of the run.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// Play on this number of threads, in place of all cores.
    ///
    /// Results do not depend on it.
    #[arg(long, help_heading = help::COURSE, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write explain.csv and explain.json to this folder.
    ///
    /// The default is the folder of the results.
    #[arg(long, help_heading = help::RESULTS, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print in this format: sentences and tables, or data for a program.
    #[arg(long, help_heading = help::OUTPUT, value_enum, default_value_t)]
    format: OutputFormat,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn explain(args: &Args) -> Result<Ended, InputError> {
    let out = args.out.as_deref().unwrap_or(&args.results);
    // Locked before the results are read, so that no run changes them meanwhile. A missing folder is not
    // created yet.
    let locked = args.results.is_dir().then(|| OutputFolder::lock(out)).transpose()?;
    let snapshot = finished::read_or_begun(&args.results)?;
    let folder = match locked {
        Some(folder) => folder,
        None => OutputFolder::lock(out)?,
    };
    folder.check(&EXPLAIN_FILES)?;
    let (_, mut outcome) = finished::outcome(snapshot)?;
    outcome.tournament.hide(&args.results);
    let changed = |_, problem| InputError::file(&args.results, problem);
    programs::settle(&mut outcome.tournament.bots, args.quiet, changed)?.require_unchanged()?;
    let pair = [find(&outcome.tournament, &args.a)?, find(&outcome.tournament, &args.b)?];
    let refuse = |why: crate::explain::ExplainError| InputError::file(&args.results, why.to_string());
    let question = ExplainQuestion::new(&outcome, pair, args.deals).map_err(refuse)?;
    let threads = threads(args.threads)?;
    let stop = Arc::new(AtomicBool::new(false));
    signals::stop_at(&stop)?;
    let all = question.deals();
    let mut meter = Meter::new("[{bar:20}] {human_pos} of {human_len} deals, {eta} left", 0, all, args.quiet);
    let answer = question.answer(&threads, &stop, &mut |done| {
        meter.show(done, all, |elapsed| line("explain", "deals", done, Some(all), done, elapsed));
    });
    drop(meter);
    say_shortfall(outcome.tournament.isolation(), args.quiet);
    let Some(explanation) = answer.map_err(refuse)? else {
        tell!("interrupted: nothing was written to {}", folder.path().display());
        return Ok(Ended::Interrupted);
    };
    folder.write(&explain_files(&explanation))?;
    if !args.quiet {
        show(args, &outcome, &explanation, folder.path());
    }
    Ok(Ended::Done)
}

fn show(args: &Args, outcome: &RunOutcome, explanation: &Explanation, folder: &Path) {
    match args.format {
        OutputFormat::Text => {
            let config = args.results.join(CONFIG);
            // An unfinished run has not written its config.
            let config = if outcome.is_finished { config.display().to_string() } else { "CONFIG.toml".to_owned() };
            let text = report::explanation(explanation, &config, Screen::current());
            print(&format!("{}\n{} are in {}\n", text.trim_start(), EXPLAIN_FILES.join(" and "), folder.display()));
        }
        OutputFormat::Csv => OutputFormat::Csv.print::<ExplainRow>(&explanation.rows(), String::new),
        OutputFormat::Json => print_json(explanation),
    }
    if args.format != OutputFormat::Text {
        explanation.notes.iter().for_each(|note| tell!("note: {note}"));
    }
}

fn find(tournament: &Tournament, name: &str) -> Result<BotId, InputError> {
    let known = tournament.bots.iter().map(|bot| bot.name.as_str());
    arguments::index_of(name, known, "bot of this run").map(BotId::new)
}
