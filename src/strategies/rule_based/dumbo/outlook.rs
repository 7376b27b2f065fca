//! Estimates the trick and the hands after a card is played.

use wide::f32x4;

use super::Params;
use super::prospects::Prospects;
use super::value::{Judge, LATE, NEGLIGIBLE};
use crate::cards::{Card, CardSet, Order};
use crate::game::{Game, View};
use crate::games::dumbo::{DUMBO, Dumbo, snaps};
use crate::strategies::rule_based::choice::Race;
use crate::strategies::rule_based::reading::{BITS, Powers, Reading, lean};
use crate::table::{Place, Seat};

const HANDS: usize = Place::HANDS;
const TRICKS: usize = 13;

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

/// How a hand may play to a trick whose suit is known.
#[derive(Clone, Copy)]
enum Answer {
    /// The seat sees all of its cards.
    Open {
        /// How many cards it may play.
        legal: u32,
        /// Those of them that may win.
        beating: CardSet,
        /// Whether those are snaps, which win whatever else was played.
        voids: bool,
    },
    /// The seat sees none of them.
    Hidden {
        /// The unseen cards of the suit.
        following: CardSet,
        /// The chance that it holds none of some cards of the suit, by their number.
        miss: Powers,
        /// The chance that it can snap.
        snaps: f32,
        /// How often it snaps if it plays any card, not having the suit.
        fear: f32,
    },
}

impl Answer {
    /// The chance that it beats a card of strength `best`, if it wants to win so much.
    #[inline(always)]
    fn beats(&self, best: u8, wants: f32) -> f32 {
        // In the suit led a card's strength is its rank plus one; a snap is above them all.
        let high = CardSet::of_ranks(u16::MAX << best.min(15));
        match self {
            Answer::Open { legal, beating, voids } => {
                let good = if *voids { *beating } else { *beating & high }.len();
                let (some, every) = (good > 0, good == *legal);
                let even = good as f32 / *legal as f32;
                lean(f32::from(u8::from(every)), even, f32::from(u8::from(some)), wants)
            }
            Answer::Hidden { following, miss, snaps, fear } => {
                let (all, good) = (following.len(), (*following & high).len());
                let none_high = miss.at(good);
                let none_low = miss.at(all - good);
                let void = none_high * none_low;
                let even = (1.0 - void) * good as f32 / all.max(1) as f32;
                let followed = lean((1.0 - none_high) * none_low, even, 1.0 - none_high, wants);
                let snapped = void * lean(0.0, *fear, *snaps, wants);
                followed + if void < NEGLIGIBLE { 0.0 } else { snapped }
            }
        }
    }
}

/// By hand: the sum of the prospects of its cards. Hidden cards count for the hidden hands in proportion.
#[inline(always)]
fn strength(hands: &[Hand; HANDS], unseen: CardSet, prospects: &Prospects) -> [f32; HANDS] {
    let [a, b, c, d] = hands.map(|hand| hand.cards);
    let (mut hidden, mut hidden_hands) = ([0.0; HANDS], 0);
    for hand in 0..HANDS {
        hidden[hand] = (hands[hand].count - hands[hand].cards.len()) as f32;
        hidden_hands += usize::from(!hands[hand].open);
    }
    // Of the cards that the seat has not seen, a hidden hand holds only its part.
    let sums = prospects.sums([a, b, c, d, unseen], hidden_hands.max(1));
    let a_card = sums[HANDS] / (hidden[0] + hidden[1] + hidden[2] + hidden[3]).max(1.0);
    let mut strength = [0.0; HANDS];
    for hand in 0..HANDS {
        strength[hand] = sums[hand] + a_card * hidden[hand];
    }
    strength
}

