//! The chances of each hand to win the trick in progress.

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet, Order};
use overtrick_game::{Game, View};
use overtrick_language::DeclaredGame;
use overtrick_language::compile::{DutyTrick, PlayDuties};

use super::hands::HandsInView;
use super::strength::{SUITS, Strengths};
use crate::rule_based::reading::lean;

/// A hand that plays to the trick after the hand to move.
#[derive(Clone, Copy, Default)]
struct LaterHand {
    hand: usize,
    /// How much it wants to win the trick from the hand to move, and from the hand that is winning it, 0 to 1.
    wants: [f32; 2],
}

/// The duties of the hands in a trick.
#[derive(Clone, Copy)]
struct DutiesInTrick<'a> {
    duties: &'a PlayDuties,
    order: usize,
    /// Whether the hands across are partners.
    partners: bool,
}

/// The trick in progress, as the seat to move sees it.
pub struct OpenTrick<'a> {
    order: &'a Order,
    /// The duties, where following suit is not the only one.
    duties: Option<DutiesInTrick<'a>>,
    strengths: &'a Strengths,
    hands: &'a HandsInView,
    mover: usize,
    led: Option<Card>,
    /// The hand that is winning the trick (at first the hand to move), and the strength of its card.
    winning: (usize, u8),
    later: [LaterHand; Place::HANDS],
    /// The number of hands that play later.
    pub behind: usize,
}

