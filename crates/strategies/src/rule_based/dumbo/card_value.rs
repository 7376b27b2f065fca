//! Values a card by the trick and the hands after it is played.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Order};
use overtrick_game::{Game, View};
use overtrick_games::dumbo::{DUMBO, Dumbo, snaps};
use wide::f32x4;

use super::Params;
use super::deal_value::{DealValuer, LATE, NEGLIGIBLE};
use super::prospects::Prospects;
use crate::rule_based::choice::{GROUP, Races};
use crate::rule_based::reading::{BITS, Reading, SuitPowers, lean};

const HANDS: usize = Place::HANDS;
const TRICKS: usize = 13;

/// A hand as the seat sees it.
#[derive(Clone, Copy)]
struct Hand {
    /// The cards of the hand that the seat sees.
    cards: CardSet,
    /// The number of cards in the hand.
    count: u32,
    /// Whether the seat sees all cards of the hand.
    open: bool,
}

/// The possible replies of a hand, for each of a group of cards.
enum Replies {
    /// The seat sees all cards of the hand.
    Open {
        /// The number of cards that the hand may play, and of those that beat the card.
        legal: f32x4,
        good: f32x4,
    },
    /// The seat sees no card of the hand.
    Hidden {
        /// The number of unseen cards of the suit led, at least 1, and of its winners.
        all: f32x4,
        good: f32x4,
        /// The chances that the hand holds none of these winners, and none of the other cards.
        none_high: f32x4,
        none_low: f32x4,
        /// The chance that it can snap.
        snaps: f32x4,
        /// The chance that it snaps with a random card if it does not have the suit.
        fear: f32x4,
    },
}

impl Replies {
    /// Returns, by card, the chance that the hand beats it.
    ///
    /// `wants` is how much it wants to win, 0 to 1.
    #[inline(always)]
    fn beats(&self, wants: f32) -> f32x4 {
        let one = f32x4::ONE;
        match *self {
            Replies::Open { legal, good } => {
                let (some, every) = (one & good.simd_gt(f32x4::ZERO), one & good.simd_eq(legal));
                lean(every, good / legal, some, wants)
            }
            Replies::Hidden { all, good, none_high, none_low, snaps, fear } => {
                let void = none_high * none_low;
                let even = (one - void) * good / all;
                let followed = lean((one - none_high) * none_low, even, one - none_high, wants);
                let snapped = void * lean(f32x4::ZERO, fear, snaps, wants);
                followed + (snapped & void.simd_ge(NEGLIGIBLE))
            }
        }
    }
}

/// Returns, by hand, the sum of the prospects of its cards; hidden cards count in proportion.
#[inline(always)]
fn strength(hands: &[Hand; HANDS], unseen: CardSet, prospects: &Prospects) -> [f32; HANDS] {
    let [a, b, c, d] = [hands[0].cards, hands[1].cards, hands[2].cards, hands[3].cards];
    let (mut hidden, mut hidden_hands) = ([0.0; HANDS], 0);
    for hand in 0..HANDS {
        hidden[hand] = (hands[hand].count - hands[hand].cards.len()) as f32;
        hidden_hands += usize::from(!hands[hand].open);
    }
    // A hidden hand holds only a part of the unseen cards.
    let sums = prospects.sums([a, b, c, d, unseen], hidden_hands.max(1));
    let a_card = sums[HANDS] / (hidden[0] + hidden[1] + hidden[2] + hidden[3]).max(1.0);
    let mut strength = [0.0; HANDS];
    for hand in 0..HANDS {
        strength[hand] = sums[hand] + a_card * hidden[hand];
    }
    strength
}

/// Returns, by hand, how much it probably wants tricks, 0 to 1.
///
/// A player with fewer tricks than Dumbo wants tricks, and a player with more does not. The dealer wants the
/// opposite for Dumbo's hand.
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

/// Values the cards of one decision. It holds the facts that are the same for every card.
pub(super) struct CardValuer<'a> {
    valuer: DealValuer<'a>,
    order: &'a Order,
    prospects: &'a Prospects,
    reading: &'a Reading,
    /// By hand: the chance that it holds none of some unseen cards of a suit.
    miss: &'a [SuitPowers; HANDS],
    led: Option<Card>,
    /// The hand that is winning the trick (at first the mover), and the strength of its card.
    winning: (usize, u8),
    /// Whether a card of the rank led can win.
    snapping: bool,
    /// The hand that plays now.
    mover: usize,
    /// By hand: the hand that plays after it.
    after: [usize; HANDS],
    /// The number of hands that play to this trick after the mover.
    behind: usize,
    /// The later hand that the same seat plays, if any.
    partner: Option<usize>,
    hands: [Hand; HANDS],
    /// All cards still in play.
    all: CardSet,
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the sum of the prospects of its cards after the trick; for the mover, before it.
    strength: [f32; HANDS],
    /// By hand: how much it probably wants tricks, 0 to 1.
    wants: [f32; HANDS],
}

