//! The public state of a declared game in addition to the table.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_cards::{Card, Suit};

/// The phases of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredPhase {
    /// A player chooses a card to pass.
    Pass,
    /// A player makes trumps or passes.
    Round,
    /// The player who took the card turned up discards a card.
    Discard,
    /// A player bids a number of tricks.
    Bid,
    /// Tricks are played.
    Play,
}

/// The public state of a declared game in addition to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredPublic {
    pub(super) phase: DeclaredPhase,
    /// The round in which trumps are made, or were.
    pub(super) round: u8,
    /// The index of the order in force.
    pub(super) order: u8,
    /// Whether the colours of the row change their signs.
    pub(super) flipped: bool,
    /// The bars that have ended, one bit for each.
    pub(super) ended: u8,
    /// The bids, or [`NO_BID`](crate::compile::NO_BID).
    pub(super) bids: BySeat<i8>,
    pub(super) declarer: Option<Seat>,
    /// The place of the deal in the cycle.
    pub(super) deal: u16,
    /// The number of tricks of the deal.
    pub(super) tricks: u8,
    /// The points before the deal.
    pub(super) totals: BySeat<i32>,
    /// The card turned up, or [`Card::NONE`].
    pub(super) turned: Card,
    /// The trump suit in force, or the suit turned up before.
    pub(super) trump: Option<Suit>,
    /// The row, in the order in which it is taken.
    pub(super) row: [Card; DeclaredPublic::ROW],
}

impl DeclaredPublic {
    /// The largest number of cards in a row.
    pub const ROW: usize = 13;

    /// Returns the phase.
    pub fn phase(&self) -> DeclaredPhase {
        self.phase
    }

    /// Returns the number of tricks of the deal.
    pub fn tricks(&self) -> usize {
        usize::from(self.tricks)
    }

    /// Returns the declarer, once there is one.
    pub fn declarer(&self) -> Option<Seat> {
        self.declarer
    }

    /// Returns the number of tricks that a seat has bid.
    pub fn bid(&self, seat: Seat) -> Option<u8> {
        u8::try_from(self.bids[seat]).ok()
    }

    /// Returns the number of the order in force, or of the one that is in force if no call changes it.
    pub fn order_number(&self) -> usize {
        usize::from(self.order)
    }

    /// Returns the points before the deal, by seat.
    pub fn totals(&self) -> BySeat<i32> {
        self.totals
    }

    /// Returns the card turned up, if there is one.
    pub fn turned(&self) -> Option<Card> {
        (self.turned != Card::NONE).then_some(self.turned)
    }
}
