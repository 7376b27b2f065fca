//! The files that a sweep writes.

use overtrick_lab::sweep::{JudgedWish, PointResult, Retune, SweepOutcome, SweepPlan, Sweeping};
use overtrick_stats::{BalanceRow, Bounded, Figure, Interval, SeatRow};
use overtrick_tournament::Unit;
use schemars::JsonSchema;
use serde::Serialize;
use toml::Value;

use super::csv::{cell_text, records_to_csv};
use super::effect_name::EffectName;
use super::json::{SCHEMA_VERSION, sorted, to_json};
use super::results::CONFIG;
use super::to_csv;

/// The files that a sweep writes.
pub const SWEEP_FILES: [&str; 7] =
    ["sweep.csv", "effects.csv", "pareto.csv", "seats.csv", "balance.csv", "summary.json", "config.toml"];

/// The additional file of a sweep in which a bot is tuned again for each point.
pub const RETUNED: &str = "retuned.csv";

/// The file in which a shard of a sweep writes the results of its points.
pub const POINTS: &str = "points.bin";

/// Returns the names of the files that this sweep writes, or this shard of a sweep.
pub fn sweep_file_names(plan: &SweepPlan) -> Vec<&'static str> {
    if plan.shard.is_some() {
        return vec![CONFIG, POINTS];
    }
    SWEEP_FILES.into_iter().chain(plan.retune.is_some().then_some(RETUNED)).collect()
}

/// Returns the names of the files with their contents.
pub fn sweep_files(plan: &SweepPlan, sweeping: &Sweeping, outcome: &SweepOutcome) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = vec![
        ("sweep.csv", values(plan, outcome)),
        ("effects.csv", effects(plan, outcome)),
        ("pareto.csv", unbeaten(plan, outcome)),
        ("seats.csv", joined(to_csv::<SeatRow>(&[]), sweeping, |point| point.seats.as_str())),
        ("balance.csv", joined(to_csv::<BalanceRow>(&[]), sweeping, |point| point.balance.as_str())),
        ("summary.json", to_json(&summary(plan, sweeping, outcome))),
        (CONFIG, plan.to_toml().into_bytes()),
    ];
    files.extend(plan.retune.as_ref().map(|retune| (RETUNED, retuned(plan, retune, sweeping))));
    files
}

/// Returns a table of all points: the header, and the rows of each point.
fn joined(header: Vec<u8>, sweeping: &Sweeping, rows: fn(&PointResult) -> &str) -> Vec<u8> {
    let mut text = header;
    for point in &sweeping.points {
        text.extend_from_slice(rows(point).as_bytes());
    }
    text
}

/// Returns value, standard error, and the two ends of the interval.
fn banded(value: Option<Bounded>) -> [String; 4] {
    let Interval { value, se, low, high } = value.into();
    [value, se, low, high].map(|number| cell_text(Figure(number)))
}

/// Returns names that are separated by commas.
fn names(names: &str) -> Vec<String> {
    names.split(',').map(str::to_owned).collect()
}

/// Returns the names of the columns of a point.
fn point_header(plan: &SweepPlan) -> Vec<String> {
    let mut header = names("point,name");
    header.extend(plan.axes.iter().map(|axis| axis.key.clone()));
    header
}

/// Returns the number of a point, counted from 1, its name, and the values of its axes.
fn point_cells(plan: &SweepPlan, point: usize) -> Vec<String> {
    let rules = plan.points[point].variant.game.rules();
    let mut cells = vec![(point + 1).to_string(), plan.point_name(point)];
    for axis in &plan.axes {
        cells.push(rules.get(&axis.key).map_or_else(String::new, plain));
    }
    cells
}

/// Returns a value as text, without quotation marks.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the measures at each point.
fn values(plan: &SweepPlan, outcome: &SweepOutcome) -> Vec<u8> {
    let mut header = point_header(plan);
    header.extend(names("bot,measure,value,se,low,high,difference,difference-se,difference-low,difference-high"));
    if plan.retune.is_some() {
        header.extend(names("change,change-se,change-low,change-high"));
    }
    let mut records = vec![header];
    for row in &outcome.rows {
        let mut cells = point_cells(plan, row.point);
        cells.extend([plan.panel[row.bot].name.clone(), row.measure.clone()]);
        cells.extend(banded(Some(row.value)));
        cells.extend(banded(row.difference));
        if plan.retune.is_some() {
            cells.extend(banded(row.change));
        }
        records.push(cells);
    }
    records_to_csv(&records)
}

/// Returns the results of tuning at each point, and each parameter before and after.
fn retuned(plan: &SweepPlan, retune: &Retune, sweeping: &Sweeping) -> Vec<u8> {
    let mut header = point_header(plan);
    header.extend(names("bot,better,deals,gain,gain-se,gain-low,gain-high"));
    for key in retune.keys() {
        header.extend([format!("{key}-before"), format!("{key}-after")]);
    }
    let mut records = vec![header];
    for (point, result) in sweeping.points.iter().enumerate() {
        let Some(retuned) = &result.retuned else { continue };
        let mut cells = point_cells(plan, point);
        let better = if retuned.is_better { "yes" } else { "no" };
        cells.extend([plan.panel[retune.bot].name.clone(), better.to_owned(), retuned.gain.count.to_string()]);
        cells.extend(banded(retuned.banded()));
        for (_, before, after) in retune.parameters(retuned) {
            cells.extend([plain(&before), plain(&after)]);
        }
        records.push(cells);
    }
    records_to_csv(&records)
}

