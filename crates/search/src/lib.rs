//! Search: worlds that fit a view, the worth of a deal, and the last tricks with all cards known.

mod counting;
mod endgame;
mod payoff;
mod prizes;
pub mod solver;
pub mod worlds;

pub use endgame::Endgame;
pub use payoff::Payoff;
pub use prizes::PrizeSearch;
