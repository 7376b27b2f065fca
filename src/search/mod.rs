//! What search needs to know of hidden cards: worlds that fit a view.

mod counting;
pub mod worlds;
