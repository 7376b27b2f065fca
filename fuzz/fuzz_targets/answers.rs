//! `cargo +nightly fuzz run answers tests/data/answers`: reads any answers of a WebAssembly module.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("answers", bytes);
});
