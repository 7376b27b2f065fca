//! What a log keeps of a deal.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{ContractResult, FullGame};
use overtrick_strategy::ids::{LineUpId, SeatingId};

use super::sink::PlayedDeal;

/// A deal that is over, as a log keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedDeal {
    /// The deal or match number: the same number is the same cards.
    pub number: u64,
    /// Who played.
    pub line_up: LineUpId,
    /// Who sat where.
    pub seating: SeatingId,
    /// The number of deals of its match before it; 0 where deals are played singly.
    pub deal: u32,
    /// Who dealt.
    pub dealer: Seat,
    /// By seat: the scores.
    pub scores: BySeat<i32>,
    /// By seat: the tricks won by the hands that the seat played, a dummy's among them.
    pub tricks: BySeat<u8>,
    /// By seat: those of them that a dummy won.
    pub dummy_tricks: BySeat<u8>,
    /// The result of the contract; `None` in games without contracts and in deals that a bot has forfeited.
    pub contract: Option<ContractResult>,
    /// Whether the game calls its outcome exceptional.
    pub is_exceptional: bool,
    /// Whether a bot has forfeited it, and another played on in its place.
    pub is_forfeited: bool,
    /// By seat, if it ended a match: the place, 0 for the winner.
    pub places: Option<BySeat<u8>>,
}

impl LoggedDeal {
    /// What a log keeps of `deal`, whose outcome is exceptional or not.
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

    /// Where it stands among the deals of a variant.
    pub(super) fn order(&self) -> (u64, LineUpId, SeatingId, u32) {
        (self.number, self.line_up, self.seating, self.deal)
    }
}
