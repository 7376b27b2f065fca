//! Values a card to play: the chance to win the trick, and the tricks that each side may expect afterwards.

use super::Params;
use super::outlook;
use super::position::{Frame, Position, counts_for};
use crate::cards::{Card, CardSet};
use crate::game::{Game, View};
use crate::games::whist::DummyWhist;
use crate::strategies::rule_based::choice::best_by;
use crate::strategies::rule_based::reading::{Powers, power};
use crate::table::Place;

/// What a trump adds to the strength of a card.
const TRUMP: u8 = 16;

/// The best of `cards` to play.
pub(super) fn choose(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params) -> Card {
    let cards = proper(view, cards);
    if let Some(only) = cards.only() {
        return only;
    }
    let public = view.public();
    let trick = Trick::new(view, Frame::new(public.trump(), public.downtown()), params);
    let choices = cards.iter().filter(|&card| !trick.repeats(card, cards));
    best_by(choices, |card| trick.value(card)).expect("the lowest card of a suit repeats no other")
}

/// The cards that do not renege, where reneging is allowed.
fn proper(view: &View<'_, DummyWhist>, cards: CardSet) -> CardSet {
    let follow = match (view.led(), view.order()) {
        (Some(led), Some(order)) if view.game().rules().allow_renege => cards & order.follow(led),
        _ => CardSet::EMPTY,
    };
    if follow.is_empty() { cards } else { follow }
}

/// The trick in progress, as the seat sees it.
struct Trick<'a> {
    view: &'a View<'a, DummyWhist>,
    params: &'a Params,
    frame: Frame,
    position: Position,
    /// The hand that plays.
    hand: usize,
    /// The hands that play after it.
    later: [usize; 3],
    /// The number of hands that play after it.
    hands_left: usize,
    /// The strongest card so far of the side of the seat that decides, and of the other; 0 if there is none.
    strongest: [u8; 2],
}

