//! `cargo +nightly fuzz run line`: whatever a bot may send.
#![no_main]

#[path = "../line.rs"]
mod line;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    line::read(bytes);
});
