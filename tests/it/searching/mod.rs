//! Sampled worlds and the solver.

#[cfg(feature = "dds")]
mod dds;
mod endgame;
mod scaled_down;
mod solver;
pub mod worlds;
