//! Values a card to play by the chance to win the trick and the tricks expected afterwards.

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Game, View};
use overtrick_games::whist::DummyWhist;

use super::Params;
use super::distinct::distinct;
use super::estimate::{Estimator, QueuedHoldings};
use super::position::{CHAIRS, Frame, Holdings, Knowledge, SeenCards, SuitCards, TRUMP, counts_for, side, suits_out};
use super::worth::Suits;
use crate::rule_based::reading::Powers;

/// Chooses the best of `cards` to play.
#[inline(always)]
pub(super) fn choose(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params, suits: &mut Suits) -> Card {
    let cards = proper(view, cards);
    if let Some(only) = cards.only() {
        return only;
    }
    let public = view.public();
    let frame = Frame::new(public.trump(), public.downtown());
    let led = view.led().and_then(|led| frame.spot(led)).map(|(suit, _)| suit);
    let mut seen = SeenCards::in_play(view);
    let strongest = view.winning().map_or(0, |(_, strength)| strength);
    let cards = distinct(frame, cards, seen.all(), led, strongest);
    if let Some(only) = cards.only() {
        return only;
    }
    seen.show_out(suits_out(view));
    let planner = TrickPlanner::new(view, frame, led, &seen);
    let mut estimator = Estimator::new(&planner.knowledge);
    suits.clear(seen.playing);
    // Kept from card to card while the suit led is the same. Before the lead, any suit will do at first.
    let mut contest = planner.contest(led.unwrap_or(0));
    let mut plans = [CardPlan::default(); MOST];
    // Loops instead of closures, since closures would not be compiled with the caller's processor features.
    for (plan, card) in plans.iter_mut().zip(cards) {
        planner.plan(card, plan, &mut contest, &mut estimator, suits, params);
    }
    suits.finish();
    let (mut best, mut most) = (Card::NONE, f32::NEG_INFINITY);
    for (plan, card) in plans.iter().zip(cards) {
        let value = plan.value(suits, params, planner.left);
        if value > most {
            (best, most) = (card, value);
        }
    }
    best
}

/// The maximum number of cards in a hand.
const MOST: usize = 16;

/// The cost in tricks of leading another card than the shorter hand's best, if both hands hold winners.
const SHORT_FIRST: f32 = 0.3;

/// The consequences of playing a card.
#[derive(Clone, Copy, Default)]
struct CardPlan {
    /// The worth of the card apart from the tricks after this one.
    value: f32,
    /// By winner of the trick: its chance to win, or 0 if that is not considered.
    chances: [f32; 2],
    /// By winner of the trick: the position then.
    after: [QueuedHoldings; 2],
}

impl CardPlan {
    /// Returns the worth of playing the card, in tricks, once the suits are computed.
    #[inline(always)]
    fn value(&self, suits: &Suits, params: &Params, left: f32) -> f32 {
        let mut value = self.value;
        for winner in 0..2 {
            if self.chances[winner] > 0.0 {
                value += self.chances[winner] * self.after[winner].tricks(suits, params, left, winner);
            }
        }
        value
    }
}

/// Returns the cards that do not renege, where reneging is allowed.
fn proper(view: &View<'_, DummyWhist>, cards: CardSet) -> CardSet {
    let follow = match (view.led(), view.order()) {
        (Some(led), Some(order)) if view.game().rules().allow_renege => cards & order.follow(led),
        _ => CardSet::EMPTY,
    };
    if follow.is_empty() { cards } else { follow }
}

/// Plans the cards of a decision. It holds the trick in progress, as the seat sees it.
struct TrickPlanner {
    frame: Frame,
    knowledge: Knowledge,
    /// The suit led; `None` before the lead, and after a lead of a card without a suit.
    led: Option<usize>,
    /// The number of tricks after this one.
    left: f32,
    /// The chair that plays.
    chair: usize,
    /// The chairs that play after it.
    later: [usize; 3],
    /// The number of chairs that play after it.
    chairs_left: usize,
    /// By side, the deciding seat's first: the strength of its best card so far, or 0.
    strongest: [u8; 2],
    /// Whether a declarer plays against one hidden hand.
    ///
    /// Such a declarer assumes that a trump lead takes a trump from that hand. The other player does better
    /// without this assumption, and so do both players if neither is declarer.
    draws: bool,
}

impl TrickPlanner {
    #[inline(always)]
    fn new(view: &View<'_, DummyWhist>, frame: Frame, led: Option<usize>, seen: &SeenCards) -> TrickPlanner {
        let knowledge = seen.in_frame(frame);
        let mut strongest = [0; 2];
        if let Some((hand, strength)) = view.winning() {
            strongest[usize::from(!counts_for(view, hand))] = strength;
        }
        let chair = |place: Place| knowledge.chairs[place.index() % Place::HANDS];
        let mut later = [0; 3];
        let chairs_left = view.hands_in_trick() - view.trick_length() - 1;
        let mut place = view.hand_to_move();
        for later in later.iter_mut().take(chairs_left) {
            place = view.after(place);
            *later = chair(place);
        }
        TrickPlanner {
            frame,
            led,
            left: 12.0 - view.tricks_played() as f32,
            chair: chair(view.hand_to_move()),
            later,
            chairs_left,
            strongest,
            draws: seen.playing == 2 && view.public().declarer() == Some(view.seat()),
            knowledge,
        }
    }

