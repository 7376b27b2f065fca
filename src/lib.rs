#![doc = include_str!("../README.md")]
//!
//! # The library
//!
//! Each module is a crate of the workspace in `crates/`, re-exported here under the name that the table gives. A crate
//! depends only on crates above it; [docs/architecture.md](docs/architecture.md) has the ideas behind them and a
//! glossary.
//!
//! | module | what lives there | crate | feature |
//! |---|---|---|---|
//! | [`toml_source`] | TOML with errors that name file, line and key | `overtrick-toml` | |
//! | [`cards`] | cards, sets of cards, packs, random numbers, which card beats which | `overtrick-cards` | |
//! | [`table`] | seats, roles, places, moves, tricks: the table that every game shares | `overtrick-cards` | |
//! | [`game`] | the definition of a game: rules ([`Game`](game::Game)), views, endings | `overtrick-game` | |
//! | [`games`] | the games, their variants, games of other crates | `overtrick-games` | |
//! | [`encoding`] | views and moves as numbers, for learned players | `overtrick-games` | |
//! | [`search`] | worlds that fit a view, the solver | `overtrick-search` | |
//! | [`ids`] | the ids of bots, line-ups, seatings and groups of deals | `overtrick-strategy` | |
//! | [`protocol`] | messages to and from external bots | `overtrick-strategy` | |
//! | [`strategy`] | what a strategy is | `overtrick-strategy` | |
//! | [`strategies`] | the strategies, bots, the register of names | `overtrick-strategies` | |
//! | [`strategies::process`] and more | external bots | `overtrick-external` | `process`, `wasm`, `onnx` |
//! | `tournament` | configuration, schedule, playing loop, tallies | `overtrick-tournament` | `tournament` |
//! | `stats::ratings` | ratings from finishing orders, without any game | `overtrick-ratings` | `tournament` |
//! | `stats` | means, differences and ratings with intervals | `overtrick-stats` | `tournament` |
//! | `run` | segments, shards, when to stop, checkpoints | `overtrick-run` | `tournament` |
//! | `explain` | where two bots part, and what that is worth | `overtrick-lab` | `tournament` |
//! | `tune` | finding a bot's best parameters, and what they are worth | `overtrick-lab` | `tournament` |
//! | `exploit` | what can be won, at least, from a bot whose play is known | `overtrick-lab` | `tournament` |
//! | `sweep` | what a change of rules does to a game | `overtrick-lab` | `tournament` |
//! | `report` | files and records; tables and pages with `cli` | `overtrick-report` | `tournament` |
//! | `cli` | the commands | this one | `cli` |
//!
//! Without default features the modules down to `strategies` are there.

/// The TOML that configs, manifests and rules are written in: tables and values in signatures are those of this crate.
pub use toml;

#[cfg(feature = "cli")]
pub mod cli;

pub use overtrick_cards as cards;
pub use overtrick_cards::table;
pub use overtrick_game as game;
pub use overtrick_games as games;
pub use overtrick_games::encoding;
pub use overtrick_search as search;
pub use overtrick_strategies as strategies;
pub use overtrick_strategy as strategy;
pub use overtrick_strategy::{ids, protocol};
pub use overtrick_toml as toml_source;

#[cfg(feature = "tournament")]
pub use overtrick_lab::{explain, exploit, sweep, tune};
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
