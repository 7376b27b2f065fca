//! Shared by the estimates of all games: choosing by value, and the chances to win a trick.

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};
use wide::f32x4;

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

/// So many cards are valued side by side.
pub const GROUP: usize = 4;

/// For each of a group of cards that a hand may play, the chances to win the trick, as the hands after it play.
#[derive(Clone, Copy)]
pub struct Races {
    /// By card: the chance that no hand has beaten it, or the card that it does not beat.
    held: f32x4,
    /// By hand that has beaten that, then by card: the chance to win the trick.
    others: [f32x4; Place::HANDS],
}

impl Races {
    /// The races before the next hand plays.
    pub const NEW: Races = Races { held: f32x4::ONE, others: [f32x4::ZERO; Place::HANDS] };

    /// The next hand plays, with the chances `beats` to beat what it must.
    ///
    /// Against every other hand its chance is taken to be half of that: such a hand wins only if it has beaten the
    /// same card itself, and of two cards that beat the same card either is as likely to be the stronger.
    #[inline(always)]
    pub fn plays_next(&mut self, hand: usize, beats: f32x4) {
        let half = beats * 0.5;
        // What the others lose: all chances together are one.
        let wins = half + half * self.held;
        for (others, sure) in self.others.iter_mut().zip(SURE[hand]) {
            *others = *others * (f32x4::ONE - half) + wins * sure;
        }
        self.held *= f32x4::ONE - beats;
    }

    /// By hand, then by card: the chance to win the trick, where `wins` is one for cards of `mover` that are winning
    /// it, and zero for those that leave it to `holder`.
    #[inline(always)]
    pub fn chances(&self, mover: usize, holder: usize, wins: f32x4) -> [f32x4; Place::HANDS] {
        let (mut chances, kept, left) = (self.others, wins * self.held, (f32x4::ONE - wins) * self.held);
        for hand in 0..Place::HANDS {
            chances[hand] += kept * SURE[mover][hand] + left * SURE[holder][hand];
        }
        chances
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
        let mut races = Races::NEW;
        races.plays_next(1, f32x4::splat(0.5));
        let wins = f32x4::from([1.0, 0.0, 1.0, 0.0]);
        let of_first = |races: Races, by: f32x4| races.chances(0, 3, by).map(|chances| chances.to_array()[0]);
        assert_eq!(of_first(races, wins), [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(of_first(races, f32x4::ZERO), [0.0, 0.5, 0.0, 0.5]);
        // The third hand beats the holder with chance 1/2, and a hand that has done so before with chance 1/4.
        races.plays_next(2, f32x4::splat(0.5));
        assert_eq!(of_first(races, wins), [0.25, 0.375, 0.375, 0.0]);
    }
}
