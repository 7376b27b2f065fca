//! `cargo +nightly fuzz run deals tests/data/deals`: whatever deals to be solved may hold.
#![no_main]

#[path = "../../tests/it/fixtures/strangers/mod.rs"]
mod strangers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    strangers::read("deals", bytes);
});
