//! The cards of each hand as far as a seat knows them, in suits from worst to best.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Rank, Suit};
use overtrick_game::{Game, View};
use overtrick_games::whist::{DummyWhist, Form, second_hand};
use wide::f32x4;

use crate::rule_based::reading::{self, BITS};

/// The suit number that stands for no trump suit.
const NONE: usize = 4;
/// The strength that a trump adds to a card.
pub(super) const TRUMP: u8 = 16;
/// The number of chairs: two for each side. In Humbug one chair of each side stays empty.
pub(super) const CHAIRS: usize = 4;

/// The trumps and the direction, which turn a suit's cards into a *lane*.
///
/// A lane is a word in which a higher bit is a better card. At no trump jokers are in no lane.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    trump: usize,
    downtown: bool,
}

impl Frame {
    /// Returns the frame of these trumps and this direction.
    pub(super) fn new(trump: Option<Suit>, downtown: bool) -> Frame {
        Frame { trump: trump.map_or(NONE, |suit| suit as usize), downtown }
    }

    /// Returns the number of the trump suit.
    #[inline(always)]
    pub(super) fn trump(self) -> Option<usize> {
        (self.trump != NONE).then_some(self.trump)
    }

    /// Returns the cards in one word, with sixteen bits for each suit's lane. The highest bit of a lane is
    /// never set.
    #[inline(always)]
    pub(super) fn word(self, cards: CardSet) -> u64 {
        let (jokers, word) = (cards & CardSet::JOKERS, self.turned((cards - CardSet::JOKERS).bits()));
        if self.trump == NONE { word } else { word | jokers.bits() >> 48 << (16 * self.trump) }
    }

    /// Returns the cards of a word; the reverse of [`word`](Self::word).
    #[inline(always)]
    pub(super) fn cards(self, word: u64) -> CardSet {
        let jokers = if self.trump == NONE { 0 } else { (word >> (16 * self.trump) << 48) & CardSet::JOKERS.bits() };
        CardSet::from_bits(self.turned(word & CardSet::of_ranks(u16::MAX).bits()) | jokers)
    }

    /// Converts a word without jokers between cards and lanes. Applied twice, it changes nothing.
    #[inline(always)]
    fn turned(self, word: u64) -> u64 {
        const ACES: u64 = CardSet::rank(Rank::Ace).bits();
        if !self.downtown {
            return word;
        }
        // The ace stays the best card, and the others are reversed: all bits, then suits put back.
        let low = (word & !ACES).reverse_bits();
        let low = low >> 48 | low >> 16 & 0xFFFF_0000 | (low & 0xFFFF_0000) << 16 | low << 48;
        low >> 4 & !ACES & CardSet::of_ranks(u16::MAX).bits() | word & ACES
    }

    /// Returns a card's suit and its bit there, or `None` for a joker that belongs to no suit.
    #[inline(always)]
    pub(super) fn spot(self, card: Card) -> Option<(usize, u16)> {
        let (suit, rank) =
            if card.is_joker() { (self.trump, card.index() - 48) } else { (card.lane(), card.place_in_lane()) };
        let below_ace = rank < Rank::Ace.index();
        (suit < NONE).then(|| (suit, 1 << if self.downtown && below_ace { Rank::King.index() - rank } else { rank }))
    }
}

/// The cards of a suit, by *chair*.
///
/// The tricks of chairs 0 and 2 count for the deciding seat; chairs 1 and 3 are the other hands that play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SuitCards {
    /// By chair, sixteen bits each: the cards that it certainly holds.
    pub(super) held: u64,
    /// The cards that may be in several places.
    pub(super) pool: u16,
}

impl SuitCards {
    /// Returns the cards that a chair certainly holds.
    #[inline(always)]
    pub(super) fn lane(&self, chair: usize) -> u16 {
        (self.held >> (16 * chair)) as u16
    }

    /// Takes cards from a chair's certain cards.
    #[inline(always)]
    pub(super) fn take(&mut self, chair: usize, lane: u16) {
        self.held &= !(u64::from(lane) << (16 * chair));
    }

