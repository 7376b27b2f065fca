//! Values a card to play: the chance to win the trick, and the tricks that each side may expect afterwards.

use super::Params;
use super::outlook::{Memory, Outlook};
use super::position::{Frame, Position, Seen, Sight, counts_for, side};
use crate::cards::{Card, CardSet};
use crate::game::{Game, View};
use crate::games::whist::DummyWhist;
use crate::strategies::rule_based::reading::Powers;
use crate::table::Place;

/// What a trump adds to the strength of a card.
const TRUMP: u8 = 16;

/// The best of `cards` to play.
#[inline(always)]
pub(super) fn choose(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params, memory: &mut Memory) -> Card {
    let cards = proper(view, cards);
    if let Some(only) = cards.only() {
        return only;
    }
    let public = view.public();
    let trick = Trick::new(view, Frame::new(public.trump(), public.downtown()));
    let mut outlook = Outlook::new(&trick.sight, params, memory);
    let mine = trick.frame.lanes(cards);
    // A loop and no closure, which the compiler would not make of the instructions that the caller may use.
    let (mut best, mut most) = (None, f32::NEG_INFINITY);
    for card in cards {
        if trick.repeats(card, &mine) {
            continue;
        }
        let value = trick.value(card, &mut outlook);
        if value > most {
            (best, most) = (Some(card), value);
        }
    }
    best.expect("the lowest card of a suit repeats no other")
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
struct Trick {
    frame: Frame,
    sight: Sight,
    /// The suit that was led; `None` before the lead, and where a card without a suit was led.
    led: Option<usize>,
    /// The number of tricks after this one.
    left: f32,
    /// The chair that plays.
    chair: usize,
    /// The chairs that play after it.
    later: [usize; 3],
    /// The number of chairs that play after it.
    chairs_left: usize,
    /// The strongest card so far of the side of the seat that decides, and of the other; 0 if there is none.
    strongest: [u8; 2],
}

impl Trick {
    #[inline(always)]
    fn new(view: &View<'_, DummyWhist>, frame: Frame) -> Trick {
        let sight = Seen::in_play(view).sight(frame);
        let mut strongest = [0; 2];
        if let Some((hand, strength)) = view.winning() {
            strongest[usize::from(!counts_for(view, hand))] = strength;
        }
        let chair = |place: Place| sight.chairs[place.index() % Place::HANDS];
        let mut later = [0; 3];
        let chairs_left = view.hands_in_trick() - view.trick_length() - 1;
        let mut place = view.hand_to_move();
        for later in later.iter_mut().take(chairs_left) {
            place = view.after(place);
            *later = chair(place);
        }
        Trick {
            frame,
            led: view.led().and_then(|led| frame.spot(led)).map(|(suit, _)| suit),
            left: 12.0 - view.tricks_played() as f32,
            chair: chair(view.hand_to_move()),
            later,
            chairs_left,
            strongest,
            sight,
        }
    }

    /// Whether the next lower card in play is one of `mine`, the cards that may be played, by suit, so that it makes no
    /// difference which of the two is played.
    #[inline(always)]
    fn repeats(&self, card: Card, mine: &[u16; 4]) -> bool {
        let Some((suit, bit)) = self.frame.spot(card) else {
            return false;
        };
        let lower = self.sight.now[suit].all() & (bit - 1);
        let next = (1u16 << 15).checked_shr(lower.leading_zeros()).unwrap_or(0);
        if mine[suit] & next == 0 {
            return false;
        }
        // If a card on the table lies between them in strength, it does make a difference.
        let strength = |bit: u16| self.strength(suit, bit);
        !self.strongest.iter().any(|&best| best > strength(next) && best < strength(bit))
    }

    /// How strong a card is in a trick in which its suit was led, or if it is a trump.
    #[inline(always)]
    fn strength(&self, suit: usize, bit: u16) -> u8 {
        bit.trailing_zeros() as u8 + 1 + if suit == self.sight.trump { TRUMP } else { 0 }
    }

    /// What playing `card` is worth, in tricks.
    #[inline(always)]
    fn value(&self, card: Card, outlook: &mut Outlook<'_>) -> f32 {
        let mut after = self.sight.now;
        let spot = self.frame.spot(card);
        if let Some((suit, bit)) = spot {
            after[suit].held[self.chair] &= !bit;
        }
        let mut strongest = self.strongest;
        // A joker led at no trump: the next hand chooses the suit, and nothing is known of it.
        let Some(led) = self.led.or(spot.map(|(suit, _)| suit)) else {
            return outlook.tricks(&after, self.left, 1);
        };
        if let Some((suit, bit)) = spot
            && (suit == led || suit == self.sight.trump)
        {
            strongest[0] = strongest[0].max(self.strength(suit, bit));
        }
        let wins = self.wins(&after, led, strongest);
        let mut value = wins * (1.0 + outlook.params.tempo);
        if let (None, Some((suit, bit))) = (self.led, spot)
            && suit != self.sight.trump
        {
            value += self.lead(suit, bit, outlook.params);
        }
        for winner in 0..2 {
            if if winner == 0 { wins > 0.02 } else { wins < 0.98 } {
                let chance = if winner == 0 { wins } else { 1.0 - wins };
                value += chance * outlook.tricks(&self.settled(&after, led, strongest, winner), self.left, winner);
            }
        }
        value
    }

    /// What it is worth to lead a card that is no trump beyond what the trick and the cards promise.
    #[inline(always)]
    fn lead(&self, suit: usize, bit: u16, params: &Params) -> f32 {
        let cards = &self.sight.now[suit];
        let [a, b, c, d] = cards.lengths(&self.sight.share[suit]).to_array();
        let longer = a.max(c) - b.max(d);
        // Whoever has the longer hand gains by every round of a suit, since its last cards win.
        let mut value = params.length * longer;
        let ours = cards.held[0] | cards.held[2];
        let theirs = cards.all() & !ours;
        // A card in the middle is wasted on a higher one, where partner could have made that one come first.
        if self.chairs_left > 1 && theirs > bit && theirs & (bit - 1) != 0 && ours & (bit - 1) != 0 {
            value -= params.patience;
        }
        value
    }

    /// The strongest card that `chair` is known to be able to play to a trick in which `led` was led; 0 if it cannot
    /// win it.
    #[inline(always)]
    fn best_known(&self, position: &Position, chair: usize, led: usize) -> u8 {
        let highest = |lane: u16| (16 - lane.leading_zeros()) as u8;
        let (trump, lane) = (self.sight.trump, position[led].held[chair]);
        if lane != 0 {
            highest(lane) + if led == trump { TRUMP } else { 0 }
        } else if self.sight.share[led][chair] == 0.0 && trump < 4 && position[trump].held[chair] != 0 {
            highest(position[trump].held[chair]) + TRUMP
        } else {
            0
        }
    }

    /// The chance that the side of the seat that decides wins a trick in which `led` was led, with the strongest cards
    /// so far.
    #[inline(always)]
    fn wins(&self, position: &Position, led: usize, mut strongest: [u8; 2]) -> f32 {
        let Sight { share, trump, .. } = &self.sight;
        let later = &self.later[..self.chairs_left];
        for &chair in later {
            let best = self.best_known(position, chair, led);
            strongest[side(chair)] = strongest[side(chair)].max(best);
        }
        let known = strongest[0].max(strongest[1]);
        let mut wins = f32::from(strongest[0] > strongest[1]);
        let above = |suit: usize| {
            let height = known.saturating_sub(if suit == *trump { TRUMP } else { 0 });
            (position[suit].pool as u32 >> height.min(31)).count_ones()
        };
        // The highest card whose place is unknown decides, if it is in a hand that is still to play.
        let trumped = known > TRUMP && led != *trump;
        if !trumped && position[led].pool != 0 {
            let mut shares = [0.0; 2];
            for &chair in later {
                shares[side(chair)] += share[led][chair];
            }
            let all = shares[0] + shares[1];
            if all > 0.0 {
                let none = Powers::of((1.0 - all).max(0.0)).at(above(led));
                wins = none * wins + (1.0 - none) * shares[0] / all;
            }
        }
        if *trump < 4 && led != *trump {
            let trumps = above(*trump);
            let mut no_ruff = [1.0; 2];
            for &chair in later {
                if position[led].held[chair] == 0 {
                    let void = Powers::of(1.0 - share[led][chair]).at(position[led].pool.count_ones());
                    let ruff = 1.0 - Powers::of(1.0 - share[*trump][chair]).at(trumps);
                    no_ruff[side(chair)] *= 1.0 - void * ruff;
                }
            }
            wins = no_ruff[1] * (wins + (1.0 - wins) * (1.0 - no_ruff[0]));
        }
        wins
    }

    /// The position after a trick that `winner` wins: those who are still to play have followed with their lowest
    /// cards, whoever has to beat another with the lowest that does.
    #[inline(always)]
    fn settled(&self, position: &Position, led: usize, strongest: [u8; 2], winner: usize) -> Position {
        let mut after = *position;
        let trump = self.sight.trump;
        let mut beaten = strongest[winner] > strongest[1 - winner];
        let mut followers = 0;
        let height = |suit: usize| strongest[1 - winner].saturating_sub(if suit == trump { TRUMP } else { 0 });
        let enough = |lane: u16, suit: usize| (lane as u32 >> height(suit) << height(suit)) as u16;
        for &chair in &self.later[..self.chairs_left] {
            let (lane, share) = (after[led].held[chair], self.sight.share[led][chair]);
            let wants = !beaten && side(chair) == winner;
            if lane != 0 {
                let beats = enough(lane, led);
                let from = if wants && beats != 0 { beats } else { lane };
                beaten |= wants && beats != 0;
                after[led].held[chair] &= !(from & from.wrapping_neg());
            } else if share > 0.0 {
                followers += u32::from(share * position[led].pool.count_ones() as f32 >= 0.5);
            } else if wants && trump < 4 {
                let beats = enough(after[trump].held[chair], trump);
                beaten |= beats != 0;
                after[trump].held[chair] &= !(beats & beats.wrapping_neg());
            }
        }
        if !beaten && followers > 0 {
            let beats = enough(after[led].pool, led);
            if beats != 0 {
                after[led].pool &= !(beats & beats.wrapping_neg());
                followers -= 1;
            }
        }
        for _ in 0..followers {
            after[led].pool &= after[led].pool.wrapping_sub(1);
        }
        after
    }
}
