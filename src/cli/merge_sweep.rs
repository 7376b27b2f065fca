//! `overtrick merge` for the shards of a sweep.

use std::path::{Path, PathBuf};

use super::host::register;
use super::job::remove_others;
use super::parts::{Part, are_missing, counted, not_finished, note_of_folders, put_in_order, whole_folder};
use super::sweep::{all_files, files_of_others, finish, look};
use super::{Ended, print};
use crate::report::{OutputFolder, PAGE, POINTS};
use crate::run::{Extent, Progress, Saved};
use crate::sweep::{SweepPlan, Sweeping};
use crate::toml_source::{InputError, Source};

/// Merges the shards in these folders. Without `out`, results go into a folder with the sweep's name.
pub fn merge_sweep(
    folders: &[PathBuf],
    out: Option<&Path>,
    replaces: bool,
    is_quiet: bool,
) -> Result<Ended, InputError> {
    let mut parts = folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let missing = put_in_order(&mut parts)?;
    if !missing.is_empty() {
        return Err(are_missing(&missing, ": what a sweep says is of all its points"));
    }
    if !is_quiet && let Some(note) = note_of_folders(&parts) {
        tell!("{note}");
    }
    let mut plan = plan(&parts[0])?;
    let out = whole_folder(out, &plan.name, &parts)?;
    let shards = parts.len();
    let mut played = Vec::new();
    for part in parts {
        plan.shard = Some(part.shard);
        played.push(sweeping(part, &plan)?);
    }
    plan.shard = None;
    let (files, others) = (all_files(&plan), files_of_others());
    let folder = OutputFolder::lock(&out)?;
    if !replaces {
        look(&plan, &out)?.may_replace()?;
    }
    folder.check(&files)?;
    let whole = Sweeping::merged(played);
    let text = finish(&plan, &whole, &folder)?;
    // A page of earlier results would seem to belong to these results.
    let _ = std::fs::remove_file(out.join(PAGE));
    remove_others(&folder, if replaces { &others } else { &[] }, &files);
    if !is_quiet {
        print(&format!("{text}{}; results are in {}\n", counted(shards), out.display()));
    }
    Ok(if whole.faults > 0 { Ended::Faulty } else { Ended::Done })
}

/// Reads a shard of a sweep.
fn read(folder: &Path) -> Result<Part<'_, Saved<Sweeping>>, InputError> {
    let file = folder.join(POINTS);
    let saved = Sweeping::read(&file).map_err(|why| InputError::file(&file, why))?;
    let saved = saved.ok_or_else(|| not_finished(folder))?;
    match saved.extent() {
        Extent::Shard(shard) => {
            let (version, config) = (saved.version().to_owned(), saved.config().to_owned());
            Ok(Part { folder, shard, version, config, played: saved })
        }
        _ => Err(InputError::file(&file, "is no shard: it holds a whole sweep")),
    }
}

/// Returns the plan that a shard follows.
fn plan(part: &Part<'_, Saved<Sweeping>>) -> Result<SweepPlan, InputError> {
    let source = Source::parse(Path::new("configuration"), part.config.clone());
    source.and_then(|source| SweepPlan::resolve(&source, &register())).map_err(|_| {
        let problem = "is damaged or was changed: its configuration is invalid";
        InputError::file(&part.folder.join(POINTS), problem)
    })
}

/// Returns the results of a shard, if it fits the plan and is finished.
fn sweeping(part: Part<'_, Saved<Sweeping>>, plan: &SweepPlan) -> Result<Sweeping, InputError> {
    let refuse = |problem: String| InputError::file(&part.folder.join(POINTS), problem);
    let sweeping = part.played.progress(plan).map_err(refuse)?;
    if sweeping.is_over(plan) {
        Ok(sweeping)
    } else {
        Err(refuse(format!("shard {} is not finished; go on with --resume", part.shard)))
    }
}