    /// Returns all remaining cards of the suit.
    #[inline(always)]
    pub(super) fn all(&self) -> u16 {
        let pairs = self.held | self.held >> 32;
        self.pool | (pairs | pairs >> 16) as u16
    }

    /// Returns, by chair, the number of cards of the suit that it certainly holds.
    #[inline(always)]
    pub(super) fn known(&self) -> [f32; CHAIRS] {
        let known = |chair: usize| self.lane(chair).count_ones() as f32;
        [known(0), known(1), known(2), known(3)]
    }

    /// Returns, by chair, the average number of cards of the suit, given its share of the pool.
    #[inline(always)]
    pub(super) fn lengths(&self, share: &[f32; CHAIRS]) -> f32x4 {
        f32x4::from(self.known()) + f32x4::from(*share) * self.pool.count_ones() as f32
    }
}

/// Returns the side of a chair: 0 for the deciding seat's side.
#[inline(always)]
pub(super) fn side(chair: usize) -> usize {
    chair % 2
}

/// The cards of each chair, certain or by chance, by suit.
pub(super) type Holdings = [SuitCards; 4];

/// A seat's knowledge of a deal under given trumps and direction.
#[derive(Clone, Copy)]
pub(super) struct Knowledge {
    /// The present position.
    pub(super) now: Holdings,
    /// By suit, then chair: the chance that it holds a card of the pool.
    pub(super) share: [[f32; CHAIRS]; 4],
    /// By hand: its chair.
    pub(super) chairs: [usize; Place::HANDS],
    /// The number of the trump suit; 4 without trumps.
    pub(super) trump: usize,
}

/// The cards of a deal as a seat sees them, independent of trumps.
pub(super) struct SeenCards {
    /// By chair: its visible cards.
    held: [CardSet; CHAIRS],
    /// By chair: the number of its hidden cards.
    hidden: [u8; CHAIRS],
    chairs: [usize; Place::HANDS],
    /// The number of chairs that play: two, or all.
    pub(super) playing: usize,
    unseen: CardSet,
    /// The number of unseen cards outside the hands that play.
    aside: u32,
    /// By suit: the chairs that have not shown out of it, one bit each.
    may: [u8; 4],
}

impl SeenCards {
    /// Returns the cards that `view` shows. `sides` says, by hand, if it plays and if it counts for the
    /// deciding seat.
    #[inline(always)]
    fn new(view: &View<'_, DummyWhist>, sides: [Option<bool>; Place::HANDS]) -> SeenCards {
        let unseen = view.unseen();
        let mut seen = SeenCards {
            held: [CardSet::EMPTY; CHAIRS],
            hidden: [0; CHAIRS],
            chairs: [0; Place::HANDS],
            playing: sides.into_iter().flatten().count(),
            unseen,
            aside: unseen.len(),
            may: [0; 4],
        };
        let (mut next, mut may) = ([1, 0], 0u32);
        for (hand, place) in Place::ALL.into_iter().take(Place::HANDS).enumerate() {
            let Some(ours) = sides[hand] else { continue };
            let chair = next[usize::from(ours)] % CHAIRS;
            next[usize::from(ours)] += 2;
            let cards = view.cards(place);
            let hidden = view.count(place) as u32 - cards.len();
            seen.chairs[hand] = chair;
            (seen.held[chair], seen.hidden[chair]) = (cards, hidden as u8);
            seen.aside -= hidden;
            may |= 0x0101_0101 << chair;
        }
        seen.may = may.to_le_bytes();
        seen
    }

    /// Returns the deal before the play, with the deciding seat as declarer.
    #[inline(always)]
    pub(super) fn declaring(view: &View<'_, DummyWhist>) -> SeenCards {
        let (seats, me) = (view.game().layout().seats, view.seat());
        let side = |hand: usize| match view.game().rules().form {
            _ if hand < seats => Some(hand == me.index()),
            Form::DummyWhist => Some(true),
            Form::DoubleDummy => Some(Place::ALL[hand] == second_hand(me)),
            Form::Humbug => None,
        };
        SeenCards::new(view, std::array::from_fn(side))
    }

