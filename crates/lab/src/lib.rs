//! Laboratories around a tournament: each module plays games to answer one question.
//!
//! - [`explain`]: at which decisions do two bots part, and how much is that worth?
//! - [`tune`]: with which parameters does a bot play best?
//! - [`exploit`]: how much can be won from a bot whose play is known?
//! - [`sweep`]: how does a change of rules affect a game?
//! - [`benchmark`]: how good is a bot on deals that others have played, too?

pub mod benchmark;
mod decimals;
pub mod explain;
pub mod exploit;
mod latin_hypercube;
mod margin_sums;
mod pairs;
mod racing;
pub mod sweep;
pub mod tune;

pub use decimals::decimals;
