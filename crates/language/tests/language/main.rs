//! Tests of games in files.

mod bars;
mod bids;
mod built_in;
mod critic;
mod duties;
mod expressions;
mod files;
mod golden;
mod hand_sizes;
mod made;
mod mutated;
mod orders;
mod partners;
mod passing;
mod plain;
mod prose;
mod random_expressions;
mod random_games;
mod same_game;
mod settings;
mod survey;
mod wrong_games;
