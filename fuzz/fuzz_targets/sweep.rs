//! `cargo +nightly fuzz run sweep tests/data/sweep`: reads any config of `sweep`.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("sweep", bytes);
});
