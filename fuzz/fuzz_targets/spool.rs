//! `cargo +nightly fuzz run spool tests/data/spool`: whatever the deals of a log in progress may hold.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("spool", bytes);
});
