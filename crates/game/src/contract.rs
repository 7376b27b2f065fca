//! The contract of a deal, and whether it was made.

use overtrick_cards::table::Seat;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// The undertaking of the declarer, or the reason why there is none. It serialises to the `contract` of a deal record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Contract {
    /// The declarer; `None` if there is none.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u8>"))]
    pub declarer: Option<Seat>,
    /// The level (tricks or books, as the game bids them); `None` where contracts have no level.
    pub level: Option<u8>,
    /// The trump suit's letter, or `NT`.
    pub trump: Option<&'static str>,
    /// The kind of contract, as records name it: `suit`, `misere`, `passed-out`...
    pub kind: &'static str,
}

/// A kind of contract, for the tables of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractKind {
    /// The kind's name in `contracts.csv`.
    pub name: String,
    /// Whether the declarer had no choice but to declare something; `None` for a deal without a declarer.
    pub forced: Option<bool>,
}

/// The result of a deal's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractResult {
    /// The kind of contract: an index into [`Describe::contract_kinds`](super::Describe::contract_kinds).
    pub kind: u8,
    /// The declarer, or `None` for a deal in which no player plays against the others.
    pub declarer: Option<Seat>,
    /// Whether the declarer made the contract. False where there is no declarer.
    pub made: bool,
}