    /// Returns the deal during the play, before recording who has [shown out](Self::show_out).
    #[inline(always)]
    pub(super) fn in_play(view: &View<'_, DummyWhist>) -> SeenCards {
        let plays = view.hands_in_trick();
        let side = |hand: usize| (hand < plays).then(|| counts_for(view, Place::ALL[hand]));
        SeenCards::new(view, std::array::from_fn(side))
    }

    /// Records the suits of which each hand has shown out, one bit each.
    #[inline(always)]
    pub(super) fn show_out(&mut self, out: [u8; Place::HANDS]) {
        let mut may = u32::from_le_bytes(self.may);
        for (out, chair) in out.into_iter().zip(self.chairs) {
            may &= !(in_bytes(out) << chair);
        }
        self.may = may.to_le_bytes();
    }

    /// Returns the cards that may be in hands that play.
    #[inline(always)]
    pub(super) fn all(&self) -> CardSet {
        let [a, b, c, d] = self.held;
        self.unseen | a | b | c | d
    }

    /// Returns whether there are jokers, which belong to the trumps.
    #[inline(always)]
    pub(super) fn has_jokers(&self) -> bool {
        !self.all().is_disjoint(CardSet::JOKERS)
    }

    /// Returns the deal in a frame, with the unseen cards shared among the hands that may hold them.
    #[inline(always)]
    pub(super) fn in_frame(&self, frame: Frame) -> Knowledge {
        let mut now = [SuitCards::default(); 4];
        let pool = frame.word(self.unseen);
        for (suit, cards) in now.iter_mut().enumerate() {
            cards.pool = (pool >> (16 * suit)) as u16;
        }
        for chair in 0..CHAIRS {
            let held = frame.word(self.held[chair]);
            for (suit, cards) in now.iter_mut().enumerate() {
                cards.held |= (held >> (16 * suit) & 0xFFFF) << (16 * chair);
            }
        }
        let hidden = if self.aside == 0 { self.settle(&mut now) } else { self.hidden };
        let mut share = [[0.0; CHAIRS]; 4];
        let hidden = f32x4::from(hidden.map(f32::from));
        for suit in 0..4 {
            // Without hidden cards, or without room for them, nothing is shared. This uses numbers instead of
            // branches, which would mispredict.
            let holders = if now[suit].pool != 0 { usize::from(self.may[suit]) } else { 0 };
            let may = hidden * f32x4::from(BITS[holders % BITS.len()]);
            let [a, b, c, d] = may.to_array();
            let room = self.aside as f32 + a + b + c + d;
            share[suit] = (may / f32x4::splat(room).fast_max(f32x4::ONE)).to_array();
        }
        Knowledge { now, share, chairs: self.chairs, trump: frame.trump }
    }

    /// Assigns pool cards that only one hand can hold, if no cards are aside.
    ///
    /// Returns the numbers of cards that are still hidden.
    #[inline(always)]
    fn settle(&self, now: &mut Holdings) -> [u8; CHAIRS] {
        // A byte for each chair, with the highest bit set where a card is hidden. This uses numbers instead
        // of branches, which would mispredict.
        const NONE: u32 = 0x7F7F_7F7F;
        let mut hidden = NONE + u32::from_le_bytes(self.hidden);
        for (cards, may) in now.iter_mut().zip(self.may) {
            let holders = hidden & in_bytes(may) << 7;
            let only = if holders.is_power_of_two() { holders } else { 0 };
            let settled = if only == 0 { 0 } else { cards.pool };
            cards.pool ^= settled;
            cards.held |= u64::from(settled) << (2 * (only.trailing_zeros() & 0x18));
            hidden -= (only >> 7) * settled.count_ones();
        }
        hidden.to_le_bytes().map(|byte| byte.saturating_sub(0x7F))
    }
}

