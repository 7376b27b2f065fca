//! Searches the last tricks with all cards known by max^n (Luckhardt & Irani 1986).
//!
//! It works for any number of players and any score, and uses only the legal moves and the scores of the
//! game. Each player makes the move that is worth most to them. Among equal moves they make the first.
//!
//! Where two players or two sides of partners are opposed, moves that the other side would not allow are cut
//! off (alpha-beta). With three or four players, each for themselves, no move can be cut off without more
//! knowledge of the scores (Korf 1991).

use overtrick_cards::table::{BySeat, Move, Seat};
use overtrick_game::{Infer, State};

use super::Payoff;

/// A search to the end of the deal, within a budget.
pub struct Endgame<'g, G: Infer> {
    game: &'g G,
    payoff: Payoff,
    /// The number of nodes that the search may still visit.
    budget: u64,
}

impl<'g, G: Infer> Endgame<'g, G> {
    /// Makes a search for `payoff` that visits at most `budget` nodes.
    ///
    /// A node is a position after a move. The budget is for all calls together.
    pub fn new(game: &'g G, payoff: Payoff, budget: u64) -> Endgame<'g, G> {
        Endgame { game, payoff, budget }
    }

    /// Returns the number of nodes that the search may still visit.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Returns, by seat, the worth of the deal if all players play for themselves.
    ///
    /// `None` if the budget does not suffice. It is then used up.
    pub fn worth(&mut self, state: &State<G::Public>) -> Option<BySeat<f32>> {
        self.search(*state, BySeat::from_fn(|_| f32::NEG_INFINITY))
    }

    /// Returns the worth of `state`.
    ///
    /// The search may stop early where a seat gets no more than it is `sure` of elsewhere. The result is then
    /// an upper bound for that seat.
    fn search(&mut self, mut state: State<G::Public>, sure: BySeat<f32>) -> Option<BySeat<f32>> {
        loop {
            if self.game.is_over(&state) {
                return Some(self.payoff.of(&self.game.scores(&state)));
            }
            let legal = self.game.legal(&state);
            if legal.len() > 1 {
                break;
            }
            let only = legal.iter().next().expect("a deal that is not over has a legal move");
            self.step(&mut state, only)?;
        }
        // Partners want the same, so what is sure is noted for the first seat of a team.
        let seat = self.payoff.team(state.table.seat_to_move());
        let mut sure = sure;
        let mut best: Option<BySeat<f32>> = None;
        for candidate in self.game.legal(&state).iter() {
            let mut after = state;
            self.step(&mut after, candidate)?;
            let worth = self.search(after, sure)?;
            if best.is_none_or(|best| worth[seat] > best[seat]) {
                best = Some(worth);
                sure[seat] = sure[seat].max(worth[seat]);
                if self.payoff.is_opposed() && sure[Seat::Seat0] + sure[Seat::Seat1] >= 0.0 {
                    break;
                }
            }
        }
        best
    }

    fn step(&mut self, state: &mut State<G::Public>, chosen: Move) -> Option<()> {
        self.budget = self.budget.checked_sub(1)?;
        self.game.play_unchecked(state, chosen);
        Some(())
    }
}
