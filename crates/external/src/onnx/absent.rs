//! Stands in for `net` where the feature `onnx` is off.
//!
//! No net can be read, and no value of these types ever exists.

use std::convert::Infallible;
use std::path::Path;

use overtrick_games::encoding::Encoding;

use crate::Questions;

/// A stand-in for a net.
#[derive(Debug, PartialEq)]
pub struct Net(Infallible);

impl Net {
    pub fn read(file: &Path) -> Result<Net, String> {
        Err(format!(
            "{} cannot be run: this Overtrick was built without nets; build it with `cargo build --release --features \
             onnx`, or have the tournament played by the Python package, which has them",
            file.display()
        ))
    }

    pub fn sha256(&self) -> &str {
        match self.0 {}
    }

    pub fn fit(&self, _: &Encoding, _: &str) -> Result<Fitted, String> {
        match self.0 {}
    }
}

/// A stand-in for a net that is ready to run.
#[derive(Clone)]
pub struct Fitted(Infallible);

impl Fitted {
    pub fn best(&self, _: &Questions) -> Result<Vec<Result<i64, String>>, String> {
        match self.0 {}
    }
}
