//! A part of a page: a heading, sentences, charts and tables.

use std::borrow::Cow;

use serde::Serialize;

use super::table::Table;

/// A part of a page with a heading.
#[derive(Serialize)]
pub(super) struct Part {
    pub(super) heading: &'static str,
    /// The end of its anchor.
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
    /// The SVG text, which is safe to insert into a page.
    pub(super) svg: String,
    pub(super) left_out: Option<String>,
    pub(super) numbers: Option<Table>,
}

impl Part {
    pub(super) fn new(heading: &'static str, anchor: &'static str) -> Part {
        Part { heading, anchor, sentences: Vec::new(), charts: Vec::new(), tables: Vec::new(), numbers: None }
    }
}
