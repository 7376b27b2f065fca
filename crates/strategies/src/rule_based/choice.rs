//! Choice by value and chances to win a trick, shared by the estimates of all games.

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};
use wide::f32x4;

/// Returns the choice with the highest value, or the first of equal choices.
///
/// The result is `None` without a choice, or with none above minus infinity.
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

/// Returns the card with the highest value, or the one with the lowest index among equal cards.
///
/// A single card is not valued.
///
/// # Panics
/// If there are no cards.
#[inline(always)]
pub fn best_card(cards: CardSet, value: impl FnMut(Card) -> f32) -> Card {
    let first = cards.first().expect("there is a card to choose");
    if cards.len() == 1 { first } else { best_by(cards, value).unwrap_or(first) }
}

/// Returns a chance that rises smoothly from 0 to 1 as `part` does.
#[inline(always)]
pub fn smooth_step(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The chances to win a trick, by the hand that certainly wins it.
pub const SURE: [[f32; Place::HANDS]; Place::HANDS] = {
    let mut sure = [[0.0; Place::HANDS]; Place::HANDS];
    let mut hand = 0;
    while hand < Place::HANDS {
        sure[hand][hand] = 1.0;
        hand += 1;
    }
    sure
};

/// The number of cards that are valued together.
pub const GROUP: usize = 4;

/// The chances to win the trick for each of a group of cards, updated as later hands play.
#[derive(Clone, Copy)]
pub struct Races {
    /// By card: the chance that the best card on the table after it is still unbeaten.
    held: f32x4,
    /// By later hand, then by card: the chance of that hand to win the trick.
    others: [f32x4; Place::HANDS],
}

impl Races {
    /// The chances before the next hand plays.
    pub const NEW: Races = Races { held: f32x4::ONE, others: [f32x4::ZERO; Place::HANDS] };

    /// Adds the play of the next hand.
    ///
    /// It beats the best card on the table with the chances `beats`. Against every other later hand its
    /// chance is taken as half of that. Such a hand wins only if it has beaten the same card, too. Of two
    /// cards that beat the same card, each is equally likely to be stronger.
    #[inline(always)]
    pub fn plays_next(&mut self, hand: usize, beats: f32x4) {
        let half = beats * 0.5;
        // The loss of the others, since all chances add up to one.
        let wins = half + half * self.held;
        for (others, sure) in self.others.iter_mut().zip(SURE[hand]) {
            *others = *others * (f32x4::ONE - half) + wins * sure;
        }
        self.held *= f32x4::ONE - beats;
    }

    /// Returns the chances to win the trick, by hand, then by card.
    ///
    /// `wins` is one for cards of `mover` that are winning the trick, and zero for cards that leave it to
    /// `holder`.
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
        // The third hand beats the holder with chance 1/2, and a hand that beat the holder before with chance
        // 1/4.
        races.plays_next(2, f32x4::splat(0.5));
        assert_eq!(of_first(races, wins), [0.25, 0.375, 0.375, 0.0]);
    }
}
