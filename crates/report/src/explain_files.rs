//! The files of an explanation.

use overtrick_lab::explain::Explanation;

use super::{to_csv, to_json};

/// The names of the files that an explanation adds to the results that it explains.
pub const EXPLAIN_FILES: [&str; 2] = ["explain.csv", "explain.json"];

/// Returns the names and contents of the files.
pub fn explain_files(explanation: &Explanation) -> [(&'static str, Vec<u8>); 2] {
    [("explain.csv", to_csv(&explanation.rows())), ("explain.json", to_json(explanation))]
}
