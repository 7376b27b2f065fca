//! The page of results: a single HTML file that loads nothing from the network.

mod deals;
mod design;
mod folder;
mod given_away;
mod meetings;
mod part;
mod partings;
mod plots;
mod replayed;
mod source;
mod standings;
mod stopping;
mod summary;
mod svg;
mod sweep;
mod table;
mod text;
mod tune;
mod viewer;

pub use self::partings::ExplanationFiles;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Output, State, Value, context};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::deals::{Deals, Swings};
use self::part::Part;
pub use self::replayed::PageDeals;
use self::source::CsvFile;
pub use self::sweep::SweepResults;
pub use self::tune::TuneResults;
use overtrick_stats::Results;

use crate::Report;
use crate::format::thousands;

/// The name of the page among the results of a run.
pub const PAGE: &str = "report.html";

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The style of charts that pages of runs do not have.
const CHARTS: &str = include_str!("charts.css");
const SCRIPT: &str = include_str!("page.js");

/// A run that a page shows.
pub struct PageRun<'a> {
    /// A label in addition to the tournament's name; needed if there are several runs.
    pub label: Option<String>,
    /// The version of the program that played.
    pub version: &'a str,
    /// The run with its results. It need not be finished.
    pub report: &'a Report<'a>,
    /// The decisions at which two of its bots differ, if they were explained.
    pub explanation: Option<&'a ExplanationFiles>,
    /// Whether the plays of its deals get a double-dummy analysis, which takes time.
    pub analyse: bool,
}

