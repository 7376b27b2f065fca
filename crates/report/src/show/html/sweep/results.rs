//! The results of a sweep, read from their folder.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick_stats::{SEAT_ADVANTAGE, SeatScale};
use overtrick_toml::InputError;
use overtrick_tournament::Unit;
use serde::Deserialize;

use crate::show::html::folder::{Folder, variant_name};
use crate::show::html::source::{CsvFile, Row};
use crate::show::sweep_text::usual;
use crate::{RETUNED, SWEEP_FILES};

/// The results of a sweep.
pub struct SweepResults {
    pub(super) summary: Summary,
    pub(super) values: CsvFile,
    pub(super) effects: CsvFile,
    pub(super) retuned: Option<CsvFile>,
    pub(super) config: String,
    /// The base variant.
    pub(super) variant: String,
}

/// The parts of `summary.json` that the page needs.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Summary {
    pub(super) overtrick: String,
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) sentences: Vec<String>,
    pub(super) deals: Option<u64>,
    pub(super) matches: Option<u64>,
    pub(super) panel: Vec<String>,
    pub(super) axes: Vec<Axis>,
    pub(super) points: usize,
    /// The number of the base, counted from 1.
    pub(super) base: usize,
    pub(super) unbeaten: Vec<usize>,
    pub(super) wishes: Vec<Wish>,
    pub(super) games: u64,
    pub(super) faults: u64,
    pub(super) retuned: Option<Retuned>,
}

#[derive(Deserialize)]
pub(super) struct Axis {
    pub(super) rule: String,
}

#[derive(Deserialize)]
pub(super) struct Wish {
    pub(super) measure: String,
    pub(super) bot: String,
    pub(super) wanted: String,
    pub(super) verdicts: Vec<Option<String>>,
}

#[derive(Deserialize)]
pub(super) struct Retuned {
    pub(super) bot: String,
    #[serde(rename = "as")]
    pub(super) name: String,
}

const FIGURES: [&str; 8] =
    ["value", "se", "low", "high", "difference", "difference-se", "difference-low", "difference-high"];
const CHANGE: [&str; 4] = ["change", "change-se", "change-low", "change-high"];
const EFFECTS: [&str; 9] = ["bot", "measure", "effect", "axis", "value", "against", "axis-2", "value-2", "against-2"];

impl SweepResults {
    /// Reads the results in a folder.
    ///
    /// # Errors
    /// If a file is missing, damaged, or not of the same results as the others.
    pub fn read(path: &Path) -> Result<SweepResults, InputError> {
        let folder = Folder { path, command: "sweep" };
        folder.has_all(&SWEEP_FILES)?;
        let summary: Summary = folder.summary()?;
        let (config, table) = folder.config(summary.seed)?;
        let axes = || summary.axes.iter().map(|axis| axis.rule.as_str());
        let place: Vec<&str> = ["point", "name"].into_iter().chain(axes()).collect();
        let words = [&place[..], &["bot", "measure"]].concat();
        let figures = [&FIGURES[..], if summary.retuned.is_some() { &CHANGE } else { &[] }].concat();
        let values = CsvFile::read(path, "sweep.csv", &words, &figures)?;
        let mut points = vec![false; summary.points];
        for row in values.rows() {
            let place = row.text("point").parse::<usize>().ok().and_then(|point| point.checked_sub(1));
            let Some(known) = place.and_then(|point| points.get_mut(point)) else {
                return Err(folder.mixed("sweep.csv", &format!("there is no point {:?}", row.text("point"))));
            };
            *known = true;
            if !summary.panel.iter().any(|bot| bot == row.text("bot")) {
                return Err(folder.mixed("sweep.csv", &format!("there is no bot {:?}", row.text("bot"))));
            }
        }
        if let Some(missing) = points.iter().position(|known| !known) {
            return Err(folder.mixed("sweep.csv", &format!("it has no point {}", missing + 1)));
        }
        let is_point = |point: &usize| (1..=summary.points).contains(point);
        if !is_point(&summary.base)
            || !summary.unbeaten.iter().all(is_point)
            || summary.wishes.iter().any(|wish| wish.verdicts.len() != summary.points)
        {
            return Err(folder.error("summary.json", "names points that are not there".to_owned()));
        }
        let effects = CsvFile::read(path, "effects.csv", &EFFECTS, &["size", "se", "low", "high"])?;
        if let Some(row) = effects.rows().iter().find(|row| !summary.panel.iter().any(|bot| bot == row.text("bot"))) {
            return Err(folder.mixed("effects.csv", &format!("there is no bot {:?}", row.text("bot"))));
        }
        let pareto = CsvFile::read(path, "pareto.csv", &place, &[])?;
        let unbeaten: Vec<Option<usize>> = pareto.rows().iter().map(|row| row.text("point").parse().ok()).collect();
        if unbeaten != summary.unbeaten.iter().copied().map(Some).collect::<Vec<_>>() {
            return Err(folder.mixed("pareto.csv", "its points are others"));
        }
        let mut retuned = None;
        if summary.retuned.is_some() {
            folder.has_all(&[RETUNED])?;
            let words = [&place[..], &["bot", "better"]].concat();
            retuned =
                Some(CsvFile::read(path, RETUNED, &words, &["deals", "gain", "gain-se", "gain-low", "gain-high"])?);
        }
        let base = table.get("sweep").and_then(|sweep| sweep.get("base"));
        let variant = base.and_then(variant_name).unwrap_or(&summary.name).to_owned();
        Ok(SweepResults { values, effects, retuned, config, variant, summary })
    }
}

