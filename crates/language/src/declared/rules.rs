//! The rules of a declared game: the values of its options.

use overtrick_game::{FieldError, Options};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

/// The values of all options of a game file.
///
/// Their ranges stand in the file, which checks them when the game is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(transparent)]
pub struct FileRules(
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))] pub Table,
);

impl Options for FileRules {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}
