//! `cargo +nightly fuzz run spool tests/data/spool`: reads any deals of a log in progress.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("spool", bytes);
});
