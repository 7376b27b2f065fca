//! Keys of the language that no part of the program carries out yet.
//!
//! They are refused by name, so that a file with them is not taken for one with a misspelt key.

use toml::{Table, Value};

/// The keys by table. A key without a table stands at the top.
const LATER: &[(&str, &[&str])] = &[
    ("passing", &["together", "bid-values"]),
    (
        "auction",
        &[
            "order",
            "over",
            "again",
            "ends-after",
            "doubles",
            "last",
            "all-pass",
            "sealed",
            "calls",
            "trump-order",
            "then",
            "talon-face",
            "discard",
            "discard-not",
            "contract",
        ],
    ),
    ("seats", &["partner-lies", "out"]),
    ("deal", &["talon", "rest", "draw", "top-up", "order", "throw-in"]),
    ("trumps", &["namer"]),
    ("play", &["second-must", "tricks", "ends-when", "renege"]),
    ("score", &["talon-to"]),
    ("match", &["carry", "cycle"]),
];

/// Returns the first key of `table` that is not supported yet.
pub(super) fn unsupported(table: &Table) -> Option<Vec<String>> {
    for (outer, keys) in LATER {
        let inside = if outer.is_empty() { Some(table) } else { table.get(*outer).and_then(Value::as_table) };
        if let Some(key) = inside.and_then(|inside| keys.iter().find(|key| inside.contains_key(**key))) {
            let path = [*outer, *key];
            return Some(path.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect());
        }
    }
    None
}
