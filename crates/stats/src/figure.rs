//! Numbers in tables.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A number that may be missing, rounded to six decimals in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema)]
#[schemars(inline)]
pub struct Figure(pub Option<f64>);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            // Adding zero turns -0 into 0.
            Some(value) => serializer.serialize_f64((value * 1e6).round() / 1e6 + 0.0),
            None => serializer.serialize_none(),
        }
    }
}

impl From<f64> for Figure {
    fn from(value: f64) -> Figure {
        Figure(Some(value))
    }
}
