//! Estimates the trick and the hands after a card is played.

use super::Params;
use super::value::{Judge, NEGLIGIBLE};
use crate::cards::{Card, CardSet, Order};
use crate::game::{Game, View};
use crate::games::dumbo::{DUMBO, Dumbo, snaps};
use crate::strategies::rule_based::choice::{SURE, plays_next};
use crate::strategies::rule_based::reading::{Powers, Reading, lean};
use crate::table::Place;

const HANDS: usize = Place::HANDS;
const TRICKS: usize = 13;
/// The number of last tricks in which it counts who leads to the next one, and what that hand has left to lead.
const LATE: u32 = 2;

/// The chance that a card wins a trick at some time, by the numbers of cards of its suit in other hands that are above
/// it and below it.
pub(super) struct Prospects([[f32; TRICKS + 1]; TRICKS + 1]);

impl Prospects {
    /// The table for `trust`: how much better the top cards do than the others.
    pub(super) fn new(trust: f32) -> Prospects {
        // One card is added on either side, so that even the last card of a suit is sure neither to win nor to lose.
        let chance = |above: usize, below: usize| (below as f32 + 1.0) / (above + below + 2) as f32;
        // The platform's own power function may differ in the last bit, and play must not depend on the machine.
        let trusted = |above, below| libm::powf(chance(above, below), trust);
        let by_below = |above: usize| std::array::from_fn(|below| trusted(above, below));
        Prospects(std::array::from_fn(by_below))
    }
}

/// A hand as the seat sees it.
#[derive(Clone, Copy)]
struct Hand {
    /// The cards of it that the seat sees.
    cards: CardSet,
    /// How many cards it holds.
    count: u32,
    /// Whether the seat sees all cards of the hand.
    open: bool,
}

/// The hands after a card is played.
struct After {
    hands: [Hand; HANDS],
    /// By hand: its share of the strength that is left after the trick.
    share: [f32; HANDS],
}

/// A decision: what is known and what follows from it, whichever card is played.
pub(super) struct Outlook<'a> {
    judge: Judge<'a>,
    order: &'a Order,
    reading: Reading,
    led: Option<Card>,
    /// The hand that is winning the trick, and how strong its card is.
    winning: Option<(usize, u8)>,
    /// The hand that is to play.
    mover: usize,
    /// By hand: the one that plays after it.
    after: [usize; HANDS],
    /// How many hands play to this trick after the mover.
    behind: usize,
    /// The hand among those that the same seat plays, if any.
    partner: Option<usize>,
    hands: [Hand; HANDS],
    won: [u8; HANDS],
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the sum of the prospects of its cards.
    strength: [f32; HANDS],
    /// By card: its chance to win a trick at some time.
    prospect: [f32; 64],
    /// By hand: how much it is thought to want tricks, 0 to 1.
    wants: [f32; HANDS],
    /// The chances to win the trick, by plan and by hand, if a card is played that does not win; once they are found.
    losing: Option<[[f32; HANDS]; 2]>,
}

