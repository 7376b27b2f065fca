//! `cargo +nightly fuzz run line tests/data/line`: reads any line of a bot.
#![no_main]

#[path = "../../tests/it/fixtures/line.rs"]
mod line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    line::read(bytes);
});
