//! `cargo +nightly fuzz run records tests/data/records`: reads any records of deals.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("records", bytes);
});
