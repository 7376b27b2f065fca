//! Tests of games in files.

mod bars;
mod bids;
mod built_in;
mod critic;
mod expressions;
mod files;
mod golden;
mod orders;
mod partners;
mod passing;
mod plain;
mod prose;
mod random_expressions;
mod same_game;
mod settings;
mod survey;
mod wrong_games;
