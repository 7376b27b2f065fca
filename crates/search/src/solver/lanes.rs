//! Hands of cards by relative rank.
//!
//! A hand is a word of four lanes, with sixteen bits for each suit. Only the order of the cards still in play
//! matters, so lanes have no gaps. The top bit of a lane, 15, is the best card in play, the next bit is the
//! second best, and so on. For example, if only the king, the jack, the nine and the two of a suit are left:
//!
//! ```text
//!  bit       15 14 13 12 11 ..  1 | 0
//!  card       K  J  9  2  -     - |
//!  a hand     #  .  #  #  .     . |     holds K, 9 and 2; 9 and 2 are equals, since nothing lies between them
//!  another    .  #  .  .  .     . |     holds J
//! ```
//!
//! The lowest bit of a lane is not a card of the suit. These bits hold the cards without a suit, of which
//! there are at most two.

/// The cards of the suits.
pub(super) const SUITS: u64 = 0xFFFE_FFFE_FFFE_FFFE;
/// The cards without a suit.
pub(super) const LOOSE: u64 = !SUITS;

#[inline(always)]
pub(super) const fn lane(suit: usize) -> u64 {
    0xFFFE << (16 * suit)
}

#[inline(always)]
pub(super) const fn lane_of(card: u64) -> u64 {
    0xFFFE << (card.trailing_zeros() & 48)
}

#[inline(always)]
pub(super) const fn below(card: u64) -> u64 {
    (card - 1) & lane_of(card)
}

/// Returns the cards one by one, in ascending order.
pub(super) fn each(cards: u64) -> impl Iterator<Item = u64> {
    let some = |cards: u64| (cards != 0).then_some(cards);
    std::iter::successors(some(cards), move |rest| some(rest & (rest - 1))).map(|rest| rest & rest.wrapping_neg())
}

/// Returns the cards of a hand that must be tried.
///
/// These are the highest card of each run of neighbours, and one of the cards without a suit.
///
/// Neighbours are equals, so one of them is enough to try. `# # . #` has the choices `# . . #`.
#[inline(always)]
pub(super) const fn choices(hand: u64) -> u64 {
    let (suits, loose) = (hand & SUITS, hand & LOOSE);
    suits & !(suits >> 1) | loose & loose.wrapping_neg()
}

/// Returns the lowest equal of `card` in `hand`: the end of its run of neighbours.
#[inline(always)]
pub(super) const fn lowest_equal(hand: u64, card: u64) -> u64 {
    let gaps = !(hand & SUITS) & (card - 1);
    2 << (63 - (gaps | 1).leading_zeros())
}

/// Returns `cards` after `gone`, which is not one of them, has left the game.
///
/// The lower cards of the suit of `gone` move up by one place.
#[inline(always)]
pub(super) const fn close_up(cards: u64, gone: u64) -> u64 {
    cards + (cards & below(gone))
}

/// Returns the relevant cards `tops` of a position as they were before `gone` left the game.
///
/// This is the reverse of [`close_up`] for sets that hold in each suit the best cards without a gap.
///
/// If `gone` was above a card of the set, that card lay a place lower, and `gone` was in between. The set
/// then grows by one card. Otherwise `gone` was below all of them, and the set does not change.
///
/// ```text
///  tops after     # # . .      # # . .
///  gone           . x . .      . . x .      (where it lay before)
///  tops before    # # # .      # # . .
/// ```
#[inline(always)]
pub(super) const fn open_up(tops: u64, gone: u64) -> u64 {
    tops | (tops & (below(gone) | gone) & SUITS) >> 1
}

/// Returns the cards that must still be tried after `card`, whose result depends on `relevant` alone.
///
/// If `card` is not relevant, all cards of its suit that are not relevant have the same result, and need no
/// trial.
#[inline(always)]
pub(super) const fn unlike(card: u64, relevant: u64) -> u64 {
    if card & (relevant | LOOSE) == 0 { !lane_of(card) | relevant } else { !0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a picture of a suit, from bit 15 down, as a word in the lowest lane. `#` is a card.
    fn drawn(picture: &str) -> u64 {
        let places = picture.bytes().filter(|&byte| byte != b' ').enumerate();
        places.fold(0, |lane, (place, byte)| lane | u64::from(byte == b'#') << (15 - place))
    }

    #[test]
    fn neighbours_are_one_choice() {
        assert_eq!(choices(drawn("# # . # # #")), drawn("# . . # . ."));
        assert_eq!(lowest_equal(drawn("# # . # # #"), drawn("# . . . . .")), drawn(". # . . . ."));
        assert_eq!(lowest_equal(drawn("# # . # # #"), drawn(". . . # . .")), drawn(". . . . . #"));
        // The highest card of a lane has no neighbour in the next lane.
        assert_eq!(choices(drawn("#") | 1 << 17), drawn("#") | 1 << 17);
        // One of two cards without a suit is enough.
        assert_eq!(choices(1 | 1 << 16), 1);
    }

    #[test]
    fn when_a_card_has_gone_those_below_move_up() {
        assert_eq!(close_up(drawn("# . # # ."), drawn(". # . . .")), drawn("# # # . ."));
        assert_eq!(close_up(drawn("# . # # ."), drawn(". . . . #")), drawn("# . # # ."));
        // Other suits do not move.
        assert_eq!(close_up(drawn(". . #") << 16, drawn("#")), drawn(". . #") << 16);
    }

    #[test]
    fn tops_grow_by_a_card_that_was_above_one_of_them() {
        assert_eq!(open_up(drawn("# # . ."), drawn("# . . .")), drawn("# # # ."));
        assert_eq!(open_up(drawn("# # . ."), drawn(". # . .")), drawn("# # # ."));
        assert_eq!(open_up(drawn("# # . ."), drawn(". . # .")), drawn("# # . ."));
        assert_eq!(open_up(0, drawn("#")), 0);
        for tops in ["# . . .", "# # . .", "# # # ."].map(drawn) {
            for gone in ["# . . .", ". # . .", ". . # .", ". . . #"].map(drawn) {
                assert_eq!(close_up(open_up(tops, gone) & !gone, gone), tops, "{tops:x} {gone:x}");
            }
        }
    }

    #[test]
    fn irrelevant_cards_of_a_suit_are_alike() {
        let (relevant, small) = (drawn("# # . . ."), drawn(". . . # ."));
        assert_eq!(unlike(small, relevant) & lane(0), relevant);
        assert_eq!(unlike(small, relevant) & lane(1), lane(1));
        assert_eq!(unlike(drawn("# . . . ."), relevant), !0);
    }
}
