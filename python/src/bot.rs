//! Python callables as bots.

use std::sync::Arc;

use numpy::ndarray::Array2;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1};
use overtrick::protocol::{Fault, FaultKind};
use overtrick::strategies::Questions;
use overtrick::strategies::python::{Callable, Provided};
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::prelude::*;

/// Bots by the names that configs have for them.
pub type Bots = Vec<(String, Py<PyAny>)>;

/// Provides the strategy `python` with bots, until what comes back is dropped. One goes by another name if another
/// thread has a bot of its own.
pub fn provided(py: Python<'_>, bots: &Bots, ask: &Py<PyAny>) -> Vec<Provided> {
    let one = |(name, callable): &(String, Py<PyAny>)| {
        Provided::new(name, Arc::new(PythonBot { ask: ask.clone_ref(py), callable: callable.clone_ref(py) }))
    };
    bots.iter().map(one).collect()
}

/// A Python callable that is asked for moves.
struct PythonBot {
    /// Takes the callable and what `overtrick.Decisions` has, and gives an array of int64.
    ask: Py<PyAny>,
    callable: Py<PyAny>,
}

impl PythonBot {
    fn ask(&self, py: Python<'_>, variant: &str, questions: Questions) -> PyResult<Vec<i64>> {
        let count = questions.len();
        // The arrays take over the memory, so nothing is copied.
        let rows = Array2::from_shape_vec((count, questions.length), questions.rows).expect("a row for each");
        let legal = Array2::from_shape_vec((count, questions.moves), questions.legal).expect("a mask for each");
        let arguments = (
            self.callable.bind(py),
            variant,
            PyArray2::from_owned_array(py, rows),
            PyArray2::from_owned_array(py, legal),
            PyArray1::from_vec(py, questions.seats),
            PyArray1::from_vec(py, questions.deals),
        );
        let answers = self.ask.bind(py).call1(arguments)?;
        let answers: PyArrayLike1<'_, i64, AllowTypeChange> = answers.extract()?;
        Ok(answers.as_array().to_vec())
    }
}

impl Callable for PythonBot {
    fn choose_many(&self, variant: &str, questions: Questions) -> Result<Vec<i64>, Fault> {
        let asked = Python::try_attach(|py| {
            self.ask(py, variant, questions).map_err(|error| {
                // Ctrl-C is for the whole run: the thread that waits for it sees it again.
                if error.is_instance_of::<PyKeyboardInterrupt>(py) || error.is_instance_of::<PySystemExit>(py) {
                    let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
                }
                told(py, &error)
            })
        });
        asked
            .unwrap_or_else(|| Err("the interpreter has ended".to_owned()))
            .map_err(|what| Fault::new(FaultKind::Failure, what))
    }
}

/// An exception in a line: what it says, and the lines of code that it came through, the last one first.
fn told(py: Python<'_>, error: &PyErr) -> String {
    let what = error.value(py).to_string();
    let name = error.get_type(py).qualname().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    let lines = || -> PyResult<Vec<String>> {
        let Some(traceback) = error.traceback(py) else { return Ok(Vec::new()) };
        let frames = py.import("traceback")?.call_method1("extract_tb", (traceback,))?;
        let mut lines = Vec::new();
        for frame in frames.try_iter()? {
            let frame = frame?;
            let file: String = frame.getattr("filename")?.extract()?;
            let short = file.rsplit('/').next().unwrap_or_default();
            // The package's own line says nothing.
            if short != "_bots.py" {
                lines.push(format!("{short}:{} in {}", frame.getattr("lineno")?, frame.getattr("name")?));
            }
        }
        lines.reverse();
        Ok(lines)
    };
    match lines() {
        Ok(lines) if !lines.is_empty() => format!("{name}: {what} ({})", lines.join(", from ")),
        _ => format!("{name}: {what}"),
    }
}
