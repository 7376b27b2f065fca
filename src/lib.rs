#![doc = include_str!("../README.md")]
//!
//! # The library
//!
//! The modules import one another in this order only; [docs/architecture.md](docs/architecture.md) has the ideas behind
//! them and a glossary.
//!
//! | module | what lives there | feature |
//! |---|---|---|
//! | [`cards`] | cards, sets of cards, packs, random numbers, which card beats which | |
//! | [`table`] | seats, roles, places, moves, tricks: the table that every game shares | |
//! | [`game`] | what a game is: rules ([`Game`](game::Game)), words for it, what search asks; views, endings | |
//! | [`toml_source`] | TOML with errors that name file, line and key | |
//! | [`games`] | the games, their variants, games of other crates | |
//! | [`ids`] | the ids of bots, line-ups, seatings and groups of deals | |
//! | [`encoding`] | views and moves as numbers, for learned players | |
//! | [`search`] | worlds that fit a view, the solver | |
//! | [`protocol`] | messages to and from bots outside the process | |
//! | [`strategy`] | what a strategy is | |
//! | [`strategies`] | the strategies, bots, the register of names; processes of bots with `process` | |
//! | `tournament` | configuration, schedule, playing loop, tallies; evaluations of a few deals | `tournament` |
//! | `stats` | means, differences and ratings with intervals | `tournament` |
//! | `run` | playing a tournament: variants in turn, shards, when to stop, the file to go on from | `tournament` |
//! | `explain` | where two bots part, and what that is worth | `tournament` |
//! | `tune` | finding a bot's best parameters, and what they are worth | `tournament` |
//! | `exploit` | what can be won, at least, from a bot whose play is known | `tournament` |
//! | `report` | files of results, records of deals; tables for the terminal and pages with `cli` | `tournament` |
//! | `cli` | the commands | `cli` |
//!
//! Without default features thirty crates are built and not a hundred: enough for the cards, the games, search and the
//! strategies.

/// The commit that this was built from, `-dirty` behind it if files had been changed since; none if it is not known.
pub const COMMIT: Option<&str> = option_env!("OVERTRICK_COMMIT");

/// The TOML that configs, manifests and rules are written in: tables and values in signatures are those of this crate.
pub use toml;

pub mod cards;
#[cfg(feature = "cli")]
pub mod cli;
pub mod encoding;
#[cfg(feature = "tournament")]
pub mod explain;
#[cfg(feature = "tournament")]
pub mod exploit;
pub mod game;
pub mod games;
pub mod ids;
pub mod protocol;
#[cfg(feature = "tournament")]
pub mod report;
#[cfg(feature = "tournament")]
pub mod run;
pub mod search;
#[cfg(feature = "tournament")]
pub mod stats;
pub mod strategies;
pub mod strategy;
#[cfg(feature = "tournament")]
pub mod sweep;
pub mod table;
pub mod toml_source;
#[cfg(feature = "tournament")]
pub mod tournament;
#[cfg(feature = "tournament")]
pub mod tune;
