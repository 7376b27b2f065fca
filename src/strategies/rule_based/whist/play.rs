//! Values a card to play: the chance to win the trick, and the tricks that each side may expect afterwards.

use super::Params;
use super::distinct::distinct;
use super::outlook::{Estimate, Outlook};
use super::position::{Frame, Position, Seen, Sight, counts_for, side};
use super::worth::Suits;
use crate::cards::{Card, CardSet};
use crate::game::{Game, View};
use crate::games::whist::DummyWhist;
use crate::strategies::rule_based::reading::{Powers, suits_out};
use crate::table::Place;

/// What a trump adds to the strength of a card.
pub(super) const TRUMP: u8 = 16;

/// The best of `cards` to play.
#[inline(always)]
pub(super) fn choose(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params, suits: &mut Suits) -> Card {
    let cards = proper(view, cards);
    if let Some(only) = cards.only() {
        return only;
    }
    let public = view.public();
    let frame = Frame::new(public.trump(), public.downtown());
    let led = view.led().and_then(|led| frame.spot(led)).map(|(suit, _)| suit);
    let mut seen = Seen::in_play(view);
    let best = view.winning().map_or(0, |(_, strength)| strength);
    let cards = distinct(frame, cards, seen.all(), led, best);
    if let Some(only) = cards.only() {
        return only;
    }
    seen.show_out(suits_out(view));
    let trick = Trick::new(view, frame, led, &seen);
    let mut outlook = Outlook::new(&trick.sight);
    suits.clear();
    // Loops and no closures, which the compiler would not make of the instructions that the caller may use.
    let mut contest = trick.contest(trick.led.unwrap_or(0));
    let (mut plans, mut count) = ([Plan::NONE; MOST], 0);
    for card in cards {
        plans[count % MOST] = trick.plan(card, &mut contest, &mut outlook, suits, params);
        count += 1;
    }
    suits.finish();
    let (mut best, mut most) = (Card::NONE, f32::NEG_INFINITY);
    for plan in &plans[..count.min(MOST)] {
        let value = plan.value(suits, params, trick.left);
        if value > most {
            (best, most) = (plan.card, value);
        }
    }
    best
}

/// The most cards of a hand.
const MOST: usize = 16;

/// A card that may be played, with the positions after the trick.
#[derive(Clone, Copy)]
struct Plan {
    card: Card,
    /// What it is worth beside the tricks that are left after this one.
    value: f32,
    /// By winner of the trick: the chance that it wins, and the position then.
    after: [Option<(f32, Estimate)>; 2],
}

impl Plan {
    const NONE: Plan = Plan { card: Card::NONE, value: 0.0, after: [None; 2] };

