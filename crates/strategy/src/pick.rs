//! Random choice among the legal moves.

use overtrick_cards::select::Select;
use overtrick_cards::{Card, Stream};
use overtrick_game::{Move, Moves};

/// Draws a legal move, each with the same probability; cards are counted before calls.
#[inline(always)]
pub fn pick(legal: Moves, rng: &mut Stream, select: impl Select) -> Move {
    let cards = legal.card_set().bits();
    let calls = legal.call_bits();
    // Most decisions are between cards only, so the common path counts the cards once.
    let count = if calls == 0 { cards.count_ones() } else { legal.len() };
    let k = rng.random_below(u64::from(count));
    if calls == 0 || k < u64::from(cards.count_ones()) {
        Move::card(Card::from_index(select.kth_bit(cards, k).trailing_zeros() as u8))
    } else {
        let k = k - u64::from(cards.count_ones());
        Move::call(select.kth_bit(calls, k).trailing_zeros() as u8)
    }
}
