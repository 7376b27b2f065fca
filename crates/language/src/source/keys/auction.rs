//! The keys of the auction.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::RoleWord;
use crate::source::setting::{AmountSetting, ChoiceSetting};

/// The way in which players bid before the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AuctionWord {
    /// There are no bids.
    None,
    /// Each player in turn bids a number of tricks.
    Exact,
}

/// The bids before the play.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AuctionKeys {
    /// The way in which players bid: "none" or "exact" (each player in turn bids a number of tricks, and all hear it).
    /// `bid` is then a value of each seat. Default: "none".
    pub style: Option<ChoiceSetting<AuctionWord>>,
    /// Who bids first: "dealer", "forehand", "middlehand" or "rearhand". Default: "forehand".
    pub first: Option<ChoiceSetting<RoleWord>>,
    /// The lowest and the highest bid, each 0 to 26: a list of two. Here and in `sum-not` and `side-most` an expression
    /// may use `hand`, the number of cards of each hand in the deal. Default: 0 and the number of tricks.
    pub levels: Vec<AmountSetting<0, 26>>,
    /// The number that the bids of all may not sum to, 0 to 104: the last player may not bid what is left to it.
    /// Default: none.
    pub sum_not: Option<AmountSetting<0, 104>>,
    /// The most that partners may bid together, 0 to 52. Default: none.
    pub side_most: Option<AmountSetting<0, 52>>,
}
