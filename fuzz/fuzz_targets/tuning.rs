//! `cargo +nightly fuzz run tuning tests/data/tuning`: reads a checkpoint of tuning with any bytes behind its checksum.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("tuning", bytes);
});
