//! `cargo +nightly fuzz run definition tests/data/definition`: reads any definition of a benchmark.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("definition", bytes);
});
