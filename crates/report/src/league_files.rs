//! The files that a league writes.

use overtrick_lab::league::{LeagueBotRow, LeaguePairRow, LeaguePlan, LeagueTables, Leaguing};
use schemars::JsonSchema;
use serde::Serialize;

use super::json::{AnyObject, SCHEMA_VERSION, sorted, to_json};
use super::league_sentence::league_sentence;
use super::results::CONFIG;
use super::to_csv;

/// The files that a league writes.
pub const LEAGUE_FILES: [&str; 4] = ["league-bots.csv", "league.csv", "summary.json", CONFIG];

/// Returns the names of the files with their contents.
pub fn league_files(plan: &LeaguePlan, leaguing: &Leaguing, tables: &LeagueTables) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("league-bots.csv", to_csv(&tables.bots)),
        ("league.csv", to_csv(&tables.pairs)),
        ("summary.json", to_json(&summary(plan, leaguing, tables))),
        (CONFIG, plan.to_toml().into_bytes()),
    ]
}

/// The result of a league.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct LeagueSummary<'a> {
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
    /// The variant.
    variant: &'a str,
    /// The answer with its guarantee, in a sentence.
    sentence: String,
    /// Whether the question is answered.
    answered: bool,
    /// The bots of the answer, best first; without an answer, the best guess.
    answer: Vec<&'a str>,
    /// The bots that may be in the answer, best first.
    possible: Vec<&'a str>,
    /// The probability with which any part of the answer may be wrong.
    #[schemars(with = "Option<f64>")]
    error: f64,
    /// The difference in points a deal below which two bots count as equal.
    #[schemars(with = "Option<f64>")]
    resolution: f64,
    /// The rounds that were played.
    rounds: u64,
    /// The deal numbers that were played.
    deals: u64,
    /// The games that were played.
    games: u64,
    /// The games that might be played, if the config limits them.
    budget: Option<u64>,
    /// The games of a round-robin of the same bots on these deal numbers. For the same answer it needs fewer of them.
    #[schemars(with = "Option<f64>")]
    round_robin_games: f64,
    /// The faults of bots, as in `league-bots.csv`, of both kinds.
    faults: u64,
    /// The bots, as in `league-bots.csv`.
    bots: &'a [LeagueBotRow],
    /// Each two bots, as in `league.csv`.
    pairs: &'a [LeaguePairRow],
    /// The configuration with everything resolved.
    #[schemars(with = "AnyObject")]
    config: toml::Table,
}

fn summary(plan: &LeaguePlan, leaguing: &Leaguing, tables: &LeagueTables) -> serde_json::Value {
    let (answer, spent) = (leaguing.answer(), leaguing.league.spent());
    let named = |bots: &[usize]| bots.iter().map(|&bot| plan.bots[bot].name.as_str()).collect();
    sorted(&LeagueSummary {
        schema_version: SCHEMA_VERSION,
        overtrick: env!("CARGO_PKG_VERSION"),
        commit: crate::COMMIT,
        seeding: overtrick_cards::SEEDING_VERSION,
        name: &plan.name,
        seed: plan.seed,
        variant: &plan.variant.name,
        sentence: league_sentence(plan, leaguing),
        answered: answer.is_answered,
        answer: named(&answer.bots),
        possible: named(&answer.possible),
        error: plan.error,
        resolution: plan.resolution,
        rounds: spent.rounds,
        deals: spent.deals,
        games: spent.games,
        budget: plan.games,
        round_robin_games: plan.games_of_round_robin(spent.deals),
        faults: leaguing.all_faults(),
        bots: &tables.bots,
        pairs: &tables.pairs,
        config: plan.to_toml().parse().expect("our own TOML"),
    })
}
