//! The keys of the play and of the match.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{LeadWord, ListedTable};
use crate::source::setting::{AmountSetting, ChoiceSetting};

/// The play of tricks.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PlayKeys {
    /// Who leads to the first trick: "dealer", "forehand", "middlehand", "rearhand" or "holder" (the player who holds
    /// `first-card`). The winner of a trick leads to the next. Default: "forehand".
    pub leads: Option<ChoiceSetting<LeadWord>>,
    /// The card that must be led to the first trick, if the leader holds it. Default: none.
    pub first_card: Option<String>,
    /// The duties of a player who does not lead, in order: "follow" (follow suit; it comes first), "trump" (play a
    /// trump, if the hand cannot follow suit), "beat" (play a card that would win the trick so far) and "beat-if-trump"
    /// (the same, if a trump wins it so far). With [] any card may be played. Default: ["follow"].
    pub must: Option<Vec<ChoiceSetting<MustWord>>>,
    /// The duties after "follow" while the partner's card wins the trick: "bound" (they bind), "free" (they do not) or
    /// "free-if-void" (they do not bind a hand that cannot follow suit). Default: "bound".
    pub partner_wins: Option<ChoiceSetting<PartnerWinsWord>>,
    /// The cards that may not be played yet, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<BarKeys>"))]
    pub bar: Vec<ListedTable>,
}

/// A duty of a player who does not lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MustWord {
    /// To follow suit.
    Follow,
    /// To play a trump, if the hand cannot follow suit.
    Trump,
    /// To play a card that would win the trick so far.
    Beat,
    /// The same, if a trump wins it so far.
    BeatIfTrump,
}

/// The effect of a partner's card that wins the trick so far on the duties after following suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartnerWinsWord {
    /// They bind.
    Bound,
    /// They do not bind.
    Free,
    /// They do not bind a hand that cannot follow suit.
    FreeIfVoid,
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