/// By hand: how much it is thought to want tricks, 0 to 1. A player with fewer tricks than Dumbo wants tricks, one with
/// more does not; the dealer wants the opposite for Dumbo's hand.
#[inline(always)]
fn wants(respect: f32, won: [u8; HANDS], left: u32, strength: [f32; HANDS], dealer: Seat) -> [f32; HANDS] {
    let [a, b, c, d] = strength;
    let a_trick = (left + 1) as f32 / (a + b + c + d);
    let mut total = [0.0; HANDS];
    for hand in 0..HANDS {
        total[hand] = f32::from(won[hand]) + strength[hand] * a_trick;
    }
    let dumbo = DUMBO.index();
    let mut wants = [0.0; HANDS];
    for hand in 0..HANDS {
        wants[hand] = (0.5 + respect * (total[dumbo] - total[hand])).clamp(0.0, 1.0);
    }
    wants[dumbo] = 1.0 - wants[dealer.index()];
    wants
}

/// A decision: what is known and what follows from it, whichever card is played.
pub(super) struct Outlook<'a> {
    judge: Judge<'a>,
    order: &'a Order,
    prospects: &'a Prospects,
    reading: Reading,
    led: Option<Card>,
    /// The hand that is winning the trick, and how strong its card is.
    winning: Option<(usize, u8)>,
    /// Whether a card of the rank led can win.
    snapping: bool,
    /// The hand that is to play.
    mover: usize,
    /// By hand: the one that plays after it.
    after: [usize; HANDS],
    /// How many hands play to this trick after the mover.
    behind: usize,
    /// The hand among those that the same seat plays, if any.
    partner: Option<usize>,
    hands: [Hand; HANDS],
    /// All cards that are left.
    all: CardSet,
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the sum of the prospects of its cards that it still has after the trick; of the mover, before it.
    strength: [f32; HANDS],
    /// By hand: how much it is thought to want tricks, 0 to 1.
    wants: [f32; HANDS],
    /// The chances to win the trick, by plan and by hand, if a card is played that does not win; once they are found.
    losing: Option<[[f32; HANDS]; 2]>,
}

