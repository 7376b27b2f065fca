//! `cargo +nightly fuzz run sweeping tests/data/sweeping`: reads a checkpoint of a sweep with any bytes behind its
//! checksum.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("sweeping", bytes);
});
