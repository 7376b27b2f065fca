//! The table as one side sees it, with the chances of hands to beat cards.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Rank};
use overtrick_game::View;
use overtrick_games::chameleon::{Chameleon, TALON_NEXT, discards};

use super::super::reading::{Powers, Reading};

/// The ranks in the pack, seven to ace, one bit each, as in the lanes of a [`CardSet`].
pub(super) const RANKS: u16 = 2 * Rank::Ace.bit() - Rank::Seven.bit();

/// The strength that a trump adds to its rank.
const TRUMP: u8 = 16;

/// The table as one side sees it.
pub(super) struct SideView {
    /// The likely places of the hidden cards.
    pub reading: Reading,
    /// The cards seen in each hand.
    pub seen: [CardSet; Place::HANDS],
    /// Whether each hand plays for the side.
    pub ours: [bool; Place::HANDS],
    /// The cards that the other side may hold, as far as is known.
    pub theirs: CardSet,
    pub trump: Option<usize>,
    /// The suit of the card led.
    pub led: Option<usize>,
    /// The hand that is winning the trick in progress, and the strength of its card.
    pub winning: Option<(usize, u8)>,
    later: [usize; 2],
    left: usize,
}

impl SideView {
    pub(super) fn new(view: &View<'_, Chameleon>) -> SideView {
        let (public, me) = (view.public(), view.seat());
        let aside = public.declarer().map_or(TALON_NEXT, discards);
        // The place of the third seat's discards is that of a fourth hand, so it is counted as a hand
        // already.
        let reading = Reading::new(view, if aside == Place::Hand3 { &[] } else { std::slice::from_ref(&aside) });
        let seen: [CardSet; Place::HANDS] = std::array::from_fn(|hand| view.cards(Place::ALL[hand]));
        let circle = if view.hands_in_trick() == 3 { 3 } else { 2 };
        let ours = std::array::from_fn(|hand| match public.declarer() {
            Some(declarer) if declarer != me => hand < circle && hand != declarer.index(),
            // The declarer plays alone. In a last deal every player does.
            _ => hand == me.index(),
        });
        let mut theirs = reading.unseen;
        let mut may = [0.0; 4];
        for hand in (0..circle).filter(|&hand| !ours[hand]) {
            for (may, share) in may.iter_mut().zip(reading.share[hand]) {
                *may += share;
            }
        }
        for (suit, may) in may.into_iter().enumerate() {
            // Cards of a suit of which the whole side has shown out are elsewhere.
            theirs -= CardSet::in_lane(suit, if may == 0.0 { u16::MAX } else { 0 });
        }
        for hand in (0..circle).filter(|&hand| !ours[hand]) {
            theirs |= seen[hand];
        }
        let (mut later, mut left) = ([0; 2], 0);
        let mut hand = view.hand_to_move();
        for _ in view.trick_length() + 1..view.hands_in_trick() {
            hand = view.after(hand);
            later[left] = hand.index();
            left += 1;
        }
        SideView {
            reading,
            seen,
            ours,
            theirs,
            trump: public.trump().map(|suit| suit as usize),
            led: view.led().map(Card::lane),
            winning: view.winning().map(|(hand, strength)| (hand.index(), strength)),
            later,
            left,
        }
    }

    /// Returns whether the side has only one hand.
    #[inline(always)]
    pub(super) fn is_alone(&self) -> bool {
        self.ours.iter().filter(|&&ours| ours).count() == 1
    }

    /// Returns the hands that play after this card, in order.
    #[inline(always)]
    pub(super) fn later(&self) -> &[usize] {
        &self.later[..self.left]
    }

    /// Returns the strength of a card in a trick in which suit `led` was led.
    #[inline(always)]
    pub(super) fn strength(&self, led: usize, card: Card) -> u8 {
        let (suit, height) = (card.lane(), 1 + card.place_in_lane() as u8);
        if Some(suit) == self.trump {
            TRUMP + height
        } else if suit == led {
            height
        } else {
            0
        }
    }

    /// Returns the chance that a hand holds none of these ranks of a suit.
    #[inline(always)]
    pub(super) fn lacks(&self, hand: usize, suit: usize, of: u16) -> f32 {
        if self.seen[hand].ranks(suit) & of != 0 {
            return 0.0;
        }
        Powers::of(1.0 - self.reading.share[hand][suit]).at((self.reading.unseen.ranks(suit) & of).count_ones())
    }

    /// Returns the chance that a hand can beat strength `best`.
    pub(super) fn beats(&self, hand: usize, led: usize, best: u8) -> f32 {
        let ruffed = best > TRUMP;
        let above = RANKS & (u16::MAX << if ruffed { best - TRUMP } else { best });
        if self.trump == Some(led) {
            return 1.0 - self.lacks(hand, led, above);
        }
        let follow = if ruffed { 0.0 } else { 1.0 - self.lacks(hand, led, above) };
        let ruff = self.trump.map_or(0.0, |trump| {
            let needed = if ruffed { above } else { RANKS };
            self.lacks(hand, led, RANKS) * (1.0 - self.lacks(hand, trump, needed))
        });
        follow + ruff
    }

    /// Returns the chance that a hand must beat strength `best`, without trumps.
    ///
    /// It must if it has to follow suit and holds no lower card.
    pub(super) fn must_beat(&self, hand: usize, led: usize, best: u8) -> f32 {
        let above = RANKS & (u16::MAX << best);
        self.lacks(hand, led, RANKS & !above) * (1.0 - self.lacks(hand, led, above))
    }

    /// Returns the highest strength that a hand can reach with the cards seen in it.
    pub(super) fn top(&self, hand: usize, led: usize) -> u8 {
        let height = |suit: usize| (16 - self.seen[hand].ranks(suit).leading_zeros()) as u8;
        match (height(led), self.trump.map(height)) {
            (_, Some(trump)) if self.trump == Some(led) && trump > 0 => TRUMP + trump,
            (0, Some(trump)) if trump > 0 => TRUMP + trump,
            (height, _) => height,
        }
    }
}

/// Returns the cards that the others may hold against a declarer who discards or fixes the contract.
pub(super) fn against(view: &View<'_, Chameleon>) -> CardSet {
    CardSet::of_ranks(RANKS) - view.own() - view.cards(discards(view.seat()))
}

/// Returns the declarer, if there is one and another seat plays.
pub(super) fn opposed(view: &View<'_, Chameleon>) -> Option<Seat> {
    view.public().declarer().filter(|&declarer| declarer != view.seat())
}
