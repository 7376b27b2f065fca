//! `cargo +nightly fuzz run bot tests/data/bot`: reads any manifest of a bot.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("bot", bytes);
});
