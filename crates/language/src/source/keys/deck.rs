//! The keys of the deck, the deal and the order of cards.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ListedTable, RoleWord};
use crate::source::setting::{AmountSetting, ChoiceSetting, FlagSetting};

/// The cards.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeckKeys {
    /// The ranks of the deck in plain suits, lowest first: up to 13 letters of `23456789TJQKA`, or "=NAME" of an option
    /// with such words. Default: all.
    pub ranks: Option<String>,
    /// The suits: letters of `CDHS`. Default: all.
    pub suits: Option<String>,
    /// Cards that are left out, as patterns with spaces: `QS` a card, `*H` a suit, `A*` a rank. Or "=NAME" of an option
    /// with such words. Default: none.
    pub without: Option<String>,
    /// The number of jokers, 0 to 2. One joker is the big joker, `BJ`, and the other is `LJ`. Default: 0.
    pub jokers: Option<AmountSetting<0, 2>>,
    /// Another order of ranks in a suit, by the suit's letter, lowest first. Default: none.
    pub suit_ranks: BTreeMap<String, String>,
}

/// The card that is turned up after the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TurnUpWord {
    /// None.
    None,
    /// The next card after the hands.
    Next,
    /// The last card of the dealer's hand. It stays in the hand, face up.
    DealersLast,
}

/// Who takes the last card of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RowLastWord {
    /// No one.
    None,
    /// The winner of the last trick.
    LastTrick,
}

/// The cards that each hand gets.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DealKeys {
    /// The number of cards of each hand, 1 to 26. Cards that are left lie face down and out of play. Default: all
    /// cards, which must then come out even.
    pub hand: Option<AmountSetting<1, 26>>,
    /// The numbers of cards of each hand, in place of `hand`: a list of up to 60 numbers, each 1 to 26. The deals of a
    /// match take the entries in turn, and then begin with the first again. Default: none.
    pub hands: Vec<AmountSetting<1, 26>>,
    /// The number of prizes that lie face up in a row, 0 to 13: the winner of each trick takes the next. It is 0, or
    /// the number of tricks. Default: 0.
    pub row: Option<AmountSetting<0, 13>>,
    /// The number of further cards at the end of the row, face down, 0 or 1. Default: 0.
    pub row_last: Option<AmountSetting<0, 1>>,
    /// Who takes the card that lies face down: "none" or "last-trick" (the winner of the last trick). Default: "none".
    pub row_last_to: Option<ChoiceSetting<RowLastWord>>,
    /// The card that is turned up: "none", "next" (the next card after the hands) or "dealers-last" (the last card of
    /// the dealer's hand, where it stays, face up). Default: "none".
    pub turn_up: Option<ChoiceSetting<TurnUpWord>>,
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
    /// The suit of the card that is turned up.
    Turned,
    /// The suit that a player makes trumps in one of the rounds.
    Rounds,
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
    /// The trump suit: "none", "C", "D", "H", "S", "turned" (that of the card turned up) or "rounds" (a player makes
    /// it, who is then the declarer). Default: "none".
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
    /// The rounds in which trumps are made. `suit = "rounds"` needs one or more. In each, every player from the
    /// dealer's left says the call or passes.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<RoundKeys>"))]
    pub rounds: Vec<ListedTable>,
    /// The kind of contract in records, where trumps are made. Default: the name of the game.
    pub kind: Option<String>,
}

/// The suit that a call makes trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RoundSuitWord {
    /// The suit of the card that was turned up.
    Turned,
    /// A suit that the player names.
    Any,
}

/// Whether the last player of a round may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LastWord {
    /// They may.
    Free,
    /// They must say the call.
    Must,
}

/// A round in which trumps are made.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RoundKeys {
    /// The text of the call. A call that names a suit has its letter, too, as in `name H`. Every round needs it.
    pub call: Option<String>,
    /// The suit that the call makes trumps: "turned" (that of the card turned up) or "any" (the player names it).
    /// Default: "any".
    pub suit: Option<ChoiceSetting<RoundSuitWord>>,
    /// Who takes the card turned up into the hand and then discards a card: "dealer", "forehand", "middlehand" or
    /// "rearhand". Default: no one.
    pub taker: Option<ChoiceSetting<RoleWord>>,
    /// Whether the taker may discard the very card that was taken: true or false. Default: true.
    pub may_discard_taken: Option<FlagSetting>,
    /// Whether the suit of the card turned up may not be named: true or false. Default: false.
    pub not_turned: Option<FlagSetting>,
    /// Whether the last player may pass: "free" or "must" (they may not). It is "must" in the last round. Default:
    /// "free".
    pub last: Option<ChoiceSetting<LastWord>>,
    /// The name in results of contracts that others than the dealer make in this round. Default: the call.
    pub kind: Option<String>,
    /// The name in results of contracts that the dealer makes in this round. Default: the call and "by the dealer".
    pub dealer_kind: Option<String>,
}
