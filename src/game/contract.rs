//! What a declarer undertakes, and what becomes of it.

use serde::Serialize;

use crate::table::Seat;

/// What the declarer has undertaken, or why there is none. Serialises to the `contract` of a deal record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contract {
    /// Who plays it.
    pub declarer: Option<Seat>,
    /// How high, where contracts have a level.
    pub level: Option<u8>,
    /// The trump suit's letter, or `NT`.
    pub trump: Option<&'static str>,
    /// What kind: `suit`, `misere`, `passed-out`...
    pub kind: &'static str,
}

/// A kind of contract, for the tables of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractKind {
    /// Its name.
    pub name: String,
    /// Whether the declarer had no choice but to declare something; `None` for a deal without a declarer.
    pub forced: Option<bool>,
}

/// What became of a deal's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractResult {
    /// Its kind: an index into [`Describe::contract_kinds`](super::Describe::contract_kinds).
    pub kind: u8,
    /// Who undertook it; `None` for a deal that nobody plays against the others.
    pub declarer: Option<Seat>,
    /// Whether the declarer made it; false where there is no declarer.
    pub made: bool,
}
