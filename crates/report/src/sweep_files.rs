//! The files that a sweep writes.

use overtrick_lab::sweep::{
    Effect, EffectRow, JudgedWish, PointResult, Retune, RetunedBot, SweepOutcome, SweepPlan, SweepRow, Sweeping,
};
use overtrick_stats::{BalanceRow, Bounded, Figure, Interval, SeatRow};
use overtrick_tournament::Unit;
use schemars::JsonSchema;
use serde::Serialize;
use toml::Value;

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

/// Returns the content of the files, with their names.
pub fn sweep_files(plan: &SweepPlan, sweeping: &Sweeping, outcome: &SweepOutcome) -> Vec<(&'static str, Vec<u8>)> {
    let shared = |header: Vec<u8>, rows: fn(&PointResult) -> &str| {
        let rows = sweeping.points.iter().map(|point| rows(point).as_bytes());
        [header].iter().map(Vec::as_slice).chain(rows).collect::<Vec<_>>().concat()
    };
    let contents = [
        csv(&values_header(plan), outcome.rows.iter().map(|row| value(plan, row))),
        csv(&EFFECTS, outcome.effects.iter().map(|row| effect(plan, row))),
        csv(&wishes_header(plan), outcome.unbeaten.iter().map(|&point| unbeaten(plan, outcome, point))),
        shared(to_csv::<SeatRow>(&[]), |point| &point.seats),
        shared(to_csv::<BalanceRow>(&[]), |point| &point.balance),
        to_json(&summary(plan, sweeping, outcome)),
        plan.to_toml().into_bytes(),
    ];
    let retuned = plan.retune.iter().map(|retune| {
        let rows = sweeping.points.iter().enumerate();
        let rows = rows.filter_map(|(point, result)| Some(retuned(plan, retune, point, result.retuned.as_ref()?)));
        csv(&retuned_header(plan, retune), rows)
    });
    sweep_file_names(plan).into_iter().zip(contents.into_iter().chain(retuned)).collect()
}

/// Returns a table whose columns depend on the axes.
fn csv(header: &[impl AsRef<str>], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = header.iter().map(|name| name.as_ref().to_owned()).collect::<Vec<_>>();
    let mut write = |row: &[String]| writer.write_record(row).expect("memory takes all");
    write(&header);
    rows.for_each(|row| write(&row));
    writer.into_inner().expect("memory takes all")
}

/// Returns a number as all tables have it; empty if it is missing.
fn text(number: Option<f64>) -> String {
    let rounded = serde_json::to_value(Figure(number)).expect("a number or nothing");
    if rounded.is_null() { String::new() } else { rounded.to_string() }
}

/// Returns value, standard error, and the two ends of the interval.
fn banded(value: Option<Bounded>) -> [String; 4] {
    let Interval { value, se, low, high } = value.into();
    [value, se, low, high].map(text)
}

/// Returns the number of a point, counted from 1, its name, and the values of its axes.
fn place(plan: &SweepPlan, point: usize) -> Vec<String> {
    let rules = plan.points[point].variant.game.rules();
    let value = |key: &String| match rules.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let values = plan.axes.iter().map(|axis| value(&axis.key));
    [(point + 1).to_string(), plan.point_name(point)].into_iter().chain(values).collect()
}

fn place_header(plan: &SweepPlan) -> Vec<String> {
    ["point", "name"].map(str::to_owned).into_iter().chain(plan.axes.iter().map(|axis| axis.key.clone())).collect()
}

fn values_header(plan: &SweepPlan) -> Vec<String> {
    let own = [
        "bot",
        "measure",
        "value",
        "se",
        "low",
        "high",
        "difference",
        "difference-se",
        "difference-low",
        "difference-high",
    ];
    let change: &[&str] = match plan.retune {
        Some(_) => &["change", "change-se", "change-low", "change-high"],
        None => &[],
    };
    place_header(plan).into_iter().chain(own.iter().chain(change).map(|&name| name.to_owned())).collect()
}

