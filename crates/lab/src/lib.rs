//! Laboratories around a tournament: each module plays games to answer one question.
//!
//! - [`explain`]: at which decisions do two bots part, and how much is that worth?
//! - [`tune`]: with which parameters does a bot play best?
//! - [`exploit`]: how much can be won from a bot whose play is known?
//! - [`sweep`]: how does a change of rules affect a game?
//! - [`league`]: which of many bots are best, with an error rate for the answer?
//! - [`benchmark`]: how good is a bot on deals that others have played, too?

pub mod benchmark;
mod decimals;
pub mod explain;
pub mod exploit;
mod latin_hypercube;
pub mod league;
mod margin_sums;
mod no_result;
mod pairs;
mod pieces;
mod racing;
pub mod sweep;
pub mod tune;

pub use decimals::decimals;
