//! What ten or twelve cards are good for: tricks with a trump suit, or no trick at all.

use crate::cards::{Card, CardSet, Suit};

/// The rank of the seven; the ace is seven steps above it.
const SEVEN: u8 = 5;

/// The tricks that a hand promises with these trumps, or without any.
pub(super) fn tricks(hand: CardSet, trump: Option<Suit>) -> f32 {
    let mut tricks = 0.0;
    for suit in Suit::ALL {
        let own = hand & CardSet::suit(suit);
        let length = own.len() as f32;
        if Some(suit) == trump {
            // Four of eight are more than anybody else is likely to have.
            tricks += (length - 3.0).max(0.0) * 0.8;
        }
        for (missing, (rank, worth)) in [(12, 0.95), (11, 0.7), (10, 0.4), (9, 0.2)].into_iter().enumerate() {
            let guarded = length > missing as f32;
            let worth = if Some(suit) == trump { worth + 0.05 * missing as f32 } else { worth };
            if own.contains(Card::new(rank, suit)) {
                tricks += if guarded { worth } else { worth * 0.4 };
            }
        }
    }
    tricks
}

/// How dangerous a card is to a player who wants no trick: how many steps it stands above where its suit would be safe, with a lower
/// card of others for every own one.
pub(super) fn danger(hand: CardSet, card: Card) -> f32 {
    let (Some(suit), Some(rank)) = (card.suit(), card.rank()) else { return 0.0 };
    let below = (hand & CardSet::suit(suit)).iter().filter(|other| other.index() < card.index()).count() as f32;
    (f32::from(rank.saturating_sub(SEVEN)) - 2.0 * below).max(0.0)
}

/// The danger of a whole hand, without the `spare` worst cards, which will be discarded.
pub(super) fn dangers(hand: CardSet, spare: usize) -> f32 {
    let mut all: Vec<f32> = hand.iter().map(|card| danger(hand, card)).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all.iter().skip(spare).sum()
}

/// The best trump suit and the tricks it promises.
pub(super) fn best_suit(hand: CardSet) -> (Suit, f32) {
    let promise = |suit: Suit| (suit, tricks(hand, Some(suit)));
    Suit::ALL.into_iter().map(promise).max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are four suits")
}

/// Whether six in dummy is worth a thought: at most one ace, and a void, or a singleton that is no ace, or two singletons (DC19).
pub(super) fn is_poor(hand: CardSet) -> bool {
    let aces = (hand & CardSet::rank(12)).len();
    let mut lengths = [0; 3];
    let mut low_singleton = false;
    for suit in Suit::ALL {
        let own = hand & CardSet::suit(suit);
        lengths[own.len().min(2) as usize] += 1;
        low_singleton |= own.len() == 1 && (own & CardSet::rank(12)).is_empty();
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
        assert_eq!(dangers(cards("7S 9S JS KS 7H 8H 9H 7D 8D 7C"), 0), 0.0);
        assert_eq!(danger(cards("AS"), "AS".parse().unwrap()), 7.0);
        assert_eq!(dangers(cards("AS AH 9D"), 2), 2.0);
    }

    #[test]
    fn long_strong_suits_promise_tricks() {
        let strong = cards("AS KS QS JS TS 9S 8S AH AD AC");
        assert_eq!(best_suit(strong).0, Suit::Spades);
        assert!(best_suit(strong).1 > 8.0);
        assert!(tricks(cards("7S 8S 9S 7H 8H 9H 7D 8D 7C 8C"), Some(Suit::Spades)) < 1.0);
    }
}
