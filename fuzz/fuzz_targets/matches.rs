//! `cargo +nightly fuzz run matches tests/data/matches`: whatever a file of matches may hold.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("matches", bytes);
});
