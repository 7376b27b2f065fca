//! Inferences from deals of a declared game.

use overtrick_cards::Stream;
use overtrick_cards::table::Table;
use overtrick_game::{Infer, State};

use super::{DeclaredGame, DeclaredPublic};

impl Infer for DeclaredGame {
    fn opening(&self, state: &State<DeclaredPublic>, _rng: &mut Stream) -> Option<State<DeclaredPublic>> {
        let players = self.seating.players;
        let mut table = Table::laid(players, state.table.dealer(), &state.table.hands_before_play());
        self.open(&mut table);
        Some(State { table, public: DeclaredPublic })
    }
}
