//! `overtrick explain`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::isolation::say_shortfall;
use super::output_format::{OutputFormat, print_json};
use super::signals;
use super::{Ended, finished, print, programs, progress};
use crate::explain::{ExplainQuestion, ExplainRow, Explanation};
use crate::ids::BotId;
use crate::report::{self, CONFIG, EXPLAIN_FILES, OutputFolder, Screen, explain_files};
use crate::run::{RunOutcome, Threads};
use crate::toml_source::{InputError, did_you_mean};
use crate::tournament::Tournament;

/// Say at which decisions two bots of a run part, and what that is worth.
///
/// Every game of the run in which the two met is played again, with B asked at every decision that A meets. Where B
/// would choose otherwise, the game is played on with B in A's place, after A's choice and after B's: by how much A's
/// margin differs is what A's choice is worth. The worths of all these choices add up to the difference of the two in
/// pairs.csv; explain.csv and explain.json have it by kinds of decisions.
#[derive(clap::Args)]
pub struct Args {
    /// The results' folder of the run.
    results: PathBuf,
    /// The bot whose margin is explained.
    a: String,
    /// The bot that it is compared with.
    b: String,
    /// How many deal numbers to play again, from the first on; all that the run played without it.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// How many threads; all cores by default. Results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The folder for explain.csv and explain.json, instead of that of the results.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to print: sentences and tables, or the same for a program.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub fn explain(args: &Args) -> Result<Ended, InputError> {
    let out = args.out.as_deref().unwrap_or(&args.results);
    // Locked before the results are read, so that no run changes them meanwhile. A missing folder is not
    // created yet.
    let locked = args.results.is_dir().then(|| OutputFolder::lock(out)).transpose()?;
    let snapshot = finished::read_or_begun(&args.results, "nothing is explained")?;
    let folder = match locked {
        Some(folder) => folder,
        None => OutputFolder::lock(out)?,
    };
    folder.check(&EXPLAIN_FILES)?;
    let (_, mut outcome) = finished::outcome(snapshot)?;
    outcome.tournament.hide(&args.results);
    let changed = |_, problem| InputError::file(&args.results, problem);
    programs::settle(&mut outcome.tournament.bots, args.quiet, changed)??;
    let pair = [find(&outcome.tournament, "A", &args.a)?, find(&outcome.tournament, "B", &args.b)?];
    let refuse = |why: crate::explain::ExplainError| InputError::file(&args.results, why.to_string());
    let question = ExplainQuestion::new(&outcome, pair, args.deals).map_err(refuse)?;
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    signals::watch(move || set.store(true, Ordering::Relaxed))?;
    let bar = progress::bar(question.deals(), "deals", args.quiet);
    let (mut lines, start) = (progress::Lines::default(), Instant::now());
    let answer = question.answer(&threads, &stop, &mut |done| {
        bar.set_position(done);
        if !args.quiet && bar.is_hidden() && lines.due(start.elapsed()) {
            let line = progress::line("explain", "deals", done, Some(question.deals()), done, start.elapsed());
            tell!("{line}");
        }
    });
    bar.finish_and_clear();
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

fn find(tournament: &Tournament, argument: &str, name: &str) -> Result<BotId, InputError> {
    let known = || tournament.bots.iter().map(|bot| bot.name.as_str());
    known().position(|own| own == name).map(BotId::new).ok_or_else(|| {
        let (meant, all) = (did_you_mean(name, known()), known().collect::<Vec<_>>().join(", "));
        let problem = format!("{name:?} is no bot of this run{meant}; it has {all}");
        InputError::plain(problem).at_key(argument)
    })
}
