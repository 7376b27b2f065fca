//! The cards of each hand as far as a seat knows them, with every suit written from its worst card to its best.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Rank, Suit};
use overtrick_game::{Game, View};
use overtrick_games::whist::{DummyWhist, Form, second_hand};
use wide::f32x4;

use crate::rule_based::reading::{self, BITS};

/// The suit number that stands for no trump suit.
const NONE: usize = 4;
/// What a trump adds to the strength of a card.
pub(super) const TRUMP: u8 = 16;
/// The number of chairs: two for each side. In Humbug one of each stays empty.
pub(super) const CHAIRS: usize = 4;

/// The trumps and the direction: what turns a suit's cards into a *lane*, a word in which a higher bit is a better
/// card. At no trump jokers are in no lane.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    trump: usize,
    downtown: bool,
}

impl Frame {
    /// The frame of these trumps and this direction.
    pub(super) fn new(trump: Option<Suit>, downtown: bool) -> Frame {
        Frame { trump: trump.map_or(NONE, |suit| suit as usize), downtown }
    }

    /// The number of the trump suit.
    #[inline(always)]
    pub(super) fn trump(self) -> Option<usize> {
        (self.trump != NONE).then_some(self.trump)
    }

    /// The cards with the lane of each suit in sixteen bits of one word, of which the highest is never set.
    #[inline(always)]
    pub(super) fn word(self, cards: CardSet) -> u64 {
        let (jokers, word) = (cards & CardSet::JOKERS, self.turned((cards - CardSet::JOKERS).bits()));
        if self.trump == NONE { word } else { word | jokers.bits() >> 48 << (16 * self.trump) }
    }

    /// The cards of a word; the reverse of [`word`](Self::word).
    #[inline(always)]
    pub(super) fn cards(self, word: u64) -> CardSet {
        let jokers = if self.trump == NONE { 0 } else { (word >> (16 * self.trump) << 48) & CardSet::JOKERS.bits() };
        CardSet::from_bits(self.turned(word & CardSet::of_ranks(u16::MAX).bits()) | jokers)
    }

    /// The cards of a word without jokers as they stand for, or lie in, lanes. Done twice, it changes nothing.
    #[inline(always)]
    fn turned(self, word: u64) -> u64 {
        const ACES: u64 = CardSet::rank(Rank::Ace).bits();
        if !self.downtown {
            return word;
        }
        // The ace stays the best card, and the order of the others is reversed: all bits, then suits put back.
        let low = (word & !ACES).reverse_bits();
        let low = low >> 48 | low >> 16 & 0xFFFF_0000 | (low & 0xFFFF_0000) << 16 | low << 48;
        low >> 4 & !ACES & CardSet::of_ranks(u16::MAX).bits() | word & ACES
    }

    /// A card's suit and its bit there; `None` for a joker that belongs to no suit.
    #[inline(always)]
    pub(super) fn spot(self, card: Card) -> Option<(usize, u16)> {
        let (suit, rank) =
            if card.is_joker() { (self.trump, card.index() - 48) } else { (card.lane(), card.place_in_lane()) };
        let below_ace = rank < Rank::Ace.index();
        (suit < NONE).then(|| (suit, 1 << if self.downtown && below_ace { Rank::King.index() - rank } else { rank }))
    }
}

/// The cards of a suit. Hands are distinguished by *chair*: 0 and 2 are those whose tricks count for the seat that
/// decides, 1 and 3 the others that play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cards {
    /// By chair, sixteen bits each: the cards that it is known to hold.
    pub(super) held: u64,
    /// The cards that may lie in several places.
    pub(super) pool: u16,
}

impl Cards {
    /// The cards that a chair is known to hold.
    #[inline(always)]
    pub(super) fn lane(&self, chair: usize) -> u16 {
        (self.held >> (16 * chair)) as u16
    }

    /// Takes cards from those that a chair is known to hold.
    #[inline(always)]
    pub(super) fn take(&mut self, chair: usize, lane: u16) {
        self.held &= !(u64::from(lane) << (16 * chair));
    }

    /// All cards of the suit that are left.
    #[inline(always)]
    pub(super) fn all(&self) -> u16 {
        let pairs = self.held | self.held >> 32;
        self.pool | (pairs | pairs >> 16) as u16
    }

    /// By chair: how many cards of the suit it is known to hold.
    #[inline(always)]
    pub(super) fn known(&self) -> [f32; CHAIRS] {
        let known = |chair: usize| self.lane(chair).count_ones() as f32;
        [known(0), known(1), known(2), known(3)]
    }

    /// By chair: how many cards of the suit it holds, on average, if these shares of the pool lie there.
    #[inline(always)]
    pub(super) fn lengths(&self, share: &[f32; CHAIRS]) -> f32x4 {
        f32x4::from(self.known()) + f32x4::from(*share) * self.pool.count_ones() as f32
    }
}

/// The side of a chair: 0 for that of the seat that decides.
#[inline(always)]
pub(super) fn side(chair: usize) -> usize {
    chair % 2
}

/// The cards of each chair, known or by chance, by suit.
pub(super) type Position = [Cards; 4];

/// What a seat sees of a deal under some trumps and direction.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// The cards as they lie.
    pub(super) now: Position,
    /// By suit, then chair: the chance that a card of the pool lies there.
    pub(super) share: [[f32; CHAIRS]; 4],
    /// By hand: its chair.
    pub(super) chairs: [usize; Place::HANDS],
    /// The number of the trump suit; 4 if there is none.
    pub(super) trump: usize,
}

