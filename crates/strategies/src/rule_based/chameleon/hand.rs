//! Estimates of a hand: its expected tricks, or its chance to win none.
//!
//! The numbers are means over many deals played by this strategy.

use std::sync::LazyLock;

use overtrick_cards::{Card, CardSet, Rank, Suit};

use super::super::choice::best_card;
use super::catch;
use super::side_view::RANKS;

const ACE: u16 = Rank::Ace.bit();
const KING: u16 = Rank::King.bit();
const QUEEN: u16 = Rank::Queen.bit();
const JACK: u16 = Rank::Jack.bit();

/// Returns the expected tricks of ten cards with these trumps, or without trumps.
#[inline(always)]
pub(super) fn tricks(hand: CardSet, trump: Option<Suit>) -> f32 {
    let suits = &*SUITS;
    let (side, mut sum) = if trump.is_some() { (SuitRole::Side, 0.9) } else { (SuitRole::NoTrump, -0.15) };
    for suit in 0..4 {
        let role = if trump.is_some_and(|trump| trump as usize == suit) { SuitRole::Trump } else { side };
        sum += suits[role as usize][usize::from(hand.ranks(suit) >> SEVEN)];
    }
    sum
}

/// The role of a suit in a contract.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SuitRole {
    Trump,
    /// A side suit in a trump contract.
    Side,
    NoTrump,
}

/// The bit of the lowest rank in a suit.
const SEVEN: u32 = RANKS.trailing_zeros();

/// The tricks that a suit adds, by role, then by cards (one bit each, from the seven up).
static SUITS: LazyLock<[[f32; 256]; 3]> = LazyLock::new(|| {
    [SuitRole::Trump, SuitRole::Side, SuitRole::NoTrump]
        .map(|role| std::array::from_fn(|own| suit_tricks((own as u16) << SEVEN, role)))
});

/// Returns the tricks that the cards of one suit add.
fn suit_tricks(own: u16, role: SuitRole) -> f32 {
    let length = own.count_ones();
    let has = |card: u16| own & card != 0;
    let add = |card: u16, worth: f32| if has(card) { worth } else { 0.0 };
    if role == SuitRole::Trump {
        let tops = add(ACE, 1.53) + add(KING, 0.88) + add(QUEEN, 0.33) + add(JACK, 0.13);
        return (length as f32 - 4.0) * 1.06 + tops;
    }
    let above = (own & (ACE | KING)).count_ones();
    let king = match (has(ACE), length) {
        (true, _) => 0.9,
        (_, 1) => 0.15,
        _ => 0.55,
    };
    let queen = match (above, length) {
        (2, _) => 0.45,
        (_, ..=2) => 0.0,
        (1, _) => 0.45,
        _ => 0.2,
    };
    let tops = add(KING, king) + add(QUEEN, queen);
    let long = length.saturating_sub(3) as f32;
    if role == SuitRole::Side {
        let short = [0.6, 0.28].get(length as usize).copied().unwrap_or(0.0);
        tops + add(ACE, 1.0) + 0.28 * long + short
    } else {
        // At no trump a short suit costs tricks, because the hand that gets the lead keeps it.
        let short = [-0.6, -0.2].get(length as usize).copied().unwrap_or(0.0);
        1.15 * tops + add(ACE, 1.4) + 0.55 * long + short
    }
}

/// Returns the danger of a hand that wants no trick, against the cards that others may hold.
///
/// The chance not to be caught is about e^-danger.
#[inline(always)]
pub(super) fn danger(own: CardSet, theirs: CardSet) -> f32 {
    (0..4).map(|suit| catch::danger(own.ranks(suit), theirs.ranks(suit))).sum()
}

/// Returns approximately e^-danger.
#[inline(always)]
pub(super) fn survival(danger: f32) -> f32 {
    let sixth = danger / 6.0;
    let root = 1.0 + sixth * (1.0 + sixth / 2.0 * (1.0 + sixth / 3.0));
    let cube = root * root * root;
    1.0 / (cube * cube)
}