/// The rows of `sweep.csv` by bot, measure and point.
pub(super) struct Values<'a> {
    pub(super) results: &'a SweepResults,
    rows: BTreeMap<(&'a str, &'a str, usize), Row<'a>>,
    /// A row of each point, for its name and the values of its axes.
    points: Vec<Row<'a>>,
    /// The measures in alphabetical order.
    pub(super) measures: Vec<&'a str>,
}

impl<'a> Values<'a> {
    pub(super) fn of(results: &'a SweepResults) -> Values<'a> {
        let number = |row: &Row<'a>| row.text("point").parse::<usize>().unwrap_or_default();
        let all = results.values.rows();
        let key = |row: &Row<'a>| (row.text("bot"), row.text("measure"), number(row));
        let rows = all.iter().map(|row| (key(row), *row)).collect();
        let by_point: BTreeMap<usize, Row<'a>> = all.iter().map(|row| (number(row), *row)).collect();
        let mut measures: Vec<&str> = all.iter().map(|row| row.text("measure")).collect();
        measures.sort_unstable();
        measures.dedup();
        Values { results, rows, points: by_point.into_values().collect(), measures }
    }

    /// Returns the numbers of the points, counted from 1.
    pub(super) fn points(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.points.len()
    }

    /// Returns the row of a measure for a bot at a point.
    pub(super) fn row(&self, bot: &str, measure: &str, point: usize) -> Option<Row<'a>> {
        let found = self.rows.get_key_value(&(bot, measure, point) as &(&str, &str, usize));
        found.map(|(_, row)| *row)
    }

    /// Returns a row of a point, for its name and the values of its axes.
    pub(super) fn point(&self, point: usize) -> Row<'a> {
        self.points[point - 1]
    }

    /// Returns the points that have the rules of the base, except for the rules `but`.
    pub(super) fn slice(&self, but: &[&str]) -> Vec<usize> {
        let summary = &self.results.summary;
        let base = self.point(summary.base);
        let others = || summary.axes.iter().map(|axis| axis.rule.as_str()).filter(|rule| !but.contains(rule));
        let is_like = |point: &usize| others().all(|rule| self.point(*point).text(rule) == base.text(rule));
        self.points().filter(is_like).collect()
    }

    /// Returns the most important measures, each with its bot: the wishes, or else a few usual measures.
    pub(super) fn shown(&self) -> Vec<(&'a str, &'a str)> {
        let summary = &self.results.summary;
        if !summary.wishes.is_empty() {
            return summary.wishes.iter().map(|wish| (wish.bot.as_str(), wish.measure.as_str())).collect();
        }
        let last = summary.panel.last().map_or("", String::as_str);
        let unit = if summary.matches.is_some() { Unit::Match } else { Unit::Deal };
        let is_there = |measure: &&str| self.points().any(|point| self.row(last, measure, point).is_some());
        usual(unit).into_iter().filter(is_there).map(|measure| (last, measure)).collect()
    }
}

/// Describes a measure in words that fit below a chart on a narrow screen.
pub(super) fn about(measure: &str) -> &'static str {
    let is_farthest = measure.starts_with(SEAT_ADVANTAGE);
    match (measure, SeatScale::of(measure)) {
        (_, Some(SeatScale::Points)) if is_farthest => "most unequal seat, points a deal",
        (_, Some(SeatScale::Deviations)) if is_farthest => "most unequal seat, in sd of a score",
        (_, Some(SeatScale::Won)) if is_farthest => "most unequal seat, share of games won",
        (_, Some(SeatScale::Points)) => "worth of the seat beyond the mean of all, points a deal",
        (_, Some(SeatScale::Deviations)) => "worth of the seat beyond the mean of all, in sd of a score",
        (_, Some(SeatScale::Won)) => "share of games that the seat wins beyond an equal share",
        ("points", _) => "points of a seat in a deal",
        ("tied", _) => "share of deals in which the best score is shared",
        ("exceptional", _) => "share of deals with a special score",
        ("made", _) => "share of contracts that were made",
        ("passed-out", _) => "share of deals that were not played",
        ("moves", _) => "legal moves at a decision",
        ("forced", _) => "share of decisions with one legal move",
        ("winner-leads", _) => "chance that the leader after the middle trick wins",
        ("lead-changes", _) => "changes of lead in a deal",
        ("match-length", _) => "deals of a match",
        ("skill", _) => "lead over the previous bot, points a deal",
        ("skill-sd", _) => "lead over the previous bot, in sd of a score",
        ("skill-won", _) => "share of games won against the previous bot",
        ("skill-variance", _) => "share of variance due to which of the two plays",
        ("skill-elo", _) => "Elo over the previous bot, in matches of twelve deals",
        _ if measure.starts_with("contract ") => "share of deals with this contract",
        _ if measure.starts_with("worth ") => "worth of the option, points a deal",
        _ if measure.starts_with("worth-sd ") => "worth of the option, in sd of a score",
        _ if measure.starts_with("used ") => "share of deals in which the option is used",
        _ => "value",
    }
}
