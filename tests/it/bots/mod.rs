//! The behaviour of strategies and bots: those shipped, those of the docs, external bots.

mod adding_a_strategy;
mod callable;
mod example_bots;
mod fuzz_corpus;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod load;
#[cfg(target_os = "linux")]
mod no_namespaces;
mod outside;
mod process;
mod protocol;
mod restricted;
mod settings;
mod shipped;
mod thinking;
mod wasm_layout;