/// The cards of a deal as a seat sees them, whatever is trumps.
pub(super) struct Seen {
    /// By chair: the cards of it that are seen.
    held: [CardSet; CHAIRS],
    /// By chair: the number of its cards that are not seen.
    hidden: [u8; CHAIRS],
    chairs: [usize; Place::HANDS],
    /// The number of chairs that play: two, or all.
    pub(super) playing: usize,
    unseen: CardSet,
    /// How many unseen cards lie outside of the hands that play.
    aside: u32,
    /// By suit: the chairs that have not shown out of it, a bit each.
    may: [u8; 4],
}

impl Seen {
    /// What `view` shows of cards. By hand, `sides` says whether it counts for the seat that decides, or does not play.
    #[inline(always)]
    fn new(view: &View<'_, DummyWhist>, sides: [Option<bool>; Place::HANDS]) -> Seen {
        let unseen = view.unseen();
        let mut seen = Seen {
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

    /// The deal before the play, if the seat that decides is declarer.
    #[inline(always)]
    pub(super) fn declaring(view: &View<'_, DummyWhist>) -> Seen {
        let (seats, me) = (view.game().layout().seats, view.seat());
        let side = |hand: usize| match view.game().rules().form {
            _ if hand < seats => Some(hand == me.index()),
            Form::DummyWhist => Some(true),
            Form::DoubleDummy => Some(Place::ALL[hand] == second_hand(me)),
            Form::Humbug => None,
        };
        Seen::new(view, std::array::from_fn(side))
    }

    /// The deal in the middle of the play, but for who has [shown out](Self::show_out).
    #[inline(always)]
    pub(super) fn in_play(view: &View<'_, DummyWhist>) -> Seen {
        let plays = view.hands_in_trick();
        let side = |hand: usize| (hand < plays).then(|| counts_for(view, Place::ALL[hand]));
        Seen::new(view, std::array::from_fn(side))
    }

    /// Takes note of the suits that each hand has shown out of, a bit each.
    #[inline(always)]
    pub(super) fn show_out(&mut self, out: [u8; Place::HANDS]) {
        let mut may = u32::from_le_bytes(self.may);
        for (out, chair) in out.into_iter().zip(self.chairs) {
            may &= !(in_bytes(out) << chair);
        }
        self.may = may.to_le_bytes();
    }

    /// The cards that may lie in hands that play.
    #[inline(always)]
    pub(super) fn all(&self) -> CardSet {
        let [a, b, c, d] = self.held;
        self.unseen | a | b | c | d
    }

    /// Whether there are jokers, which belong to the trumps.
    #[inline(always)]
    pub(super) fn has_jokers(&self) -> bool {
        !self.all().is_disjoint(CardSet::JOKERS)
    }

    /// The deal in a frame: the unseen cards are shared out among the hands that may hold them.
    #[inline(always)]
    pub(super) fn sight(&self, frame: Frame) -> Sight {
        let mut now = [Cards::default(); 4];
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
            // Where no card is hidden, or there is no room for one, nothing is shared out. Numbers say so and no
            // branches, which would mispredict.
            let holders = if now[suit].pool != 0 { usize::from(self.may[suit]) } else { 0 };
            let may = hidden * f32x4::from(BITS[holders % BITS.len()]);
            let [a, b, c, d] = may.to_array();
            let room = self.aside as f32 + a + b + c + d;
            share[suit] = (may / f32x4::splat(room).fast_max(f32x4::ONE)).to_array();
        }
        Sight { now, share, chairs: self.chairs, trump: frame.trump }
    }

    /// Lays cards that can lie in one hand only there, where none lies aside, and gives the numbers of cards that are
    /// hidden then.
    #[inline(always)]
    fn settle(&self, now: &mut Position) -> [u8; CHAIRS] {
        // A byte for each chair, with the highest bit set where a card is hidden. Numbers say what to do and no
        // branches, which would mispredict.
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

/// The lowest four bits, each put into a byte of its own by a product.
#[inline(always)]
fn in_bytes(bits: u8) -> u32 {
    (u32::from(bits & 0xF) * 0x0020_4081) & 0x0101_0101
}

/// By hand: the suits that it has shown out of, a bit each.
#[inline(always)]
pub(super) fn suits_out(view: &View<'_, DummyWhist>) -> [u8; Place::HANDS] {
    let rules = view.game().rules();
    if rules.jokers || rules.allow_renege { reading::suits_out(view) } else { reading::plain_suits_out(view) }
}

/// Whether the tricks of `hand` count for the seat that decides.
pub(super) fn counts_for(view: &View<'_, DummyWhist>, hand: Place) -> bool {
    // If nobody is declarer two players oppose each other, and either may stand for the declarer.
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

    /// Plays deals with the rule-based strategy at seat 0 against others who play any card that they hold. Gives the
    /// number of reneges, and the number of cards that lay in hands that seat 0 took to be out of their suit.
    fn beside_reckless_players(rules: WhistRules) -> [usize; 2] {
        let game = DummyWhist::new(rules).unwrap();
        let standing = Standing::default();
        let mut bot = RuleBased::new(Params::default());
        let [mut reneges, mut misplaced] = [0; 2];
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "renege").stream(number, 0);
            let dealer = Seat::new(number as usize % game.layout().seats);
            let mut state = game.deal(Setup { dealer, last_deal: false }, &mut rng);
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
                    let mut seen = Seen::in_play(&view);
                    seen.show_out(suits_out(&view));
                    let sight = seen.sight(frame);
                    for other in (0..view.hands_in_trick()).filter(|&other| side(sight.chairs[other]) == 1) {
                        let (word, chair) = (frame.word(state.table.at(Place::ALL[other])), sight.chairs[other]);
                        misplaced += (0..4)
                            .filter(|&suit| sight.share[suit][chair] == 0.0)
                            .map(|suit| {
                                ((word >> (16 * suit)) as u16 & !sight.now[suit].lane(chair)).count_ones() as usize
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
