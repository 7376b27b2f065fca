//! The keys of the deck, the deal and the order of cards.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use crate::source::setting::{AmountSetting, ChoiceSetting, FlagSetting};

/// The cards.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeckKeys {
    /// The ranks of the deck in plain suits, lowest first: up to 13 letters of `23456789TJQKA`. Default: all.
    pub ranks: Option<String>,
    /// The suits: letters of `CDHS`. Default: all.
    pub suits: Option<String>,
    /// Cards that are left out, as patterns with spaces: `QS` a card, `*H` a suit, `A*` a rank. Default: none.
    pub without: Option<String>,
    /// The number of jokers, 0 to 2. One joker is the big joker, `BJ`, and the other is `LJ`. Default: 0.
    pub jokers: Option<AmountSetting<0, 2>>,
    /// Another order of ranks in a suit, by the suit's letter, lowest first. Default: none.
    pub suit_ranks: BTreeMap<String, String>,
}

/// The cards that each hand gets.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DealKeys {
    /// The number of cards of each hand, 1 to 26. Cards that are left lie face down and out of play. Default: all
    /// cards, which must then come out even.
    pub hand: Option<AmountSetting<1, 26>>,
}

/// The trump suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TrumpWord {
    /// There is no trump suit. The cards of `top` are trumps, if there are any.
    None,
    /// Clubs.
    #[serde(rename = "C")]
    Clubs,
    /// Diamonds.
    #[serde(rename = "D")]
    Diamonds,
    /// Hearts.
    #[serde(rename = "H")]
    Hearts,
    /// Spades.
    #[serde(rename = "S")]
    Spades,
}

/// The cards that compete for a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CompeteWord {
    /// Trumps, and cards of the suit led.
    Led,
    /// Cards of all suits. Of equally high cards the last wins.
    All,
}

/// The order of cards in a trick.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TrumpKeys {
    /// The trump suit: "none", "C", "D", "H" or "S". Default: "none".
    pub suit: Option<ChoiceSetting<TrumpWord>>,
    /// The order of ranks in the trump suit, lowest first. Default: as in plain suits.
    pub ranks: Option<String>,
    /// The highest trumps, best first, as patterns: `J.` is the jack of trumps, `J~` the other jack of its colour,
    /// `BJ` and `LJ` are the jokers. They belong to the trump suit. Default: none.
    pub top: Option<String>,
    /// Whether a card of the rank that was led, in another suit, beats the suit that was led: true or false. Of several
    /// such cards the last wins. Default: false.
    pub snap: Option<FlagSetting>,
    /// The cards that compete: "led" (trumps and the suit that was led) or "all" (all suits; of equally high cards the
    /// last wins). Default: "led".
    pub compete: Option<ChoiceSetting<CompeteWord>>,
}
