//! The forms of a log, distinguished by the name of its file.

use std::path::Path;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogForm {
    /// Lines of text.
    Text(TextForm),
    /// Parquet with Snappy.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The form of a log of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// Whether the lines are JSON objects, rather than CSV below a header.
    pub is_json: bool,
    /// Whether they are compressed with gzip.
    pub is_compressed: bool,
}

/// The possible ends of a log's name.
const ENDINGS: &str = "end it with .csv, .csv.gz, .jsonl or .jsonl.gz";

impl LogForm {
    /// Returns the form of the log `file`.
    ///
    /// # Errors
    /// If its name does not end like a log's. The error lists the possible ends.
    pub fn of(file: &Path) -> Result<LogForm, String> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let (plain, is_compressed) = match name.strip_suffix(".gz") {
            Some(plain) => (plain, true),
            None => (name.as_str(), false),
        };
        if plain.ends_with(".csv") || plain.ends_with(".jsonl") {
            return Ok(LogForm::Text(TextForm { is_json: plain.ends_with(".jsonl"), is_compressed }));
        }
        #[cfg(feature = "parquet")]
        return if name.ends_with(".parquet") {
            Ok(LogForm::Parquet)
        } else {
            Err(format!("is not the name of a log: {ENDINGS}, or with .parquet"))
        };
        #[cfg(not(feature = "parquet"))]
        return Err(if name.ends_with(".parquet") {
            format!(
                "is a name for Parquet, which this program was built without: build it with --features parquet, or {ENDINGS}"
            )
        } else {
            format!("is not the name of a log: {ENDINGS}")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_log_tells_its_form() {
        let form = |is_json, is_compressed| Ok(LogForm::Text(TextForm { is_json, is_compressed }));
        assert_eq!(LogForm::of(Path::new("a/deals.csv")), form(false, false));
        assert_eq!(LogForm::of(Path::new("deals.CSV.gz")), form(false, true));
        assert_eq!(LogForm::of(Path::new("deals.jsonl")), form(true, false));
        assert_eq!(LogForm::of(Path::new("deals.jsonl.gz")), form(true, true));
        for name in ["deals", "deals.gz", "deals.json", "deals.parquet.gz", "csv", ".."] {
            assert!(LogForm::of(Path::new(name)).unwrap_err().contains(".jsonl.gz"), "{name}");
        }
        #[cfg(feature = "parquet")]
        assert_eq!(LogForm::of(Path::new("deals.parquet")), Ok(LogForm::Parquet));
        #[cfg(not(feature = "parquet"))]
        assert!(LogForm::of(Path::new("deals.parquet")).unwrap_err().contains("--features parquet"));
    }
}
