//! External bots: bots whose code is not part of Overtrick.
//!
//! - [`process`]: a program in any language, in a sandbox, that answers over its standard input and output.
//! - [`wasm`]: a WebAssembly module, run by an interpreter within limits that are the same on every machine.
//! - [`onnx`]: a net in an ONNX file that scores the moves of a view encoded as numbers.
//! - [`python`]: code of the Python program that runs the tournament.
//!
//! Each module has a type `Params`: the settings in a manifest, from which it builds the [`Strategy`] for a
//! game. The features `process`, `wasm` and `onnx` add the code that runs such bots. Without a feature, the
//! settings of its bots can be read, but the bots do not start.
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
