//! Errors of the library as exceptions.

use overtrick::toml_source::InputError;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    overtrick,
    OvertrickError,
    PyValueError,
    "What is wrong with what was given, in one message: where it is, and what to do about it."
);

/// An error of the library as an exception.
pub fn raised(error: &InputError) -> PyErr {
    OvertrickError::new_err(error.to_string())
}
