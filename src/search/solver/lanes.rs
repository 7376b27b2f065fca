//! Hands of cards by relative rank.
//!
//! A hand is a word of four lanes of sixteen bits, a suit each. The cards of a suit that are still in play lie without gaps from the
//! top of the lane down, so bit 15 is the best card left, whichever that is, cards of one hand that are as good as each other
//! are neighbours, and positions that differ in small change alone look alike. The lowest bit of a lane is no card of the
//! suit: the cards that belong to none, two at the most, lie there.

/// The cards of the suits.
pub(super) const SUITS: u64 = 0xFFFE_FFFE_FFFE_FFFE;
/// The cards that belong to no suit.
pub(super) const LOOSE: u64 = !SUITS;

/// The lane of suit `suit`.
#[inline(always)]
pub(super) const fn lane(suit: usize) -> u64 {
    0xFFFE << (16 * suit)
}

/// The lane in which a card lies.
#[inline(always)]
pub(super) const fn lane_of(card: u64) -> u64 {
    0xFFFE << (card.trailing_zeros() & 48)
}

/// The cards of the lane that are below `card`.
#[inline(always)]
pub(super) const fn below(card: u64) -> u64 {
    (card - 1) & lane_of(card)
}

/// Of each run of neighbours the highest: a hand has no other choice than between them.
#[inline(always)]
pub(super) const fn choices(hand: u64) -> u64 {
    let (suits, loose) = (hand & SUITS, hand & LOOSE);
    suits & !(suits >> 1) | loose & loose.wrapping_neg()
}

/// The lowest card of the run of neighbours in `hand` from `card` down.
#[inline(always)]
pub(super) const fn lowest_equal(hand: u64, card: u64) -> u64 {
    let gaps = !(hand & SUITS) & (card - 1);
    2 << (63 - (gaps | 1).leading_zeros())
}

/// What becomes of `cards` when `gone`, which is none of them, leaves the game: those below it move up.
#[inline(always)]
pub(super) const fn close_up(cards: u64, gone: u64) -> u64 {
    cards + (cards & below(gone))
}

/// The best cards of each suit that make up `tops` after `gone` has left, as they lay before, when they were as many and `gone` if it was above
/// one of them.
#[inline(always)]
pub(super) const fn open_up(tops: u64, gone: u64) -> u64 {
    tops | (tops & (below(gone) | gone) & SUITS) >> 1
}

/// The cards that may do otherwise than `card` did where nothing mattered but `mattered`: if it did not itself, the cards of its suit that did
/// not either are as good as it.
#[inline(always)]
pub(super) const fn unlike(card: u64, mattered: u64) -> u64 {
    if card & (mattered | LOOSE) == 0 { !lane_of(card) | mattered } else { !0 }
}
