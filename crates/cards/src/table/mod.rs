//! The trick-taking table that all games are played on.
//!
//! It has the seats, the places where cards lie, the moves, the trick in progress and the record.

mod moves;
mod per_player;
mod place;
mod role;
mod seat;
mod trick;

pub use moves::{Move, Moves};
pub use per_player::{MAX_SEATS, Numbered, PerPlayer};
pub use place::Place;
pub use role::{ByRole, Role};
pub use seat::{BySeat, Seat};
pub use trick::{MAX_CALLS, MAX_PLAYS, Play, PlayError, Table, Trick};

pub use trick::BySight;
