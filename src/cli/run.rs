//! `overtrick run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::session::{Session, games_done};
use super::{Ended, print};
use crate::arena::{Control, Overrides, Ran, Tally, Tournament};
use crate::input::InputError;
use crate::report::{self, Ledger, OutputFolder, Shard};
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
    /// The folder for the results, instead of the config's or results/NAME (results/NAME-K-of-N for a shard).
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Go on where an earlier run of the same configuration was stopped or killed.
    #[arg(long)]
    resume: bool,
    /// Play a part of the deals, for `merge` to put together: 3/8 is the third of eight.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Seconds between checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    checkpoint: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds, 0 to 86400".to_owned()),
    }
}

/// The file that an unfinished run can be resumed from.
const CHECKPOINT: &str = "checkpoint.bin";

pub fn run(args: &Args) -> Result<Ended, InputError> {
    let overrides = Overrides { seed: args.seed, numbers: args.deals };
    let mut tournament = Tournament::read(&args.config, overrides)?;
    if args.shard.is_some() && tournament.stop.is_some() {
        let problem = "shards have a fixed share of the deals; take `stop` out of the config, or run it whole";
        return Err(InputError { key: Some("stop".to_owned()), ..InputError::file(&args.config, problem) });
    }
    if args.shard.is_some() && tournament.faults.limit().is_some() {
        let problem = "no shard knows the faults of the others; choose another policy, or run it whole";
        return Err(InputError { key: Some("faults.policy".to_owned()), ..InputError::file(&args.config, problem) });
    }
    let out = args.out.clone().unwrap_or_else(|| own_folder(&tournament, args.shard));
    let files: &[&str] = if args.shard.is_some() { &SHARD_FILES } else { &report::FILES };
    let folder = OutputFolder::claim(&out, &[files, &[CHECKPOINT]].concat())?;
    let say = |text: &str| {
        if !args.quiet {
            eprintln!("{text}");
        }
    };
    let mut runs = Vec::new();
    if args.resume {
        match earlier(&tournament, args.shard, folder.path(), files)? {
            Earlier::Finished => {
                if !args.quiet {
                    print(&format!("nothing to do: {} holds the results of this run\n", folder.path().display()));
                }
                return Ok(Ended::Done);
            }
            Earlier::Checkpoint(ledger) => {
                runs = ledger.runs;
                tournament.drop_disqualified(&runs);
            }
            Earlier::Nothing => say("note: there is no checkpoint, so the run starts from the beginning"),
        }
    }
    if !args.resume && folder.path().join(CHECKPOINT).exists() {
        let place = folder.path().display();
        say(&format!("note: the checkpoint in {place} will be replaced; with --resume a run goes on from it"));
    }
    if tournament.groups < tournament.groups_asked {
        say(&format!(
            "note: with so many line-ups, results are kept in {} groups of deals instead of {}, to save memory",
            tournament.groups, tournament.groups_asked
        ));
    }
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool =
        pool.map_err(|error| InputError::plain(format!("threads cannot be started: {error}; try --threads 1")))?;
    for bot in &tournament.bots {
        // A log of another run would be taken for one of this.
        if !args.resume {
            let _ = std::fs::remove_file(folder.path().join(bot.log_name()));
        }
    }
    let control = Arc::new(Control::new(tournament.bots.len(), Some(folder.path().to_owned())));
    let handler = Arc::clone(&control);
    ctrlc::set_handler(move || handler.stop.store(true, Ordering::Relaxed))
        .map_err(|error| InputError::plain(format!("Ctrl-C cannot be watched: {error}")))?;
    let every = Duration::from_secs_f64(args.checkpoint);
    let mut session = Session::new(args.shard, folder.path().join(CHECKPOINT), every);
    session.play(&mut tournament, &mut runs, &pool, &control, args.quiet)?;
    if control.stop.load(Ordering::Relaxed) {
        let done = report::thousands(games_done(&tournament, &runs));
        let all = match tournament.stop {
            None => format!(" of {}", report::thousands(session.games(&tournament))),
            Some(_) => String::new(),
        };
        let rest = if runs.iter().any(|ran| ran.next > ran.start) {
            format!("go on with --resume; the checkpoint is in {}", folder.path().display())
        } else {
            format!("nothing was written to {}", folder.path().display())
        };
        eprintln!("interrupted after {done}{all} games: {rest}");
        return Ok(Ended::Interrupted);
    }
    let faulty = runs.iter().any(Ran::has_faults);
    let deals: u64 = runs.iter().map(|ran| ran.deals).sum();
    let wall: Duration = runs.iter().map(|ran| ran.wall).sum();
    let (deals, seconds) = (report::thousands(deals), wall.as_secs_f64());
    let place = folder.path().display();
    match args.shard {
        Some(shard) => {
            finish_shard(&folder, &tournament, shard, runs)?;
            if !args.quiet {
                print(&format!(
                    "{deals} deals in {seconds:.1} s; shard {shard} is in {place}: put all together with `overtrick merge`\n"
                ));
            }
        }
        None => {
            let results = finish(&folder, &tournament, runs, Some(threads))?;
            if !args.quiet {
                let board = report::leaderboard(&tournament, &results, report::Screen::current());
                print(&format!("{board}\n{deals} deals in {seconds:.1} s; results are in {place}\n"));
            }
        }
    }
    // Nothing can be lost any more.
    let _ = std::fs::remove_file(folder.path().join(CHECKPOINT));
    Ok(if faulty { Ended::Faulty } else { Ended::Done })
}

