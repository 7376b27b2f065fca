//! The files that tuning writes.

use overtrick_lab::decimals;
use overtrick_lab::tune::{ConfirmRow, Interaction, MarginSums, OptimumRow, TuneOutcome, TunePlan, Tuning, trial_rows};
use schemars::JsonSchema;
use serde::Serialize;

use super::csv::records_to_csv;
use super::format::{half_or_ends, number, thousands};
use super::json::{AnyObject, SCHEMA_VERSION, sorted, to_json};
use super::results::CONFIG;
use super::to_csv;

/// The files that tuning writes.
pub const TUNE_FILES: [&str; 6] =
    ["best.toml", "optimum.csv", "confirm.csv", "tune.csv", "summary.json", "config.toml"];

/// Returns the names of the files with their contents.
pub fn tune_files(plan: &TunePlan, tuning: &Tuning, outcome: &TuneOutcome) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("best.toml", best(plan, outcome)),
        ("optimum.csv", to_csv(&outcome.optimum)),
        ("confirm.csv", to_csv(&outcome.confirm)),
        ("tune.csv", records_to_csv(&trial_rows(plan, tuning))),
        ("summary.json", to_json(&summary(plan, tuning, outcome))),
        (CONFIG, plan.to_toml().into_bytes()),
    ]
}

/// Returns the result of tuning in a sentence, with figures of the confirmation only.
pub fn tune_sentence(plan: &TunePlan, tuning: &Tuning, outcome: &TuneOutcome) -> String {
    let start = &plan.start.name;
    let Some(gain) = outcome.confirm.iter().find(|row| row.what == "gain") else {
        return format!("no improvement found: {}", why_nothing(plan, tuning));
    };
    let what = if plan.bots.is_empty() { "best.toml" } else { &outcome.best.name };
    let deals = format!("{} deals that tuning did not see", thousands(gain.deals));
    if outcome.is_better {
        return format!("{what} is better than {start} {}, on {deals}", by_how_much(gain));
    }
    let nothing = "no improvement found";
    if is_same(gain) {
        return format!("{nothing}: the best that was tried scored as {start} did on each of {deals}");
    }
    if gain.gain.low.is_none() {
        return format!(
            "{nothing}: too few of {deals} were different to distinguish the best that was tried from {start}"
        );
    }
    let side = if gain.gain.value.is_some_and(|gain| gain < 0.0) { "behind" } else { "ahead of" };
    let figures = figure(gain);
    let figures = figures.trim_start_matches('-');
    format!("{nothing}: the best that was tried is {side} {start} by {figures} points a deal on {deals}")
}

/// Returns the reason why nothing was left to confirm.
fn why_nothing(plan: &TunePlan, tuning: &Tuning) -> String {
    let deals = match &tuning.race {
        Some(race) if race.is_nothing_different() => Some(race.next),
        None if tuning.live.is_empty() => Some(tuning.deals_probed()),
        _ => None,
    };
    let subject = if plan.bots.is_empty() { "value of any parameter" } else { "bot" };
    match deals {
        Some(deals) => format!("no {subject} changed one of {} deals", thousands(deals)),
        None => format!("{} is the best that was tried", plan.start.name),
    }
}

/// Returns the gain of a result that was shown to be better.
///
/// It has both ends of the interval, or only the upper end if the gain may be tiny.
fn by_how_much(gain: &ConfirmRow) -> String {
    match gain.gain.ends() {
        Some((low, high)) if low <= 0.0 => {
            format!("by no more than {} points a deal", number(high, decimals_of(gain)))
        }
        _ => format!("by {} points a deal", figure(gain)),
    }
}

/// Returns the number of decimals that shows two digits of half the width of an interval.
fn decimals_of(row: &ConfirmRow) -> usize {
    row.gain.ends().and_then(|(low, high)| decimals((high - low) / 2.0)).unwrap_or(3)
}

/// Formats a gain with half the width of its interval, or with both ends if it is not symmetric.
pub(super) fn figure(row: &ConfirmRow) -> String {
    match row.gain.ends() {
        Some(_) => half_or_ends(number, row.gain, decimals_of(row), row.gain.value == row.mean.0),
        None if is_same(row) => "no deal was different".to_owned(),
        None => "too few deals".to_owned(),
    }
}

/// Returns whether both scored the same on every deal.
fn is_same(row: &ConfirmRow) -> bool {
    row.gain.value == Some(0.0) && row.gain.se == Some(0.0)
}

/// Returns the manifest of the result.
fn best(plan: &TunePlan, outcome: &TuneOutcome) -> Vec<u8> {
    let variants: Vec<&str> = plan.variants.iter().map(|variant| variant.name.as_str()).collect();
    let gain = outcome.confirm.iter().find(|row| row.what == "gain");
    let said = match (gain, outcome.is_better) {
        (Some(gain), true) => format!("better than {} {}", plan.start.name, by_how_much(gain)),
        _ => format!("no improvement was found, so this is {} as it was", plan.start.name),
    };
    let seed = plan.seed;
    let head = format!(
        "# From `overtrick tune`, in {}, seed {seed}, version {}:\n# {said}.\n",
        variants.join(", "),
        env!("CARGO_PKG_VERSION")
    );
    let manifest = toml::to_string(&outcome.best.to_table()).expect("plain values");
    (head + &manifest).into_bytes()
}

