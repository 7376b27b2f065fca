//! `cargo +nightly fuzz run tally tests/data/tally`: reads a file of tallies with any bytes behind its checksum.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("tally", bytes);
});
