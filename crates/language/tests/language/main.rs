//! Tests of games in files.

mod dumbo;
mod expressions;
mod files;
mod orders;
mod random_expressions;
mod same_game;
mod wrong_games;
