//! The encoding of a variant, told as JSON.

use overtrick::encoding::Encoding;
use pyo3::prelude::*;
use serde_json::json;

use crate::variant::variant;

/// How views of a variant are written as numbers, and its moves counted, as JSON: `length`, `moves` (texts) and
/// `fields`, each with `name`, `start`, `shape`, `labels` (by axis) and `about`; `seats` and `hands` of the game.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn encoding(text: &str) -> PyResult<String> {
    let variant = variant(text)?;
    let (encoding, layout) = (Encoding::of(&variant.game), variant.game.layout());
    let range = variant.game.score_range();
    let fields: Vec<_> = (encoding.fields().iter())
        .map(|field| {
            json!({
                "name": field.name, "start": field.start, "shape": field.shape, "labels": field.labels,
                "about": field.about,
            })
        })
        .collect();
    Ok(json!({
        "variant": variant.name,
        "game": variant.game.name(),
        "seats": layout.seats,
        "length": encoding.len(),
        "moves": encoding.texts(),
        "fields": fields,
        "lowest": range.start(),
        "highest": range.end(),
    })
    .to_string())
}
