//! `cargo +nightly fuzz run rules tests/data/rules`: whatever a file of rules may hold.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("rules", bytes);
});
