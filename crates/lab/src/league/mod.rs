//! Leagues: which of many bots are best, with an error rate for the answer.
//!
//! - A [`LeaguePlan`] names a variant, bots or a grid of settings of a bot, a question and its error rate.
//! - [`Leaguing`] goes through rounds. The statistics are those of the crate `overtrick_league`: they choose the
//!   line-ups and deals of each round, and decide when the question is answered.
//! - The [`LeagueArena`] plays a round, or has [`RemoteWorkers`](crate::tune::RemoteWorkers) play pieces of it.
//! - [`LeagueTables`] has the rows of the results.

mod arena;
mod chairs;
mod entrants;
mod grid;
mod league_keys;
mod leaguing;
mod piece;
mod plan;
mod played_round;
mod tables;
mod worker;

pub use overtrick_league as statistics;

pub use arena::{LeagueArena, LeagueControl};
pub use leaguing::Leaguing;
pub use plan::LeaguePlan;
pub use played_round::BotFaults;
pub use tables::{LeagueBotRow, LeaguePairRow, LeagueTables};
pub use worker::{is_piece, play_piece};
