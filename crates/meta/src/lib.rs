//! Ratings of many players where one number for each may not be enough.
//!
//! If players beat one another in a circle, or if the strength of one depends on who else plays, an average
//! over all opponents depends on which opponents happened to enter. The ratings here do not:
//!
//! - [`nash_average()`] rates each player against the mix of players that no player beats.
//! - [`ranked_pairs()`], [`schulze()`] and [`maximal_lottery()`] count votes, so that results on different
//!   scales are never added up.
//! - [`deviation_ratings()`] is for tables of three, and needs line-ups in which a player sits twice.
//!
//! **Copies.** Nash averages, maximal lotteries and deviation ratings do not change if a player is entered
//! twice: the values of all others stay as they are.
//!
//! All linear programs here are small, and start from a solution. The simplex method for them is in this
//! crate, so it has no dependencies but the logarithm of `libm`, which is the same on every machine.

mod dense;
mod deviation;
mod entropy;
mod nash;
mod pair_table;
mod ranked_pairs;
mod schulze;
mod simplex;
mod votes;

pub use deviation::{PayoffTable, deviation_ratings};
pub use nash::{NashAverage, maximal_lottery, nash_average};
pub use pair_table::PairTable;
pub use ranked_pairs::ranked_pairs;
pub use schulze::schulze;
pub use votes::{VoteOrder, Votes};