impl<'a> Outlook<'a> {
    #[inline(always)]
    pub(super) fn new(view: &View<'a, Dumbo>, params: &'a Params, prospects: &'a Prospects) -> Outlook<'a> {
        let reading = Reading::of_plain(view, &[]);
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
        let left = (TRICKS - 1 - view.tricks_played()) as u32;
        let [a, b, c, d] = hands.map(|hand| hand.cards);
        let all = a | b | c | d | reading.unseen;
        let mut strength = strength(&hands, reading.unseen, prospects);
        let wants = wants(params.respect, won, left, strength, view.dealer());
        let (order, led, snapping) =
            (view.order().expect("the order never changes"), view.led(), view.game().rules().snapping);
        let mut hand = mover;
        for _ in 0..behind {
            hand = after[hand];
            let count = hands[hand].count as f32;
            strength[hand] *= (count - 1.0) / count;
        }
        Outlook {
            judge: Judge::new(view.game(), params, view.seat(), view.dealer(), left, won),
            order,
            prospects,
            all,
            reading,
            led,
            snapping,
            winning: view.winning().map(|(place, best)| (place.index(), best)),
            mover,
            after,
            behind,
            partner,
            hands,
            left,
            strength,
            wants,
            losing: None,
        }
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
        let elsewhere = self.all - self.hands[self.mover].cards;
        let between = (1u64 << high.index()) - (1 << low.index());
        let wins = |card: Card| self.order.strength(led, card) >= best;
        high.lane() == low.lane() && elsewhere.bits() & between == 0 && wins(low) == wins(high)
    }

    /// What playing `card` is worth. If the same seat plays a later card to the trick from another hand, it will choose
    /// the better of winning and ducking there.
    #[inline(always)]
    pub(super) fn value(&mut self, card: Card) -> f32 {
        let chances = self.chances(card);
        self.judge.begin(self.share_without(card));
        let by_winner = if self.late() { self.by_next_leader(card, &chances) } else { self.judge.by_winner() };
        let mut values = [0.0; 2];
        for winner in 0..HANDS {
            for plan in 0..2 {
                let chance = chances[plan][winner];
                values[plan] += if chance >= NEGLIGIBLE { chance } else { 0.0 } * by_winner[winner];
            }
        }
        if values[0] > values[1] { values[0] } else { values[1] }
    }

    /// By winner of this trick, what the deal is worth if `card` is played and the winner leads any card to the next
    /// trick. Winners without a chance are left out.
    #[inline(always)]
    fn by_next_leader(&self, card: Card, chances: &[[f32; HANDS]; 2]) -> [f32; HANDS] {
        let mut hands = self.hands;
        let mover = &mut hands[self.mover];
        mover.cards -= CardSet::of(card);
        mover.count -= 1;
        let mut values = [0.0; HANDS];
        for winner in 0..HANDS {
            if chances[0][winner] >= NEGLIGIBLE || chances[1][winner] >= NEGLIGIBLE {
                let next = self.next_trick(&hands, winner);
                values[winner] = self.judge.after(winner, next);
            }
        }
        values
    }

    /// By plan for the later card of the same seat, to duck and to win, then by hand: the chance to win the trick if
    /// `card` is played now. Without such a card the plans are the same.
    #[inline(always)]
    fn chances(&mut self, card: Card) -> [[f32; HANDS]; 2] {
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
        let (mut ducking, mut hand) = (Race::new(holder), self.mover);
        let mut winning = ducking;
        for _ in 0..self.behind {
            hand = self.after[hand];
            let answer = self.answer(&self.hands[hand], hand, led);
            if self.partner == Some(hand) {
                ducking.plays_next(hand, answer.beats(best, 0.0));
                winning.plays_next(hand, answer.beats(best, 1.0));
            } else {
                let beats = answer.beats(best, self.wants[hand]);
                ducking.plays_next(hand, beats);
                winning.plays_next(hand, beats);
            }
        }
        let chances = [ducking.chances(), winning.chances()];
        if loses {
            self.losing = Some(chances);
        }
        chances
    }

    /// By hand, its share of the strength that is left after the trick, if `card` is played.
    #[inline(always)]
    fn share_without(&self, card: Card) -> [f32; HANDS] {
        let mut share = self.strength;
        share[self.mover] -= self.prospects.of(card, self.hands[self.mover].cards, self.all);
        let [a, b, c, d] = share;
        let a_trick = 1.0 / (a + b + c + d).max(0.01);
        for share in &mut share {
            *share = share.max(0.0) * a_trick;
        }
        share
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
            let (mut race, mut hand) = (Race::new(leader), leader);
            for _ in 1..HANDS {
                hand = self.after[hand];
                race.plays_next(hand, self.answer(&hands[hand], hand, card).beats(best, self.wants[hand]));
            }
            for (sum, chance) in sum.iter_mut().zip(race.chances()) {
                *sum += weight * chance;
            }
            weights += weight;
        }
        sum.map(|sum| sum / weights)
    }

    /// How `hand` may answer when `led` is led.
    #[inline(always)]
    fn answer(&self, view: &Hand, hand: usize, led: Card) -> Answer {
        let follow = self.order.follow(led);
        let snaps = if self.snapping { snaps(led) } else { CardSet::EMPTY };
        if view.open {
            let following = view.cards & follow;
            let voids = following.is_empty();
            let (legal, beating) = if voids { (view.cards, view.cards & snaps) } else { (following, following) };
            return Answer::Open { legal: legal.len(), beating, voids };
        }
        let unseen = self.reading.unseen;
        let share = &self.reading.share[hand];
        let [a, b, c, d] = (f32x4::from(*share) * f32x4::from(BITS[(unseen & snaps).suits_with(led)])).to_array();
        let none = (1.0 - a) * (1.0 - b) * (1.0 - c) * (1.0 - d);
        let expected = a + b + c + d;
        let fear = self.judge.params.snap_fear * expected / view.count as f32;
        Answer::Hidden {
            following: unseen & follow,
            miss: Powers::of(1.0 - share[led.lane()]),
            snaps: 1.0 - none,
            fear: if fear < 1.0 - none { fear } else { 1.0 - none },
        }
    }
}
