//! Inferences from deals of a declared game.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Stream};
use overtrick_game::{Infer, Prizes, Sides, State, View};

use super::{DISCARD, DeclaredGame, DeclaredPhase, DeclaredPublic, ROW, ROW_LAST, UP_CARD, pile};

impl Infer for DeclaredGame {
    fn opening(&self, state: &State<DeclaredPublic>, _rng: &mut Stream) -> Option<State<DeclaredPublic>> {
        let (dealer, public) = (state.table.dealer(), &state.public);
        let mut places = state.table.hands_before_play();
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
        let mut table = Table::laid(self.layout.seats, dealer, &places);
        let public = self.open(&mut table, public.turned, public.row);
        Some(State { table, public })
    }

    fn may_lie(&self, view: &View<'_, DeclaredGame>, place: Place) -> CardSet {
        let turned = view.public().turned;
        let Some(taker) = self.rounds.as_ref().and_then(|rounds| rounds.taker) else { return !CardSet::EMPTY };
        // The card turned up stays face up unless the taker has it and may have discarded it.
        let takers = place == Place::hand(self.seat(view.dealer(), taker)) || place == DISCARD;
        if takers || turned == Card::NONE { !CardSet::EMPTY } else { !CardSet::of(turned) }
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
