//! Overtrick: a tournament harness for trick-taking card games.
//!
//! A seeded simulator plays millions of deals between strategies and reports scores and ratings with honest intervals.
//! The modules import one another in this order only:
//!
//! | module | what lives there |
//! |---|---|
//! | [`cards`] | cards, sets of cards, packs, the luck of the deal, which card beats which |
//! | [`table`] | seats, places, moves, tricks: the table that every game shares |
//! | [`game`] | what a game promises: the [`Game`](game::Game) trait, views, endings |
//! | [`toml_source`] | TOML with errors that name file, line and key |
//! | [`games`] | the games, their variants and the register |
//! | [`search`] | worlds that fit a view, the solver |
//! | [`protocol`] | messages to and from bots outside the process |
//! | [`strategy`] | what a strategy is |
//! | [`strategies`] | the strategies, bots and the register |
//! | [`tournament`] | configuration, schedule, playing loop, tallies |
//! | [`stats`] | means, differences and ratings with intervals |
//! | [`run`] | playing a tournament: variants in turn, shards, when to stop, the file to go on from |
//! | [`report`] | files, tables, records |
//! | [`cli`] | the commands |

/// The commit that this was built from, `-dirty` behind it if files had been changed since; none if it is not known.
pub const COMMIT: Option<&str> = option_env!("OVERTRICK_COMMIT");

pub mod cards;
#[cfg(feature = "cli")]
pub mod cli;
pub mod game;
pub mod games;
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
pub mod table;
pub mod toml_source;
#[cfg(feature = "tournament")]
pub mod tournament;
