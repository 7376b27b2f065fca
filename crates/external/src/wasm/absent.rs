//! Stands in for `program` and `instance` where the feature `wasm` is off.
//!
//! No module can be read, and no value of these types ever exists.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use overtrick_strategy::protocol::Fault;

use super::Params;
use super::layout::SIZE;

/// A stand-in for a module.
#[derive(Debug, PartialEq)]
pub struct Program(Infallible);

impl Program {
    pub fn read(file: &Path) -> Result<Program, String> {
        Err(format!(
            "{} cannot be run: this Overtrick was built without WebAssembly; build it with `cargo build --release \
             --features wasm`",
            file.display()
        ))
    }

    pub fn sha256(&self) -> &str {
        match self.0 {}
    }
}

/// A stand-in for a running module.
pub struct Instance(Infallible);

impl Instance {
    pub fn start(program: &Arc<Program>, _: &Params, _: Arc<[u8]>) -> Result<Option<Instance>, Fault> {
        match program.0 {}
    }

    pub fn decide(&mut self, _: &[u8; SIZE]) -> Result<u32, Fault> {
        match self.0 {}
    }
}