fn value(plan: &SweepPlan, row: &SweepRow) -> Vec<String> {
    let own = [plan.panel[row.bot].name.clone(), row.measure.clone()];
    let figures = banded(Some(row.value)).into_iter().chain(banded(row.difference));
    let change = plan.retune.iter().flat_map(|_| banded(row.change));
    place(plan, row.point).into_iter().chain(own).chain(figures).chain(change).collect()
}

fn retuned_header(plan: &SweepPlan, retune: &Retune) -> Vec<String> {
    let own = ["bot", "better", "deals", "gain", "gain-se", "gain-low", "gain-high"].map(str::to_owned);
    let parameters = retune.keys().into_iter().flat_map(|key| ["before", "after"].map(|end| format!("{key}-{end}")));
    place_header(plan).into_iter().chain(own).chain(parameters).collect()
}

/// Returns the result of tuning at a point, and each parameter before and after.
fn retuned(plan: &SweepPlan, retune: &Retune, point: usize, retuned: &RetunedBot) -> Vec<String> {
    let better = if retuned.is_better { "yes" } else { "no" };
    let own = [plan.panel[retune.bot].name.clone(), better.to_owned(), retuned.gain.count.to_string()];
    let plain = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parameters = retune.parameters(retuned).into_iter().flat_map(|(_, before, after)| [before, after].map(plain));
    place(plan, point).into_iter().chain(own).chain(banded(retuned.banded())).chain(parameters).collect()
}

const EFFECTS: [&str; 13] = [
    "bot",
    "measure",
    "effect",
    "axis",
    "value",
    "against",
    "axis-2",
    "value-2",
    "against-2",
    "size",
    "se",
    "low",
    "high",
];

/// Returns the kind of an effect, and its axes with their values and reference values.
fn effect_name(plan: &SweepPlan, effect: &Effect) -> [String; 7] {
    let none = || [const { String::new() }; 3];
    let alone = |axis: usize| [plan.axes[axis].key.clone(), String::new(), String::new()];
    let compared = |axis: usize, value: usize, against: usize| {
        let own = &plan.axes[axis];
        [own.key.clone(), own.text(value), own.text(against)]
    };
    let (kind, one, other) = match *effect {
        Effect::Value { axis, value, against } => ("value", compared(axis, value, against), none()),
        Effect::Pair { both: [(one, a, of_one), (other, b, of_other)] } => {
            ("pair", compared(one, a, of_one), compared(other, b, of_other))
        }
        Effect::Slope { axis } => {
            let (low, high) = plan.axes[axis].ends();
            ("slope", compared(axis, high, low), none())
        }
        Effect::Bend { axis } => ("bend", alone(axis), none()),
        Effect::Product { axes: [one, other] } => ("product", alone(one), alone(other)),
    };
    let [[axis, value, against], [axis_2, value_2, against_2]] = [one, other];
    [kind.to_owned(), axis, value, against, axis_2, value_2, against_2]
}

fn effect(plan: &SweepPlan, row: &EffectRow) -> Vec<String> {
    let own = [plan.panel[row.bot].name.clone(), row.measure.clone()];
    own.into_iter().chain(effect_name(plan, &row.effect)).chain(banded(Some(row.size))).collect()
}

fn wishes_header(plan: &SweepPlan) -> Vec<String> {
    let own = plan
        .wishes
        .iter()
        .flat_map(|wish| ["", "-low", "-high", "-verdict"].map(|end| format!("{}{end}", wish.measure)));
    place_header(plan).into_iter().chain(own).collect()
}

fn unbeaten(plan: &SweepPlan, outcome: &SweepOutcome, point: usize) -> Vec<String> {
    let own = outcome.wishes.iter().flat_map(|values| {
        let found = values[point];
        let [value, _, low, high] = banded(found.map(|judged| judged.value));
        let verdict = found.and_then(|judged| judged.verdict).map_or("", |verdict| verdict.name());
        [value, low, high, verdict.to_owned()]
    });
    place(plan, point).into_iter().chain(own).collect()
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
    /// The version of how cards follow from the seed.
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
    let verdict = |found: &Option<JudgedWish>| found.and_then(|judged| judged.verdict).map(|verdict| verdict.name());
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
