//! The page of results: a single HTML file that loads nothing from the network.

mod benchmark;
mod deals;
mod design;
mod folder;
mod given_away;
mod one_number;
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

pub use self::benchmark::BenchmarkPage;
pub use self::partings::ExplanationFiles;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Output, State, Value, context};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::deals::{Deals, DealsContext};
use self::part::Part;
pub use self::replayed::PageDeals;
pub use self::sweep::SweepResults;
pub use self::tune::TuneResults;
use overtrick_stats::FaultRow;

use crate::Report;
use crate::show::format::thousands;
use crate::show::variant_results::VariantResults;

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
    /// The table of a benchmark.
    Benchmark(BenchmarkPage<'a>),
}

/// The introduction of a page of runs.
const ABOUT_RUNS: &str = "Who plays better, by how much, and how sure that is. Points are per deal. The number after ± is half the \
                          width of the 95% interval.";
/// The introduction of a page of deals.
const ABOUT_DEALS: &str = "Deals, card by card: what lay where, what each seat could see, and how it went.";
/// The introduction of a page of a benchmark.
const ABOUT_BENCHMARK: &str = "How good bots are on deals that all of them played. The score is 0 at the level of one reference bot and 100 \
                               at the level of another. The number after ± is half the width of the 95% interval.";
/// The introduction of a page with other results.
const ABOUT: &str = "The findings, with their size and certainty. Points are per deal. The number after ± is half the width of \
                     the 95% interval.";

/// A section of a page as the template sees it: a run, a tuning, a sweep, or deals.
#[derive(Default, Serialize)]
struct ResultsSection {
    id: String,
    name: String,
    label: Option<String>,
    /// Whether a run is not finished.
    is_unfinished: bool,
    /// A sentence on what was played.
    extent: String,
    /// The command that makes this again, without the program's name.
    command: String,
    version: String,
    seed: u64,
    /// The part before all others, if a run has several variants.
    summary: Option<Part>,
    subsections: Vec<Subsection>,
    notes: Vec<String>,
    faults: Vec<String>,
    /// The config for that command, if there is one.
    config: Option<String>,
}

/// A part of a section with its own heading, such as a variant.
#[derive(Default, Serialize)]
struct Subsection {
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
    let sections: Vec<ResultsSection> =
        (1..).zip(parts).map(|(number, part)| section(number, part, variants)).collect();
    let all = |is: fn(&PageSection<'_>) -> bool| parts.iter().all(is);
    let (style, about) = if all(|part| matches!(part, PageSection::Run(_))) {
        (STYLE.to_owned(), ABOUT_RUNS)
    } else if all(|part| matches!(part, PageSection::Deals(_))) {
        (STYLE.to_owned(), ABOUT_DEALS)
    } else if all(|part| matches!(part, PageSection::Benchmark(_))) {
        (STYLE.to_owned(), ABOUT_BENCHMARK)
    } else {
        (format!("{STYLE}{CHARTS}"), ABOUT)
    };
    let names: Vec<&str> = sections.iter().map(|section| section.name.as_str()).collect();
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
        sections => Value::from(Serde(&sections)),
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

fn section(number: usize, part: &PageSection<'_>, variants: usize) -> ResultsSection {
    match part {
        PageSection::Run(run) => section_of_run(number, run, variants),
        PageSection::Tune(label, results) => tune::section(number, label.clone(), results),
        PageSection::Sweep(label, results) => sweep::section(number, label.clone(), results),
        PageSection::Deals(deals) => replayed::section(number, deals),
        PageSection::Benchmark(page) => benchmark::section(number, page),
    }
}

fn section_of_run(number: usize, run: &PageRun<'_>, variants: usize) -> ResultsSection {
    let outcome = run.report.outcome;
    let (tournament, results) = (&outcome.tournament, &run.report.results);
    let mut played = Vec::with_capacity(outcome.runs.len());
    for variant in tournament.variants.iter().take(outcome.runs.len()) {
        played.push(VariantResults::of(results, &variant.name));
    }
    let mut subsections = Vec::with_capacity(played.len());
    for (index, variant) in played.iter().enumerate() {
        let mut subsection = subsection(variant, run, index, &format!("r{number}-{index}"), variants);
        subsection.parts.extend(run.explanation.and_then(|explanation| explanation.part(variant.name)));
        subsections.push(subsection);
    }
    let fault = |row: &FaultRow| {
        format!("{}, {}, deal {}, seat p{}: {}: {}", row.variant, row.bot, row.deal, row.seat, row.kind, row.what)
    };
    let mut summary = summary::summary(&played, tournament, &subsections);
    summary.iter_mut().for_each(|part| one_number::add_votes(part, results));
    let units = tournament.unit.plural();
    let done: Vec<String> = (outcome.runs.iter().zip(&tournament.variants))
        .map(|(run, variant)| format!("{} {units} of {}", thousands(run.tally.blocks().count), variant.name))
        .collect();
    ResultsSection {
        id: format!("r{number}"),
        name: tournament.name.clone(),
        label: run.label.clone(),
        is_unfinished: !outcome.is_finished,
        extent: format!("Played: {}.", done.join(", ")),
        command: "run config.toml".to_owned(),
        version: run.version.to_owned(),
        seed: tournament.seed,
        summary,
        subsections,
        notes: results.notes.clone(),
        faults: results.faults.iter().map(fault).collect(),
        config: Some(tournament.to_toml()),
    }
}

/// Returns the subsection of a variant. The page has this number of `variants`.
fn subsection(variant: &VariantResults<'_>, run: &PageRun<'_>, index: usize, id: &str, variants: usize) -> Subsection {
    let outcome = run.report.outcome;
    let (tournament, tally) = (&outcome.tournament, &outcome.runs[index].tally);
    let chart = |what: &str| format!("{id}-c-{what}");
    let headlines = variant.headlines.iter().map(|row| row.text.clone());
    let is_played = tally.blocks().count > 0;
    let parts = [
        Some(standings::leaderboard(variant, tournament, &chart("bots"))),
        standings::crosstable(variant),
        one_number::one_number(variant, tournament, index),
        is_played.then(|| design::seats(variant, &chart("seats"))),
        design::contracts(variant, &chart("contracts")),
        is_played.then(|| design::balance(variant, tournament, tally, &chart("balance"))),
        design::curves(variant, &chart("curves")),
        given_away::given_away(variant, &chart("given-away")),
        stopping::stop(variant, tournament, &chart("stop")),
    ];
    let context = DealsContext { tournament, variant: index, id, analyse: run.analyse, variants_on_page: variants };
    Subsection {
        id: id.to_owned(),
        name: variant.name.to_owned(),
        about: tournament.variants[index].about.clone(),
        sentences: headlines.chain(design::seat_sentence(variant)).collect(),
        parts: parts.into_iter().flatten().collect(),
        deals: deals::deals(variant, &context),
    }
}
