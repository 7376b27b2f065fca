//! `overtrick report`.

use std::path::{Path, PathBuf};

use super::{Ended, finished, print};
use crate::report::{OutputFolder, PAGE, PageRun, Report, html_page};
use crate::toml_source::InputError;

/// Write one page of HTML that shows the results of a run: who is ahead, charts, and the deals that made the
/// difference, move by move. It needs no network and can be sent as it is.
#[derive(clap::Args)]
pub struct Args {
    /// The results' folders of runs, a section for each.
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// The page's file; report.html in the first folder by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub fn report(args: &Args) -> Result<Ended, InputError> {
    let snapshots = args
        .results
        .iter()
        .map(|folder| finished::read_or_begun(folder, "there is no page yet"))
        .collect::<Result<Vec<_>, _>>()?;
    let outcomes = snapshots.into_iter().map(finished::outcome).collect::<Result<Vec<_>, _>>()?;
    let reports: Vec<(&String, Report<'_>)> =
        outcomes.iter().map(|(version, outcome)| (version, Report::new(outcome))).collect();
    let several = reports.len() > 1;
    let label = |number: usize, folder: &Path| {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        several.then(|| format!("{}: {name}", number + 1))
    };
    let runs: Vec<PageRun<'_>> = (reports.iter().zip(&args.results).enumerate())
        .map(|(number, ((version, report), folder))| PageRun { label: label(number, folder), version, report })
        .collect();
    let file = args.out.clone().unwrap_or_else(|| args.results[0].join(PAGE));
    let (folder, name) = OutputFolder::claim_file(&file, "--out")?;
    folder.write(&[(&name, html_page(&runs))])?;
    if !args.quiet {
        print(&format!("the page is {}\n", file.display()));
    }
    Ok(Ended::Done)
}
