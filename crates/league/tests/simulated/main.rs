//! Leagues of made-up bots whose values are known.

mod confidence;
mod edges;
mod equal_games;
mod grid;
mod leagues;
mod made_up;
mod parallel;
mod resolution;
