//! `overtrick run`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{Ended, print};
use crate::arena::{self, Control, Overrides, Ran, Tally, Tournament};
use crate::input::InputError;
use crate::report::{self, OutputFolder};
use crate::stats::Results;

/// Play a tournament and write its results.
#[derive(clap::Args)]
pub struct Args {
    /// The tournament's config file.
    config: PathBuf,
    /// The master seed, instead of the config's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// How many deals (or matches) every line-up plays, instead of the config's number.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// How many threads; all cores by default. Results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The folder for the results, instead of the config's or results/NAME.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

const FILES: [&str; 8] = [
    "summary.json",
    "bots.csv",
    "ratings.csv",
    "pairs.csv",
    "seats.csv",
    "contracts.csv",
    "timing.json",
    "config.toml",
];

pub fn run(args: &Args) -> Result<Ended, InputError> {
    let overrides = Overrides { seed: args.seed, numbers: args.deals };
    let tournament = Tournament::read(&args.config, overrides)?;
    let out = args.out.clone().or_else(|| tournament.out.clone());
    let out = out.unwrap_or_else(|| PathBuf::from("results").join(&tournament.name));
    let folder = OutputFolder::claim(&out, &FILES)?;
    if tournament.groups < tournament.groups_asked && !args.quiet {
        eprintln!(
            "note: with so many line-ups, results are kept in {} groups of deals instead of {}, to save memory",
            tournament.groups, tournament.groups_asked
        );
    }
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| InputError::plain(format!("threads cannot be started: {error}; try --threads 1")))?;
    let control = Arc::new(Control::new(tournament.bots.len()));
    let handler = Arc::clone(&control);
    ctrlc::set_handler(move || handler.stop.store(true, Ordering::Relaxed))
        .map_err(|error| InputError::plain(format!("Ctrl-C cannot be watched: {error}")))?;
    let Some(runs) = play(&tournament, &pool, &control, args.quiet) else {
        let (done, all) = (control.games_done(), tournament.games());
        eprintln!(
            "interrupted after about {} of {} games: nothing was written to {}",
            report::thousands(done),
            report::thousands(all),
            folder.path().display()
        );
        return Ok(Ended::Interrupted);
    };
    let tallies: Vec<&Tally> = runs.iter().map(|ran| &ran.tally).collect();
    let results = Results::new(&tournament, &tallies);
    write(&folder, &tournament, &results, &runs, threads)?;
    if !args.quiet {
        let seconds: f64 = runs.iter().map(|ran| ran.wall.as_secs_f64()).sum();
        let deals: u64 = runs.iter().map(|ran| ran.deals).sum();
        print(&format!(
            "{}\n{} deals in {seconds:.1} s; results are in {}\n",
            report::leaderboard(&tournament, &results),
            report::thousands(deals),
            folder.path().display()
        ));
    }
    Ok(Ended::Done)
}

/// Plays all variants; `None` if it was stopped.
fn play(tournament: &Tournament, pool: &rayon::ThreadPool, control: &Control, quiet: bool) -> Option<Vec<Ran>> {
    let bar = ProgressBar::new(tournament.games());
    let shown = !quiet && std::io::stderr().is_terminal();
    bar.set_draw_target(if shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() });
    let style = "{prefix} [{bar:30}] {human_pos}/{human_len} games, {rate}/s, {eta} left{msg}";
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
    };
    bar.set_style(ProgressStyle::with_template(style).expect("a template that parses").with_key("rate", rate));
    let done = std::sync::atomic::AtomicBool::new(false);
    let runs = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                bar.set_position(control.games_done());
                if let Some((bot, mean)) = control.leader() {
                    bar.set_message(format!(", {} leads with {mean:.2}", tournament.bots[bot].name));
                }
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let runs = (0..tournament.variants.len()).map(|variant| {
            bar.set_prefix(tournament.variants[variant].name.clone());
            arena::run(tournament, variant, pool, control)
        });
        let runs: Option<Vec<Ran>> = runs.collect();
        done.store(true, Ordering::Relaxed);
        runs
    });
    bar.finish_and_clear();
    runs
}

fn write(
    folder: &OutputFolder,
    tournament: &Tournament,
    results: &Results,
    runs: &[Ran],
    threads: usize,
) -> Result<(), InputError> {
    let json = |value: &serde_json::Value| {
        let mut text = serde_json::to_string_pretty(value).expect("plain values");
        text.push('\n');
        text.into_bytes()
    };
    let mut contents = vec![
        json(&report::summary(tournament, results)),
        report::to_csv(&results.bots),
        report::to_csv(&results.ratings),
        report::to_csv(&results.pairs),
        report::to_csv(&results.seats),
        report::to_csv(&results.contracts),
        json(&report::timing(tournament, runs, threads)),
        tournament.to_toml().into_bytes(),
    ]
    .into_iter();
    folder.write(&FILES.map(|name| (name, contents.next().expect("a content for each file"))))
}