    /// Returns the strength of a card of the suit led, or of a trump.
    #[inline(always)]
    fn strength(&self, suit: usize, bit: u16) -> u8 {
        bit.trailing_zeros() as u8 + 1 + if suit == self.knowledge.trump { TRUMP } else { 0 }
    }

    /// Records the consequences of playing `card`.
    #[inline(always)]
    fn plan(
        &self,
        card: Card,
        plan: &mut CardPlan,
        contest: &mut Contest,
        estimator: &mut Estimator<'_>,
        suits: &mut Suits,
        params: &Params,
    ) {
        let spot = self.frame.spot(card);
        let mut strongest = self.strongest;
        // After the lead of a joker at no trump, the next hand chooses the suit, so nothing is known of it.
        let Some(led) = self.led.or(spot.map(|(suit, _)| suit)) else {
            (plan.chances[1], plan.after[1]) = (1.0, estimator.put(&self.knowledge.now, 0, suits));
            return;
        };
        if let Some((suit, bit)) = spot
            && (suit == led || suit == self.knowledge.trump)
        {
            strongest[0] = strongest[0].max(self.strength(suit, bit));
        }
        if contest.led != led {
            *contest = self.contest(led);
        }
        let wins = self.wins(contest, strongest);
        plan.value = wins * (1.0 + params.tempo);
        if let (None, Some((suit, bit))) = (self.led, spot)
            && suit != self.knowledge.trump
        {
            plan.value += self.lead(suit, bit, params);
        }
        let draws = self.draws && self.led.is_none() && led == self.knowledge.trump;
        for (winner, chance) in [wins, 1.0 - wins].into_iter().enumerate() {
            let is_possible = if winner == 0 { wins > 0.02 } else { wins < 0.98 };
            if is_possible {
                let mut after = self.knowledge.now;
                let changed = self.settle(&mut after, spot, contest, strongest, winner);
                let estimate =
                    if draws { estimator.put_drawn(&after, suits) } else { estimator.put(&after, changed, suits) };
                (plan.chances[winner], plan.after[winner]) = (chance, estimate);
            }
        }
    }

    /// Returns the worth of leading a plain card, beyond the trick and the cards' promise.
    #[inline(always)]
    fn lead(&self, suit: usize, bit: u16, params: &Params) -> f32 {
        let cards = &self.knowledge.now[suit];
        let [a, b, c, d] = cards.lengths(&self.knowledge.share[suit]).to_array();
        let longer = a.max(c) - b.max(d);
        // The side with the longer hand gains from every round of a suit, since its last cards win.
        let mut value = params.length * longer;
        let ours = cards.lane(0) | cards.lane(2);
        let theirs = cards.all() & !ours;
        // A middle card is wasted on a higher card, if partner could have made that card come first.
        if self.chairs_left > 1 && theirs > bit && theirs & (bit - 1) != 0 && ours & (bit - 1) != 0 {
            value -= params.patience;
        }
        // If both hands of a side hold winners, the shorter hand plays its winners first. The longer hand
        // keeps its winners.
        if self.chairs_left > 1 && self.knowledge.trump >= 4 {
            let (own, partner) = (cards.lane(self.chair), cards.lane((self.chair + 2) % CHAIRS));
            let both_win = own > theirs && partner > theirs;
            if both_win && own.count_ones() < partner.count_ones() && bit <= own / 2 {
                value -= SHORT_FIRST;
            }
        }
        value
    }

