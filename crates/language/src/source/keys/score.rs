//! The keys of the score.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::ListedTable;
use crate::source::setting::{AmountSetting, ChoiceSetting, ConditionSetting, FlagSetting, FormulaSetting};

/// The players whose rows are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ByWord {
    /// Each seat. Partners score the sum of both.
    Seat,
    /// Each side.
    Side,
}

/// The score of a deal.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ScoreKeys {
    /// The players whose rows are asked, in games with partners: "side" (each side, and an expression must have the
    /// same value for both partners) or "seat" (each seat, and a side scores the sum). Default: "side".
    pub by: Option<ChoiceSetting<ByWord>>,
    /// Whether points are bad: the score is minus their sum, and the match ends when the points of a player reach the
    /// target. Default: false.
    pub penalty: Option<FlagSetting>,
    /// The values of the cards that a seat wins in tricks, by pattern, each -100 to 100. `points` is their sum.
    /// Default: none.
    pub values: BTreeMap<String, AmountSetting<-100, 100>>,
    /// Names for numbers of cards that a seat wins in tricks, each with the cards, up to 8. Default: none.
    pub counts: BTreeMap<String, String>,
    /// Names for the rows: a list of `"NAME = EXPRESSION"`, up to 16. Each has a value at every seat, and may use the
    /// names before it. Default: none.
    #[serde(rename = "let")]
    pub names: Vec<String>,
    /// The condition on which a contract is made, for the declarer. Games with a declarer need it.
    pub made: Option<ConditionSetting>,
    /// The values of the cards of a row. Default: none.
    pub row_values: RowValueKeys,
    /// The lowest score of a deal, -30000 to 30000: a lower score counts as this. Default: none.
    pub lowest: Option<AmountSetting<-30_000, 30_000>>,
    /// The highest score of a deal, -30000 to 30000: a higher score counts as this. Default: none.
    pub highest: Option<AmountSetting<-30_000, 30_000>>,
    /// The reason for a score in records: a text with `{NAME}` for a value, `{s}` for the plural of the number before,
    /// `{row}` for the name of the row, and `{good-cards}` and `{bad-cards}` for cards won from a row. Default:
    /// "{tricks} trick{s}: {row}".
    pub reason: Option<String>,
    /// The rows. For each seat and group, the first row that fits counts.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RowKeys>"))]
    pub row: Vec<ListedTable>,
}

/// The values of the cards of a row, which the winners of tricks take.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RowValueKeys {
    /// The values by pattern of cards, each -100 to 100: red cards count them, and black cards count minus as much.
    /// Cards without a pattern count 0.
    pub base: BTreeMap<String, AmountSetting<-100, 100>>,
    /// Whether the colours change their signs: a condition of `red` and `black`, the numbers of such cards in the row.
    /// Default: false.
    pub flip_when: Option<ConditionSetting>,
    /// The remark above a record, with `{colour}` for the colour that counts. Default: "the good colour is {colour}".
    pub remark: Option<String>,
}

/// The seats that a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ForWord {
    /// Each seat.
    Each,
    /// The declarer.
    Declarer,
    /// All seats but the declarer.
    Defenders,
    /// The dealer.
    Dealer,
}

/// A row of the score.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RowKeys {
    /// The group of the row. The points of groups are added. Default: "main".
    pub group: Option<String>,
    /// The seats that the row is for: "each", "declarer", "defenders" or "dealer". Default: "each".
    #[serde(rename = "for")]
    pub seats: Option<ForWord>,
    /// Whether the row fits: a condition of the deal at a seat. Default: true.
    pub when: Option<ConditionSetting>,
    /// The points of the seat: an expression. Default: 0.
    pub points: Option<FormulaSetting>,
    /// The name of the row in the reason for a score: a text with `{NAME}` and `{s}` as in `reason`. Default: "row N"
    /// of its number.
    pub name: Option<String>,
    /// Whether a deal with this row is counted among exceptional scores: true or false. Default: false.
    pub exceptional: Option<bool>,
}
