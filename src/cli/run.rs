//! `overtrick run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::changes::Changes;
use super::earlier::CHECKPOINT;
use super::help;
use super::host::{follow, read_config, register};
use super::last_words::{SpareLogs, last_words};
use super::session::{How, Session};
use super::{Ended, programs, signals};
use crate::ids::BotId;
use crate::report::{self, OutputFolder};
use crate::run::{Run, RunOutcome, Segments, Shard, Threads};
use crate::toml_source::InputError;
use crate::tournament::{Control, Overrides, Tournament, VariantRun};

/// Play a tournament and write its results.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A tournament of some seconds", "run configs/quick.toml"),
    ("Go on after Ctrl-C, a crash or a power cut", "run configs/quick.toml --resume"),
    ("One more bot, with another parameter", "run configs/quick.toml --set bold=rule-based:dumbo.ambition=0.4"),
]))]
pub struct Args {
    /// The tournament's config file, or `-` for standard input.
    config: PathBuf,
    /// Take this master seed in place of the config's.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Play this number of deals in place of the config's.
    ///
    /// Every line-up plays them. In a tournament of matches, the number counts matches.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// Play a part of the deals, for `merge`: 3/8 is the third of eight.
    #[arg(long, help_heading = help::PLAYED, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub(super) how: How,
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

/// Plays a tournament and reports it. Without the folder `out`, no files are left.
///
/// `blame` makes the error for a problem with a bot.
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
    tournament.analyse = args.analyse.unwrap_or(tournament.analyse);
    let session = Session::new(&tournament, args, out, shard)?;
    [out, args.log.as_deref()].into_iter().flatten().for_each(|place| tournament.hide(place));
    let spare = SpareLogs::new(&tournament, out);
    let logs = out.or(spare.path()).map(Path::to_owned);
    let control = Arc::new(Control::new(tournament.bots.len(), logs));
    let handler = Arc::clone(&control);
    signals::watch(move || handler.stop.store(true, Ordering::Relaxed))?;
    // The folder is inspected under the lock, so that no other run changes it meanwhile.
    let folder = out.map(OutputFolder::lock).transpose()?;
    let same = programs::settle(&mut tournament.bots, args.quiet, |bot, problem| blame(BotId::new(bot), problem))?;
    session.take_secret(&mut tournament)?;
    let Some(earlier) = session.earlier(&tournament)? else { return Ok(Ended::Done) };
    same?;
    let is_new = earlier.is_empty();
    if is_new {
        session.draw_secret(&mut tournament)?;
    }
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    let run = Run::new(tournament).on(&threads).control(Arc::clone(&control));
    let mut run = run.segments(Segments::Lasting(session.every())).resume(earlier);
    if let Some(shard) = shard {
        run = run.shard(shard);
    }
    session.check_bots(&mut run, &control, blame)?;
    if control.stop.load(Ordering::Relaxed) {
        tell!("interrupted before the first deal: nothing was written");
        return Ok(Ended::Interrupted);
    }
    if let Some(folder) = &folder {
        folder.check(&session.all_files())?;
    }
    session.note(run.tournament(), is_new);
    session.prepare(run.tournament(), folder.as_ref(), is_new)?;
    follow(&control, run.games());
    let mut watchers = session.watchers(&run, &control, folder.as_ref());
    let outcome = watchers.watch(run).play()?;
    drop(watchers);
    if !outcome.is_finished {
        tell_interrupted(&outcome, folder.as_ref());
        return Ok(Ended::Interrupted);
    }
    let is_faulty = outcome.runs.iter().any(VariantRun::has_faults);
    let checkpoint = folder.as_ref().map(|folder| folder.path().join(CHECKPOINT));
    let words = last_words(&outcome.tournament.bots).filter(|_| is_faulty && !args.quiet);
    session.finish(outcome, folder.as_ref(), &threads)?;
    let place = if is_faulty { spare.keep() } else { None };
    words.into_iter().chain(place.filter(|_| !args.quiet)).for_each(|text| tell!("{text}"));
    // All results are written, so the checkpoint is no longer needed.
    if let Some(checkpoint) = checkpoint {
        let _ = std::fs::remove_file(checkpoint);
    }
    Ok(if is_faulty { Ended::Faulty } else { Ended::Done })
}

/// Notes how far an interrupted run got, and how it can go on.
fn tell_interrupted(outcome: &RunOutcome, folder: Option<&OutputFolder>) {
    let done = report::thousands(outcome.games_done());
    let all = match outcome.tournament.stop {
        None => format!(" of {}", report::thousands(outcome.games())),
        Some(_) => String::new(),
    };
    let rest = match folder {
        None => "nothing is kept without --out".to_owned(),
        Some(folder) if outcome.runs.iter().any(|ran| ran.next > ran.start) => {
            format!("go on with --resume; the checkpoint is in {}", folder.path().display())
        }
        Some(folder) => format!("nothing was written to {}", folder.path().display()),
    };
    tell!("interrupted after {done}{all} games played: {rest}");
}

/// Returns whether the folder's config.toml is the config of this run, and not part of results.
fn is_own_config(out: &Path, config: &Path) -> bool {
    let [own, theirs] = [out.join(report::CONFIG), config.to_owned()].map(|file| file.canonicalize().ok());
    own.is_some() && own == theirs && !out.join(report::TALLY).is_file() && !out.join(CHECKPOINT).is_file()
}

/// Returns the folder for results without `--out`: `out` of the config, or else results/`name`.
///
/// Shards get separate folders.
pub(super) fn own_folder(out: &Option<PathBuf>, name: &str, shard: Option<Shard>) -> PathBuf {
    let folder = out.clone().unwrap_or_else(|| PathBuf::from("results").join(name));
    match shard {
        None => folder,
        Some(Shard { number, of }) => PathBuf::from(format!("{}-{number}-of-{of}", folder.display())),
    }
}
