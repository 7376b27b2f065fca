//! Double-dummy analysis: what a play gave away, with all cards known.

use crate::game::{FullGame, Move, State};
use crate::search::solver::{Position, Ranking, Solver};

/// What the solver may remember, in bytes.
const MEMORY: usize = 256 << 20;

/// A judge of plays who sees all cards.
pub(super) struct Analysis(Solver);

impl Analysis {
    pub(super) fn new() -> Analysis {
        Analysis(Solver::new(MEMORY))
    }

    /// How many tricks fewer the side of the hand to move wins (of those that it wants to lose: more) after `chosen`
    /// than after the best card, if from then on everybody plays as well as can be. `None` where there are no two
    /// sides, and for what is no legal card.
    pub(super) fn given_away<G: FullGame>(&mut self, game: &G, state: &State<G::Public>, chosen: Move) -> Option<u8> {
        let (sides, card) = (game.sides(state)?, chosen.as_card()?);
        let ranking = Ranking::of(game.order(state)?, game.anytime(&state.public))?;
        let position = Position::of(&state.table, &ranking, |hand| sides.is_declarers(hand));
        let position = if sides.to_lose { position.to_lose() } else { position };
        let moves = self.0.moves(&position);
        let (_, tricks) = *moves.iter().find(|(other, _)| *other == card)?;
        let all = moves.iter().map(|&(_, tricks)| tricks);
        let wants_many = sides.is_declarers(state.table.hand_to_move()) != sides.to_lose;
        let best = if wants_many { all.max() } else { all.min() };
        best.map(|best| best.abs_diff(tricks))
    }
}