impl<'a> CardValuer<'a> {
    #[inline(always)]
    pub(super) fn new(
        view: &View<'a, Dumbo>,
        params: &'a Params,
        prospects: &'a Prospects,
        reading: &'a Reading,
        miss: &'a [SuitPowers; HANDS],
    ) -> CardValuer<'a> {
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
        let mut all = reading.unseen;
        for hand in hands {
            all |= hand.cards;
        }
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
        CardValuer {
            valuer: DealValuer::new(view.game(), params, view.seat(), view.dealer(), left, won),
            order,
            prospects,
            all,
            reading,
            miss,
            led,
            snapping,
            winning: view.winning().map_or((mover, 0), |(place, best)| (place.index(), best)),
            mover,
            after,
            behind,
            partner,
            hands,
            left,
            strength,
            wants,
        }
    }

    /// Returns whether few enough tricks are left that the next leader's cards matter.
    #[inline(always)]
    fn late(&self) -> bool {
        (1..=LATE).contains(&self.left)
    }

    /// Returns whether the mover's neighbouring cards `low` and `high` are equivalent.
    ///
    /// They are if no other hand holds a card between them and none is in the trick. For a lead, now or in
    /// the last tricks, cards are never equivalent, because the rank of the card led decides which cards snap
    /// it.
    #[inline(always)]
    pub(super) fn alike(&self, low: Card, high: Card) -> bool {
        let (Some(led), false) = (self.led, self.late()) else {
            return false;
        };
        let elsewhere = self.all - self.hands[self.mover].cards;
        let between = (1u64 << high.index()) - (1 << low.index());
        let wins = |card: Card| self.order.strength(led, card) >= self.winning.1;
        high.lane() == low.lane() && elsewhere.bits() & between == 0 && wins(low) == wins(high)
    }

    /// Returns the worth of playing each card of a group; only the first `number` count.
    ///
    /// If the same seat plays a later card to the trick from another hand, the better of winning and ducking
    /// there counts.
    #[inline(always)]
    pub(super) fn values(&mut self, group: [Card; GROUP], number: usize) -> [f32; GROUP] {
        let chances = self.chances(group);
        let shares = f32x4::transpose(self.shares_without(group));
        let mut by_winner = [f32x4::ZERO; GROUP];
        for card in 0..number.min(GROUP) {
            self.valuer.begin(shares[card].to_array());
            by_winner[card] = if self.late() {
                let mut likely = [false; HANDS];
                for winner in 0..HANDS {
                    let most = chances[0][winner].fast_max(chances[1][winner]).to_array();
                    likely[winner] = most[card] >= NEGLIGIBLE;
                }
                f32x4::from(self.by_next_leader(group[card], likely))
            } else {
                f32x4::from(self.valuer.by_winner())
            };
        }
        let by_winner = f32x4::transpose(by_winner);
        let mut values = [f32x4::ZERO; 2];
        for winner in 0..HANDS {
            for plan in 0..2 {
                let chance = chances[plan][winner];
                values[plan] += (chance & chance.simd_ge(NEGLIGIBLE)) * by_winner[winner];
            }
        }
        values[0].simd_gt(values[1]).bitselect(values[0], values[1]).to_array()
    }

    /// Returns, by winner of this trick, the worth of the deal after `card`.
    ///
    /// The winner leads at random. Winners that are not `likely` are left out.
    #[inline(always)]
    fn by_next_leader(&self, card: Card, likely: [bool; HANDS]) -> [f32; HANDS] {
        let mut hands = self.hands;
        let mover = &mut hands[self.mover];
        mover.cards -= CardSet::of(card);
        mover.count -= 1;
        let mut values = [0.0; HANDS];
        for winner in 0..HANDS {
            if likely[winner] {
                let next = self.next_trick(&hands, winner);
                values[winner] = self.valuer.after(winner, next);
            }
        }
        values
    }

    /// Returns the chances to win the trick, by plan, then by hand, then by card played now.
    ///
    /// The plans for the later card of the same seat are ducking and winning. Without such a card they are
    /// equal.
    #[inline(always)]
    fn chances(&self, cards: [Card; GROUP]) -> [[f32x4; HANDS]; 2] {
        let (holder, strongest) = self.winning;
        let (mut led, mut best, mut wins) = (cards, [0; GROUP], [0.0; GROUP]);
        for number in 0..GROUP {
            led[number] = self.led.unwrap_or(cards[number]);
            let own = self.order.strength(led[number], cards[number]);
            best[number] = own.max(strongest);
            wins[number] = if own >= strongest { 1.0 } else { 0.0 };
        }
        let (mut ducking, mut hand) = (Races::NEW, self.mover);
        let mut winning = ducking;
        for _ in 0..self.behind {
            hand = self.after[hand];
            let reply = self.reply(&self.hands[hand], hand, led, best);
            if self.partner == Some(hand) {
                ducking.plays_next(hand, reply.beats(0.0));
                winning.plays_next(hand, reply.beats(1.0));
            } else {
                let beats = reply.beats(self.wants[hand]);
                ducking.plays_next(hand, beats);
                winning.plays_next(hand, beats);
            }
        }
        let wins = wins.into();
        [ducking.chances(self.mover, holder, wins), winning.chances(self.mover, holder, wins)]
    }

    /// Returns, by hand, then by card played: its share of the strength left after the trick.
    #[inline(always)]
    fn shares_without(&self, cards: [Card; GROUP]) -> [f32x4; HANDS] {
        let (mut shares, mut prospects) = ([f32x4::ZERO; HANDS], [0.0; GROUP]);
        for number in 0..GROUP {
            prospects[number] = self.prospects.of(cards[number], self.hands[self.mover].cards, self.all);
        }
        for (share, strength) in shares.iter_mut().zip(self.strength) {
            *share = f32x4::splat(strength);
        }
        shares[self.mover] -= f32x4::from(prospects);
        let [a, b, c, d] = shares;
        let a_trick = f32x4::ONE / (a + b + c + d).fast_max(f32x4::from(0.01));
        for share in &mut shares {
            *share = share.fast_max(f32x4::ZERO) * a_trick;
        }
        shares
    }

    /// Returns, by hand, the chance to win the next trick if `leader` leads at random.
    #[inline(always)]
    fn next_trick(&self, hands: &[Hand; HANDS], leader: usize) -> [f32; HANDS] {
        let open = hands[leader].open;
        let mut leads = if open { hands[leader].cards } else { self.reading.unseen };
        let mut sum = [0.0; HANDS];
        let mut weights = 0.0;
        while let Some(first) = leads.first() {
            // If the last group is not full, its first card fills it up with weight zero.
            let (mut group, mut weight) = ([first; GROUP], [0.0; GROUP]);
            for number in 0..GROUP {
                let Some(card) = leads.first() else { break };
                leads -= CardSet::of(card);
                group[number] = card;
                weight[number] = if open { 1.0 } else { self.reading.share[leader][card.lane()] };
            }
            let mut best = [0; GROUP];
            for number in 0..GROUP {
                best[number] = self.order.strength(group[number], group[number]);
            }
            let (mut races, mut hand) = (Races::NEW, leader);
            for _ in 1..HANDS {
                hand = self.after[hand];
                races.plays_next(hand, self.reply(&hands[hand], hand, group, best).beats(self.wants[hand]));
            }
            let chances = races.chances(leader, leader, f32x4::ONE);
            for (sum, chances) in sum.iter_mut().zip(chances) {
                for (chance, weight) in chances.to_array().into_iter().zip(weight) {
                    *sum += weight * chance;
                }
            }
            for weight in weight {
                weights += weight;
            }
        }
        sum.map(|sum| sum / weights)
    }

    /// Returns the possible replies of `hand` to cards of strength `best` when the cards of `led` are led.
    #[inline(always)]
    fn reply(&self, view: &Hand, hand: usize, led: [Card; GROUP], best: [u8; GROUP]) -> Replies {
        // By card: the number of cards that follow, the number of them that beat it, and the possible snaps.
        let ([mut all, mut good], mut snapping) = ([[0; GROUP]; 2], [CardSet::EMPTY; GROUP]);
        let cards = if view.open { view.cards } else { self.reading.unseen };
        for number in 0..GROUP {
            // In the suit led a card's strength is its rank plus one; every snap is stronger.
            let high = CardSet::of_ranks(u16::MAX << best[number].min(15));
            let following = cards & self.order.follow(led[number]);
            snapping[number] = cards & if self.snapping { snaps(led[number]) } else { CardSet::EMPTY };
            all[number] = following.len() as i32;
            good[number] = (following & high).len() as i32;
            if view.open && following.is_empty() {
                all[number] = cards.len() as i32;
                good[number] = snapping[number].len() as i32;
            }
        }
        let number = |counts: [i32; GROUP]| f32x4::from_i32x4(counts.into());
        if view.open {
            return Replies::Open { legal: number(all), good: number(good) };
        }
        let (mut none_high, mut none_low) = ([0.0; GROUP], [0.0; GROUP]);
        for number in 0..GROUP {
            let (miss, suit) = (&self.miss[hand], led[number].lane());
            none_high[number] = miss.at(suit, good[number] as u32);
            none_low[number] = miss.at(suit, (all[number] - good[number]) as u32);
        }
        let mut may_snap = [f32x4::ZERO; GROUP];
        for number in 0..GROUP {
            may_snap[number] = f32x4::from(BITS[snapping[number].suits_with(led[number])]);
        }
        let share = self.reading.share[hand];
        let [a, b, c, d] = f32x4::transpose(may_snap);
        let [a, b, c, d] = [a * share[0], b * share[1], c * share[2], d * share[3]];
        let one = f32x4::ONE;
        let snaps = one - (one - a) * (one - b) * (one - c) * (one - d);
        let fear = (a + b + c + d) * self.valuer.params.snap_fear / view.count as f32;
        Replies::Hidden {
            all: number(all).fast_max(one),
            good: number(good),
            none_high: none_high.into(),
            none_low: none_low.into(),
            snaps,
            fear: fear.simd_lt(snaps).bitselect(fear, snaps),
        }
    }
}
