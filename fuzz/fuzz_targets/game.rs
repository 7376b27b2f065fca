//! `cargo +nightly fuzz run game tests/data/game`: reads any file of a game.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("game", bytes);
});
