//! The keys of players and dummies.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::ListedTable;
use crate::source::setting::{AmountSetting, ChoiceSetting};

/// A player by the place from the dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RoleWord {
    /// The dealer.
    Dealer,
    /// The player to the dealer's left.
    Forehand,
    /// The player opposite the dealer, in games for four.
    Middlehand,
    /// The player to the dealer's right, in games for three or four.
    Rearhand,
}

/// The player who leads to the first trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LeadWord {
    /// The dealer.
    Dealer,
    /// The player to the dealer's left.
    Forehand,
    /// The player opposite the dealer, in games for four.
    Middlehand,
    /// The player to the dealer's right, in games for three or four.
    Rearhand,
    /// The player who holds the first card.
    Holder,
}

/// Who deals first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FirstDealerWord {
    /// The first player.
    #[serde(rename = "seat-0")]
    Seat0,
    /// The second player.
    #[serde(rename = "seat-1")]
    Seat1,
    /// The third player.
    #[serde(rename = "seat-2")]
    Seat2,
    /// The fourth player.
    #[serde(rename = "seat-3")]
    Seat3,
    /// Anyone, by lot.
    Random,
    /// The player who is dealt the first of some cards.
    FirstOf,
}

/// The players who play together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PartnersWord {
    /// All play for themselves.
    None,
    /// Players who face each other, at a table of four.
    Opposite,
}

/// When the cards of a dummy can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaceWord {
    /// They lie face up from the start.
    Up,
    /// They lie face up after the first lead.
    AfterLead,
    /// The player of the dummy alone sees them.
    Player,
}

/// The players and the dummies.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SeatKeys {
    /// The number of players, 2 to 4. Default: 4.
    pub players: Option<AmountSetting<2, 4>>,
    /// The partners: "none" or "opposite" (players who face each other, in games for four). Partners have the same
    /// score. Default: "none".
    pub partners: Option<ChoiceSetting<PartnersWord>>,
    /// The hands without a player. Players and dummies are four hands in all. Default: none.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<DummyKeys>"))]
    pub dummies: Vec<ListedTable>,
    /// Who deals first: "seat-0" to "seat-3", "random" or "first-of" (who is dealt the first of the cards of
    /// `first-of`, if the deck is dealt out one by one from seat 0). The deal then passes to the left. Default:
    /// "seat-0".
    pub first_dealer: Option<ChoiceSetting<FirstDealerWord>>,
    /// One to four cards, for `first-dealer = "first-of"`.
    pub first_of: Option<String>,
}

/// A hand without a player.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DummyKeys {
    /// The name of the hand in records and messages. Default: "dummy".
    pub name: Option<String>,
    /// The player opposite: "dealer", "forehand", "middlehand" or "rearhand". Default: "dealer".
    pub opposite: Option<ChoiceSetting<RoleWord>>,
    /// Who plays its cards: "dealer", "forehand", "middlehand" or "rearhand". Default: the player opposite.
    pub played_by: Option<ChoiceSetting<RoleWord>>,
    /// When its cards can be seen: "up" (by all from the start), "after-lead" (by all after the first lead) or "player"
    /// (by the player who plays its cards). Default: "up".
    pub face: Option<ChoiceSetting<FaceWord>>,
}
