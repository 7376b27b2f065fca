//! Reads nets, and runs them.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use overtrick_games::encoding::Encoding;
use sha2::{Digest, Sha256};
use tract_onnx::prelude::*;

use crate::Questions;

/// The number of rows in each run of a net, of which the last ones may be empty.
///
/// It is constant, since a product of another shape may add its terms in another order. A move would then
/// depend on the number of decisions asked together.
const ROWS: usize = 16;

/// A net as it was read.
pub struct Net {
    bytes: Vec<u8>,
    sha256: String,
    /// The fitted nets, by the length of a row and the number of moves.
    fitted: Mutex<HashMap<(usize, usize), Fitted>>,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "net {}", self.sha256)
    }
}

impl PartialEq for Net {
    fn eq(&self, other: &Net) -> bool {
        self.sha256 == other.sha256
    }
}

/// A net that is ready to run for one variant.
#[derive(Clone)]
pub struct Fitted {
    model: Arc<TypedRunnableModel>,
    length: usize,
    moves: usize,
}

/// Calls the runtime, and turns a panic over an unexpected file into an error.
fn guarded<T>(act: impl FnOnce() -> TractResult<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(done)) => Ok(done),
        // The first error says where it happened, the last cause says it most clearly.
        Ok(Err(error)) => Err(error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ")),
        Err(panic) => Err(match panic.downcast_ref::<String>() {
            Some(words) => words.clone(),
            None => panic.downcast_ref::<&str>().copied().unwrap_or("the runtime panicked").to_owned(),
        }),
    }
}

impl Net {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is not an ONNX file.
    pub fn read(file: &Path) -> Result<Net, String> {
        let bytes = std::fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
        let has_graph = || Ok(tract_onnx::onnx().proto_model_for_read(&mut &bytes[..])?.graph.is_some());
        let no_onnx = |why: &str| Err(format!("{} is no ONNX file, or is damaged: {why}", file.display()));
        match guarded(has_graph) {
            Ok(true) => {}
            Ok(false) => return no_onnx("it has no graph"),
            Err(why) => return no_onnx(&why),
        }
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Net { bytes, sha256, fitted: Mutex::default() })
    }

    /// Returns the SHA-256 of the file.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns the net fitted to the views of `variant`, as `encoding` writes them.
    ///
    /// # Errors
    /// The reason why it cannot play that variant.
    pub fn fit(&self, encoding: &Encoding, variant: &str) -> Result<Fitted, String> {
        let (length, moves) = (encoding.len(), encoding.moves().len());
        let mut fitted = self.fitted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = fitted.get(&(length, moves)) {
            return Ok(known.clone());
        }
        let model = guarded(|| tract_onnx::onnx().model_for_read(&mut &self.bytes[..]))
            .map_err(|why| format!("is no net that can be run: {why}"))?;
        let shape_due = format!(
            "{variant} takes one input of float32, shape (rows, {length}), and an output of shape (rows, {moves}), with \
             any number of rows"
        );
        if model.inputs.len() != 1 {
            return Err(format!("has {} inputs; {shape_due}", model.inputs.len()));
        }
        let fit = || {
            let fact = f32::fact([ROWS, length]);
            let model = model.with_input_fact(0, fact.into())?.into_optimized()?;
            let output = model.output_fact(0)?.clone();
            Ok((model.into_runnable()?, output))
        };
        let (model, output) =
            guarded(fit).map_err(|why| format!("does not fit: {shape_due}; the runtime says: {why}"))?;
        if output.shape.as_concrete() != Some(&[ROWS, moves]) || output.datum_type != f32::datum_type() {
            return Err(format!("does not fit: {shape_due}; with {ROWS} rows it gives {output:?}"));
        }
        let ready = Fitted { model, length, moves };
        fitted.insert((length, moves), ready.clone());
        Ok(ready)
    }
}

impl Fitted {
    /// Returns the index of the legal move with the highest score for each decision.
    ///
    /// Of equal moves it is the first. A decision with an invalid score has an error.
    ///
    /// # Errors
    /// If the net cannot be run.
    pub fn best(&self, questions: &Questions) -> Result<Vec<Result<i64, String>>, String> {
        let mut best = Vec::with_capacity(questions.len());
        for first in (0..questions.len()).step_by(ROWS) {
            let count = (questions.len() - first).min(ROWS);
            let mut rows = questions.rows[first * self.length..][..count * self.length].to_vec();
            rows.resize(ROWS * self.length, 0.0);
            let run = || {
                let input = Tensor::from_shape(&[ROWS, self.length], &rows)?;
                let output = self.model.run(tvec!(input.into()))?;
                Ok(output[0].to_plain_array_view::<f32>()?.iter().copied().collect::<Vec<f32>>())
            };
            let scores = guarded(run)?;
            for row in 0..count {
                let scores = &scores[row * self.moves..][..self.moves];
                let legal = &questions.legal[(first + row) * self.moves..][..self.moves];
                best.push(highest(scores, legal));
            }
        }
        Ok(best)
    }
}

/// Returns the index of the highest score among the legal moves.
fn highest(scores: &[f32], legal: &[bool]) -> Result<i64, String> {
    let mut best = None;
    for (place, &score) in scores.iter().enumerate() {
        if !legal[place] {
            continue;
        }
        if score.is_nan() {
            return Err(format!("the net's score of move {place} is not a number"));
        }
        if best.is_none_or(|best: usize| score > scores[best]) {
            best = Some(place);
        }
    }
    Ok(best.expect("a decision has a legal move") as i64)
}
