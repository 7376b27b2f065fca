//! What records, messages and tables of results say of a game.

use super::{Contract, ContractKind, Game, State};
use crate::cards::{Card, CardSet};
use crate::table::{BySeat, Place};

/// Cards that the deal put somewhere else than in a hand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The name that records give it: `row`, `talon`, `up-card`...
    pub name: &'static str,
    /// The cards.
    pub cards: Vec<Card>,
}

/// What everybody knows that neither the cards in sight nor the calls and the contract tell, in words of messages to
/// bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicExtras {
    /// The card that was turned up, wherever it is now.
    pub up_card: Option<Card>,
    /// The row, in the order in which it is taken, with the cards that have been.
    pub row: Vec<Card>,
    /// The trump suit's letter, where it is settled before there is a contract.
    pub trump: Option<&'static str>,
    /// Whether this is the last deal of a match and follows rules of its own.
    pub last_deal: bool,
}

/// What is said of a game: in records of deals, in messages to bots, in the tables of results.
pub trait Describe: Game {
    /// Why each seat scored what it did, with the rule's number.
    fn reasons(&self, state: &State<Self::Public>) -> Vec<String>;

    /// The hand as it was dealt, for a record.
    fn dealt_hand(&self, dealt: &State<Self::Public>, hand: Place) -> CardSet {
        dealt.table.at(hand)
    }

    /// What lies elsewhere than in hands after the deal; `over` is the same deal at its end.
    fn asides(&self, dealt: &State<Self::Public>, over: &State<Self::Public>) -> Vec<Aside>;

    /// The contract, in games that have one.
    fn contract(&self, _state: &State<Self::Public>) -> Option<Contract> {
        None
    }

    /// The kinds of contract that results are broken down by; none in games without contracts.
    fn contract_kinds(&self) -> Vec<ContractKind> {
        Vec::new()
    }

    /// Whether a deal that is over, with these scores, ended in one of the game's exceptional scores, for the
    /// designer's tables; never, in games without such.
    fn is_exceptional(&self, _over: &State<Self::Public>, _scores: &BySeat<i32>) -> bool {
        false
    }

    /// What to tell a reader about the table before the first move, a line each.
    fn remarks(&self, _dealt: &State<Self::Public>, _deal: u64) -> Vec<String> {
        Vec::new()
    }

    /// The name of a place that is not a hand, as records and messages use it; `None` for a hand and where the game has
    /// no name.
    fn aside_name(&self, _place: Place) -> Option<&'static str> {
        None
    }

    /// What everybody knows that neither the cards in sight nor the calls and the contract tell.
    fn public_extras(&self, _public: &Self::Public) -> PublicExtras {
        PublicExtras::default()
    }
}
