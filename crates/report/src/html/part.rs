//! A part of a page: a heading, what it comes to, charts and tables.

use std::borrow::Cow;

use serde::Serialize;

use super::table::Table;

/// A part of a page under a heading of its own.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) heading: &'static str,
    /// What its anchor ends with.
    pub(super) anchor: &'static str,
    pub(super) sentences: Vec<String>,
    pub(super) charts: Vec<Chart>,
    pub(super) tables: Vec<Table>,
    /// The numbers of its first table as their file has them.
    pub(super) numbers: Option<Table>,
}

/// A chart with its numbers.
#[derive(Serialize)]
pub(super) struct Chart {
    pub(super) name: Cow<'static, str>,
    /// The chart, which is safe to stand in a page as it is.
    pub(super) svg: String,
    pub(super) left_out: Option<String>,
    pub(super) numbers: Option<Table>,
}

impl Part {
    /// An empty part.
    pub(super) fn new(heading: &'static str, anchor: &'static str) -> Part {
        Part { heading, anchor, sentences: Vec::new(), charts: Vec::new(), tables: Vec::new(), numbers: None }
    }
}
