//! `cargo +nightly fuzz run module tests/data/module`: whatever a WebAssembly module may be.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("module", bytes);
});
