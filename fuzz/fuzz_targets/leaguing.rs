//! `cargo +nightly fuzz run leaguing tests/data/leaguing`: reads a checkpoint of a league with any bytes behind its
//! checksum.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("leaguing", bytes);
});
