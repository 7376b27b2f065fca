//! The data that a log keeps of a deal.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{ContractResult, FullGame};
use overtrick_strategy::ids::{LineUpId, SeatingId};

use super::sink::PlayedDeal;

/// A finished deal, as a log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedDeal {
    /// The deal or match number. Deals with the same number have the same cards.
    pub number: u64,
    /// The line-up.
    pub line_up: LineUpId,
    /// The seating.
    pub seating: SeatingId,
    /// The number of deals before it in its match; 0 if single deals are played.
    pub deal: u32,
    /// The dealer.
    pub dealer: Seat,
    /// By seat: the scores.
    pub scores: BySeat<i32>,
    /// By seat: the tricks won by the hands that the seat played, including a dummy.
    pub tricks: BySeat<u8>,
    /// By seat: the tricks won by a dummy that the seat played.
    pub dummy_tricks: BySeat<u8>,
    /// The result of the contract; `None` in games without contracts and in forfeited deals.
    pub contract: Option<ContractResult>,
    /// Whether the game calls its outcome exceptional.
    pub is_exceptional: bool,
    /// Whether a bot forfeited the deal, and the substitute played on in its place.
    pub is_forfeited: bool,
    /// By seat, if the deal ended a match: the place, 0 for the winner.
    pub places: Option<BySeat<u8>>,
}

impl LoggedDeal {
    /// Makes the log's data of `deal`.
    pub(super) fn of<G: FullGame>(deal: &PlayedDeal<'_, G>, is_exceptional: bool) -> LoggedDeal {
        let table = &deal.state.table;
        let (mut tricks, mut dummy_tricks) = (BySeat::default(), BySeat::default());
        for hand in table.circle() {
            let seat = table.decider(hand);
            tricks[seat] += table.tricks_won(hand);
            if hand != Place::hand(seat) {
                dummy_tricks[seat] += table.tricks_won(hand);
            }
        }
        LoggedDeal {
            number: deal.id.number,
            line_up: deal.id.line_up,
            seating: deal.id.seating,
            deal: deal.standing.deals,
            dealer: table.dealer(),
            scores: deal.scores,
            tricks,
            dummy_tricks,
            contract: deal.contract,
            is_exceptional,
            is_forfeited: deal.is_forfeited,
            places: deal.match_end.map(|end| end.places),
        }
    }

    /// Returns the sort key of the deal in its variant.
    pub(super) fn order(&self) -> (u64, LineUpId, SeatingId, u32) {
        (self.number, self.line_up, self.seating, self.deal)
    }
}
