//! The keys of the play and of the match.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{LeadWord, ListedTable};
use crate::source::setting::{AmountSetting, ChoiceSetting};

/// The play of tricks. Players must follow suit.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PlayKeys {
    /// Who leads to the first trick: "dealer", "forehand", "middlehand", "rearhand" or "holder" (the player who holds
    /// `first-card`). The winner of a trick leads to the next. Default: "forehand".
    pub leads: Option<ChoiceSetting<LeadWord>>,
    /// The card that must be led to the first trick, if the leader holds it. Default: none.
    pub first_card: Option<String>,
    /// The cards that may not be played yet, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<BarKeys>"))]
    pub bar: Vec<ListedTable>,
}

/// The plays to which a bar applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BarWord {
    /// Leads.
    Lead,
    /// All plays to the first trick.
    FirstTrick,
    /// All plays.
    Any,
}

/// Cards that may not be played yet, unless the hand has no other legal card.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BarKeys {
    /// The cards, as patterns with spaces. Every bar needs them.
    pub cards: Option<String>,
    /// The plays that it applies to: "lead", "first-trick" (all plays to it) or "any". Default: "any".
    pub when: Option<ChoiceSetting<BarWord>>,
    /// Cards of which the first one played ends the bar, as patterns with spaces. Default: none, so it never ends.
    pub until_played: Option<String>,
}

/// The event that ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndWord {
    /// A player reaches the target.
    Target,
    /// A number of deals has been played.
    Deals,
}

/// The rule for a shared lead at the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TiesWord {
    /// Another deal is played.
    ExtraDeal,
    /// The win is shared.
    Shared,
    /// The first of them to the left of the last dealer wins.
    Seat,
    /// Those who reach the target in one deal play another. Then a player who leads alone wins.
    PlayOn,
}

/// The end of a match.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct MatchKeys {
    /// The event that ends a match: "target" (a player reaches it, and the highest total wins) or "deals". Default:
    /// "target".
    pub end: Option<ChoiceSetting<EndWord>>,
    /// The total that ends a match, in points, 1 to 100000. `end = "target"` needs it. With `score.penalty` the lowest
    /// number of points then wins.
    pub target: Option<AmountSetting<1, 100_000>>,
    /// The total below 0 that ends a match as well, -100000 to -1. The highest total wins. Default: none.
    pub loss_at: Option<AmountSetting<-100_000, -1>>,
    /// How many deals a match has, 1 to 65536. `end = "deals"` needs it.
    pub deals: Option<AmountSetting<1, 65_536>>,
    /// The effect of a shared lead at the target: "extra-deal", "shared", "seat" (the first to the left of the dealer
    /// wins) or "play-on" (two at the target in one deal play on until a player leads alone). Default: "extra-deal".
    pub ties: Option<ChoiceSetting<TiesWord>>,
}