impl<'a> OpenTrick<'a> {
    /// Returns the trick in progress.
    #[inline(always)]
    pub fn new(
        view: &View<'a, DeclaredGame>,
        order: &'a Order,
        strengths: &'a Strengths,
        hands: &'a HandsInView,
    ) -> OpenTrick<'a> {
        let mut hand = view.hand_to_move();
        let mover = hand.index();
        let mut later = [LaterHand::default(); Place::HANDS];
        let behind = view.hands_in_trick() - view.trick_length() - 1;
        for later in later.iter_mut().take(behind) {
            hand = view.after(hand);
            later.hand = hand.index();
        }
        let led = view.led().filter(|led| !order.follow(*led).is_empty());
        let winning = view.winning().map_or((mover, 0), |(hand, best)| (hand.index(), best));
        let order_number = view.public().order_number();
        let partners = view.game().layout().partners;
        let duties = view.game().special_duties().map(|duties| DutiesInTrick { duties, order: order_number, partners });
        OpenTrick { order, duties, strengths, hands, mover, led, winning, later, behind }
    }

    /// Sets how much later hands want the trick. `wants` has that by hand that wins and by hand that holds it.
    #[inline(always)]
    pub fn set_wants(&mut self, wants: impl Fn(usize, usize) -> f32) {
        for later in self.later.iter_mut().take(self.behind) {
            later.wants = [wants(later.hand, self.mover), wants(later.hand, self.winning.0)];
        }
    }

    /// Returns the chances of the hands to win the trick if `card` is played.
    ///
    /// If a later hand beats the best card, a hand after it wins with half of its chance to beat that, since each of
    /// two cards that beat the same card is equally likely to be stronger.
    #[inline(always)]
    pub fn chances(&self, card: Card) -> [f32; Place::HANDS] {
        let led = self.led.unwrap_or(card);
        let own = self.order.strength(led, card);
        let (mut holder, mut best) = self.winning;
        let wins = own >= best;
        if wins {
            (holder, best) = (self.mover, own);
        }
        let (mut chances, mut held) = ([0.0; Place::HANDS], 1.0_f32);
        for later in self.later.iter().take(self.behind) {
            let want = if wins { later.wants[0] } else { later.wants[1] };
            let beats = match &self.duties {
                None => self.beats(later.hand, led, best, card, want),
                Some(duties) => self.beats_by_duty(duties, [later.hand, holder], led, best, card, want),
            };
            let half = 0.5 * beats;
            for chance in &mut chances {
                *chance *= 1.0 - half;
            }
            chances[later.hand % Place::HANDS] += half + half * held;
            held *= 1.0 - beats;
        }
        chances[holder % Place::HANDS] += held;
        chances
    }

    /// Returns the chance that a hand beats strength `best`. `want` says how much it wants to, 0 to 1.
    #[inline(always)]
    fn beats(&self, hand: usize, led: Card, best: u8, card: Card, want: f32) -> f32 {
        let (hands, suit) = (self.hands, self.strengths.suit(led));
        let enough = self.strengths.beat(led, best).without(card);
        let held = (hands.unseen | hands.seen[hand]).without(card);
        let follow = self.strengths.cards(suit) & held;
        let (good, bad) = (follow & enough, follow - enough);
        let (no_good, no_bad) = (hands.misses(hand, suit, good), hands.misses(hand, suit, bad));
        let void = no_good * no_bad;
        let even = (1.0 - void) * good.len() as f32 / (follow.len() as f32).max(1.0);
        let followed = lean((1.0 - no_good) * no_bad, even, 1.0 - no_good, want);
        let others = (held - follow) & enough;
        if void < 0.01 || others.is_empty() {
            return followed;
        }
        followed + void * self.discards_enough(hand, suit, others, held - follow, want)
    }

    /// Returns the same in a game with other duties than to follow suit. The first hand plays, and the second wins.
    fn beats_by_duty(
        &self,
        of: &DutiesInTrick<'_>,
        [hand, holder]: [usize; 2],
        led: Card,
        best: u8,
        card: Card,
        want: f32,
    ) -> f32 {
        let (hands, suit) = (self.hands, self.strengths.suit(led));
        let enough = self.strengths.beat(led, best).without(card);
        let held = (hands.unseen | hands.seen[hand]).without(card);
        let follow = self.strengths.cards(suit);
        let partner_wins = of.partners && hand ^ holder == 2;
        let trick = DutyTrick { order: of.order, led, follow, best: Some(best), partner_wins };
        let wants = |void| if of.duties.must_beat(trick, void) { 1.0 } else { want };
        if !of.duties.follows() {
            return self.chooses_enough(hand, held & enough, held, wants(false));
        }
        let (good, bad) = (follow & held & enough, (follow & held) - enough);
        let (no_good, no_bad) = (hands.misses(hand, suit, good), hands.misses(hand, suit, bad));
        let void = no_good * no_bad;
        let even = (1.0 - void) * good.len() as f32 / ((follow & held).len() as f32).max(1.0);
        let followed = lean((1.0 - no_good) * no_bad, even, 1.0 - no_good, wants(false));
        let others = held - follow;
        let all = of.duties.must_trump(trick).map_or(others, |trumps| others & trumps);
        followed + void * self.chooses_enough(hand, all & enough, all, wants(true))
    }

    /// Returns the chance that a hand plays one of the cards `enough`, if it may play any of the cards `all`.
    fn chooses_enough(&self, hand: usize, enough: CardSet, all: CardSet, want: f32) -> f32 {
        let (none, no_others) = (self.misses(hand, enough), self.misses(hand, all - enough));
        let even = (1.0 - none * no_others) * enough.len() as f32 / (all.len() as f32).max(1.0);
        lean((1.0 - none) * no_others, even, 1.0 - none, want)
    }

    /// Returns the chance that a hand holds none of some cards.
    fn misses(&self, hand: usize, cards: CardSet) -> f32 {
        let by_suit = (0..SUITS).map(|suit| self.hands.misses(hand, suit, self.strengths.cards(suit) & cards));
        by_suit.product()
    }

    /// Returns the chance that a hand without the suit led wins with one of the cards `enough` of the cards `all`.
    #[inline(always)]
    fn discards_enough(&self, hand: usize, led: usize, enough: CardSet, all: CardSet, want: f32) -> f32 {
        let mut none = 1.0;
        for suit in 0..SUITS {
            let cards = self.strengths.cards(suit) & enough;
            if suit != led && !cards.is_empty() {
                none *= self.hands.misses(hand, suit, cards);
            }
        }
        let even = enough.len() as f32 / (all.len() as f32).max(1.0);
        lean(0.0, even, 1.0 - none, want)
    }
}
