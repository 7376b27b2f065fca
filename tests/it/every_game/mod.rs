//! Tests that hold in every variant.

mod adding_a_game;
mod agreement;
mod choices;
mod contract;
mod coverage;
mod encoding;
mod file_games;
mod golden;
mod known_cards;
mod open_games;
mod perft;
mod second_itself;
mod uniform_dealing;
