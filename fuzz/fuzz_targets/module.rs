//! `cargo +nightly fuzz run module tests/data/module`: reads any WebAssembly module.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("module", bytes);
});
