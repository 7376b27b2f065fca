//! The keys of the score.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::ListedTable;
use crate::source::setting::{AmountSetting, ConditionSetting, FormulaSetting};

/// The score of a deal.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ScoreKeys {
    /// Names for the rows: a list of `"NAME = EXPRESSION"`, up to 16. Each has a value at every seat, and may use the
    /// names before it. Default: none.
    #[serde(rename = "let")]
    pub names: Vec<String>,
    /// The lowest score of a deal, -30000 to 30000: a lower score counts as this. Default: none.
    pub lowest: Option<AmountSetting<-30_000, 30_000>>,
    /// The highest score of a deal, -30000 to 30000: a higher score counts as this. Default: none.
    pub highest: Option<AmountSetting<-30_000, 30_000>>,
    /// The reason for a score in records: a text with `{NAME}` for a value, `{s}` for the plural of the number before,
    /// and `{row}` for the name of the row. Default: "{tricks} trick{s}: {row}".
    pub reason: Option<String>,
    /// The rows. For each seat and group, the first row that fits counts.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RowKeys>"))]
    pub row: Vec<ListedTable>,
}

/// A row of the score.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RowKeys {
    /// The group of the row. The points of groups are added. Default: "main".
    pub group: Option<String>,
    /// Whether the row fits: a condition of the deal at a seat. Default: true.
    pub when: Option<ConditionSetting>,
    /// The points of the seat: an expression. Default: 0.
    pub points: Option<FormulaSetting>,
    /// The name of the row in the reason for a score. Default: "row N" of its number.
    pub name: Option<String>,
    /// Whether a deal with this row is counted among exceptional scores: true or false. Default: false.
    pub exceptional: Option<bool>,
}