    /// Returns the possible plays of the hands still to play after a lead of `led`.
    #[inline(always)]
    fn contest(&self, led: usize) -> Contest {
        let Knowledge { now, share, trump, .. } = &self.knowledge;
        let mut contest = Contest {
            led,
            later: [Later::default(); 3],
            followers: 0,
            strongest: [0; 2],
            ours: 0.0,
            none: Powers::of(1.0),
            no_ruff: [1.0; 2],
        };
        let mut shares = [0.0; 2];
        let trumps = if *trump < 4 { now[*trump] } else { SuitCards::default() };
        for (later, &chair) in contest.later.iter_mut().zip(&self.later[..self.chairs_left]) {
            let (follow, share) = (now[led].lane(chair), share[led][chair]);
            let follows = follow != 0;
            let ruff = if share > 0.0 { 0 } else { trumps.lane(chair) };
            let lane = if follows { follow } else { ruff };
            let height = (16 - lane.leading_zeros()) as u8;
            let bonus = if !follows || led == *trump { TRUMP } else { 0 };
            let strongest = &mut contest.strongest[side(chair)];
            *strongest = (*strongest).max(if lane != 0 { height + bonus } else { 0 });
            contest.followers += u32::from(!follows & (share * now[led].pool.count_ones() as f32 >= 0.5));
            shares[side(chair)] += share;
            *later = Later { chair, lane, follows };
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

    /// Returns, by side, the chance of no ruff of `led` with one of `trumps` hidden trumps.
    #[inline(always)]
    fn no_ruff(&self, led: usize, trumps: u32) -> [f32; 2] {
        let Knowledge { now, share, trump, .. } = &self.knowledge;
        let mut no_ruff = [1.0; 2];
        if trumps == 0 {
            return no_ruff;
        }
        for &chair in &self.later[..self.chairs_left] {
            if now[led].lane(chair) == 0 {
                let void = Powers::of(1.0 - share[led][chair]).at(now[led].pool.count_ones());
                let ruff = 1.0 - Powers::of(1.0 - share[*trump][chair]).at(trumps);
                no_ruff[side(chair)] *= 1.0 - void * ruff;
            }
        }
        no_ruff
    }

    /// Returns the chance that the deciding seat's side wins the trick, with the strongest cards so far.
    #[inline(always)]
    fn wins(&self, contest: &Contest, strongest: [u8; 2]) -> f32 {
        let Knowledge { now, trump, .. } = &self.knowledge;
        let [ours, theirs] = [0, 1].map(|side: usize| strongest[side].max(contest.strongest[side]));
        let known = ours.max(theirs);
        let mut wins = f32::from(ours > theirs);
        let above = |suit: usize| {
            let height = known.saturating_sub(if suit == *trump { TRUMP } else { 0 });
            (now[suit].pool as u32 >> height.min(31)).count_ones()
        };
        // The highest card of unknown place decides, if a hand still to play holds it.
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

    /// Removes the cards of the trick from a position, if `spot` is played and `winner` wins.
    ///
    /// The hands still to play follow with their lowest cards; a hand that has to win plays its lowest
    /// sufficient card. Returns the changed suits, one bit each.
    #[inline(always)]
    fn settle(
        &self,
        after: &mut Holdings,
        spot: Option<(usize, u16)>,
        contest: &Contest,
        strongest: [u8; 2],
        winner: usize,
    ) -> u8 {
        let mut changed = 0;
        if let Some((suit, bit)) = spot {
            after[suit].take(self.chair, bit);
            changed = 1 << suit;
        }
        let (led, trump) = (contest.led, self.knowledge.trump);
        let mut beaten = strongest[winner] > strongest[1 - winner];
        let height = |is_trump: bool| strongest[1 - winner].saturating_sub(if is_trump { TRUMP } else { 0 });
        let (led_height, trump_height) = (height(led == trump), height(true));
        let enough = |lane: u16, height: u8| (u32::from(lane) >> height << height) as u16;
        // The cards played of the suit led, and the trumps of hands that ruff.
        let (mut follow, mut ruff) = (0, 0);
        for later in &contest.later[..self.chairs_left] {
            let beats = enough(later.lane, if later.follows { led_height } else { trump_height });
            let beats = if !beaten & (side(later.chair) == winner) { beats } else { 0 };
            beaten |= beats != 0;
            let from = if beats != 0 { beats } else { later.lane };
            let played = u64::from(from & from.wrapping_neg()) << (16 * later.chair);
            follow |= if later.follows { played } else { 0 };
            ruff |= if !later.follows && beats != 0 { played } else { 0 };
        }
        if trump < 4 {
            after[trump].held &= !ruff;
            changed |= u8::from(ruff != 0) << trump;
        }
        let mut pool = after[led].pool;
        let mut followers = contest.followers;
        changed |= u8::from(follow != 0 || followers > 0) << led;
        if !beaten && followers > 0 {
            let beats = enough(pool, led_height);
            pool &= !(beats & beats.wrapping_neg());
            followers -= u32::from(beats != 0);
        }
        for _ in 0..followers {
            pool &= pool.wrapping_sub(1);
        }
        after[led] = SuitCards { held: after[led].held & !follow, pool };
        changed
    }
}

/// The possible plays of the hands still to play to a trick, after the lead of a suit.
struct Contest {
    led: usize,
    /// The hands still to play with their known cards, in order.
    later: [Later; 3],
    /// The number of the other hands that will follow suit.
    followers: u32,
    /// By side: the strongest card that it certainly can play; 0 if it cannot win.
    strongest: [u8; 2],
    /// The chance that a hidden card of the suit in a later hand belongs to the own side.
    ours: f32,
    /// By number of hidden cards of the suit: the chance that no hand still to play holds one.
    none: Powers,
    /// By side: the chance that it does not ruff, if no trump has been played yet.
    no_ruff: [f32; 2],
}

/// A chair that is still to play.
#[derive(Clone, Copy, Default)]
struct Later {
    chair: usize,
    /// Its known cards for this trick: of the suit led, or else trumps.
    lane: u16,
    /// Whether it certainly follows suit.
    follows: bool,
}
