//! `overtrick run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::changes::Changes;
use super::checkpoints::Checkpoints;
use super::display::Display;
use super::earlier::{CHECKPOINT, Earlier, Left};
use super::host::{follow, read_config, register};
use super::isolation::shortfall;
use super::log::{Log, may_resume};
use super::renamed::checkpoint_elsewhere;
use super::{Ended, print, secret, signals};
use crate::ids::BotId;
use crate::report::{self, OutputFolder, PAGE, PageRun, PageSection, Report, Screen, Spool, SpooledRun, html_page};
use crate::run::{Extent, Run, RunOutcome, Segments, Shard, Snapshot, Threads, remove_staged};
use crate::stats::outlook;
use crate::strategies::Bot;
use crate::strategies::process::{StartFailure, breakdown};
use crate::toml_source::InputError;
use crate::tournament::{Control, GivenAway, Overrides, Tournament, Unit, VariantRun};

/// Play a tournament and write its results.
#[derive(clap::Args)]
pub struct Args {
    /// The tournament's config file; `-` reads it from standard input.
    config: PathBuf,
    /// The master seed, instead of the config's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// How many deals (or matches) every line-up plays, instead of the config's number.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// Play a part of the deals, for `merge` to put together: 3/8 is the third of eight.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    how: How,
}

