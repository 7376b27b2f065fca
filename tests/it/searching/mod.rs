//! Sampled worlds and the solver.

#[cfg(feature = "dds")]
mod dds;
mod endgame;
mod solver;
mod worlds;