/// Returns the lowest four bits, each in a separate byte, by a multiplication.
#[inline(always)]
fn in_bytes(bits: u8) -> u32 {
    (u32::from(bits & 0xF) * 0x0020_4081) & 0x0101_0101
}

/// Returns, by hand, the suits of which it has shown out, one bit each.
#[inline(always)]
pub(super) fn suits_out(view: &View<'_, DummyWhist>) -> [u8; Place::HANDS] {
    let rules = view.game().rules();
    if rules.jokers || rules.allow_renege { reading::suits_out(view) } else { reading::plain_suits_out(view) }
}

/// Returns whether the tricks of `hand` count for the deciding seat.
pub(super) fn counts_for(view: &View<'_, DummyWhist>, hand: Place) -> bool {
    // Without a declarer two players oppose each other, and either may stand for the declarer.
    let declarer = view.public().declarer().unwrap_or(Seat::Seat0);
    (view.decider(hand) == declarer) == (view.seat() == declarer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::whist::{Params, RuleBased};
    use overtrick_cards::SeedSource;
    use overtrick_game::{Move, Setup, Standing};
    use overtrick_games::whist::{Phase, WhistRules};
    use overtrick_strategy::Strategy;
    use overtrick_strategy::pick;

    /// Plays deals with the rule-based strategy at seat 0 against players who play any card that they hold.
    ///
    /// Returns the number of reneges, and the number of cards in hands that seat 0 assumed to be out of their
    /// suit.
    fn beside_reckless_players(rules: WhistRules) -> [usize; 2] {
        let game = DummyWhist::new(rules).unwrap();
        let standing = Standing::default();
        let mut bot = RuleBased::new(Params::default());
        let [mut reneges, mut misplaced] = [0; 2];
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "renege").stream(number, 0);
            let setup = Setup::single(&game, number, false);
            let mut state = game.deal(setup, &mut rng);
            while !game.is_over(&state) {
                let (legal, hand) = (game.legal(&state), state.table.hand_to_move());
                let view = View::new(&game, &state, &standing, state.table.seat_to_move());
                let in_play = view.public().phase() == Phase::Play;
                let chosen = if view.seat() != Seat::Seat0 && in_play && !game.renege_moves(&state).is_empty() {
                    Move::card(rng.card(state.table.at(hand)))
                } else if view.seat() == Seat::Seat0 || in_play {
                    bot.choose(&view, legal, &mut rng)
                } else {
                    pick(legal, &mut rng, overtrick_cards::select::Portable)
                };
                if view.seat() == Seat::Seat0 && in_play {
                    let frame = Frame::new(view.public().trump(), view.public().downtown());
                    let mut seen = SeenCards::in_play(&view);
                    seen.show_out(suits_out(&view));
                    let knowledge = seen.in_frame(frame);
                    for other in (0..view.hands_in_trick()).filter(|&other| side(knowledge.chairs[other]) == 1) {
                        let (word, chair) = (frame.word(state.table.at(Place::ALL[other])), knowledge.chairs[other]);
                        misplaced += (0..4)
                            .filter(|&suit| knowledge.share[suit][chair] == 0.0)
                            .map(|suit| {
                                ((word >> (16 * suit)) as u16 & !knowledge.now[suit].lane(chair)).count_ones() as usize
                            })
                            .sum::<usize>();
                    }
                }
                reneges += usize::from(!legal.contains(chosen));
                game.play(&mut state, chosen).unwrap();
            }
        }
        [reneges, misplaced]
    }

    #[test]
    fn who_reneges_is_not_taken_to_be_out_of_the_suit() {
        for form in [Form::DummyWhist, Form::DoubleDummy, Form::Humbug] {
            let strict = WhistRules { form, ..WhistRules::default() };
            assert_eq!(beside_reckless_players(strict.clone()), [0, 0], "{form:?}");
            let [reneges, misplaced] = beside_reckless_players(WhistRules { allow_renege: true, ..strict });
            assert!(reneges > 100, "{form:?}: {reneges}");
            assert_eq!(misplaced, 0, "{form:?}, with {reneges} reneges");
        }
    }
}