impl<'a> Trick<'a> {
    fn new(view: &'a View<'a, DummyWhist>, frame: Frame, params: &'a Params) -> Trick<'a> {
        let mut strongest = [0; 2];
        if let Some((hand, strength)) = view.winning() {
            strongest[usize::from(!counts_for(view, hand))] = strength;
        }
        let mut later = [0; 3];
        let hands_left = view.hands_in_trick() - view.trick_length() - 1;
        let mut place = view.hand_to_move();
        for hand in &mut later[..hands_left] {
            place = view.after(place);
            *hand = place.index() % Place::HANDS;
        }
        let hand = view.hand_to_move().index() % Place::HANDS;
        Trick { view, params, frame, position: Position::in_play(view, frame), hand, later, hands_left, strongest }
    }

    /// Whether the next lower card in play is in the same hand and may be played, too, so that it makes no difference
    /// which of the two is played.
    fn repeats(&self, card: Card, cards: CardSet) -> bool {
        let Some((suit, bit)) = self.frame.spot(card) else {
            return false;
        };
        let position = &self.position;
        let lower =
            (0..Place::HANDS).fold(position.pool[suit], |all, hand| all | position.held[hand][suit]) & (bit - 1);
        let mine = self.frame.lanes(cards)[suit];
        let next = (1u16 << 15).checked_shr(lower.leading_zeros()).unwrap_or(0);
        if mine & next == 0 {
            return false;
        }
        // If a card on the table lies between them in strength, it does make a difference.
        let strength = |bit: u16| bit.trailing_zeros() as u8 + 1 + if suit == position.trump { TRUMP } else { 0 };
        !self.strongest.iter().any(|&best| best > strength(next) && best < strength(bit))
    }

    /// What playing `card` is worth, in tricks.
    fn value(&self, card: Card) -> f32 {
        let mut after = self.position;
        let spot = self.frame.spot(card);
        if let Some((suit, bit)) = spot {
            after.held[self.hand][suit] &= !bit;
        }
        let left = 12.0 - self.view.tricks_played() as f32;
        let led = match self.view.led().and_then(|led| self.frame.spot(led)) {
            Some((suit, _)) => suit,
            None => match spot {
                Some((suit, _)) => suit,
                // A joker led at no trump: the next hand chooses the suit, and nothing is known of it.
                None => return outlook::tricks(&after, self.params, left, 1),
            },
        };
        let mut strongest = self.strongest;
        if let Some((suit, bit)) = spot
            && (suit == led || suit == after.trump)
        {
            let strength = bit.trailing_zeros() as u8 + 1 + if suit == after.trump { TRUMP } else { 0 };
            strongest[0] = strongest[0].max(strength);
        }
        let wins = self.wins(&after, led, strongest);
        let mut value = wins * (1.0 + self.params.tempo);
        if wins > 0.02 {
            value += wins * outlook::tricks(&self.settled(&after, led, strongest, 0), self.params, left, 0);
        }
        if wins < 0.98 {
            value += (1.0 - wins) * outlook::tricks(&self.settled(&after, led, strongest, 1), self.params, left, 1);
        }
        value
    }

    /// The strongest card that `hand` is known to be able to play to a trick in which `led` was led; 0 if it cannot win
    /// it.
    fn best_known(position: &Position, hand: usize, led: usize) -> u8 {
        let highest = |lane: u16| (16 - lane.leading_zeros()) as u8;
        let lane = position.held[hand][led];
        if lane != 0 {
            highest(lane) + if led == position.trump { TRUMP } else { 0 }
        } else if position.share[hand][led] == 0.0 && position.trump < 4 && position.held[hand][position.trump] != 0 {
            highest(position.held[hand][position.trump]) + TRUMP
        } else {
            0
        }
    }

    /// The chance that the side of the seat that decides wins a trick in which `led` was led, with the strongest cards
    /// so far.
    fn wins(&self, position: &Position, led: usize, mut strongest: [u8; 2]) -> f32 {
        let side = |hand: usize| usize::from(!position.ours[hand]);
        let later = &self.later[..self.hands_left];
        for &hand in later {
            let best = Trick::best_known(position, hand, led);
            strongest[side(hand)] = strongest[side(hand)].max(best);
        }
        let known = strongest[0].max(strongest[1]);
        let mut wins = f32::from(strongest[0] > strongest[1]);
        let above = |suit: usize| {
            let height = known.saturating_sub(if suit == position.trump { TRUMP } else { 0 });
            (position.pool[suit] as u32 >> height.min(31)).count_ones()
        };
        // The highest card whose place is unknown decides, if it is in a hand that is still to play.
        let trumped = known > TRUMP && led != position.trump;
        if !trumped && position.pool[led] != 0 {
            let mut share = [0.0; 2];
            for &hand in later {
                share[side(hand)] += position.share[hand][led];
            }
            let all = share[0] + share[1];
            if all > 0.0 {
                let none = Powers::of((1.0 - all).max(0.0)).at(above(led));
                wins = none * wins + (1.0 - none) * share[0] / all;
            }
        }
        if position.trump < 4 && led != position.trump {
            let trumps = above(position.trump);
            let mut no_ruff = [1.0; 2];
            for &hand in later {
                if position.held[hand][led] == 0 {
                    let void = power(1.0 - position.share[hand][led], position.pool[led].count_ones());
                    let trump = 1.0 - Powers::of(1.0 - position.share[hand][position.trump]).at(trumps);
                    no_ruff[side(hand)] *= 1.0 - void * trump;
                }
            }
            wins = no_ruff[1] * (wins + (1.0 - wins) * (1.0 - no_ruff[0]));
        }
        wins
    }

    /// The position after a trick that `winner` wins: those who are still to play have followed with their lowest
    /// cards, whoever has to beat another with the lowest that does.
    fn settled(&self, position: &Position, led: usize, strongest: [u8; 2], winner: usize) -> Position {
        let mut after = *position;
        let mut beaten = strongest[winner] > strongest[1 - winner];
        let mut followers = 0;
        let height = |suit: usize| strongest[1 - winner].saturating_sub(if suit == position.trump { TRUMP } else { 0 });
        let enough = |lane: u16, suit: usize| (lane as u32 >> height(suit) << height(suit)) as u16;
        for &hand in &self.later[..self.hands_left] {
            let lane = after.held[hand][led];
            let wants = !beaten && usize::from(!position.ours[hand]) == winner;
            if lane != 0 {
                let beats = enough(lane, led);
                let from = if wants && beats != 0 { beats } else { lane };
                beaten |= wants && beats != 0;
                after.held[hand][led] &= !(from & from.wrapping_neg());
            } else if position.share[hand][led] > 0.0 {
                followers += u32::from(position.length(hand, led) >= 0.5);
            } else if wants && position.trump < 4 {
                let beats = enough(after.held[hand][position.trump], position.trump);
                beaten |= beats != 0;
                after.held[hand][position.trump] &= !(beats & beats.wrapping_neg());
            }
        }
        if !beaten && followers > 0 {
            let beats = enough(after.pool[led], led);
            if beats != 0 {
                after.pool[led] &= !(beats & beats.wrapping_neg());
                followers -= 1;
            }
        }
        for _ in 0..followers {
            after.pool[led] &= after.pool[led].wrapping_sub(1);
        }
        after
    }
}
