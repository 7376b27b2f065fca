//! The keys of a game file, as written.

mod auction;
mod deck;
mod passing;
mod play;
mod score;
mod seats;

use std::collections::BTreeMap;

pub use auction::{AuctionKeys, AuctionWord};
pub use deck::{
    CompeteWord, DealKeys, DeckKeys, LastWord, RoundKeys, RoundSuitWord, RowLastWord, TrumpKeys, TrumpWord, TurnUpWord,
};
pub use passing::{PassWord, PassingKeys};
pub use play::{BarKeys, BarWord, EndWord, MatchKeys, MustWord, PartnerWinsWord, PlayKeys, TiesWord};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
pub use score::{ByWord, ForWord, RowKeys, RowValueKeys, ScoreKeys};
pub use seats::{DummyKeys, FaceWord, FirstDealerWord, LeadWord, PartnersWord, RoleWord, SeatKeys};
use serde::Deserialize;
use toml::Table;

use super::options::OptionKeys;

/// A game: its deck, its players, and its rules of deal, play, score and match.
///
/// A number, truth value or word may be `"=NAME"`, which stands for the value of an option. For a number or a
/// truth value it may also be `"=EXPRESSION"` of options.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GameKeys {
    /// The name of the game: letters, digits, `-`, `_` and `.`. Every file needs it.
    pub game: Option<String>,
    /// The version of the language: 1. Default: 1.
    pub language: Option<i64>,
    /// The game in one line. Every file needs it.
    pub about: Option<String>,
    /// The rule text that the file follows: a page, a book or an address. Every file needs it.
    pub source: Option<String>,
    /// The numbers of rules that messages cite.
    pub cite: CiteKeys,
    /// The options, by name. Variants of the game set them.
    pub options: BTreeMap<String, OptionKeys>,
    /// The cards.
    pub deck: DeckKeys,
    /// The players and the dummies.
    pub seats: SeatKeys,
    /// The cards that each hand gets.
    pub deal: DealKeys,
    /// The order of cards in a trick.
    pub trumps: TrumpKeys,
    /// The cards that players pass before the play.
    pub passing: PassingKeys,
    /// The bids before the play.
    pub auction: AuctionKeys,
    /// The play of tricks.
    pub play: PlayKeys,
    /// The score of a deal.
    pub score: ScoreKeys,
    /// The end of a match.
    #[serde(rename = "match")]
    pub end: MatchKeys,
}

/// The numbers of rules that messages cite.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CiteKeys {
    /// The rule that obliges players to follow suit. Default: "play.must".
    pub follow: Option<String>,
    /// The rule that says whose turn it is. Default: "play".
    pub turn: Option<String>,
}

/// The tables in lists, which errors find by their numbers.
#[derive(Clone, Debug, Default)]
pub struct ListedKeys {
    /// The tables of `seats.dummies`.
    pub dummies: Vec<DummyKeys>,
    /// The tables of `trumps.rounds`.
    pub rounds: Vec<RoundKeys>,
    /// The tables of `play.bar`.
    pub bars: Vec<BarKeys>,
    /// The tables of `score.row`.
    pub rows: Vec<RowKeys>,
}

/// A table in a list, before it is read.
pub type ListedTable = Table;
