//! The one trick-taking table that every game is played on: seats, places where cards lie, moves, the trick in progress, the record.

mod moves;
mod place;
mod seat;
mod trick;

pub use moves::{Move, Moves};
pub use place::Place;
pub use seat::{BySeat, MAX_SEATS, Seat};
pub use trick::{MAX_CALLS, MAX_PLAYS, Play, PlayError, Table, Trick};

pub(crate) use trick::BySight;
