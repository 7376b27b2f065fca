//! All integration tests in one program, so that what they need is compiled and linked once.
//!
//! `cargo test --test it FOLDER::FILE` runs those of one file; a folder's `mod.rs` lists its files.

mod allocations;
mod bots;
mod commands;
mod every_game;
mod fixtures;
mod house;
#[path = "../../examples/outside/markdown.rs"]
mod markdown;
#[path = "../../examples/outside/plain.rs"]
mod plain;
mod searching;
mod second;
// The kernel of Linux lets a program be supervised, and each architecture has its own calls.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod stories;
mod style;
#[path = "../../examples/outside/thrifty.rs"]
mod thrifty;
mod tournaments;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;