    /// What playing the card is worth, in tricks, once the suits are computed.
    #[inline(always)]
    fn value(&self, suits: &Suits, params: &Params, left: f32) -> f32 {
        let mut value = self.value;
        for winner in 0..2 {
            if let Some((chance, estimate)) = &self.after[winner] {
                value += chance * estimate.tricks(suits, params, left, winner);
            }
        }
        value
    }
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
    fn new(view: &View<'_, DummyWhist>, frame: Frame, led: Option<usize>, seen: &Seen) -> Trick {
        let sight = seen.sight(frame);
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
            led,
            left: 12.0 - view.tricks_played() as f32,
            chair: chair(view.hand_to_move()),
            later,
            chairs_left,
            strongest,
            sight,
        }
    }

    /// How strong a card is in a trick in which its suit was led, or if it is a trump.
    #[inline(always)]
    fn strength(&self, suit: usize, bit: u16) -> u8 {
        bit.trailing_zeros() as u8 + 1 + if suit == self.sight.trump { TRUMP } else { 0 }
    }

    /// Puts down what playing `card` leads to.
    #[inline(always)]
    fn plan(
        &self,
        card: Card,
        contest: &mut Contest,
        outlook: &mut Outlook<'_>,
        suits: &mut Suits,
        params: &Params,
    ) -> Plan {
        let mut plan = Plan { card, ..Plan::NONE };
        let mut after = self.sight.now;
        let (spot, mut changed) = (self.frame.spot(card), 0);
        if let Some((suit, bit)) = spot {
            after[suit].held[self.chair] &= !bit;
            changed = 1 << suit;
        }
        let mut strongest = self.strongest;
        // A joker led at no trump: the next hand chooses the suit, and nothing is known of it.
        let Some(led) = self.led.or(spot.map(|(suit, _)| suit)) else {
            plan.after[1] = Some((1.0, outlook.put(&after, changed, suits)));
            return plan;
        };
        if let Some((suit, bit)) = spot
            && (suit == led || suit == self.sight.trump)
        {
            strongest[0] = strongest[0].max(self.strength(suit, bit));
        }
        if contest.led != led {
            *contest = self.contest(led);
        }
        let wins = self.wins(contest, strongest);
        plan.value = wins * (1.0 + params.tempo);
        if let (None, Some((suit, bit))) = (self.led, spot)
            && suit != self.sight.trump
        {
            plan.value += self.lead(suit, bit, params);
        }
        for winner in 0..2 {
            if if winner == 0 { wins > 0.02 } else { wins < 0.98 } {
                let chance = if winner == 0 { wins } else { 1.0 - wins };
                let (after, settled) = self.settled(&after, led, strongest, winner);
                plan.after[winner] = Some((chance, outlook.put(&after, changed | settled, suits)));
            }
        }
        plan
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
    fn best_known(&self, chair: usize, led: usize) -> u8 {
        let highest = |lane: u16| (16 - lane.leading_zeros()) as u8;
        let Sight { now, share, trump, .. } = &self.sight;
        let (trump, lane) = (*trump, now[led].held[chair]);
        if lane != 0 {
            highest(lane) + if led == trump { TRUMP } else { 0 }
        } else if share[led][chair] == 0.0 && trump < 4 && now[trump].held[chair] != 0 {
            highest(now[trump].held[chair]) + TRUMP
        } else {
            0
        }
    }

    /// What those who are still to play can do where `led` was led.
    #[inline(always)]
    fn contest(&self, led: usize) -> Contest {
        let Sight { now, share, trump, .. } = &self.sight;
        let mut contest = Contest { led, strongest: [0; 2], ours: 0.0, none: Powers::of(1.0), no_ruff: [1.0; 2] };
        let mut shares = [0.0; 2];
        for &chair in &self.later[..self.chairs_left] {
            let strongest = &mut contest.strongest[side(chair)];
            *strongest = (*strongest).max(self.best_known(chair, led));
            shares[side(chair)] += share[led][chair];
        }
        let all = shares[0] + shares[1];
        if all > 0.0 {
            contest.none = Powers::of((1.0 - all).max(0.0));
            contest.ours = shares[0] / all;
        }
        if *trump < 4 && led != *trump {
            contest.no_ruff = self.no_ruff(led, now[*trump].pool.count_ones());
        }
        contest
    }

    /// By side: the chance that none of it ruffs with one of these many hidden trumps where `led` was led.
    #[inline(always)]
    fn no_ruff(&self, led: usize, trumps: u32) -> [f32; 2] {
        let Sight { now, share, trump, .. } = &self.sight;
        let mut no_ruff = [1.0; 2];
        if trumps == 0 {
            return no_ruff;
        }
        for &chair in &self.later[..self.chairs_left] {
            if now[led].held[chair] == 0 {
                let void = Powers::of(1.0 - share[led][chair]).at(now[led].pool.count_ones());
                let ruff = 1.0 - Powers::of(1.0 - share[*trump][chair]).at(trumps);
                no_ruff[side(chair)] *= 1.0 - void * ruff;
            }
        }
        no_ruff
    }

    /// The chance that the side of the seat that decides wins the trick, with the strongest cards so far.
    #[inline(always)]
    fn wins(&self, contest: &Contest, strongest: [u8; 2]) -> f32 {
        let Sight { now, trump, .. } = &self.sight;
        let [ours, theirs] = [0, 1].map(|side: usize| strongest[side].max(contest.strongest[side]));
        let known = ours.max(theirs);
        let mut wins = f32::from(ours > theirs);
        let above = |suit: usize| {
            let height = known.saturating_sub(if suit == *trump { TRUMP } else { 0 });
            (now[suit].pool as u32 >> height.min(31)).count_ones()
        };
        // The highest card whose place is unknown decides, if it is in a hand that is still to play.
        let trumped = known > TRUMP && contest.led != *trump;
        if !trumped {
            let none = contest.none.at(above(contest.led));
            wins = none * wins + (1.0 - none) * contest.ours;
        }
        if *trump < 4 && contest.led != *trump {
            let no_ruff = if trumped { self.no_ruff(contest.led, above(*trump)) } else { contest.no_ruff };
            wins = no_ruff[1] * (wins + (1.0 - wins) * (1.0 - no_ruff[0]));
        }
        wins
    }

    /// The position after a trick that `winner` wins: those who are still to play have followed with their lowest
    /// cards, whoever has to beat another with the lowest that does. Then the suits that this changed, a bit each.
    #[inline(always)]
    fn settled(&self, position: &Position, led: usize, strongest: [u8; 2], winner: usize) -> (Position, u8) {
        let mut after = *position;
        let trump = self.sight.trump;
        let mut changed = 0;
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
                changed |= 1 << led;
            } else if share > 0.0 {
                followers += u32::from(share * position[led].pool.count_ones() as f32 >= 0.5);
            } else if wants && trump < 4 {
                let beats = enough(after[trump].held[chair], trump);
                beaten |= beats != 0;
                after[trump].held[chair] &= !(beats & beats.wrapping_neg());
                changed |= u8::from(beats != 0) << trump;
            }
        }
        if followers > 0 {
            changed |= 1 << led;
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
        (after, changed)
    }
}

/// What those who are still to play to a trick can do where a suit was led.
struct Contest {
    led: usize,
    /// By side: the strongest card that it is known to be able to play; 0 if it cannot win.
    strongest: [u8; 2],
    /// The chance that a hidden card of the suit that is in a hand still to play lies with the seat's own side.
    ours: f32,
    /// By number of hidden cards of the suit: the chance that none lies in a hand that is still to play.
    none: Powers,
    /// By side: the chance that nobody of it ruffs, if nobody has yet.
    no_ruff: [f32; 2],
}
