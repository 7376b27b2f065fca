//! `cargo +nightly fuzz run rules tests/data/rules`: reads any file of rules.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("rules", bytes);
});
