//! `cargo +nightly fuzz run line tests/data/line`: whatever a bot may send.
#![no_main]

#[path = "../../tests/it/fixtures/line.rs"]
mod line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    line::read(bytes);
});
