//! `cargo +nightly fuzz run tune tests/data/tune`: reads any config of `tune`.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("tune", bytes);
});
