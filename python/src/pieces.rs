//! Pieces of tunings and leagues: sent away, and played for others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use overtrick::cli::Host;
use overtrick::strategies::Register;
use overtrick::toml_source::InputError;
use overtrick::tune::{NoResult, RemoteWorkers};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction};

use crate::bot::{Bots, provided};
use crate::errors::{OvertrickError, raised};

/// Has pieces played by a Python callable.
pub struct Sender {
    /// Into how many pieces a comparison or a round is cut at most.
    pieces: u64,
    /// Takes pieces, the names that the bots go by, and a callable that says whether all was stopped; gives what
    /// [`play_piece`] gave for each piece, or None if all was stopped.
    send: Py<PyAny>,
    names: Vec<String>,
    raised: Mutex<Option<PyErr>>,
}

impl Sender {
    pub fn new((pieces, send): (u64, Py<PyAny>), names: Vec<String>) -> Sender {
        Sender { pieces, send, names, raised: Mutex::new(None) }
    }

    /// What the callable raised.
    pub fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn send(&self, py: Python<'_>, pieces: &[Vec<u8>], stop: &Arc<AtomicBool>) -> PyResult<Option<Vec<Vec<u8>>>> {
        let stop = Arc::clone(stop);
        let is_stopped =
            PyCFunction::new_closure(py, None, None, move |_, _| PyResult::Ok(stop.load(Ordering::Relaxed)))?;
        let pieces: Vec<Bound<'_, PyBytes>> = pieces.iter().map(|piece| PyBytes::new(py, piece)).collect();
        let back = self.send.bind(py).call1((pieces, &self.names, is_stopped))?;
        let back: Option<Vec<Bound<'_, PyBytes>>> = back.extract()?;
        Ok(back.map(|back| back.iter().map(|bytes| bytes.as_bytes().to_vec()).collect()))
    }
}

impl RemoteWorkers for Sender {
    fn pieces(&self) -> u64 {
        self.pieces
    }

    fn play(&self, pieces: &[Vec<u8>], stop: &Arc<AtomicBool>) -> Result<Vec<Vec<u8>>, NoResult> {
        match Python::try_attach(|py| self.send(py, pieces, stop)) {
            Some(Ok(Some(played))) => Ok(played),
            Some(Ok(None)) => Err(NoResult::Stopped),
            Some(Err(error)) => {
                // It is raised again as it is; this only ends the command.
                let told = NoResult::Failed(InputError::plain(error.to_string()));
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(told)
            }
            None => Err(NoResult::Failed(InputError::plain("the interpreter has ended"))),
        }
    }
}

/// Plays a piece of a tuning or a league on `threads` threads, and returns the bytes to send back.
///
/// `bots` and `ask` are as for `call`.
///
/// The interpreter is free for other threads meanwhile.
#[pyfunction]
#[pyo3(signature = (piece, bots, ask, threads, /))]
pub fn play_piece<'py>(
    py: Python<'py>,
    piece: &[u8],
    bots: Bots,
    ask: Py<PyAny>,
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let provided = provided(py, &bots, &ask);
    // The piece has their names, which cannot be changed any more.
    if let Some((one, _)) = provided.iter().zip(&bots).find(|(one, (name, _))| one.name() != name) {
        return Err(OvertrickError::new_err(format!("{} plays another piece in this process", one.name())));
    }
    let host = Host::new(Register::default(), None);
    let played = py.detach(|| host.play_piece(piece, threads));
    played.map(|played| PyBytes::new(py, &played)).map_err(|error| raised(&error))
}
