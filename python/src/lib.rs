//! The Python module `overtrick._overtrick`: what the package `overtrick` is made of.
//!
//! Python objects come in and go out here; what they mean is told in `overtrick/*.py`.

mod bot;
mod call;
mod deals;
mod encoding;
mod errors;
mod pieces;
mod single;
mod variant;
mod vector;

use pyo3::prelude::*;

/// The compiled part of `overtrick`.
#[pymodule]
fn _overtrick(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("OvertrickError", module.py().get_type::<errors::OvertrickError>())?;
    module.add_class::<single::Deal>()?;
    module.add_class::<vector::VectorEnv>()?;
    module.add_function(wrap_pyfunction!(call::call, module)?)?;
    module.add_function(wrap_pyfunction!(pieces::play_piece, module)?)?;
    module.add_function(wrap_pyfunction!(encoding::encoding, module)?)?;
    Ok(())
}
