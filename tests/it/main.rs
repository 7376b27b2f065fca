//! All integration tests in one program, so that what they need is compiled and linked once.
//!
//! `cargo test --test it FOLDER::FILE` runs those of one file; a folder's `mod.rs` lists its files.

// What the pages of docs/ build says `crate::`, as it would in the library.
use overtrick::{cards, game, strategies, strategy, table};

mod bots;
mod commands;
mod every_game;
mod fixtures;
mod plain;
mod rules;
mod searching;
mod second;
mod thrifty;
mod tournaments;
