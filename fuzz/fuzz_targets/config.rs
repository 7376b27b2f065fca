//! `cargo +nightly fuzz run config tests/data/config`: reads any config of `run`.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("config", bytes);
});