/// Returns the cards of the pack that are not in a hand.
#[inline(always)]
pub(super) fn others(hand: CardSet) -> CardSet {
    CardSet::of_ranks(RANKS) - hand
}

/// Returns the most dispensable of these `cards` of a hand; `rest` values the cards that remain.
///
/// Of equal cards it is the lowest card of a short suit.
#[inline(always)]
pub(super) fn spare(hand: CardSet, cards: CardSet, rest: impl Fn(CardSet) -> f32) -> Card {
    let value = |card: Card| {
        let length = hand.ranks(card.lane()).count_ones();
        rest(hand.without(card)) - 1e-3 * length as f32
    };
    best_card(cards, value)
}

/// Returns the best trump suit that may be named, and its expected tricks.
pub(super) fn best_suit(hand: CardSet, may_name: impl Fn(Suit) -> bool) -> (Suit, f32) {
    let promise = |suit: Suit| (suit, tricks(hand, Some(suit)));
    let suits = Suit::ALL.into_iter().filter(|&suit| may_name(suit));
    suits.map(promise).max_by(|a, b| a.1.total_cmp(&b.1)).expect("a suit may be named")
}

/// Returns whether six in dummy is worth considering (DC19).
///
/// A hand qualifies with at most one ace, and with a void, a singleton that is no ace, or two singletons.
pub(super) fn is_poor(hand: CardSet) -> bool {
    let aces = (hand & CardSet::rank(Rank::Ace)).len();
    let mut lengths = [0; 3];
    let mut low_singleton = false;
    for suit in Suit::ALL {
        let own = hand & CardSet::suit(suit);
        lengths[own.len().min(2) as usize] += 1;
        low_singleton |= own.len() == 1 && own.is_disjoint(CardSet::rank(Rank::Ace));
    }
    aces <= 1 && (lengths[0] > 0 || low_singleton || lengths[1] > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> CardSet {
        text.parse().unwrap()
    }

    #[test]
    fn dc19_which_hands_are_poor() {
        assert!(is_poor(cards("KS QS JS TS 9S KH QH JH TH 9H")));
        assert!(is_poor(cards("KS QS JS KH QH JH KD QD JD 7C")));
        assert!(!is_poor(cards("KS QS JS KH QH JH KD QD JD AC")));
        assert!(is_poor(cards("KS QS JS TS KH QH JH TH 9D AC")));
        assert!(!is_poor(cards("AS QS JS KH QH JH KD QD JD AC")));
    }

    #[test]
    fn every_other_card_of_a_suit_from_the_seven_is_safe() {
        let danger = |text: &str| danger(cards(text), others(cards(text)));
        assert_eq!(danger("7S 9S JS KS 7H 8H 9H 7D 8D 7C"), 0.0);
        assert!(0.0 < danger("8S") && danger("8S") < danger("9S") && danger("9S") < danger("TS"));
        assert!(danger("7S AS") < danger("8S AS"));
    }

    #[test]
    fn survival_is_e_to_the_power_of_minus_the_danger() {
        for danger in [0.0_f32, 0.3, 1.0, 2.5, 6.0] {
            assert!((survival(danger) - (-danger).exp()).abs() < 0.002, "{danger}");
        }
    }

    #[test]
    fn long_strong_suits_bring_tricks() {
        let strong = cards("AS KS QS JS TS 9S 8S AH AD AC");
        assert_eq!(best_suit(strong, |_| true).0, Suit::Spades);
        assert!(best_suit(strong, |_| true).1 > 8.5);
        assert!(tricks(cards("7S 8S 9S 7H 8H 9H 7D 8D 7C 8C"), Some(Suit::Spades)) < 1.5);
    }

    #[test]
    fn of_equals_the_short_suit_is_spared() {
        let hand = cards("7S 8S 7H 8H 9H");
        assert_eq!(spare(hand, hand, |_| 0.0), "7S".parse().unwrap());
        assert_eq!(spare(hand, cards("8S 7H"), |_| 0.0), "8S".parse().unwrap());
    }
}
