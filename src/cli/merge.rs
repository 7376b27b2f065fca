//! `overtrick merge`.

use std::path::{Path, PathBuf};

use super::earlier::FolderState;
use super::help;
use super::host::register;
use super::log::Log;
use super::merge_sweep::merge_sweep;
use super::parts::{Part, are_missing, counted, not_finished, note_of_folders, put_in_order, whole_folder};
use super::secret::store_hash;
use super::session::finish;
use super::{Ended, print};
use crate::report::{self, OutputFolder, POINTS, SpooledRun, TALLY};
use crate::run::{Extent, RunOutcome, Snapshot, Threads, named};
use crate::toml_source::InputError;
use crate::tournament::VariantRun;

/// Put the shards of a run or of a sweep together.
///
/// The results are those of the whole, byte for byte.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("Both halves of a run", "merge part-1 part-2"),
    ("The deals that are left after a shard was lost", "merge part-1 --partial"),
]))]
pub struct Args {
    /// The folders of all shards, in any order.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write the results to this folder, in place of results/NAME.
    #[arg(long, help_heading = help::RESULTS)]
    out: Option<PathBuf>,
    /// Write a log to this file: a row for each deal and seat.
    ///
    /// The shards must have been played with --log.
    #[arg(long, help_heading = help::RESULTS, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Make do with some shards of a run, if others were lost.
    ///
    /// The results name the deals that are in them.
    #[arg(long, help_heading = help::RESULTS)]
    partial: bool,
    /// Replace finished results of another run.
    #[arg(long, help_heading = help::RESULTS)]
    force: bool,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
}

pub fn merge(args: &Args) -> Result<Ended, InputError> {
    let is_of_sweep = |folder: &&PathBuf| folder.join(POINTS).is_file() && !folder.join(TALLY).is_file();
    let is_of_run = |folder: &&PathBuf| folder.join(TALLY).is_file();
    let [of_sweep, of_run] = [args.folders.iter().find(is_of_sweep), args.folders.iter().find(is_of_run)];
    match (of_sweep, of_run) {
        (Some(one), Some(other)) => {
            let problem =
                format!("holds a shard of a sweep, and {} one of a run; put each together alone", other.display());
            Err(InputError::file(one, problem))
        }
        (Some(_), None) if args.log.is_some() => {
            let problem = "is for shards of a run: a sweep has no log; leave it out";
            Err(InputError::plain(problem).at_key("--log"))
        }
        (Some(_), None) => merge_sweep(&args.folders, args.out.as_deref(), args.force, args.quiet),
        (None, _) => merge_run(args),
    }
}

fn merge_run(args: &Args) -> Result<Ended, InputError> {
    let mut parts = args.folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let missing = put_in_order(&mut parts)?;
    let extent = match (missing.is_empty(), args.partial) {
        (true, _) => Extent::Whole,
        (false, true) => Extent::Partial(parts.iter().map(|part| part.shard).collect()),
        (false, false) => return Err(are_missing(&missing, ", or make do with those that there are by --partial")),
    };
    if !args.quiet
        && let Some(note) = note_of_folders(&parts)
    {
        tell!("{note}");
    }
    let tournament = parts[0].played.tournament_with(&register())?;
    if extent.ranges(tournament.numbers).is_empty() {
        return Err(InputError::plain(format!("there is nothing in {extent}: there were more shards than deals")));
    }
    let out = whole_folder(args.out.as_deref(), &tournament.name, &parts)?;
    let files = report::output_names();
    let folder = OutputFolder::lock(&out)?;
    if !args.force {
        FolderState::of_run(&out, &files, &tournament, &extent).may_replace()?;
    }
    folder.check(&files)?;
    let log = args.log.as_ref().map(|file| Log::claim(file, args.force)).transpose()?;
    let spooled: Vec<SpooledRun> =
        parts.iter().filter(|_| log.is_some()).map(|part| SpooledRun::of(part.folder, &part.played.runs)).collect();
    spooled.iter().try_for_each(SpooledRun::check)?;
    let shards = parts.len();
    let mut all = parts.into_iter().map(|part| part.played.runs);
    let mut runs = all.next().expect("there is a shard");
    for more in all {
        runs.iter_mut().zip(&more).for_each(|(run, more)| append(run, more));
    }
    let faulty = runs.iter().any(VariantRun::has_faults);
    if let Some(log) = &log {
        log.write(&tournament, &spooled, &Threads::all()?)?;
    }
    let outcome = RunOutcome::new(tournament, extent, true, runs);
    let board = finish(Some(&folder), &outcome, None, false)?;
    store_hash(&folder, &outcome.tournament)?;
    if !args.quiet {
        let log = log.map(|log| format!("; the log is {}", log.file().display())).unwrap_or_default();
        let place = folder.path().display();
        print(&format!("{board}\n{}; results are in {place}{log}\n", counted(shards)));
    }
    Ok(if faulty { Ended::Faulty } else { Ended::Done })
}

/// Reads a shard of a run.
fn read(folder: &Path) -> Result<Part<'_, Snapshot>, InputError> {
    let file = folder.join(TALLY);
    let Some(snapshot) = Snapshot::read_with(&file, &register())? else { return Err(not_finished(folder)) };
    match snapshot.extent {
        Extent::Shard(shard) if snapshot.finished => {
            let (version, config) = (snapshot.version.clone(), snapshot.config.clone());
            Ok(Part { folder, shard, version, config, played: snapshot })
        }
        Extent::Shard(shard) => {
            Err(InputError::file(&file, format!("shard {shard} is not finished; go on with --resume")))
        }
        Extent::Whole => Err(InputError::file(&file, "is no shard: it holds a whole run")),
        Extent::Partial(shards) => {
            Err(InputError::file(&file, format!("is no shard: it holds {} put together", named(&shards))))
        }
    }
}

/// Appends numbers that follow those of `run`.
fn append(run: &mut VariantRun, more: &VariantRun) {
    assert!(run.next <= more.start, "shards in order");
    run.next = more.next;
    run.tally.merge(&more.tally);
    run.deals += more.deals;
    run.wall += more.wall;
    for (sum, faults) in run.faults.iter_mut().zip(&more.faults) {
        sum.merge(faults.clone());
    }
    for (sum, clock) in run.clocks.iter_mut().zip(&more.clocks) {
        sum.add(clock);
    }
}
