//! The cards of each hand as far as a seat knows them, with every suit written from its worst card to its best.

use crate::cards::{Card, CardSet, Rank, Suit};
use crate::game::{Game, View};
use crate::games::whist::{DummyWhist, Form, second_hand};
use crate::strategies::rule_based::reading::suits_out;
use crate::table::{Place, Seat};

/// The suit number that stands for no trump suit.
const NONE: usize = 4;

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

    /// The cards by suit.
    #[inline(always)]
    pub(super) fn lanes(self, cards: CardSet) -> [u16; 4] {
        const ACE: u16 = Rank::Ace.bit();
        let mut lanes = [0, 1, 2, 3].map(|suit| {
            let lane = cards.ranks(suit);
            // Downtown the ace stays the best card, and the order of the others is reversed.
            if self.downtown { (lane & !ACE).reverse_bits() >> 4 | lane & ACE } else { lane }
        });
        if self.trump != NONE {
            lanes[self.trump] |= ((cards & CardSet::JOKERS).bits() >> 48) as u16;
        }
        lanes
    }

    /// A card's suit and its bit there; `None` for a joker that belongs to no suit.
    #[inline(always)]
    pub(super) fn spot(self, card: Card) -> Option<(usize, u16)> {
        let lanes = self.lanes(CardSet::of(card));
        let suit = lanes.iter().position(|&lane| lane != 0)?;
        Some((suit, lanes[suit]))
    }
}

/// The cards of each hand, known or by chance.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// By hand, then suit: the cards that it is known to hold.
    pub(super) held: [[u16; 4]; Place::HANDS],
    /// By suit: the cards that may lie in several places.
    pub(super) pool: [u16; 4],
    /// By hand, then suit: the chance that a card of the pool lies there.
    pub(super) share: [[f32; 4]; Place::HANDS],
    /// By hand: whether its tricks count for the seat that decides.
    pub(super) ours: [bool; Place::HANDS],
    /// By hand: whether it plays tricks.
    pub(super) plays: [bool; Place::HANDS],
    /// The number of the trump suit; 4 if there is none.
    pub(super) trump: usize,
}

impl Position {
    /// The position that `view` shows. By hand, `sides` says whether it counts for the seat that decides, or does not
    /// play, and `out` which suits it has shown out of, a bit each.
    pub(super) fn new(
        view: &View<'_, DummyWhist>,
        frame: Frame,
        sides: [Option<bool>; Place::HANDS],
        out: [u8; Place::HANDS],
    ) -> Position {
        let mut position = Position {
            held: [[0; 4]; Place::HANDS],
            pool: frame.lanes(view.unseen()),
            share: [[0.0; 4]; Place::HANDS],
            ours: sides.map(|side| side == Some(true)),
            plays: sides.map(|side| side.is_some()),
            trump: frame.trump,
        };
        let mut hidden = [0.0; Place::HANDS];
        let mut aside = view.unseen().len() as f32;
        for hand in (0..Place::HANDS).filter(|&hand| sides[hand].is_some()) {
            let (place, cards) = (Place::ALL[hand], view.cards(Place::ALL[hand]));
            position.held[hand] = frame.lanes(cards);
            hidden[hand] = view.count(place) as f32 - cards.len() as f32;
            aside -= hidden[hand];
        }
        position.deal(hidden, aside, out);
        position
    }

    /// The position before the play, if the seat that decides is declarer.
    pub(super) fn declaring(view: &View<'_, DummyWhist>, frame: Frame) -> Position {
        let (seats, me) = (view.game().layout().seats, view.seat());
        let side = |hand: usize| match view.game().rules().form {
            _ if hand < seats => Some(hand == me.index()),
            Form::DummyWhist => Some(true),
            Form::DoubleDummy => Some(Place::ALL[hand] == second_hand(me)),
            Form::Humbug => None,
        };
        Position::new(view, frame, std::array::from_fn(side), [0; Place::HANDS])
    }

    /// The position in the middle of the play.
    pub(super) fn in_play(view: &View<'_, DummyWhist>, frame: Frame) -> Position {
        let plays = view.hands_in_trick();
        let side = |hand: usize| (hand < plays).then(|| counts_for(view, Place::ALL[hand]));
        Position::new(view, frame, std::array::from_fn(side), suits_out(view))
    }

    /// Shares the pool out among the hands with `hidden` cards and what lies `aside`.
    fn deal(&mut self, mut hidden: [f32; Place::HANDS], aside: f32, out: [u8; Place::HANDS]) {
        // Cards that can lie in one hand only are taken to lie there.
        for suit in 0..4 {
            let may = |hand: &usize| hidden[*hand] > 0.0 && out[*hand] >> suit & 1 == 0;
            let mut holders = (0..Place::HANDS).filter(may);
            if let (Some(hand), None) = (holders.next(), holders.next())
                && aside < 0.5
            {
                hidden[hand] -= self.pool[suit].count_ones() as f32;
                self.held[hand][suit] |= std::mem::take(&mut self.pool[suit]);
            }
        }
        for suit in 0..4 {
            let may = |hand: usize| if out[hand] >> suit & 1 == 0 { hidden[hand].max(0.0) } else { 0.0 };
            let room = aside + may(0) + may(1) + may(2) + may(3);
            if room > 0.5 && self.pool[suit] != 0 {
                for hand in 0..Place::HANDS {
                    self.share[hand][suit] = may(hand) / room;
                }
            }
        }
    }

    /// How many cards of a suit a hand holds, on average.
    #[inline(always)]
    pub(super) fn length(&self, hand: usize, suit: usize) -> f32 {
        self.held[hand][suit].count_ones() as f32 + self.share[hand][suit] * self.pool[suit].count_ones() as f32
    }
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
    use crate::cards::SeedSource;
    use crate::game::{Move, Setup, Standing};
    use crate::games::whist::{Phase, WhistRules};
    use crate::strategies::random::pick;
    use crate::strategies::rule_based::whist::{Params, RuleBased};
    use crate::strategy::Strategy;

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
                    pick(legal, &mut rng, crate::cards::select::Portable)
                };
                if view.seat() == Seat::Seat0 && in_play {
                    let frame = Frame::new(view.public().trump(), view.public().downtown());
                    let position = Position::in_play(&view, frame);
                    for other in (0..view.hands_in_trick()).filter(|&other| !position.ours[other]) {
                        let lanes = frame.lanes(state.table.at(Place::ALL[other]));
                        misplaced += (0..4)
                            .filter(|&suit| position.share[other][suit] == 0.0)
                            .map(|suit| (lanes[suit] & !position.held[other][suit]).count_ones() as usize)
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
