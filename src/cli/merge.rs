//! `overtrick merge`.

use std::path::{Path, PathBuf};

use super::earlier::Left;
use super::host::register;
use super::log::Log;
use super::run::finish;
use super::{Ended, print};
use crate::report::{self, OutputFolder, SpooledRun};
use crate::run::{Extent, RunOutcome, Shard, Snapshot, Threads, different_line, named};
use crate::toml_source::InputError;
use crate::tournament::VariantRun;

/// Put the shards of a run together: the results are those of the whole run, byte for byte.
#[derive(clap::Args)]
pub struct Args {
    /// The folders of the shards, all of them, in any order.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The folder for the results, instead of results/NAME.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write a log, too: a row for each deal and seat, from shards that were played with --log.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Make do with the shards that there are, if others were lost. The results say which deals are in them.
    #[arg(long)]
    partial: bool,
    /// Replace finished results of another run.
    #[arg(long)]
    force: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// A shard with the folder that it came from.
struct Part<'a> {
    folder: &'a Path,
    shard: Shard,
    snapshot: Snapshot,
}

pub fn merge(args: &Args) -> Result<Ended, InputError> {
    let mut parts = args.folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.shard.number);
    let extent = check(&parts, args.partial)?;
    let first = &parts[0];
    let elsewhere = |part: &&Part<'_>| different_line(&part.snapshot.config, &first.snapshot.config).is_some();
    if let Some(part) = parts.iter().find(elsewhere).filter(|_| !args.quiet) {
        tell!(
            "note: bots outside of the process lay in another folder for shard {} than for shard {}, whose folder is noted",
            part.shard,
            first.shard
        );
    }
    let tournament = parts[0].snapshot.tournament_with(&register())?;
    if extent.ranges(tournament.numbers).is_empty() {
        return Err(InputError::plain(format!("there is nothing in {extent}: there were more shards than deals")));
    }
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&tournament.name));
    let same =
        |folder: &Path| out.canonicalize().is_ok_and(|out| folder.canonicalize().is_ok_and(|folder| folder == out));
    if let Some(part) = parts.iter().find(|part| same(part.folder)) {
        let problem =
            format!("holds shard {}, which the results would replace; choose another folder with --out", part.shard);
        return Err(InputError::file(&out, problem));
    }
    let files = report::output_names();
    let folder = OutputFolder::claim(&out, &files)?;
    if !args.force {
        Left::look(folder.path(), &files, &tournament, &extent).may_finish()?;
    }
    let log = args.log.as_ref().map(|file| Log::claim(file, args.force)).transpose()?;
    let spooled: Vec<SpooledRun> =
        parts.iter().filter(|_| log.is_some()).map(|part| SpooledRun::of(part.folder, &part.snapshot.runs)).collect();
    spooled.iter().try_for_each(SpooledRun::check)?;
    let shards = parts.len();
    let mut all = parts.into_iter().map(|part| part.snapshot.runs);
    let mut runs = all.next().expect("there is a shard");
    for more in all {
        runs.iter_mut().zip(&more).for_each(|(ran, more)| append(ran, more));
    }
    let faulty = runs.iter().any(VariantRun::has_faults);
    if let Some(log) = &log {
        log.write(&tournament, &spooled, &Threads::all()?)?;
    }
    let board = finish(Some(&folder), &RunOutcome { tournament, extent, is_finished: true, runs }, None, false)?;
    if !args.quiet {
        let noun = if shards == 1 { "shard" } else { "shards" };
        let log = log.map(|log| format!("; the log is {}", log.file().display())).unwrap_or_default();
        let place = folder.path().display();
        print(&format!("{board}\n{shards} {noun} put together; results are in {place}{log}\n"));
    }
    Ok(if faulty { Ended::Faulty } else { Ended::Done })
}

fn read(folder: &Path) -> Result<Part<'_>, InputError> {
    let file = folder.join(report::TALLY);
    let Some(snapshot) = Snapshot::read_with(&file, &register())? else {
        let problem = "holds no finished shard: play it with `overtrick run CONFIG --shard K/N --out` this folder, or go on \
                       with --resume";
        return Err(InputError::file(folder, problem));
    };
    match snapshot.extent {
        Extent::Shard(shard) if snapshot.finished => Ok(Part { folder, shard, snapshot }),
        Extent::Shard(shard) => {
            Err(InputError::file(&file, format!("shard {shard} is not finished; go on with --resume")))
        }
        Extent::Whole => Err(InputError::file(&file, "is no shard: it holds a whole run")),
        Extent::Partial(shards) => {
            Err(InputError::file(&file, format!("is no shard: it holds {} put together", named(&shards))))
        }
    }
}

/// A resolved configuration without the folders of bots outside of the process, which may lie elsewhere on another
/// machine.
fn without_folders(config: &str) -> String {
    config.lines().filter(|line| !line.starts_with("folder = ")).fold(String::new(), |text, line| text + line + "\n")
}

/// Checks that the parts, in order of their numbers, are shards of one run, each once, and all of them unless `partial`
/// is set. Gives the numbers that they cover together.
fn check(parts: &[Part<'_>], partial: bool) -> Result<Extent, InputError> {
    let first = &parts[0];
    for part in &parts[1..] {
        let name = first.folder.display();
        if part.snapshot.version != first.snapshot.version {
            let problem =
                format!("was played by version {}, {name} by {}", part.snapshot.version, first.snapshot.version);
            return Err(InputError::file(part.folder, problem));
        }
        let [theirs, own] = [part, first].map(|part| without_folders(&part.snapshot.config));
        if let Some((theirs, own)) = different_line(&theirs, &own) {
            let problem = format!("is of another run than {name}: it has `{theirs}` where that one has `{own}`");
            return Err(InputError::file(part.folder, problem));
        }
        if part.shard.of != first.shard.of {
            let problem = format!("is shard {}, and {name} is shard {}", part.shard, first.shard);
            return Err(InputError::file(part.folder, problem));
        }
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].shard == pair[1].shard) {
        let problem = format!("is shard {}, which {} is, too", pair[1].shard, pair[0].folder.display());
        return Err(InputError::file(pair[1].folder, problem));
    }
    let missing = (1..=first.shard.of).filter(|&number| parts.iter().all(|part| part.shard.number != number));
    let missing: Vec<Shard> = missing.map(|number| Shard { number, ..first.shard }).collect();
    if missing.is_empty() {
        return Ok(Extent::Whole);
    }
    if partial {
        return Ok(Extent::Partial(parts.iter().map(|part| part.shard).collect()));
    }
    let verb = if missing.len() == 1 { "is" } else { "are" };
    Err(InputError::plain(format!(
        "{} {verb} missing; give the folders of all {}, or make do with those that there are by --partial",
        named(&missing),
        first.shard.of
    )))
}

/// Adds numbers that come after those of `ran`.
fn append(ran: &mut VariantRun, more: &VariantRun) {
    assert!(ran.next <= more.start, "shards in order");
    ran.next = more.next;
    ran.tally.merge(&more.tally);
    ran.deals += more.deals;
    ran.wall += more.wall;
    for (sum, faults) in ran.faults.iter_mut().zip(&more.faults) {
        sum.merge(faults.clone());
    }
    for (sum, clock) in ran.clocks.iter_mut().zip(&more.clocks) {
        sum.add(clock);
    }
}
