//! Bids of an exact number of tricks.

use overtrick_cards::table::{Place, Table};
use overtrick_game::{Game, IllegalMove, Move, Moves, State};

use super::{DeclaredGame, DeclaredPhase, DeclaredPublic};
use crate::compile::{ExactBids, NO_BID};

impl DeclaredGame {
    /// Returns the legal bids.
    #[inline(never)]
    pub(super) fn legal_bids(&self, bids: &ExactBids, state: &State<DeclaredPublic>) -> Moves {
        Moves::calls(bids.legal(state.table.seat_to_move(), self.players(), &state.public.bids))
    }

    /// Makes a legal bid. The turn passes to the left, and after the last bid to the leader.
    #[inline(never)]
    pub(super) fn bid_unchecked(&self, table: &mut Table, public: &mut DeclaredPublic, chosen: Move) {
        let seat = table.seat_to_move();
        table.call(chosen);
        public.bids[seat] = chosen.as_call().and_then(|call| i8::try_from(call).ok()).unwrap_or(0);
        let next = seat.left(1, self.players());
        let turn = if public.bids[next] == NO_BID { Place::hand(next) } else { self.begin_play(table, public) };
        table.give_turn(turn);
    }

    /// Returns the text of a bid.
    pub(super) fn bid_text(&self, call: u8) -> Option<String> {
        let (low, high) = self.bid_limits()?;
        let bid = i8::try_from(call).ok()?;
        (low..=high).contains(&bid).then(|| format!("bid {bid}"))
    }

    /// Returns the reason why a bid is not allowed.
    pub(super) fn why_no_bid(&self, state: &State<DeclaredPublic>, chosen: Move) -> IllegalMove {
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let (rule, why) = match (self.bids_of(&state.public), chosen.as_call()) {
            (Some(bids), Some(call)) => {
                bids.refusal(i32::from(call), state.table.seat_to_move(), self.players(), &state.public.bids)
            }
            _ => ("auction.style", "players bid before they play".to_owned()),
        };
        IllegalMove { rule, why: format!("{text}: {why}") }
    }

    /// Returns the bits of all bids.
    pub(super) fn bid_bits(&self) -> u64 {
        self.bid_limits().map_or(0, |(low, high)| (low..=high).map(|bid| 1 << bid).sum())
    }

    /// Returns the lowest and the highest bid over all deals of the cycle, in games with bids.
    pub(super) fn bid_limits(&self) -> Option<(i8, i8)> {
        limits(&self.bids)
    }

    /// Returns the bids of a deal, in games with bids.
    #[inline]
    pub(super) fn bids_of(&self, public: &DeclaredPublic) -> Option<&ExactBids> {
        match self.bids[..] {
            [] => None,
            [ref bids] => Some(bids),
            ref all => Some(&all[usize::from(public.deal) % all.len()]),
        }
    }

    /// Begins the bids.
    pub(super) fn begin_bids(&self, bids: &ExactBids, table: &mut Table, public: &mut DeclaredPublic) {
        public.phase = DeclaredPhase::Bid;
        table.give_turn(Place::hand(self.seat(table.dealer(), bids.first)));
    }
}

/// Returns the lowest and the highest bid over all deals of the cycle.
pub(super) fn limits(by_deal: &[ExactBids]) -> Option<(i8, i8)> {
    let low = by_deal.iter().map(|bids| bids.low).min()?;
    let high = by_deal.iter().map(|bids| bids.high).max()?;
    Some((low, high))
}
