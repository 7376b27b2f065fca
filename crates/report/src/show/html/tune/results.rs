//! The results of tuning, read from their folder.

use std::path::Path;

use overtrick_lab::tune::Interaction;
use overtrick_toml::InputError;
use serde::Deserialize;

use crate::TUNE_FILES;
use crate::show::html::folder::{Folder, variant_name};
use crate::show::html::source::CsvFile;

/// The results of tuning.
pub struct TuneResults {
    pub(super) summary: Summary,
    pub(super) confirm: CsvFile,
    pub(super) optimum: CsvFile,
    pub(super) trials: CsvFile,
    /// The parameters that were tuned.
    pub(super) parameters: Vec<String>,
    pub(super) config: String,
    pub(super) variants: Vec<String>,
}

/// The parts of `summary.json` that the page needs.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Summary {
    pub(super) overtrick: String,
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) sentence: String,
    pub(super) better: bool,
    pub(super) games: u64,
    pub(super) faults: u64,
    pub(super) start: Start,
    pub(super) interactions: Vec<Interaction<String>>,
    confirm: Vec<Gain>,
}

#[derive(Deserialize)]
pub(super) struct Start {
    pub(super) name: String,
}

#[derive(Deserialize)]
struct Gain {
    gain: Option<f64>,
}

/// The columns of the files that the page shows: texts, then figures.
const CONFIRM: ([&str; 3], [&str; 6]) =
    (["what", "variant", "line-up"], ["deals", "gain", "se", "low", "high", "mean"]);
const OPTIMUM: ([&str; 6], [&str; 5]) = (
    ["parameter", "start", "best", "change", "low", "high"],
    ["worth", "worth-half-width", "confirmed", "confirmed-low", "confirmed-high"],
);

impl TuneResults {
    /// Reads the results in a folder.
    ///
    /// # Errors
    /// If a file is missing, damaged, or not of the same results as the others.
    pub fn read(path: &Path) -> Result<TuneResults, InputError> {
        let folder = Folder { path, command: "tune" };
        folder.has_all(&TUNE_FILES)?;
        let summary: Summary = folder.summary()?;
        let (config, table) = folder.config(summary.seed)?;
        let confirm = CsvFile::read(path, "confirm.csv", &CONFIRM.0, &CONFIRM.1)?;
        let gains: Vec<Option<f64>> = confirm.rows().iter().map(|row| row.figure("gain").0).collect();
        if gains != summary.confirm.iter().map(|row| row.gain).collect::<Vec<_>>() {
            return Err(folder.mixed("confirm.csv", "its gains are others"));
        }
        let optimum = CsvFile::read(path, "optimum.csv", &OPTIMUM.0, &OPTIMUM.1)?;
        let parameters: Vec<String> = optimum.rows().iter().map(|row| row.text("parameter").to_owned()).collect();
        let words: Vec<&str> =
            ["stage", "round", "against"].into_iter().chain(parameters.iter().map(String::as_str)).collect();
        let trials = CsvFile::read(path, "tune.csv", &words, &["deals", "margin", "se"])?;
        let variants = table.get("tune").and_then(|tune| tune.get("variants")).and_then(toml::Value::as_array);
        let names = variants.into_iter().flatten().filter_map(variant_name);
        let variants = names.map(str::to_owned).collect();
        Ok(TuneResults { summary, confirm, optimum, trials, parameters, config, variants })
    }
}