/// Returns the effects of rules.
fn effects(plan: &SweepPlan, outcome: &SweepOutcome) -> Vec<u8> {
    let mut records = vec![names("bot,measure,effect,axis,value,against,axis-2,value-2,against-2,size,se,low,high")];
    for row in &outcome.effects {
        let EffectName { kind, one, other } = EffectName::of(plan, &row.effect);
        let mut cells = vec![plan.panel[row.bot].name.clone(), row.measure.clone(), kind];
        cells.extend([one.axis, one.value, one.against, other.axis, other.value, other.against]);
        cells.extend(banded(Some(row.size)));
        records.push(cells);
    }
    records_to_csv(&records)
}

/// Returns the unbeaten points with the measures that are wished for.
fn unbeaten(plan: &SweepPlan, outcome: &SweepOutcome) -> Vec<u8> {
    let mut header = point_header(plan);
    for wish in &plan.wishes {
        header.extend(["", "-low", "-high", "-verdict"].map(|end| format!("{}{end}", wish.measure)));
    }
    let mut records = vec![header];
    for &point in &outcome.unbeaten {
        let mut cells = point_cells(plan, point);
        for values in &outcome.wishes {
            let [value, _, low, high] = banded(values[point].map(|judged| judged.value));
            cells.extend([value, low, high, verdict(&values[point]).unwrap_or_default().to_owned()]);
        }
        records.push(cells);
    }
    records_to_csv(&records)
}

/// Returns the verdict on a wish at a point, if the measure is known.
fn verdict(judged: &Option<JudgedWish>) -> Option<&'static str> {
    judged.and_then(|judged| judged.verdict).map(|verdict| verdict.name())
}

/// The result of a sweep. Points are counted from 1.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct SweepSummary<'a> {
    /// The version of this form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    /// The version of the program.
    overtrick: &'a str,
    /// The commit that it was built from, if it is known.
    commit: Option<&'a str>,
    /// The version of the method that deals cards from the seed.
    seeding: u32,
    /// The name of the sweep.
    name: &'a str,
    /// The seed.
    seed: u64,
    /// The findings as sentences, the most important first.
    sentences: &'a [String],
    /// Deals at each point, where single deals are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    deals: Option<u64>,
    /// Matches at each point, where matches are played.
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<u64>,
    /// The bots that play at every point.
    panel: Vec<&'a str>,
    /// The rules that are varied.
    axes: Vec<AxisSummary<'a>>,
    /// The number of points.
    points: usize,
    /// The point that the others are compared with.
    base: usize,
    /// The points that no other is better than in all wishes.
    unbeaten: Vec<usize>,
    /// The wishes.
    wishes: Vec<WishSummary<'a>>,
    /// The rules that changed no deal.
    dead: Vec<&'a str>,
    /// The combinations of values that the rules refuse; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'a str>,
    /// The games that were played.
    games: u64,
    /// How often bots failed to answer; a random legal move was made then.
    faults: u64,
    /// The bot that was tuned again for each point; left out if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    retuned: Option<RetunedSummary<'a>>,
}

/// A rule with the values that it takes.
#[derive(Serialize, JsonSchema)]
struct AxisSummary<'a> {
    /// The rule's key.
    rule: &'a str,
    /// Its values.
    #[schemars(with = "Vec<serde_json::Value>")]
    values: &'a [Value],
}

/// A wish, and where it is met.
#[derive(Serialize, JsonSchema)]
struct WishSummary<'a> {
    /// The measure.
    measure: &'a str,
    /// The bot that it is measured with.
    bot: &'a str,
    /// The value or direction that is wanted.
    wanted: String,
    /// By point: `met`, `missed` or `open`; nothing where the measure is not known.
    verdicts: Vec<Option<&'static str>>,
}

/// A bot that was tuned again for each point.
#[derive(Serialize, JsonSchema)]
struct RetunedSummary<'a> {
    /// The bot as it was before.
    bot: &'a str,
    /// The name of the tuned one.
    r#as: &'a str,
    /// The points at which tuning made it better.
    better: Vec<usize>,
}

fn summary(plan: &SweepPlan, sweeping: &Sweeping, outcome: &SweepOutcome) -> serde_json::Value {
    let wishes = plan.wishes.iter().zip(&outcome.wishes).map(|(wish, values)| WishSummary {
        measure: &wish.measure,
        bot: &plan.panel[wish.bot].name,
        wanted: wish.text(),
        verdicts: values.iter().map(verdict).collect(),
    });
    let retuned = plan.retuned().map(|(before, after)| {
        let is_better = |point: &usize| sweeping.points[*point].retuned.as_ref().is_some_and(|found| found.is_better);
        RetunedSummary {
            bot: &plan.panel[before].name,
            r#as: &plan.panel[after].name,
            better: (0..sweeping.points.len()).filter(is_better).map(|point| point + 1).collect(),
        }
    });
    sorted(&SweepSummary {
        schema_version: SCHEMA_VERSION,
        overtrick: env!("CARGO_PKG_VERSION"),
        commit: crate::COMMIT,
        seeding: overtrick_cards::SEEDING_VERSION,
        name: &plan.name,
        seed: plan.seed,
        sentences: &outcome.sentences,
        deals: (plan.unit == Unit::Deal).then_some(plan.numbers),
        matches: (plan.unit == Unit::Match).then_some(plan.numbers),
        panel: plan.panel.iter().map(|bot| bot.name.as_str()).collect(),
        axes: plan.axes.iter().map(|axis| AxisSummary { rule: &axis.key, values: &axis.values }).collect(),
        points: plan.points.len(),
        base: plan.base + 1,
        unbeaten: outcome.unbeaten.iter().map(|point| point + 1).collect(),
        wishes: wishes.collect(),
        dead: outcome.dead.iter().map(|&axis| plan.axes[axis].key.as_str()).collect(),
        left_out: plan.left_out.iter().map(|left| left.name.as_str()).collect(),
        games: sweeping.games,
        faults: sweeping.faults,
        retuned,
    })
}
