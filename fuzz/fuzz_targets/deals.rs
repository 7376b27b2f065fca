//! `cargo +nightly fuzz run deals tests/data/deals`: reads any deals to solve.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("deals", bytes);
});
