//! `cargo +nightly fuzz run matches tests/data/matches`: reads any file of matches.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("matches", bytes);
});
