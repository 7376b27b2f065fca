//! Makes the table of all results in a folder.

use std::path::{Path, PathBuf};

use super::Args;
use super::setup::definition;
use crate::benchmark::{BenchmarkDefinition, BenchmarkResult, BenchmarkRound, Standings, Verification};
use crate::cli::Ended;
use crate::report::{self, BenchmarkPage, OutputFolder, PageSection, Screen, html_page, to_csv};
use crate::toml_source::InputError;

pub fn table(args: &Args, folder: &Path) -> Result<Ended, InputError> {
    let definition = definition(args)?;
    let round = args.round.as_ref().map(|file| BenchmarkRound::read(file, &definition)).transpose()?;
    let out = args.out.as_deref().map(|file| claim(file, args.force)).transpose()?;
    let mut results = Vec::new();
    let mut left_out = Vec::new();
    for file in files(folder)? {
        match read(&file, &definition, round.as_ref()) {
            Ok(result) => results.push((name_in(folder, &file), result)),
            Err(error) => left_out.push(error.to_string()),
        }
    }
    left_out.iter().for_each(|problem| tell!("note: left out: {problem}"));
    if results.is_empty() {
        let problem = format!("has no result of {}; `overtrick benchmark BOT` makes one", definition.title());
        return Err(InputError::file(folder, problem));
    }
    let standings = Standings::new(&definition, &results);
    if let Some(out) = &out {
        let page = BenchmarkPage { title: &definition.title(), csv: &out.csv, standings: &standings };
        let pages = [PageSection::Benchmark(page)];
        out.folder.write(&[(&out.page, html_page(&pages)), (&out.csv, to_csv(&standings.rows))])?;
    }
    let is_shown = !args.quiet || args.format != crate::cli::output_format::OutputFormat::Text;
    if is_shown {
        args.format.print(&standings.rows, || report::standings_text(&standings, Screen::current()));
    }
    Ok(Ended::Done)
}

/// The files of a table.
struct TableFiles {
    folder: OutputFolder,
    page: String,
    csv: String,
}

/// Claims the page and the CSV file of the same name.
fn claim(file: &Path, may_replace: bool) -> Result<TableFiles, InputError> {
    if file.extension().is_none_or(|ending| ending != "html") {
        return Err(InputError::file(file, "is no page: give it a name that ends with .html").at_key("--out"));
    }
    let (_, csv) = OutputFolder::claim_file(&file.with_extension("csv"), "--out", may_replace)?;
    let (folder, page) = OutputFolder::claim_file(file, "--out", may_replace)?;
    Ok(TableFiles { folder, page, csv })
}

/// Returns the JSON files in a folder and the folders below, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, InputError> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|error| InputError::unreadable(folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| InputError::unreadable(folder, &error))?;
        let (path, kind) = (entry.path(), entry.file_type());
        // Links are not followed, so that none leads into a cycle.
        if kind.is_ok_and(|kind| kind.is_dir()) {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the path of a file below a folder.
fn name_in(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).display().to_string()
}

/// Reads a result and checks that it belongs into the table, which may be of one round.
fn read(
    file: &Path,
    definition: &BenchmarkDefinition,
    round: Option<&BenchmarkRound>,
) -> Result<BenchmarkResult, InputError> {
    let result = BenchmarkResult::read(file)?;
    let verification = Verification { result: &result, definition };
    verification.check_claims(round).map_err(|error| error.in_file(file))?;
    Ok(result)
}
