//! `cargo +nightly fuzz run result tests/data/result`: reads any result of a benchmark.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("result", bytes);
});
