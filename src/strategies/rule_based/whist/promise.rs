//! What cards promise in a contract.

use super::Params;
use crate::cards::{Card, CardSet, Suit};

/// A contract and the books that some cards promise in it.
pub(super) struct Promise {
    pub(super) books: f32,
    pub(super) trump: Option<Suit>,
    pub(super) downtown: bool,
}

/// The books that a hand, or two hands together, promise with these trumps and this direction: high cards in guarded suits, long
/// trumps, jokers where there are trumps.
pub(super) fn promise(cards: CardSet, trump: Option<Suit>, downtown: bool, params: &Params) -> Promise {
    let mut books = 0.0;
    for suit in Suit::ALL {
        let own = cards & CardSet::suit(suit);
        let length = own.len() as f32;
        let trumps = Some(suit) == trump;
        // The ace, then the next best three: the king downwards, or the two upwards.
        let ranks = if downtown { [12, 0, 1, 2] } else { [12, 11, 10, 9] };
        for (missing, rank) in (0..).map(|step| step as f32).zip(ranks) {
            if own.contains(Card::new(rank, suit)) {
                // It needs as many guards as better cards may be out.
                let guarded = if length > missing { 1.0 } else { 0.4 };
                books += params.ace * guarded * (1.0 - if trumps { 0.15 } else { 0.28 } * missing).max(0.0);
            }
        }
        if trumps {
            books += params.length * (length - 3.0).max(0.0);
        } else if trump.is_none() {
            books += 0.5 * params.length * (length - 4.0).max(0.0);
        }
    }
    if trump.is_some() {
        books += (cards & CardSet::JOKERS).len() as f32;
    }
    Promise { books, trump, downtown }
}
