//! Inferences from deals of a declared game.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Stream};
use overtrick_game::{Infer, Prizes, Sides, State, View};

use crate::compile::{DutyTrick, PlayMoment};

use super::{DISCARD, DeclaredGame, DeclaredPhase, DeclaredPublic, MatchCourse, ROW, ROW_LAST, UP_CARD, pile};

impl DeclaredGame {
    /// Returns the cards that may lie at a place as far as the calls show.
    fn may_lie_by_calls(&self, view: &View<'_, DeclaredGame>, place: Place) -> CardSet {
        let turned = view.public().turned;
        let Some(taker) = self.rounds.as_ref().and_then(|rounds| rounds.taker) else { return !CardSet::EMPTY };
        // The card turned up stays face up unless the taker has it and may have discarded it.
        let takers = place == Place::hand(self.seat(view.dealer(), taker)) || place == DISCARD;
        if takers || turned == Card::NONE { !CardSet::EMPTY } else { !CardSet::of(turned) }
    }

    /// Returns the cards that do not lie at a place, since a hand that held them could not have played as it did.
    ///
    /// Hands lose cards and get none, so a card that a hand did not hold at a play is never there later.
    fn ruled_out(&self, view: &View<'_, DeclaredGame>, place: Place) -> CardSet {
        let Some(order) = view.order() else { return CardSet::EMPTY };
        if let Some(first) = self.bars.first()
            && view.plays().is_empty()
            && self.seating.leads.is_none()
        {
            return if place == view.hand_to_move() { CardSet::EMPTY } else { CardSet::of(first) };
        }
        let (mut out, mut ended) = (CardSet::EMPTY, 0);
        for (tricks, cards) in view.plays().chunks(view.hands_in_trick()).enumerate() {
            let (mut hand, mut led) = (view.leader(tricks), Card::NONE);
            let mut winning: Option<(Place, u8)> = None;
            for (number, &card) in cards.iter().enumerate() {
                let follow = order.follow(led);
                if hand == place {
                    let trick = DutyTrick {
                        order: view.public().order_number(),
                        led,
                        follow,
                        best: winning.map(|(_, best)| best),
                        partner_wins: winning.is_some_and(|(winner, _)| self.are_partners(winner, hand)),
                    };
                    let shown = self.duties.shown_by(trick, card);
                    let at = PlayMoment { tricks, leads: number == 0, ended };
                    out |= shown.not_held | self.bars.not_held(at, shown.left, card);
                }
                ended |= self.bars.ended_by(card);
                // A card that sets no suit leaves that to the next.
                led = if follow.is_empty() { card } else { led };
                let strength = order.strength(led, card);
                if winning.is_none_or(|(_, best)| strength >= best) {
                    winning = Some((hand, strength));
                }
                hand = view.after(hand);
            }
        }
        out
    }
}

impl Infer for DeclaredGame {
    fn opening(&self, state: &State<DeclaredPublic>, _rng: &mut Stream) -> Option<State<DeclaredPublic>> {
        let (dealer, public) = (state.table.dealer(), &state.public);
        let mut places = state.table.hands_before_play();
        self.undo_passing(state, &mut places);
        let mut take = |place: Place| std::mem::take(&mut places[place.index()]);
        if self.dealing.row {
            let row: CardSet = public.row[..self.tricks].iter().copied().collect();
            // A won card that is not in the row is the one that lay face down.
            let won = Seat::all(self.layout.seats).fold(CardSet::EMPTY, |all, seat| all | take(pile(seat)));
            places[ROW_LAST.index()] |= won - row;
            places[ROW.index()] = row;
        } else if let Some(taker) = self.rounds.as_ref().and_then(|rounds| rounds.taker)
            && state.table.at(UP_CARD).is_empty()
        {
            let hand = Place::hand(self.seat(dealer, taker));
            let own = take(hand) | take(DISCARD);
            places[UP_CARD.index()] = CardSet::of(public.turned);
            places[hand.index()] = own.without(public.turned);
        }
        let course = MatchCourse { deal: public.deal, tricks: public.tricks, totals: public.totals };
        let mut table = Table::laid(self.layout.seats, dealer, &places);
        let public = self.open(&mut table, course, public.turned, public.row);
        Some(State { table, public })
    }

    fn may_lie(&self, view: &View<'_, DeclaredGame>, place: Place) -> CardSet {
        let by_plays = if self.is_plain { !CardSet::EMPTY } else { !self.ruled_out(view, place) };
        by_plays & self.may_lie_by_calls(view, place)
    }

    #[inline(always)]
    fn shows_void(&self, _view: &View<'_, DeclaredGame>, _play: Card) -> bool {
        self.duties.follows()
    }

    fn sides(&self, state: &State<DeclaredPublic>) -> Option<Sides> {
        let in_play = self.has_sides && state.public.phase == DeclaredPhase::Play;
        // Of partners without a declarer, the side of the first seat stands for the declarer's.
        let side = self.score.sides()[state.public.declarer.unwrap_or(Seat::Seat0)];
        in_play.then(|| Sides { declarers: std::array::from_fn(|hand| side >> hand & 1 == 1), to_lose: false })
    }

    fn prizes(&self, state: &State<DeclaredPublic>) -> Option<Prizes> {
        self.prizes_left(state)
    }
}