/// The checkpoint to go on from; `None` if there is none.
fn checkpoint(tournament: &Tournament, shard: Option<Shard>, file: &Path) -> Result<Option<Ledger>, InputError> {
    let refuse = |problem: String| {
        let remedy = "delete it to start from the beginning, or choose another folder with --out";
        InputError::file(file, format!("{problem}; {remedy}"))
    };
    let Some(ledger) = Ledger::read(file).map_err(|error| refuse(error.problem))? else {
        return Ok(None);
    };
    match ledger.is_foreign(&tournament.to_toml(), shard) {
        Some(why) => Err(refuse(format!("cannot be resumed from: {why}"))),
        None => Ok(Some(ledger)),
    }
}

/// The folder for results where the command line names none. Shards must not end up in one.
fn own_folder(tournament: &Tournament, shard: Option<Shard>) -> PathBuf {
    let folder = tournament.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&tournament.name));
    match shard {
        None => folder,
        Some(Shard { number, of }) => PathBuf::from(format!("{}-{number}-of-{of}", folder.display())),
    }
}

/// What an earlier run has left in a folder.
enum Earlier {
    /// All that this run would write.
    Finished,
    /// Where this run can go on.
    Checkpoint(Ledger),
    /// Nothing of use.
    Nothing,
}

/// Looks for what an earlier run has left.
///
/// # Errors
/// If there is a checkpoint that cannot be used, or nothing but the results of another run, which would be lost.
fn earlier(
    tournament: &Tournament,
    shard: Option<Shard>,
    folder: &Path,
    files: &[&str],
) -> Result<Earlier, InputError> {
    let file = folder.join(report::TALLY);
    let results = Ledger::read(&file).ok().flatten();
    let foreign = results.as_ref().and_then(|ledger| ledger.is_foreign(&tournament.to_toml(), shard));
    if results.is_some_and(|ledger| ledger.finished)
        && foreign.is_none()
        && files.iter().all(|file| folder.join(file).is_file())
    {
        return Ok(Earlier::Finished);
    }
    if let Some(ledger) = checkpoint(tournament, shard, &folder.join(CHECKPOINT))? {
        return Ok(Earlier::Checkpoint(ledger));
    }
    match foreign {
        None => Ok(Earlier::Nothing),
        Some(why) => {
            let remedy = "choose another folder with --out, or leave --resume out to replace them";
            Err(InputError::file(&file, format!("the folder holds finished results: {why}; {remedy}")))
        }
    }
}

/// Writes the files of a run.
///
/// # Errors
/// If one cannot be written.
pub(super) fn finish(
    folder: &OutputFolder,
    tournament: &Tournament,
    runs: Vec<Ran>,
    threads: Option<usize>,
) -> Result<Results, InputError> {
    let tallies: Vec<&Tally> = runs.iter().map(|ran| &ran.tally).collect();
    let mut results = Results::new(tournament, &tallies);
    results.add_faults(tournament, &runs);
    let contents = report::contents(tournament, &results, runs, threads);
    folder.write(&contents)?;
    Ok(results)
}

/// What a shard leaves.
const SHARD_FILES: [&str; 2] = [report::TALLY, "config.toml"];

fn finish_shard(
    folder: &OutputFolder,
    tournament: &Tournament,
    shard: Shard,
    runs: Vec<Ran>,
) -> Result<(), InputError> {
    let config = tournament.to_toml();
    let ledger = Ledger::finished(config.clone(), Some(shard), runs);
    let contents = [ledger.to_bytes(), config.into_bytes()];
    folder.write(&SHARD_FILES.into_iter().zip(contents).collect::<Vec<_>>())
}