/// How to play, and where to leave what.
#[derive(clap::Args)]
pub struct How {
    /// How many threads; all cores by default. Results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The folder for the results. By default `run` takes the config's or results/NAME (results/NAME-K-of-N for a
    /// shard), and `duel` leaves nothing.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write report.html among the results, too: one page that shows them, and the deals that made the difference.
    #[arg(long)]
    report: bool,
    /// Write a log, too: a row for each deal and seat. The file's name ends with .csv, .csv.gz, .jsonl, .jsonl.gz or,
    /// if the program was built with the feature `parquet`, .parquet. Shards keep their deals in their folders, and
    /// `merge --log` writes the file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Judge every play of the first deals (or matches) with all cards known, of so many numbers (100 if none is
    /// given), and tell what each bot gave away. It replaces the config's `analyse`.
    #[arg(long, value_name = "NUMBERS", num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=GivenAway::MOST))]
    analyse: Option<u64>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Go on where an earlier run of the same configuration was stopped or killed, or ended after fewer deals or
    /// matches.
    #[arg(long)]
    pub resume: bool,
    /// Start from the beginning, and replace whatever results or checkpoint of other runs the folder has.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Play even if a bot outside of the process does not start; each of its decisions is then a fault.
    #[arg(long)]
    keep_going: bool,
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

pub fn run(args: &Args) -> Result<Ended, InputError> {
    let overrides = Overrides { seed: args.seed, numbers: args.deals, changes: args.changes.set.clone() };
    let tournament = Tournament::resolve_with(&read_config(&args.config)?, overrides, &register())?;
    if args.shard.is_some() && tournament.stop.is_some() {
        let problem = "shards have a fixed share of the deals; take `stop` out of the config, or run it whole";
        return Err(InputError::file(&args.config, problem).at_key("stop"));
    }
    if args.shard.is_some() && tournament.faults.limit().is_some() {
        let problem = "no shard knows the faults of the others; choose another policy, or run it whole";
        return Err(InputError::file(&args.config, problem).at_key("faults.policy"));
    }
    let out = args.how.out.clone().unwrap_or_else(|| own_folder(&tournament.out, &tournament.name, args.shard));
    if is_own_config(&out, &args.config) {
        let problem =
            "is the config itself, and the results' config.toml would replace it; choose another folder with --out";
        return Err(InputError::file(&args.config, problem));
    }
    let blame = |bot: BotId, problem: String| {
        let key = ["bots".to_owned(), bot.to_string()];
        match read_config(&args.config) {
            Ok(source) if source.table().get("bots").is_some_and(|bots| bots.get(bot.index()).is_none()) => {
                InputError::plain(problem).at_key("--set")
            }
            Ok(source) => source.error(&key, problem),
            Err(_) => InputError::file(&args.config, problem).at_key(format!("bots #{}", bot.index() + 1)),
        }
    };
    play(tournament, &args.how, Some(&out), args.shard, &blame)
}

/// Plays a tournament and reports it. Without the folder `out` nothing is left behind. `blame` makes the error for a
/// problem with a bot.
///
/// # Errors
/// The reason why it cannot run, or the results that would be lost.
pub(super) fn play(
    mut tournament: Tournament,
    args: &How,
    out: Option<&Path>,
    shard: Option<Shard>,
    blame: &dyn Fn(BotId, String) -> InputError,
) -> Result<Ended, InputError> {
    let extent = Extent::from(shard);
    tournament.analyse = args.analyse.unwrap_or(tournament.analyse);
    if args.report && (shard.is_some() || out.is_none()) {
        let problem = "needs a folder with whole results: name one with --out, and leave --shard out";
        return Err(InputError::plain(problem).at_key("--report"));
    }
    if args.log.is_some() && out.is_none() {
        let problem = "needs a folder for results, in which deals are kept meanwhile: name one with --out";
        return Err(InputError::plain(problem).at_key("--log"));
    }
    let may_replace = args.force || args.resume || shard.is_some();
    let log = args.log.as_ref().map(|file| Log::claim(file, may_replace)).transpose()?;
    let mut files = if shard.is_some() { report::SHARD_OUTPUTS.to_vec() } else { report::output_names() };
    files.extend(args.report.then_some(PAGE));
    let all = [&files[..], &[CHECKPOINT]].concat();
    let say = |text: &str| {
        if !args.quiet {
            tell!("{text}");
        }
    };
    let draws_secret = secret::is_wanted(&tournament);
    if draws_secret && shard.is_some() {
        return Err(secret::for_shards());
    }
    if draws_secret && !args.force {
        // Only with its own secret a run knows what it has left behind.
        tournament.secret = out.and_then(|out| secret::of_earlier(out, &tournament, &extent));
    }
    let mut earlier = Vec::new();
    if let Some(out) = out.filter(|_| !args.force) {
        let left = Left::look(out, &files, &tournament, &extent);
        if !args.resume {
            left.may_begin()?;
        } else {
            match left.resume()? {
                Earlier::Finished => {
                    remove_staged(out, &all);
                    if let Some(log) = log.filter(|log| shard.is_none() && !log.file().exists()) {
                        let problem = "is not there, and the deals of the finished run are not kept; play it again with \
                                       --log and --force";
                        return Err(InputError::file(log.file(), problem));
                    }
                    if !args.quiet {
                        print(&format!("nothing to do: {} holds the results of this run\n", out.display()));
                    }
                    return Ok(Ended::Done);
                }
                Earlier::Begun(runs) => earlier = runs,
                Earlier::Nothing => {
                    let read = |file: &Path| Some(Snapshot::read_with(file, &register()).ok()??.config);
                    if let Some(error) = checkpoint_elsewhere(out, &tournament.to_toml(), read) {
                        return Err(error);
                    }
                    say("note: there is no checkpoint, so the run starts from the beginning");
                }
            }
            may_resume(out, &earlier, log.is_some())?;
        }
    }
    if draws_secret && earlier.is_empty() {
        if let Some(out) = out.filter(|_| tournament.secret.is_some()) {
            return Err(secret::of_finished(out));
        }
        secret::draw(&mut tournament)?;
    }
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    let control = Arc::new(Control::new(tournament.bots.len(), out.map(Path::to_owned)));
    let handler = Arc::clone(&control);
    signals::watch(move || handler.stop.store(true, Ordering::Relaxed))?;
    let every = Duration::from_secs_f64(args.checkpoint);
    let begins_anew = earlier.is_empty();
    if let Some(out) = out {
        tournament.hide(out);
    }
    let run = Run::new(tournament).on(&threads).control(Arc::clone(&control));
    let mut run = run.segments(Segments::Lasting(every)).resume(earlier);
    if let Some(shard) = shard {
        run = run.shard(shard);
    }
    let no_show = if args.keep_going { None } else { run.first_start_failure()? };
    if let Some(why) = breakdown() {
        return Err(InputError::plain(why));
    }
    if let Some((bot, no_show)) = no_show
        && !control.stop.load(Ordering::Relaxed)
    {
        let otherwise = ", or have all its decisions count as faults with --keep-going";
        return Err(blame(bot, absence(run.tournament().bot(bot), &no_show, otherwise)));
    }
    if let Some(shortfall) = run.tournament().isolation().and_then(shortfall) {
        say(&format!("note: {shortfall}"));
    }
    if control.stop.load(Ordering::Relaxed) {
        tell!("interrupted before the first deal: nothing was written");
        return Ok(Ended::Interrupted);
    }
    let folder = out.map(|out| OutputFolder::claim(out, &all)).transpose()?;
    let tournament = run.tournament();
    if tournament.groups < tournament.groups_asked {
        say(&format!(
            "note: with so many line-ups, results are kept in {} groups of deals instead of {}, to save memory",
            tournament.groups, tournament.groups_asked
        ));
    }
    if let Some(outlook) = outlook(tournament).filter(|_| begins_anew) {
        say(&format!("note: {outlook}"));
    }
    if let Some(secret) = tournament.secret.filter(|_| draws_secret) {
        let told = folder.as_ref().map_or("it is told", |_| "config.toml will have it");
        say(&format!("cards come from a secret; {told} when all is played; its SHA-256: {}", secret.hash()));
    }
    folder.iter().try_for_each(|folder| secret::store_hash(folder, tournament))?;
    // Logs of earlier runs are removed, since they would look like this run's.
    for (folder, bot) in
        folder.iter().filter(|_| !args.resume).flat_map(|folder| tournament.bots.iter().map(move |bot| (folder, bot)))
    {
        let _ = std::fs::remove_file(folder.path().join(bot.log_name()));
    }
    let checkpoint = folder.as_ref().map(|folder| folder.path().join(CHECKPOINT));
    let mut checkpoints = checkpoint.clone().map(|file| Checkpoints::new(file, every));
    if let Some(folder) = folder.as_ref().filter(|_| begins_anew) {
        Spool::remove(folder.path());
    }
    let mut spool = folder.as_ref().filter(|_| log.is_some()).map(|folder| Spool::new(folder.path()));
    follow(&control, run.games());
    let mut display = Display::new(&run, &control, args.quiet);
    run = run.observer(&mut display);
    if let Some(spool) = &mut spool {
        run = run.observer(spool);
    }
    if let Some(checkpoints) = &mut checkpoints {
        run = run.observer(checkpoints);
    }
    let outcome = run.play()?;
    drop(display);
    let (tournament, runs) = (&outcome.tournament, &outcome.runs);
    if !outcome.is_finished {
        let done = report::thousands(outcome.games_done());
        let all = match tournament.stop {
            None => format!(" of {}", report::thousands(outcome.games())),
            Some(_) => String::new(),
        };
        let rest = match &folder {
            None => "nothing is kept without --out".to_owned(),
            Some(folder) if runs.iter().any(|ran| ran.next > ran.start) => {
                format!("go on with --resume; the checkpoint is in {}", folder.path().display())
            }
            Some(folder) => format!("nothing was written to {}", folder.path().display()),
        };
        tell!("interrupted after {done}{all} {} played: {rest}", tournament.unit.plural());
        return Ok(Ended::Interrupted);
    }
    let faulty = runs.iter().any(VariantRun::has_faults);
    let deals: u64 = runs.iter().map(|ran| ran.deals).sum();
    let wall: Duration = runs.iter().map(|ran| ran.wall).sum();
    // A deal that is played in several seatings is one deal and several games.
    let played = match tournament.unit {
        Unit::Deal => "games",
        Unit::Match => "deals",
    };
    let (deals, seconds) = (report::thousands(deals), wall.as_secs_f64());
    match (&folder, shard) {
        (Some(folder), Some(shard)) => {
            finish_shard(folder, outcome)?;
            if !args.quiet {
                let place = folder.path().display();
                print(&format!(
                    "{deals} {played} played in {seconds:.1} s; shard {shard} is in {place}: put all together with `overtrick merge`\n"
                ));
            }
        }
        _ => {
            if let Some((log, folder)) = log.as_ref().zip(folder.as_ref()) {
                let spooled = SpooledRun::of(folder.path(), runs);
                log.write(tournament, &[spooled], &threads)?;
            }
            let board = finish(folder.as_ref(), &outcome, Some(threads.count()), args.report)?;
            if let Some(folder) = folder.as_ref().filter(|_| log.is_some()) {
                Spool::remove(folder.path());
            }
            if !args.quiet {
                let place = folder.map(|folder| format!("; results are in {}", folder.path().display()));
                let log = log.map(|log| format!("; the log is {}", log.file().display()));
                let [place, log] = [place, log].map(Option::unwrap_or_default);
                if let Some(secret) = tournament.secret.filter(|_| draws_secret && place.is_empty()) {
                    say(&format!("the secret was {secret}"));
                }
                print(&format!("{board}\n{deals} {played} played in {seconds:.1} s{place}{log}\n"));
            }
        }
    }
    // Nothing can be lost any more.
    if let Some(checkpoint) = checkpoint {
        let _ = std::fs::remove_file(checkpoint);
    }
    Ok(if faulty { Ended::Faulty } else { Ended::Done })
}

/// The error for a bot that does not start: why, what can be done about it beside mending it, and the end of its
/// standard error.
pub(super) fn absence(bot: &Bot, no_show: &StartFailure, otherwise: &str) -> String {
    let mut problem = format!(
        "{} does not start, so nothing was played: {}; mend it (`overtrick check` tries it){otherwise}",
        bot.name, no_show.fault
    );
    if !no_show.words.is_empty() {
        problem += &format!("\nthe end of its standard error:\n{}", no_show.words);
    }
    problem
}

/// Whether the folder's config.toml is the config that is being run, and not that of results.
fn is_own_config(out: &Path, config: &Path) -> bool {
    let [own, theirs] = [out.join(report::CONFIG), config.to_owned()].map(|file| file.canonicalize().ok());
    own.is_some() && own == theirs && !out.join(report::TALLY).is_file() && !out.join(CHECKPOINT).is_file()
}

/// The folder for results where the command line names none: `out`, if the config has it. Shards must not end up in
/// one.
pub(super) fn own_folder(out: &Option<PathBuf>, name: &str, shard: Option<Shard>) -> PathBuf {
    let folder = out.clone().unwrap_or_else(|| PathBuf::from("results").join(name));
    match shard {
        None => folder,
        Some(Shard { number, of }) => PathBuf::from(format!("{}-{number}-of-{of}", folder.display())),
    }
}

/// Works out the results of a run, writes their files, with the page if it `has_page`, and gives the table for the
/// terminal.
///
/// # Errors
/// If one cannot be written.
pub(super) fn finish(
    folder: Option<&OutputFolder>,
    outcome: &RunOutcome,
    threads: Option<usize>,
    has_page: bool,
) -> Result<String, InputError> {
    let report = Report { threads, ..Report::new(outcome) };
    if let Some(folder) = folder {
        report.write_ours(folder)?;
        if has_page {
            let version = env!("CARGO_PKG_VERSION");
            let run = PageRun { label: None, version, report: &report, explanation: None, analyse: false };
            folder.write(&[(PAGE, html_page(&[PageSection::Run(run)]))])?;
        } else {
            // A page of earlier results would look like one of these.
            let _ = std::fs::remove_file(folder.path().join(PAGE));
        }
        // So would an explanation.
        for name in report::EXPLAIN_FILES {
            let _ = std::fs::remove_file(folder.path().join(name));
        }
    }
    Ok(report::leaderboard(&outcome.tournament, &report.results, Screen::current()))
}

fn finish_shard(folder: &OutputFolder, outcome: RunOutcome) -> Result<(), InputError> {
    let config = outcome.tournament.to_toml();
    let snapshot = Snapshot::finished(config.clone(), outcome.extent, outcome.runs);
    folder.write(&[(report::CONFIG, config.into_bytes()), (report::TALLY, snapshot.to_bytes())])
}
