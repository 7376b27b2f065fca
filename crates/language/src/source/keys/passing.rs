//! The keys of passing.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use crate::source::setting::{AmountSetting, ChoiceSetting};

/// The player who gets the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PassWord {
    /// The next player to the left.
    Left,
    /// The next player to the right.
    Right,
    /// The player opposite.
    Across,
    /// No one: each keeps their cards.
    None,
}

/// The cards that players pass before the play.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PassingKeys {
    /// The number of cards that each player passes, 0 to 8. All choose before any card moves. Default: 0.
    pub cards: Option<AmountSetting<0, 8>>,
    /// Who gets them: a list of "left", "right", "across" (the player opposite, in games for four) and "none". The
    /// deals of a match take the entries in turn, and then begin with the first again. Default: ["left"].
    pub to: Vec<ChoiceSetting<PassWord>>,
}
