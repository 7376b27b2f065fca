//! Shared by the estimates of all games: choosing by value, and the chances to win a trick.

use crate::cards::{Card, CardSet};
use crate::table::Place;

/// The choice with the highest value; among equals the first. `None` if there is no choice, or none above minus
/// infinity.
#[inline(always)]
pub fn best_by<T: Copy>(choices: impl IntoIterator<Item = T>, mut value: impl FnMut(T) -> f32) -> Option<T> {
    let mut best = None;
    let mut most = f32::NEG_INFINITY;
    for choice in choices {
        let value = value(choice);
        if value > most {
            (best, most) = (Some(choice), value);
        }
    }
    best
}

/// The card with the highest value; among equals the one with the lowest index. If there is only one card, it is not
/// valued.
///
/// # Panics
/// If there are no cards.
#[inline(always)]
pub fn best_card(cards: CardSet, value: impl FnMut(Card) -> f32) -> Card {
    let first = cards.first().expect("there is a card to choose");
    if cards.len() == 1 { first } else { best_by(cards, value).unwrap_or(first) }
}

/// By hand: the chances to win a trick if that hand is sure to win it.
pub const SURE: [[f32; Place::HANDS]; Place::HANDS] = {
    let mut sure = [[0.0; Place::HANDS]; Place::HANDS];
    let mut hand = 0;
    while hand < Place::HANDS {
        sure[hand][hand] = 1.0;
        hand += 1;
    }
    sure
};

/// Updates the chances to win a trick when the next hand, which has none yet, plays to it.
///
/// `chance` holds, by hand, the chance to win the trick with the card that the hand has played. `holder` is the hand
/// whose card was known to be winning when the estimate began, and `beats` is the chance that `hand` beats that card.
/// Against every other hand it is taken to be half of that: such a hand wins only if it has beaten the holder's card
/// itself, and of two cards that beat the same card either is as likely to be the stronger.
#[inline(always)]
pub fn plays_next(chance: &mut [f32; Place::HANDS], holder: usize, hand: usize, beats: f32) {
    let mut others = 0.0;
    for (other, chance) in chance.iter_mut().enumerate() {
        *chance *= if other == holder { 1.0 - beats } else { 1.0 - 0.5 * beats };
        others += *chance;
    }
    // All hands are added to, since a store to one of them would hold up the next load of all four.
    for (chance, sure) in chance.iter_mut().zip(SURE[hand]) {
        *chance += (1.0 - others) * sure;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equals_the_first_is_chosen() {
        let cards: CardSet = "2S 5S 9S".parse().unwrap();
        let choose = |value: fn(usize) -> f32| best_card(cards, |card| value(card.place_in_lane())).to_string();
        assert_eq!((choose(|_| 0.0), choose(|rank| rank as f32)), ("2S".into(), "9S".into()));
        assert_eq!(choose(|rank| if rank < 5 { 1.0 } else { 0.0 }), "2S");
        assert_eq!(best_by(cards.iter().rev(), |_| 0.0).unwrap().to_string(), "9S");
        assert_eq!(best_by([1.0, f32::NAN, 2.0, f32::NEG_INFINITY], |value| value), Some(2.0));
        assert_eq!(best_by([f32::NEG_INFINITY], |value| value), None);
    }

    #[test]
    fn a_card_alone_is_not_valued() {
        assert_eq!(best_card("AH".parse().unwrap(), |_| unreachable!()).to_string(), "AH");
    }

    #[test]
    fn the_chances_to_win_a_trick_go_to_those_who_beat_the_holder() {
        let mut chance = SURE[0];
        plays_next(&mut chance, 0, 1, 0.5);
        assert_eq!(chance, [0.5, 0.5, 0.0, 0.0]);
        // The third hand beats the holder with chance 1/2, and a hand that has done so before with chance 1/4.
        plays_next(&mut chance, 0, 2, 0.5);
        assert_eq!(chance, [0.25, 0.375, 0.375, 0.0]);
    }
}