/// The result of tuning.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct TuneSummary<'a> {
    /// The version of this form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    /// The version of the program.
    overtrick: &'a str,
    /// The commit that it was built from, if it is known.
    commit: Option<&'a str>,
    /// The version of the method that deals cards from the seed.
    seeding: u32,
    /// The name of the job.
    name: &'a str,
    /// The seed.
    seed: u64,
    /// The result of tuning, in a sentence.
    sentence: String,
    /// Whether the best is certainly ahead of the start.
    better: bool,
    /// The result, as a manifest: the start, unless the best is certainly ahead of it.
    #[schemars(with = "AnyObject")]
    best: toml::Table,
    /// The bot that tuning started from, as a manifest.
    #[schemars(with = "AnyObject")]
    start: toml::Table,
    /// The games that were played.
    games: u64,
    /// The games that it might take.
    budget: u64,
    /// The gain on deals that tuning had not seen, as in `confirm.csv`.
    confirm: &'a [ConfirmRow],
    /// The parameters, as in `optimum.csv`.
    optimum: &'a [OptimumRow],
    /// Pairs of parameters that matter together.
    interactions: &'a [Interaction<String>],
    /// How often bots failed to answer; a random legal move was made then.
    faults: u64,
    /// The gain by the deals that the best was chosen by, where a surface was fitted.
    expected: Option<Expected<'a>>,
    /// The findings of the pilot, where there was one.
    pilot: Option<PilotSummary<'a>>,
}

/// A gain that is too high.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Expected<'a> {
    /// The gain in points a deal.
    #[schemars(with = "Option<f64>")]
    gain: f64,
    /// Half the width of its 95% interval, if that is known.
    half_width: Option<f64>,
    /// Why it is not to be taken for the result.
    note: &'a str,
}

/// The findings of the pilot.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct PilotSummary<'a> {
    /// The number of its deals.
    deals: u64,
    /// How sure the result will be.
    forecast: Forecast,
    /// The parameters.
    parameters: Vec<PilotParameter<'a>>,
}

/// How sure a gain will be.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Forecast {
    /// Half the width that the 95% interval of the gain will have if the best lies far from the start, as settings from
    /// all over the space do; null if it is not known.
    half_width: Option<f64>,
    /// The same if the best lies near.
    least_half_width: Option<f64>,
}

/// The findings of the pilot about a parameter.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct PilotParameter<'a> {
    /// The parameter's key.
    parameter: &'a str,
    /// Whether no value of it changed any deal where tuning started; it may elsewhere.
    dead: bool,
    /// The gain of a step down.
    down: PilotGain,
    /// The gain of a step up.
    up: PilotGain,
}

/// The gain of a step.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct PilotGain {
    /// The gain in points a deal.
    #[schemars(with = "Option<f64>")]
    gain: f64,
    /// Its standard error.
    #[schemars(with = "Option<f64>")]
    se: f64,
}

fn summary(plan: &TunePlan, tuning: &Tuning, outcome: &TuneOutcome) -> serde_json::Value {
    let gain = |margins: &MarginSums| PilotGain { gain: margins.mean(), se: margins.se() };
    let forecast = tuning.forecast();
    let pilot = tuning.pilot.as_ref().map(|pilot| {
        let lines = plan.space.axes.iter().zip(&pilot.parameters).map(|(axis, line)| PilotParameter {
            parameter: &axis.key,
            dead: line.is_dead,
            down: gain(&line.down),
            up: gain(&line.up),
        });
        PilotSummary {
            deals: pilot.numbers,
            forecast: Forecast {
                half_width: forecast.map(|forecast| forecast.far),
                least_half_width: forecast.map(|forecast| forecast.near),
            },
            parameters: lines.collect(),
        }
    });
    let expected = tuning.fitted.as_ref().map(|fitted| Expected {
        gain: fitted.gain.value,
        half_width: fitted.gain.half_width,
        note: "too high: chosen by the same deals",
    });
    sorted(&TuneSummary {
        schema_version: SCHEMA_VERSION,
        overtrick: env!("CARGO_PKG_VERSION"),
        commit: crate::COMMIT,
        seeding: overtrick_cards::SEEDING_VERSION,
        name: &plan.name,
        seed: plan.seed,
        sentence: tune_sentence(plan, tuning, outcome),
        better: outcome.is_better,
        best: outcome.best.to_table(),
        start: plan.start.to_table(),
        games: outcome.games,
        budget: plan.budget(tuning.budget),
        confirm: &outcome.confirm,
        optimum: &outcome.optimum,
        interactions: &outcome.interactions,
        faults: outcome.faults,
        expected,
        pilot,
    })
}
