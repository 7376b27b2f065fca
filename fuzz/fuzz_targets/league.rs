//! `cargo +nightly fuzz run league tests/data/league`: reads any config of `league`.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("league", bytes);
});
