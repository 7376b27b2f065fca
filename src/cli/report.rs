//! `overtrick report`.

use std::path::{Path, PathBuf};

use super::checkpoints::CHECKPOINT;
use super::help;
use super::{Ended, finished, print};
use crate::league::Leaguing;
use crate::report::{
    ExplanationFiles, OutputFolder, PAGE, POINTS, PageRun, PageSection, Report, SweepResults, TALLY, TuneResults,
    html_page,
};
use crate::run::{Progress, RunOutcome, Snapshot};
use crate::sweep::Sweeping;
use crate::toml_source::InputError;
use crate::tune::TuneSnapshot;

/// Write one page of HTML that shows results.
///
/// It needs no network, and you can send it as it is. It shows
///
/// - of a run: the bot that is ahead, charts, and the deals that made the difference, move by move
///
/// - of tuning: the gain that was confirmed, and the course of the search
///
/// - of a sweep: the effect of each rule
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The page of a run, as results/quick/report.html", "report results/quick"),
    ("Several results in one page", "report results/quick results/tune-cautious --out both.html"),
]))]
pub struct Args {
    /// The results' folders of runs, tunings and sweeps, a section for each.
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Write the page to this file, in place of report.html in the first folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists.
    ///
    /// The page among the results is replaced without this option.
    #[arg(long)]
    force: bool,
    /// Mark the plays that gave away tricks, with all cards known.
    ///
    /// It is for the deals of runs, like `replay --analyse`, and takes some seconds.
    #[arg(long)]
    analyse: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// The results in a folder.
pub(super) enum Found {
    Run(String, RunOutcome, Option<ExplanationFiles>),
    Tune(TuneResults),
    Sweep(SweepResults),
}

pub fn report(args: &Args) -> Result<Ended, InputError> {
    let file = args.out.clone().unwrap_or_else(|| args.results[0].join(PAGE));
    let is_among_results = args.results.iter().any(|folder| folder.join(PAGE) == file);
    let found = args.results.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let several = found.len() > 1;
    let label = |number: usize, folder: &Path| {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        several.then(|| format!("{}: {name}", number + 1))
    };
    let labels: Vec<Option<String>> =
        args.results.iter().enumerate().map(|(number, folder)| label(number, folder)).collect();
    if args.analyse && !found.iter().any(|found| matches!(found, Found::Run(..))) {
        let problem = "holds no deals that --analyse could judge: it is for results of `overtrick run`. Leave it out";
        return Err(InputError::file(&args.results[0], problem));
    }
    let (folder, name) = OutputFolder::claim_file(&file, "--out", args.force || is_among_results)?;
    let page = page(&found, labels, args.analyse);
    folder.write(&[(&name, page)])?;
    if !args.quiet {
        print(&format!("the page is {}\n", file.display()));
    }
    Ok(Ended::Done)
}

/// Returns the page of these results, each with its label.
fn page(found: &[Found], labels: Vec<Option<String>>, analyse: bool) -> Vec<u8> {
    let reports: Vec<Option<Report<'_>>> = (found.iter())
        .map(|found| match found {
            Found::Run(_, outcome, _) => Some(Report::new(outcome)),
            _ => None,
        })
        .collect();
    let sections: Vec<PageSection<'_>> = (found.iter().zip(&reports).zip(labels))
        .map(|((found, report), label)| match (found, report) {
            (Found::Run(version, _, explanation), Some(report)) => {
                PageSection::Run(PageRun { label, version, report, explanation: explanation.as_ref(), analyse })
            }
            (Found::Run(..), None) => unreachable!("a run has a report"),
            (Found::Tune(results), _) => PageSection::Tune(label, results),
            (Found::Sweep(results), _) => PageSection::Sweep(label, results),
        })
        .collect();
    html_page(&sections)
}

/// Writes the page of results that were just written to a folder, or removes an earlier page.
///
/// An earlier page would seem to belong to these results.
///
/// # Errors
/// If the page cannot be written.
pub(super) fn page_of(
    folder: &OutputFolder,
    has_page: bool,
    read: impl FnOnce(&Path) -> Result<Found, InputError>,
) -> Result<(), InputError> {
    if has_page {
        let found = read(folder.path())?;
        folder.write(&[(PAGE, page(&[found], vec![None], false))])
    } else {
        let _ = std::fs::remove_file(folder.path().join(PAGE));
        Ok(())
    }
}

/// Writes the page of finished results if it is requested.
///
/// Otherwise the folder stays as it is.
///
/// # Errors
/// If the page cannot be written.
pub(super) fn add_page(
    folder: &OutputFolder,
    has_page: bool,
    read: impl FnOnce(&Path) -> Result<Found, InputError>,
) -> Result<(), InputError> {
    if !has_page {
        return Ok(());
    }
    folder.check(&[PAGE])?;
    page_of(folder, true, read)
}

/// The files that identify results of each command in a folder.
const KNOWN: [(&str, &[&str]); 4] = [
    ("run", &[TALLY]),
    ("tune", &["best.toml", "confirm.csv", "optimum.csv", "tune.csv"]),
    ("sweep", &["sweep.csv", "effects.csv", "pareto.csv"]),
    ("league", &["league.csv", "league-bots.csv"]),
];

/// Reads the results in a folder; for a run without finished results, those of its checkpoint.
fn read(folder: &Path) -> Result<Found, InputError> {
    let has = |name: &&str| folder.join(name).is_file();
    let known: Vec<&str> =
        KNOWN.iter().filter(|(_, names)| names.iter().any(has)).map(|(command, _)| *command).collect();
    match known[..] {
        ["run"] => outcome(folder, finished::read(folder)?),
        ["tune"] => Ok(Found::Tune(TuneResults::read(folder)?)),
        ["sweep"] => Ok(Found::Sweep(SweepResults::read(folder)?)),
        ["league"] => {
            let problem = "holds results of `overtrick league`, which have no page; league-bots.csv and league.csv have \
                           them";
            Err(InputError::file(folder, problem))
        }
        [] => outcome(folder, begun(folder)?),
        _ => {
            let problem = format!(
                "holds results of `overtrick {}` mixed. Give each command a separate folder with --out",
                known.join("` and of `overtrick ")
            );
            Err(InputError::file(folder, problem))
        }
    }
}

/// Reads the tallies of an unfinished run.
fn begun(folder: &Path) -> Result<Snapshot, InputError> {
    if folder.join(POINTS).is_file() {
        let problem = "is of a shard of a sweep. Put the shards together with `overtrick merge`";
        return Err(InputError::file(&folder.join(POINTS), problem));
    }
    let head = std::fs::read(folder.join(CHECKPOINT)).unwrap_or_default();
    let forms = [(TuneSnapshot::FORM, "tune"), (Sweeping::FORM, "sweep"), (Leaguing::FORM, "league")];
    for (form, command) in forms {
        let kind = form.split(' ').next().unwrap_or(form);
        if head.starts_with(format!("overtrick {kind} ").as_bytes()) {
            let problem = format!(
                "holds `overtrick {command}` that is not finished, which has no page before its end; go on with \
                 `overtrick {command} CONFIG --resume`"
            );
            return Err(InputError::file(folder, problem));
        }
    }
    finished::begun(folder)?.ok_or_else(|| {
        let problem = format!(
            "holds no results of a run, a tuning or a sweep, nor {CHECKPOINT} of a run; give the folder that `overtrick run`, \
             `tune` or `sweep` wrote"
        );
        InputError::file(folder, problem)
    })
}

/// Returns the outcome of a run with its version and its explanation, if there is one.
fn outcome(folder: &Path, snapshot: Snapshot) -> Result<Found, InputError> {
    let (version, outcome) = finished::outcome(snapshot)?;
    Ok(Found::Run(version, outcome, ExplanationFiles::read(folder)?))
}
