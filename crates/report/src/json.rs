//! The files `summary.json` and `timing.json`.

use overtrick_cards::SEEDING_VERSION;
use overtrick_run::Partial;
use overtrick_stats::Results;
use overtrick_strategies::Bot;
use overtrick_tournament::{Clock, Secret, Tournament, VariantRun};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The version of the form of `summary.json`, `timing.json` and the tables.
pub(super) const SCHEMA_VERSION: u32 = 3;

/// Any object in a schema, because rules differ by game, and parameters by strategy.
pub type AnyObject = serde_json::Map<String, Value>;

/// Returns a value as indented JSON.
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).expect("plain values");
    text.push('\n');
    text.into_bytes()
}

/// Returns a value with its keys in alphabetical order, also in objects within it.
pub fn sorted(value: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(value).expect("plain values");
    // Another crate may have serde_json keep the order of keys.
    value.sort_all_objects();
    value
}

/// The results of a run: all tables and everything needed to reproduce them.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Summary<'a> {
    /// The version of this form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    /// The version of the program.
    overtrick: &'a str,
    /// The commit that it was built from, if it is known.
    commit: Option<&'a str>,
    /// The version of the method that deals cards from the seed.
    seeding_version: u32,
    /// The seed.
    seed: u64,
    /// The SHA-256 of the secret, where cards come from one; `config` has the secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_hash: Option<String>,
    /// The number of groups of deals, over which intervals are taken.
    groups: usize,
    /// The variants.
    variants: Vec<VariantSummary<'a>>,
    #[serde(flatten)]
    results: &'a Results,
    /// The configuration with everything resolved.
    #[schemars(with = "AnyObject")]
    config: toml::Table,
    /// The parts that there are, if shards of the run were lost; else left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
}

/// A variant that was played.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct VariantSummary<'a> {
    /// The variant.
    name: &'a str,
    /// The description of the variant.
    about: &'a str,
    /// The game that it is a variant of.
    game: &'a str,
    /// The number of players.
    players: usize,
    /// The number of line-ups.
    line_ups: usize,
    /// The number of seatings of each.
    seatings: usize,
    /// The number of games that were played: deals, or matches where matches are played.
    games: u64,
}

/// Returns all tables, with everything needed to reproduce them: version, seed and resolved configuration.
///
/// `partial` describes the part of the run that exists, unless it is complete.
pub fn summary(tournament: &Tournament, runs: &[VariantRun], results: &Results, partial: Option<Partial>) -> Value {
    let variant = |number: usize| {
        let (variant, schedule) = (&tournament.variants[number], &tournament.schedules[number]);
        VariantSummary {
            name: &variant.name,
            about: &variant.about,
            game: variant.game.name(),
            players: schedule.seats,
            line_ups: schedule.line_ups.len(),
            seatings: schedule.seatings.len(),
            games: schedule.games_a_number() as u64 * runs[number].tally.blocks().count,
        }
    };
    sorted(&Summary {
        schema_version: SCHEMA_VERSION,
        overtrick: env!("CARGO_PKG_VERSION"),
        commit: crate::COMMIT,
        seeding_version: SEEDING_VERSION,
        seed: tournament.seed,
        secret_hash: tournament.secret.map(Secret::hash),
        groups: tournament.groups,
        variants: (0..tournament.variants.len()).map(variant).collect(),
        results,
        config: tournament.to_toml().parse().expect("our own TOML"),
        partial,
    })
}

/// How long a run took. No two runs share these figures.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Timing<'a> {
    /// The version of this form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    schema_version: u32,
    /// The number of threads, if it is known and was always the same.
    threads: Option<usize>,
    /// Seconds for all variants.
    seconds: f64,
    /// The variants.
    variants: Vec<VariantTiming<'a>>,
}

/// How long a variant took.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct VariantTiming<'a> {
    /// The variant.
    variant: &'a str,
    /// Deals that were played.
    deals: u64,
    /// How long they took.
    seconds: f64,
    /// Deals a second, on all threads together.
    #[schemars(with = "Option<f64>")]
    deals_per_second: f64,
    /// The bots.
    bots: Vec<BotTiming<'a>>,
}

/// How long a bot took to decide.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct BotTiming<'a> {
    /// The bot.
    bot: &'a str,
    /// How many decisions it made.
    decisions: u64,
    /// How many it makes a second, on one thread.
    decisions_per_second: f64,
    /// The mean time of a decision.
    nanoseconds_per_decision: f64,
    /// The spread of that time.
    nanoseconds: Quantiles,
    /// How many decisions were timed.
    timed_decisions: u64,
}

/// Times of decisions, in nanoseconds.
#[derive(Serialize, JsonSchema)]
struct Quantiles {
    /// The median.
    p50: u64,
    /// The time that 90% of the decisions do not exceed.
    p90: u64,
    /// The time that 99% of the decisions do not exceed.
    p99: u64,
    /// The longest.
    max: u64,
}

impl BotTiming<'_> {
    fn new<'a>(bot: &'a Bot, clock: &Clock) -> BotTiming<'a> {
        let each = clock.mean().as_secs_f64();
        let [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1.0].map(|share| clock.quantile(share).as_nanos() as u64);
        BotTiming {
            bot: &bot.name,
            decisions: clock.decisions,
            decisions_per_second: if each > 0.0 { (1.0 / each).round() } else { 0.0 },
            nanoseconds_per_decision: (each * 1e10).round() / 10.0,
            nanoseconds: Quantiles { p50, p90, p99, max },
            timed_decisions: clock.timed,
        }
    }
}

/// Returns wall-clock figures, which differ from run to run.
pub fn timing(tournament: &Tournament, runs: &[VariantRun], threads: Option<usize>) -> Value {
    let variants = runs.iter().zip(&tournament.variants).map(|(run, variant)| {
        let seconds = run.wall.as_secs_f64();
        VariantTiming {
            variant: &variant.name,
            deals: run.deals,
            seconds,
            deals_per_second: (run.deals as f64 / seconds).round(),
            bots: tournament.bots.iter().zip(&run.clocks).map(|(bot, clock)| BotTiming::new(bot, clock)).collect(),
        }
    });
    sorted(&Timing {
        schema_version: SCHEMA_VERSION,
        threads,
        seconds: runs.iter().map(|run| run.wall.as_secs_f64()).sum(),
        variants: variants.collect(),
    })
}
