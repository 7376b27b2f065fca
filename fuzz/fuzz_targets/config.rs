//! `cargo +nightly fuzz run config tests/data/config`: whatever a config of `run` may hold.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("config", bytes);
});
