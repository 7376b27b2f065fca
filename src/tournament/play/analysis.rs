//! Double-dummy analysis: how many tricks a play gave away, with all cards known.

use crate::game::{FullGame, Move, State};
use crate::search::solver::{Position, Ranking, Solver};

/// The most memory that the solver may use, in bytes.
const MEMORY: usize = 256 << 20;

/// Judges plays with all cards known.
pub(crate) struct Analysis(Solver);

impl Analysis {
    pub(crate) fn new() -> Analysis {
        Analysis(Solver::new(MEMORY))
    }

    /// The number of tricks that `chosen` gives away: how many fewer the side of the hand to move wins than after the
    /// best card (how many more, if it wants to lose tricks), if all play as well as possible from then on. `None` if
    /// the play has no two sides or `chosen` is not a legal card.
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
