//! External bots: code that is not part of the program that plays.
//!
//! - [`process`]: a program in any language, in a sandbox, which answers over its standard input and output.
//! - [`wasm`]: a WebAssembly module, run by an interpreter within limits that are the same on every machine.
//! - [`onnx`]: a net in an ONNX file that scores the moves of a view written as numbers.
//! - [`python`]: code of the Python program that has the tournament played.
//!
//! Each module has `Params`, the settings that a manifest writes, which make the [`Strategy`] for a game. The features
//! `process`, `wasm` and `onnx` bring in what runs them; without one, its settings can be read, and the bot does not
//! start.
//!
//! [`Strategy`]: overtrick_strategy::Strategy

mod context;
mod numbers;
pub mod onnx;
mod pinned;
pub mod process;
pub mod python;
pub mod wasm;
mod written;

pub use context::BuildContext;
pub use numbers::Questions;
pub use written::{shortest, written};
