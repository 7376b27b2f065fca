//! `summary.json` and `timing.json`.

use serde::Serialize;
use serde_json::{Value, json};

use crate::cards::SEEDING_VERSION;
use crate::stats::Results;
use crate::tournament::{Tournament, VariantRun};

/// The version of the form of `summary.json`, `timing.json` and the tables.
pub(super) const SCHEMA_VERSION: u32 = 2;

/// A value as indented JSON.
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).expect("plain values");
    text.push('\n');
    text.into_bytes()
}

/// Everything that the tables hold, with what it takes to get it again: the version, the seed, the resolved
/// configuration.
pub fn summary(tournament: &Tournament, runs: &[VariantRun], results: &Results) -> Value {
    let config: toml::Table = tournament.to_toml().parse().expect("our own TOML");
    let variant = |number: usize| {
        let (variant, schedule) = (&tournament.variants[number], &tournament.schedules[number]);
        json!({
            "name": variant.name,
            "about": variant.about,
            "game": variant.game.name(),
            "players": schedule.seats,
            "line-ups": schedule.line_ups.len(),
            "seatings": schedule.seatings.len(),
            "games": schedule.games_a_number() as u64 * runs[number].tally.blocks().count,
        })
    };
    json!({
        "schema-version": SCHEMA_VERSION,
        "overtrick": env!("CARGO_PKG_VERSION"),
        "commit": crate::COMMIT,
        "seeding-version": SEEDING_VERSION,
        "seed": tournament.seed,
        "groups": tournament.groups,
        "variants": (0..tournament.variants.len()).map(variant).collect::<Vec<_>>(),
        "headlines": results.headlines,
        "bots": results.bots,
        "ratings": results.ratings,
        "pairs": results.pairs,
        "options": results.options,
        "seats": results.seats,
        "balance": results.balance,
        "contracts": results.contracts,
        "curves": results.curves,
        "swings": results.swings,
        "looks": results.looks,
        "stops": results.stops,
        "faults": results.faults,
        "notes": results.notes,
        "config": config,
    })
}

/// Wall-clock figures, which no two runs share.
pub fn timing(tournament: &Tournament, runs: &[VariantRun], threads: Option<usize>) -> Value {
    let variant = |(ran, variant): (&VariantRun, &crate::games::Variant)| {
        let seconds = ran.wall.as_secs_f64();
        let bot = |(clock, bot): (&crate::tournament::Clock, &crate::strategies::Bot)| {
            let each = clock.mean().as_secs_f64();
            let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)];
            let quantiles =
                quantiles.map(|(name, share)| (name.to_owned(), json!(clock.quantile(share).as_nanos() as u64)));
            json!({
                "bot": bot.name,
                "decisions": clock.decisions,
                "decisions-per-second": if each > 0.0 { (1.0 / each).round() } else { 0.0 },
                "nanoseconds-per-decision": (each * 1e10).round() / 10.0,
                "nanoseconds": serde_json::Map::from_iter(quantiles),
                "timed-decisions": clock.timed,
            })
        };
        json!({
            "variant": variant.name,
            "deals": ran.deals,
            "seconds": seconds,
            "deals-per-second": (ran.deals as f64 / seconds).round(),
            "bots": ran.clocks.iter().zip(&tournament.bots).map(bot).collect::<Vec<_>>(),
        })
    };
    let seconds: f64 = runs.iter().map(|ran| ran.wall.as_secs_f64()).sum();
    json!({
        "schema-version": SCHEMA_VERSION,
        "threads": threads,
        "seconds": seconds,
        "variants": runs.iter().zip(&tournament.variants).map(variant).collect::<Vec<_>>(),
    })
}
