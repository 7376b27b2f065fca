//! The cards that players pass before the play.

use overtrick_cards::CardSet;
use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_game::{Game, IllegalMove, Move, Moves, State};

use super::{DeclaredGame, DeclaredPhase, DeclaredPublic};
use crate::compile::Passing;

impl DeclaredGame {
    /// Begins the passing, if cards are passed in this deal, and returns whether they are.
    pub(super) fn begin_passing(&self, table: &mut Table, public: &mut DeclaredPublic) -> bool {
        if self.pass_steps(public) == 0 {
            return false;
        }
        public.phase = DeclaredPhase::Pass;
        table.give_turn(Place::hand(self.seat(table.dealer(), 1)));
        true
    }

    /// Returns the number of seats from a player to the one who gets the cards; 0 if none are passed.
    fn pass_steps(&self, public: &DeclaredPublic) -> usize {
        self.passing.as_ref().map_or(0, |passing| passing.steps(u32::from(public.deal)))
    }

    /// Returns the cards that may be chosen next.
    ///
    /// Players choose from the lowest index to the highest, so that each choice of cards is one order of moves.
    #[inline(never)]
    pub(super) fn legal_passes(&self, passing: &Passing, state: &State<DeclaredPublic>) -> Moves {
        let table = &state.table;
        let mut left = table.at(table.hand_to_move());
        let chosen = table.calls().len() % passing.cards;
        if let Some(last) = table.calls().last().filter(|_| chosen > 0).and_then(|(_, call)| call.as_card()) {
            left = left.iter().filter(|card| card.index() > last.index()).collect();
        }
        // Enough cards must be left for the further choices.
        for _ in chosen + 1..passing.cards {
            left -= left.last().map(CardSet::of).unwrap_or_default();
        }
        Moves::cards(left)
    }

    /// Chooses a card. After the last choice all cards move.
    #[inline(never)]
    pub(super) fn pass_unchecked(&self, passing: &Passing, state: &mut State<DeclaredPublic>, chosen: Move) {
        let State { table, public } = state;
        let seat = table.seat_to_move();
        table.call(chosen);
        let made = table.calls().len();
        if made == passing.cards * self.players() {
            self.move_passed(table, public);
            self.after_passing(table, public);
        } else if made.is_multiple_of(passing.cards) {
            table.give_turn(Place::hand(seat.left(1, self.players())));
        }
    }

    /// Gives all the cards that were passed to them.
    fn move_passed(&self, table: &mut Table, public: &DeclaredPublic) {
        let to = |seat: Seat| seat.left(self.pass_steps(public), self.players());
        let passed = self.passed(table);
        for seat in Seat::all(self.players()) {
            table.shift(passed[seat], Place::hand(seat), Place::hand(to(seat)));
        }
        let receivers = BySeat::from_fn(|seat: Seat| if seat.index() < self.players() { to(seat) } else { seat });
        table.share(0..table.calls().len(), receivers);
    }

    /// Returns the cards that each seat has chosen to pass.
    fn passed(&self, table: &Table) -> BySeat<CardSet> {
        let mut passed = BySeat::default();
        let Some(passing) = &self.passing else { return passed };
        for (seat, call) in table.calls().iter().take(passing.cards * self.players()) {
            passed[*seat] |= call.as_card().map(CardSet::of).unwrap_or_default();
        }
        passed
    }

    /// Takes passed cards back to the hands that they were dealt to.
    pub(super) fn undo_passing(&self, state: &State<DeclaredPublic>, places: &mut [CardSet; Place::COUNT]) {
        let steps = self.pass_steps(&state.public);
        if steps == 0 || state.public.phase == DeclaredPhase::Pass {
            return;
        }
        let passed = self.passed(&state.table);
        for seat in Seat::all(self.players()) {
            places[Place::hand(seat.left(steps, self.players())).index()] -= passed[seat];
        }
        for seat in Seat::all(self.players()) {
            places[Place::hand(seat).index()] |= passed[seat];
        }
    }

    /// Returns the reason why a card may not be passed now.
    pub(super) fn why_no_pass(&self, state: &State<DeclaredPublic>, chosen: Move) -> IllegalMove {
        let table = &state.table;
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let held = chosen.as_card().is_some_and(|card| table.at(table.hand_to_move()).contains(card));
        let why = if held {
            format!("{text}: choose clubs first, then diamonds, hearts and spades, each from the lowest rank")
        } else {
            format!("{text}: is not a card of the hand that passes")
        };
        IllegalMove { rule: "passing.cards", why }
    }
}
