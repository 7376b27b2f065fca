#![doc = include_str!("../README.md")]
//!
//! # The library
//!
//! Each module is a crate of the workspace in `crates/`, re-exported here under the name in the table. A
//! crate depends only on crates above it. [docs/architecture.md](docs/architecture.md) explains the design
//! and has a glossary.
//!
//! | module | contents | crate | feature |
//! |---|---|---|---|
//! | [`toml_source`] | TOML with errors that name file, line and key | `overtrick-toml` | |
//! | [`cards`] | cards, sets of cards, packs, random numbers, the order of cards in tricks | `overtrick-cards` | |
//! | [`table`] | seats, roles, places, moves, tricks: the table that every game shares | `overtrick-cards` | |
//! | [`game`] | the definition of a game: rules ([`Game`](game::Game)), views, endings | `overtrick-game` | |
//! | [`language`] | games in TOML files | `overtrick-language` | |
//! | [`games`] | the games, their variants, games of other crates | `overtrick-games` | |
//! | [`encoding`] | views and moves as numbers, for learned players | `overtrick-games` | |
//! | [`search`] | worlds that fit a view, the solver | `overtrick-search` | |
//! | [`ids`] | the ids of bots, line-ups, seatings and groups of deals | `overtrick-strategy` | |
//! | [`protocol`] | messages to and from external bots | `overtrick-strategy` | |
//! | [`strategy`] | the trait of strategies | `overtrick-strategy` | |
//! | [`strategies`] | the strategies, bots, the register of names | `overtrick-strategies` | |
//! | [`strategies::process`] and more | external bots | `overtrick-external` | `process`, `wasm`, `onnx` |
//! | `tournament` | configuration, schedule, playing loop, tallies | `overtrick-tournament` | `tournament` |
//! | `stats::ratings` | ratings from finishing orders, without any game | `overtrick-ratings` | `tournament` |
//! | `stats` | means, differences and ratings with intervals | `overtrick-stats` | `tournament` |
//! | `run` | segments, shards, stopping rules, checkpoints | `overtrick-run` | `tournament` |
//! | `explain` | the decisions at which two bots differ, and their worth | `overtrick-lab` | `tournament` |
//! | `tune` | the search for a bot's best parameters, and their gain | `overtrick-lab` | `tournament` |
//! | `exploit` | a lower bound on the winnings against a bot of known play | `overtrick-lab` | `tournament` |
//! | `sweep` | the effects of changes of rules on a game | `overtrick-lab` | `tournament` |
//! | `league` | the best of many bots, with an error rate for the answer | `overtrick-lab` | `tournament` |
//! | `benchmark` | the open benchmark, its results and rounds | `overtrick-lab` | `tournament` |
//! | `report` | files and records; tables and pages with `cli` | `overtrick-report` | `tournament` |
//! | `cli` | the commands | this one | `cli` |
//!
//! Without default features, the modules down to `strategies` are available.

/// The `toml` crate, whose tables and values appear in signatures.
pub use toml;

#[cfg(feature = "cli")]
pub mod cli;

pub use overtrick_cards as cards;
pub use overtrick_cards::table;
pub use overtrick_game as game;
pub use overtrick_games as games;
pub use overtrick_games::encoding;
pub use overtrick_language as language;
pub use overtrick_search as search;
pub use overtrick_strategies as strategies;
pub use overtrick_strategy as strategy;
pub use overtrick_strategy::{ids, protocol};
pub use overtrick_toml as toml_source;

#[cfg(feature = "tournament")]
pub use overtrick_lab::{benchmark, explain, exploit, league, sweep, tune};
#[cfg(feature = "tournament")]
pub use overtrick_meta as meta;
#[cfg(feature = "tournament")]
pub use overtrick_report as report;
#[cfg(feature = "tournament")]
pub use overtrick_report::COMMIT;
#[cfg(feature = "tournament")]
pub use overtrick_run as run;
#[cfg(feature = "tournament")]
pub use overtrick_stats as stats;
#[cfg(feature = "tournament")]
pub use overtrick_tournament as tournament;
