//! `cargo +nightly fuzz run answers tests/data/answers`: whatever a WebAssembly module may answer.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("answers", bytes);
});
