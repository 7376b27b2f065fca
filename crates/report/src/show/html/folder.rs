//! A folder with results of tuning or of a sweep, read for a page.

use std::path::Path;

use overtrick_toml::InputError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::json::SCHEMA_VERSION;

/// A folder with results of a command.
#[derive(Clone, Copy)]
pub(super) struct Folder<'a> {
    pub(super) path: &'a Path,
    /// The command that made the results.
    pub(super) command: &'static str,
}

/// Returns the name of a variant in a config, which is its text or a key of its table.
pub(super) fn variant_name(variant: &toml::Value) -> Option<&str> {
    variant.as_str().or_else(|| variant.get("name")?.as_str())
}

impl Folder<'_> {
    /// Checks that all files exist.
    ///
    /// # Errors
    /// If a file is missing.
    pub(super) fn has_all(&self, names: &[&str]) -> Result<(), InputError> {
        match names.iter().find(|name| !self.path.join(name).is_file()) {
            None => Ok(()),
            Some(name) => Err(self.error(name, "is missing among these results".to_owned())),
        }
    }

    /// Returns the error for a problem with a file.
    pub(super) fn error(&self, name: &str, problem: String) -> InputError {
        let remedy = format!("make them again: `overtrick {} CONFIG --force`", self.command);
        InputError::file(&self.path.join(name), format!("{problem}; {remedy}"))
    }

    /// Returns the error for a file that does not belong to the same results as `summary.json`.
    pub(super) fn mixed(&self, name: &str, why: &str) -> InputError {
        self.error(name, format!("is not of the same results as summary.json: {why}"))
    }

    /// Returns the text of the configuration, and its values.
    ///
    /// # Errors
    /// If it cannot be read, or has another seed.
    pub(super) fn config(&self, seed: u64) -> Result<(String, toml::Table), InputError> {
        let name = "config.toml";
        let file = self.path.join(name);
        let text = std::fs::read_to_string(&file).map_err(|error| InputError::unreadable(&file, &error))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| self.error(name, format!("is no TOML: {}", error.message())))?;
        match table.get("seed").and_then(toml::Value::as_integer) {
            Some(own) if own as u64 == seed => Ok((text, table)),
            Some(own) => Err(self.mixed(name, &format!("its seed is {own}, and there it is {seed}"))),
            None => Err(self.error(name, "has no seed".to_owned())),
        }
    }

    /// Reads `summary.json`.
    ///
    /// # Errors
    /// If it is not JSON, or of another version or command.
    pub(super) fn summary<S: DeserializeOwned>(&self) -> Result<S, InputError> {
        let name = "summary.json";
        let file = self.path.join(name);
        let text = std::fs::read(&file).map_err(|error| InputError::unreadable(&file, &error))?;
        let value: Value =
            serde_json::from_slice(&text).map_err(|error| self.error(name, format!("is no JSON: {error}")))?;
        // Results without a version number differ in nothing that a page needs.
        let version = value.get("schema-version");
        if let Some(version) = version.filter(|version| version.as_u64() != Some(SCHEMA_VERSION.into())) {
            let problem = format!("has schema-version {version}, and this program reads {SCHEMA_VERSION}");
            return Err(self.error(name, problem));
        }
        serde_json::from_value(value)
            .map_err(|error| self.error(name, format!("is no summary of `overtrick {}`: {error}", self.command)))
    }
}