impl<'a> Outlook<'a> {
    #[inline(always)]
    pub(super) fn new(view: &View<'a, Dumbo>, params: &'a Params, prospects: &Prospects) -> Outlook<'a> {
        let reading = Reading::new(view, &[]);
        let places = [Place::Hand0, Place::Hand1, Place::Hand2, DUMBO];
        let hands = places.map(|place| {
            let (cards, count) = (view.cards(place), view.count(place) as u32);
            let open = cards.len() == count;
            Hand { cards, count, open }
        });
        let after = places.map(|place| view.after(place).index());
        let mover = view.hand_to_move().index();
        let behind = HANDS - 1 - view.trick_length();
        let decides = |hand: usize| view.decider(places[hand]) == view.seat();
        let mut partner = None;
        let mut hand = mover;
        for _ in 0..behind {
            hand = after[hand];
            if decides(hand) {
                partner = Some(hand);
            }
        }
        let won = places.map(|place| view.tricks_won(place) as u8);
        let mut outlook = Outlook {
            judge: Judge::new(view.game().rules(), params, view.seat(), view.dealer(), won),
            order: view.order().expect("the order never changes"),
            reading,
            led: view.led(),
            winning: view.winning().map(|(place, best)| (place.index(), best)),
            mover,
            after,
            behind,
            partner,
            hands,
            won,
            left: (TRICKS - 1 - view.tricks_played()) as u32,
            strength: [0.0; HANDS],
            prospect: [0.0; 64],
            wants: [0.5; HANDS],
            losing: None,
        };
        outlook.count_prospects(prospects);
        outlook.guess_wants();
        outlook
    }

    /// Looks up the prospect of every card, and sums them by hand. Hidden cards count for the hidden hands in
    /// proportion.
    #[inline(always)]
    fn count_prospects(&mut self, prospects: &Prospects) {
        const POOL: usize = HANDS;
        let [a, b, c, d] = self.hands.map(|hand| hand.cards);
        let owners = [a, b, c, d, self.reading.unseen];
        let all = a | b | c | d | self.reading.unseen;
        let hidden = self.hands.map(|hand| hand.count - hand.cards.len());
        let hidden_hands = self.hands.iter().filter(|hand| !hand.open).count().max(1);
        let mut sums = [0.0; HANDS + 1];
        for suit in 0..4 {
            let in_suit = (all & CardSet::lane(suit)).len() as usize;
            for (owner, &cards) in owners.iter().enumerate() {
                // Of the cards that the seat has not seen, a hidden hand holds only its part.
                let part = if owner == POOL { hidden_hands } else { 1 };
                let mut held = cards & CardSet::lane(suit);
                let others = in_suit - (held.len() as usize).div_ceil(part);
                let mut own_above = 0;
                while let Some(card) = held.last() {
                    held -= CardSet::of(card);
                    let over = (all & CardSet::lane(suit)).bits() >> card.index() >> 1;
                    let above = (over.count_ones() as usize).saturating_sub(own_above / part).min(others);
                    let prospect = prospects.0[above.min(TRICKS)][(others - above).min(TRICKS)];
                    self.prospect[card.index()] = prospect;
                    sums[owner] += prospect;
                    own_above += 1;
                }
            }
        }
        let all_hidden: u32 = hidden.iter().sum();
        for hand in 0..HANDS {
            let part = hidden[hand] as f32 / all_hidden.max(1) as f32;
            self.strength[hand] = sums[hand] + sums[POOL] * part;
        }
    }

    /// A player with fewer tricks than Dumbo wants tricks, one with more does not; the dealer wants the opposite for
    /// Dumbo's hand.
    #[inline(always)]
    fn guess_wants(&mut self) {
        let a_trick = (self.left + 1) as f32 / self.strength.iter().sum::<f32>();
        let total = |hand: usize| f32::from(self.won[hand]) + self.strength[hand] * a_trick;
        let dumbo = DUMBO.index();
        for hand in 0..dumbo {
            let behind = total(dumbo) - total(hand);
            self.wants[hand] = (0.5 + self.judge.params.respect * behind).clamp(0.0, 1.0);
        }
        self.wants[dumbo] = 1.0 - self.wants[self.judge.dealer.index()];
    }

    /// Whether so few tricks are left that the cards of the next leader count.
    #[inline(always)]
    fn late(&self) -> bool {
        (1..=LATE).contains(&self.left)
    }

    /// Whether it makes no difference which of two neighbouring cards the mover plays: no other hand holds a card
    /// between `low` and `high`, and none lies in the trick. It always makes a difference for a lead, now or in the
    /// last tricks, because the rank of the card led decides which cards snap it.
    #[inline(always)]
    pub(super) fn alike(&self, low: Card, high: Card) -> bool {
        let (Some(led), Some((_, best)), false) = (self.led, self.winning, self.late()) else {
            return false;
        };
        let others = (0..HANDS).filter(|&hand| hand != self.mover);
        let elsewhere = others.fold(self.reading.unseen, |all, hand| all | self.hands[hand].cards);
        let between = (1u64 << high.index()) - (1 << low.index());
        let wins = |card: Card| self.order.strength(led, card) >= best;
        high.lane() == low.lane() && elsewhere.bits() & between == 0 && wins(low) == wins(high)
    }

    /// What playing `card` is worth. If the same seat plays a later card to the trick from another hand, it will choose
    /// the better of winning and ducking there.
    #[inline(always)]
    pub(super) fn value(&mut self, card: Card) -> f32 {
        let plans = if self.partner.is_some() { 2 } else { 1 };
        let chances = self.chances(card, plans);
        let After { hands, share } = self.after_card(card);
        let late = self.late();
        let mut values = [0.0; 2];
        self.judge.begin(self.left, share);
        for winner in 0..HANDS {
            let chances = [chances[0][winner], chances[1][winner]];
            if chances[0] < NEGLIGIBLE && chances[1] < NEGLIGIBLE {
                continue;
            }
            let next = if late { self.next_trick(&hands, winner) } else { share };
            let value = self.judge.after(winner, next);
            for (total, chance) in values.iter_mut().zip(chances) {
                if chance >= NEGLIGIBLE {
                    *total += chance * value;
                }
            }
        }
        if plans == 2 { values[0].max(values[1]) } else { values[0] }
    }

    /// By plan for the later card of the same seat, to duck and to win, then by hand: the chance to win the trick if
    /// `card` is played now. Without such a card there is one plan.
    #[inline(always)]
    fn chances(&mut self, card: Card, plans: usize) -> [[f32; HANDS]; 2] {
        let led = self.led.unwrap_or(card);
        let own = self.order.strength(led, card);
        let (holder, best) = match self.winning {
            Some((hand, best)) if best > own => (hand, best),
            _ => (self.mover, own),
        };
        let loses = holder != self.mover;
        // All cards that do not win leave the trick alike.
        if let (true, Some(known)) = (loses, self.losing) {
            return known;
        }
        let mut chances = [[0.0; HANDS]; 2];
        for (plan, chances) in chances.iter_mut().enumerate().take(plans) {
            let mut wants = self.wants;
            if let Some(partner) = self.partner {
                wants[partner] = plan as f32;
            }
            *chances = self.winner(&self.hands, holder, led, best, self.mover, self.behind, wants);
        }
        if loses {
            self.losing = Some(chances);
        }
        chances
    }

    /// The hands after `card` is played, and each hand's share of the strength that is left after the trick.
    #[inline(always)]
    fn after_card(&self, card: Card) -> After {
        let mut hands = self.hands;
        let mover = &mut hands[self.mover];
        mover.cards -= CardSet::of(card);
        mover.count -= 1;
        let mut strength = self.strength;
        strength[self.mover] -= self.prospect[card.index()];
        let mut hand = self.mover;
        for _ in 0..self.behind {
            hand = self.after[hand];
            let count = self.hands[hand].count as f32;
            strength[hand] *= (count - 1.0) / count;
        }
        let [a, b, c, d] = strength;
        let a_trick = 1.0 / (a + b + c + d).max(0.01);
        let mut share = strength;
        for share in &mut share {
            *share = share.max(0.0) * a_trick;
        }
        After { hands, share }
    }

    /// By hand, the chance to win the trick that `holder` is winning with strength `best`, when `behind` hands after
    /// `last` follow.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn winner(
        &self,
        hands: &[Hand; HANDS],
        holder: usize,
        led: Card,
        best: u8,
        last: usize,
        behind: usize,
        wants: [f32; HANDS],
    ) -> [f32; HANDS] {
        let mut chance = SURE[holder];
        let mut hand = last;
        for _ in 0..behind {
            hand = self.after[hand];
            let beats = self.beats(&hands[hand], hand, led, best, wants[hand]);
            plays_next(&mut chance, holder, hand, beats);
        }
        chance
    }

    /// By hand, the chance to win the next trick if `leader` leads any of their cards.
    #[inline(always)]
    fn next_trick(&self, hands: &[Hand; HANDS], leader: usize) -> [f32; HANDS] {
        let open = hands[leader].open;
        let leads = if open { hands[leader].cards } else { self.reading.unseen };
        let mut sum = [0.0; HANDS];
        let mut weights = 0.0;
        for card in leads.iter() {
            let weight = if open { 1.0 } else { self.reading.share[leader][card.lane()] };
            let best = self.order.strength(card, card);
            let chance = self.winner(hands, leader, card, best, leader, HANDS - 1, self.wants);
            for (sum, chance) in sum.iter_mut().zip(chance) {
                *sum += weight * chance;
            }
            weights += weight;
        }
        sum.map(|sum| sum / weights)
    }

    /// The chance that `hand`, next to play, beats a card of strength `best` in a trick led by `led`.
    #[inline(always)]
    fn beats(&self, view: &Hand, hand: usize, led: Card, best: u8, wants: f32) -> f32 {
        let follow = self.order.follow(led);
        let snaps = if self.judge.rules.snapping { snaps(led) } else { CardSet::EMPTY };
        // In the suit led a card's strength is its rank plus one; a snap is above them all.
        let high = follow & CardSet::of_ranks(u16::MAX << best.min(15));
        if view.open {
            let following = view.cards & follow;
            let (legal, good) = if following.is_empty() {
                (view.cards.len(), (view.cards & snaps).len())
            } else {
                (following.len(), (following & high).len())
            };
            let (some, every) = (good > 0, good == legal);
            let even = good as f32 / legal as f32;
            return lean(f32::from(u8::from(every)), even, f32::from(u8::from(some)), wants);
        }
        let unseen = self.reading.unseen;
        let share = &self.reading.share[hand];
        let miss = Powers::of(1.0 - share[led.lane()]);
        let (all, good) = ((unseen & follow).len(), (unseen & high).len());
        let none_high = miss.at(good);
        let none_low = miss.at(all - good);
        let void = none_high * none_low;
        let even = (1.0 - void) * good as f32 / all.max(1) as f32;
        let followed = lean((1.0 - none_high) * none_low, even, 1.0 - none_high, wants);
        if void < NEGLIGIBLE {
            return followed;
        }
        let (mut none, mut expected) = (1.0, 0.0);
        for card in (unseen & snaps).iter() {
            let share = share[card.lane()];
            none *= 1.0 - share;
            expected += share;
        }
        let fear = self.judge.params.snap_fear;
        let even = (fear * expected / view.count as f32).min(1.0 - none);
        followed + void * lean(0.0, even, 1.0 - none, wants)
    }
}
