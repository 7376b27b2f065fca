//! Implements the traits of the register for external bots.

use std::path::Path;

use overtrick_external::{BuildContext, onnx, process, python, wasm};
use overtrick_game::{FieldError, FullGame};
use overtrick_strategy::Strategy;
use toml::Table;

use super::StrategySpec;

macro_rules! external {
    ($($params:ty),*) => {$(
        impl StrategySpec for $params {
            const NAME: &'static str = <$params>::NAME;
            const ABOUT: &'static str = <$params>::ABOUT;

            fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
                <$params>::build(self, context)
            }

            fn parameters(&self) -> Table {
                <$params>::parameters(self)
            }

            fn resolve_paths(&mut self, base_dir: &Path) -> Result<(), FieldError> {
                <$params>::resolve_paths(self, base_dir)
            }
        }
    )*};
}

external!(process::Params, wasm::Params, python::Params, onnx::Params);