/// The content of a section of a page.
pub enum PageSection<'a> {
    /// A run.
    Run(PageRun<'a>),
    /// A tuning, with a label in addition to its name.
    Tune(Option<String>, &'a TuneResults),
    /// A sweep, with a label in addition to its name.
    Sweep(Option<String>, &'a SweepResults),
    /// Deals without a run.
    Deals(PageDeals<'a>),
}

/// The introduction of a page of runs.
const ABOUT_RUNS: &str = "Who plays better, by how much, and how sure that is. Points are points a deal. The number after ± is \
                          half of a 95% interval.";
/// The introduction of a page of deals.
const ABOUT_DEALS: &str = "Deals, card by card: what lay where, what each seat could see, and how it went.";
/// The introduction of a page with other results.
const ABOUT: &str = "The findings, with their size and certainty. Points are points a deal. The number after ± is half of a 95% \
                     interval.";

/// The files that a page is made from.
struct Files {
    bots: CsvFile,
    ratings: CsvFile,
    pairs: CsvFile,
    seats: CsvFile,
    balance: CsvFile,
    contracts: CsvFile,
    curves: CsvFile,
    swings: CsvFile,
    given_away: CsvFile,
    looks: CsvFile,
    stops: CsvFile,
}

impl Files {
    fn of(results: &Results) -> Files {
        Files {
            bots: CsvFile::of("bots.csv", &results.bots),
            ratings: CsvFile::of("ratings.csv", &results.ratings),
            pairs: CsvFile::of("pairs.csv", &results.pairs),
            seats: CsvFile::of("seats.csv", &results.seats),
            balance: CsvFile::of("balance.csv", &results.balance),
            contracts: CsvFile::of("contracts.csv", &results.contracts),
            curves: CsvFile::of("curves.csv", &results.curves),
            swings: CsvFile::of("swings.csv", &results.swings),
            given_away: CsvFile::of("given-away.csv", &results.given_away),
            looks: CsvFile::of("looks.csv", &results.looks),
            stops: CsvFile::of("summary.json", &results.stops),
        }
    }
}

/// A run as the template sees it, or another command's results.
#[derive(Serialize)]
struct RunSection {
    id: String,
    name: String,
    label: Option<String>,
    /// Whether the run is not finished.
    is_unfinished: bool,
    /// A sentence on its progress.
    extent: String,
    /// The command that makes this again, without the program's name.
    command: String,
    version: String,
    seed: u64,
    /// The part before all others, if there are several variants.
    summary: Option<Part>,
    variants: Vec<VariantSection>,
    notes: Vec<String>,
    faults: Vec<String>,
    /// The config for that command, if there is one.
    config: Option<String>,
}

/// A variant as the template sees it, or a part of other results in its place.
#[derive(Serialize)]
struct VariantSection {
    id: String,
    name: String,
    about: String,
    sentences: Vec<String>,
    parts: Vec<Part>,
    deals: Deals,
}

/// Returns the page of these results. The same results make the same bytes.
pub fn html_page(parts: &[PageSection<'_>]) -> Vec<u8> {
    let variants = |part: &PageSection<'_>| match part {
        PageSection::Run(run) => run.report.outcome.runs.len(),
        _ => 0,
    };
    let variants = parts.iter().map(variants).sum();
    let sections: Vec<RunSection> = (1..).zip(parts).map(|(number, part)| section(number, part, variants)).collect();
    let all = |is: fn(&PageSection<'_>) -> bool| parts.iter().all(is);
    let (style, about) = if all(|part| matches!(part, PageSection::Run(_))) {
        (STYLE.to_owned(), ABOUT_RUNS)
    } else if all(|part| matches!(part, PageSection::Deals(_))) {
        (STYLE.to_owned(), ABOUT_DEALS)
    } else {
        (format!("{STYLE}{CHARTS}"), ABOUT)
    };
    let names: Vec<&str> = sections.iter().map(|run| run.name.as_str()).collect();
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(write_visible);
    environment.add_template("page", TEMPLATE).expect("our own template");
    let [style, script] = [&style, SCRIPT].map(unindented);
    let template = environment.get_template("page").expect("it was added");
    let hash = |content: &str| format!("sha256-{}", STANDARD.encode(Sha256::digest(content)));
    let page = template.render(context! {
        title => names.join(", "),
        about,
        runs => Value::from(Serde(&sections)),
        style => Value::from_safe_string(style.clone()),
        script => Value::from_safe_string(script.clone()),
        policy => format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            hash(&style),
            hash(&script)
        ),
    });
    page.expect("a template that fits what it is given").into_bytes()
}

/// Returns a text without indentation and without lines that are comments.
fn unindented(text: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("// ") || line.starts_with("/**");
    let lines = text.lines().map(str::trim_start).filter(|line| !is_comment(line));
    lines.fold(String::new(), |all, line| all + line + "\n")
}

/// Writes a value of the template, escaped and with hidden characters made visible.
fn write_visible(out: &mut Output<'_>, _state: &mut State<'_, '_>, value: &Value) -> Result<(), minijinja::Error> {
    if value.is_undefined() || value.is_none() {
        return Ok(());
    }
    let plain = value.to_string();
    if value.is_safe() { out.write_str(&plain) } else { out.write_str(&text::escaped(&plain)) }.map_err(Into::into)
}

fn section(number: usize, part: &PageSection<'_>, variants: usize) -> RunSection {
    match part {
        PageSection::Run(run) => section_of_run(number, run, variants),
        PageSection::Tune(label, results) => tune::section(number, label.clone(), results),
        PageSection::Sweep(label, results) => sweep::section(number, label.clone(), results),
        PageSection::Deals(deals) => replayed::section(number, deals),
    }
}

fn section_of_run(number: usize, run: &PageRun<'_>, variants: usize) -> RunSection {
    let outcome = run.report.outcome;
    let (tournament, results) = (&outcome.tournament, &run.report.results);
    let files = Files::of(results);
    let played = |index: usize| {
        let mut section = VariantSection::of(&files, run, index, number, variants);
        section.parts.extend(run.explanation.and_then(|explanation| explanation.part(&section.name)));
        section
    };
    let fault = |row: &overtrick_stats::FaultRow| {
        format!("{}, {}, deal {}, seat p{}: {}: {}", row.variant, row.bot, row.deal, row.seat, row.kind, row.what)
    };
    let units = tournament.unit.plural();
    let done: Vec<String> = (outcome.runs.iter().zip(&tournament.variants))
        .map(|(run, variant)| format!("{} {units} of {}", thousands(run.tally.blocks().count), variant.name))
        .collect();
    let variants: Vec<VariantSection> = (0..outcome.runs.len()).map(played).collect();
    RunSection {
        id: format!("r{number}"),
        name: tournament.name.clone(),
        label: run.label.clone(),
        is_unfinished: !outcome.is_finished,
        extent: format!("Played: {}.", done.join(", ")),
        command: "run config.toml".to_owned(),
        version: run.version.to_owned(),
        seed: tournament.seed,
        summary: summary::summary(&files, tournament, &variants),
        variants,
        notes: results.notes.clone(),
        faults: results.faults.iter().map(fault).collect(),
        config: Some(tournament.to_toml()),
    }
}

impl VariantSection {
    fn of(files: &Files, run: &PageRun<'_>, index: usize, number: usize, variants: usize) -> VariantSection {
        let (outcome, results) = (run.report.outcome, &run.report.results);
        let (tournament, tally) = (&outcome.tournament, &outcome.runs[index].tally);
        let variant = &tournament.variants[index];
        let name = variant.name.as_str();
        let id = format!("r{number}-{index}");
        let chart = |what: &str| format!("{id}-c-{what}");
        let headlines = results.headlines.iter().filter(|row| row.variant == name).map(|row| row.text.clone());
        let sentences: Vec<String> = headlines.chain(design::seat_sentence(files, name)).collect();
        let is_played = tally.blocks().count > 0;
        let parts = [
            Some(standings::leaderboard(files, tournament, name, &chart("bots"))),
            standings::crosstable(files, name),
            is_played.then(|| design::seats(files, name, &chart("seats"))),
            design::contracts(files, name, &chart("contracts")),
            is_played.then(|| design::balance(files, tournament, tally, name, &chart("balance"))),
            design::curves(files, name, &chart("curves")),
            given_away::given_away(files, name, &chart("given-away")),
            stopping::stop(files, tournament, name, &chart("stop")),
        ];
        VariantSection {
            name: name.to_owned(),
            about: variant.about.clone(),
            sentences,
            parts: parts.into_iter().flatten().collect(),
            deals: deals::deals(files, &Swings { tournament, variant: index, id: &id, analyse: run.analyse }, variants),
            id,
        }
    }
}
