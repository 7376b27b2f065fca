//! What search needs: worlds that fit a view, and what a world is worth.

mod counting;
pub mod solver;
pub mod worlds;
