//! Values moves and positions in a world, with all cards known.

use std::collections::VecDeque;

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{Order, Stream};
use overtrick_game::{FullGame, Move, Moves, Sides, Standing, State, View};
use overtrick_search::solver::{Position, Ranking, Solver};
use overtrick_search::{Endgame, Payoff, PrizeSearch};

use super::Params;
use super::race::Race;
use crate::rollout::Rollout;

/// The maximum memory of the solver, in bytes.
///
/// Whole deals need it: with 4 MiB, half of their time goes into recomputing evicted entries. The last tricks
/// never fill 4 MiB.
const SOLVER_BYTES: usize = 32 << 20;

/// The number of positions with kept solutions, more than the calls of a deal.
const MOST_SOLVED: usize = 64;

/// The exact solvers of positions, with memory that they reuse.
pub(super) struct Solvers {
    solver: Solver,
    prizes: PrizeSearch,
    /// Solved positions with their budgets and solutions, oldest first.
    solved: VecDeque<(Position, u64, Option<u8>)>,
}

impl Default for Solvers {
    fn default() -> Solvers {
        Solvers { solver: Solver::new(SOLVER_BYTES), prizes: PrizeSearch::default(), solved: VecDeque::new() }
    }
}

impl Solvers {
    /// Returns the tricks of the declarer's side in a position that many lines of a deal reach.
    ///
    /// The solver's memory of other positions is cleared. So the solution within a budget does not depend on
    /// earlier positions.
    fn tricks(&mut self, position: &Position, nodes: u64) -> Option<u8> {
        let known = self.solved.iter().find(|(met, budget, _)| *budget == nodes && met == position);
        if let Some((_, _, tricks)) = known {
            return *tricks;
        }
        self.solver.forget();
        let tricks = self.solver.tricks_within(position, nodes);
        if self.solved.len() == MOST_SOLVED {
            self.solved.pop_front();
        }
        self.solved.push_back((position.clone(), nodes, tricks));
        tricks
    }
}

/// The valuation of positions for one decision.
pub(super) struct Valuation<'d, G: FullGame> {
    game: &'d G,
    standing: &'d Standing,
    payoff: Payoff,
    /// The number of last tricks that are solved.
    solve: u8,
    /// The number of last tricks searched to the end, after earlier tricks were played out.
    endgame: u8,
    /// The number of last tricks searched to the end at once.
    at_once: u8,
    /// The same as `endgame` for two opposed players with a prize for every trick.
    prizes: u8,
    /// The same as `at_once` for two opposed players with a prize for every trick.
    prizes_at_once: u8,
    /// Whether only one world is left, so that all cards are known.
    is_known: bool,
    /// The number of positions that each solution or search may visit.
    nodes: u64,
    /// Whether that number did not suffice to find a best move.
    is_spent: bool,
    rollout: &'d mut Rollout<G>,
    solvers: &'d mut Solvers,
    /// The orders met so far, each with its ranking for the solver if there is one.
    rankings: Vec<(&'d Order, Option<Ranking>)>,
}

impl<'d, G: FullGame> Valuation<'d, G> {
    /// Returns the valuation for a decision from `view`, in drawn worlds or in `all` possible worlds.
    ///
    /// The memory of earlier decisions is cleared, because it would change the results within a budget.
    pub(super) fn new(
        view: &View<'d, G>,
        params: &Params,
        all: Option<usize>,
        rollout: &'d mut Rollout<G>,
        solvers: &'d mut Solvers,
    ) -> Valuation<'d, G> {
        let game = view.game();
        solvers.solver.forget();
        solvers.prizes.forget();
        let payoff = Payoff::new(game.layout().teams(), params.spite);
        let mut nodes = u64::from(params.nodes);
        let (mut solve, mut at_once, mut prizes_at_once) = (params.solve, params.endgame, params.endgame);
        if let Some(all) = all {
            nodes = nodes * u64::from(params.worlds) / all.max(1) as u64;
            (solve, at_once, prizes_at_once) = (params.solve_few, params.endgame_few, params.prizes_few);
        }
        Valuation {
            game,
            standing: view.standing(),
            payoff,
            solve,
            endgame: params.endgame,
            at_once,
            prizes: params.solve,
            prizes_at_once,
            is_known: all == Some(1),
            nodes,
            is_spent: false,
            rollout,
            solvers,
            rankings: Vec::new(),
        }
    }

    /// Returns the player that plays deals out.
    pub(super) fn rollout(&mut self) -> &mut Rollout<G> {
        self.rollout
    }

    /// Adds a world to the race of `seat`'s moves, and returns whether their values in it are exact.
    pub(super) fn add_world(
        &mut self,
        race: &mut Race,
        state: &State<G::Public>,
        weight: f64,
        seat: Seat,
        rng: &mut Stream,
    ) -> bool {
        let solved = self.solve_moves(state);
        race.add(weight, |made| {
            if let Some(moves) = &solved {
                let (_, worth) = moves.iter().find(|(other, _)| *other == made).expect("every legal move is valued");
                return worth[seat];
            }
            let mut after = *state;
            self.game.play_unchecked(&mut after, made);
            self.worth(after, rng)[seat]
        });
        solved.is_some()
    }

    /// Returns a best move where `state` is the only world that fits `view`.
    ///
    /// The result is `None` if the solver finds no best move or that move is not `legal`. It is also `None`
    /// if a better number of tricks may be worth less. If the usual move is as good as any other, it is the
    /// result.
    ///
    /// Of moves with equal points, the move with the better number of tricks is best. It may still change the
    /// score against imperfect play. If the positions do not suffice, no move is solved afterwards either.
    pub(super) fn best(
        &mut self,
        state: &State<G::Public>,
        view: &View<'_, G>,
        legal: Moves,
        rng: &mut Stream,
    ) -> Option<Move> {
        let (position, sides) = self.position(state)?;
        let left = position.tricks_left();
        let wants = sides.is_declarers(state.table.hand_to_move()) != sides.to_lose;
        let seat = state.table.seat_to_move();
        let worth = |tricks| self.claimed(state, sides, [tricks, left - tricks])[seat];
        let worths = (0..=left).map(worth);
        let fits = if wants { worths.is_sorted() } else { worths.rev().is_sorted() };
        if !fits {
            return None;
        }
        let first = self.rollout.usual(view, legal, rng).and_then(Move::as_card);
        let best = self.solvers.solver.best_within(&position, first, self.nodes);
        self.is_spent = best.is_none();
        best.map(Move::card).filter(|best| legal.contains(*best))
    }

    /// Returns each legal move with its worth to each seat, if it can be solved or searched.
    fn solve_moves(&mut self, state: &State<G::Public>) -> Option<Vec<(Move, BySeat<f32>)>> {
        if self.is_spent {
            return None;
        }
        if let Some((position, sides)) = self.position(state) {
            let moves = self.solvers.solver.moves_within(&position, self.nodes)?;
            let worth = |(card, tricks)| {
                (Move::card(card), self.claimed(state, sides, [tricks, position.tricks_left() - tricks]))
            };
            return Some(moves.into_iter().map(worth).collect());
        }
        let has_prizes = self.payoff.is_opposed() && self.game.prizes(state).is_some();
        let most = if has_prizes { self.prizes_at_once } else { self.at_once };
        if tricks_left(self.game, state)? > most {
            return None;
        }
        let mut moves = Vec::new();
        for made in self.game.legal(state).iter() {
            let mut after = *state;
            self.game.play_unchecked(&mut after, made);
            let worth = if self.game.is_over(&after) {
                self.payoff.of(&self.game.scores(&after))
            } else {
                self.searched(&after, most, most)?
            };
            moves.push((made, worth));
        }
        Some(moves)
    }

    /// Returns the worth of the deal in `state` to each seat.
    pub(super) fn worth(&mut self, mut state: State<G::Public>, rng: &mut Stream) -> BySeat<f32> {
        let state = &mut state;
        while !self.game.is_over(state) {
            if state.table.trick_length() == 0
                && let Some(worth) = self.ended(state)
            {
                return worth;
            }
            let chosen = self.rollout.choose(self.game, state, self.standing, self.game.legal(state), rng);
            self.game.play_unchecked(state, chosen);
        }
        self.payoff.of(&self.game.scores(state))
    }

    /// Returns the worth of the deal to each seat, if it can be solved or searched from here.
    fn ended(&mut self, state: &State<G::Public>) -> Option<BySeat<f32>> {
        if let Some((position, sides)) = self.position(state) {
            let tricks = self.solution(&position)?;
            return Some(self.claimed(state, sides, [tricks, position.tricks_left() - tricks]));
        }
        self.searched(state, self.endgame, self.prizes)
    }

    /// Returns the tricks that the declarer's side wins, if they can be computed.
    ///
    /// If all cards are known, bids of many levels at many turns lead to the same play, which is solved once.
    fn solution(&mut self, position: &Position) -> Option<u8> {
        if self.is_known {
            self.solvers.tricks(position, self.nodes)
        } else {
            self.solvers.solver.tricks_within(position, self.nodes)
        }
    }

    /// Returns the worth of the deal to each seat, by a search to its end.
    ///
    /// It is searched if at most `endgame` tricks remain, or at most `prizes` where every trick has a prize.
    fn searched(&mut self, state: &State<G::Public>, endgame: u8, prizes: u8) -> Option<BySeat<f32>> {
        let left = tricks_left(self.game, state)?;
        if self.payoff.is_opposed()
            && left <= prizes
            && let Some(prizes) = self.game.prizes(state)
        {
            let ahead = self.solvers.prizes.difference_within(&prizes, self.nodes)? as f32;
            return Some(BySeat::new([ahead, -ahead, 0.0]));
        }
        if left <= endgame { Endgame::new(self.game, self.payoff, self.nodes).worth(state) } else { None }
    }

    /// Returns the position for the solver, if two sides are opposed and few enough tricks remain.
    fn position(&mut self, state: &State<G::Public>) -> Option<(Position, Sides)> {
        let sides = self.game.sides(state)?;
        if tricks_left(self.game, state)? > self.solve {
            return None;
        }
        let order = self.game.order(state)?;
        let known = self.rankings.iter().position(|(met, _)| std::ptr::eq(*met, order));
        let known = known.unwrap_or_else(|| {
            self.rankings.push((order, Ranking::of(order, self.game.anytime(&state.public))));
            self.rankings.len() - 1
        });
        let ranking = self.rankings[known].1.as_ref()?;
        let position = Position::of(&state.table, ranking, |hand| sides.is_declarers(hand));
        Some((if sides.to_lose { position.to_lose() } else { position }, sides))
    }

    /// Returns the worth of the deal to each seat if the sides win these tricks.
    ///
    /// The declarer's side wins `tricks[0]` and the other side `tricks[1]`. The split of a side's tricks
    /// among its hands is unknown. So the worth is the average over giving all of them to each of its hands.
    fn claimed(&self, state: &State<G::Public>, sides: Sides, tricks: [u8; 2]) -> BySeat<f32> {
        let hands = |own: bool| state.table.circle().filter(move |&hand: &Place| sides.is_declarers(hand) == own);
        let mut sum = BySeat::<f32>::default();
        let mut ways = 0.0;
        for own in hands(true) {
            for other in hands(false) {
                let mut over = *state;
                over.table.claim(own, tricks[0]);
                over.table.claim(other, tricks[1]);
                let worth = self.payoff.of(&self.game.scores(&over));
                sum = sum.zip(worth).map(|(sum, worth)| sum + worth);
                ways += 1.0;
            }
        }
        sum.map(|sum| sum / ways)
    }
}

/// Returns the number of tricks still to complete, or `None` while calls are due.
fn tricks_left<G: FullGame>(game: &G, state: &State<G::Public>) -> Option<u8> {
    game.order(state)?;
    let table = &state.table;
    let in_trick = u32::from(table.trick_length() > 0);
    // The hand that led to the trick in progress has already played to it.
    let hand = if in_trick == 1 { table.leader(table.tricks_played()) } else { table.hand_to_move() };
    Some((table.at(hand).len() + in_trick) as u8)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rollout::{Rollout, RolloutPolicy};
    use overtrick_cards::SeedSource;
    use overtrick_cards::select::Portable;
    use overtrick_external::BuildContext;
    use overtrick_game::Setup;
    use overtrick_games::{Variant, Visitor};
    use overtrick_strategy::pick;

    /// Values endings of random play with at most three tricks by the solver and by max^n. Returns their
    /// number.
    struct Compare(String);

    impl Visitor for Compare {
        type Output = usize;

        fn visit<G: FullGame>(self, game: &Arc<G>) -> usize {
            let (game, standing) = (game.as_ref(), Standing::default());
            let params = Params { solve: 3, endgame: 3, nodes: 1_000_000, ..Params::default() };
            let mut rollout = Rollout::new(&RolloutPolicy::Random, &BuildContext::default()).unwrap();
            let mut solvers = Solvers::default();
            let mut found = 0;
            for number in 0..300 {
                let mut rng = SeedSource::new(1, "test", &self.0).stream(number, 0);
                let dealer = Seat::new(number as usize % game.layout().teams().count());
                let setup = Setup { dealer, last_deal: number % 3 == 0, ..Setup::default() };
                let mut state = game.deal(setup, &mut rng);
                while !game.is_over(&state) && tricks_left(game, &state).is_none_or(|left| left > 3) {
                    let chosen = pick(game.legal(&state), &mut rng, Portable);
                    game.play_unchecked(&mut state, chosen);
                }
                if game.is_over(&state) || game.sides(&state).is_none() && game.prizes(&state).is_none() {
                    continue;
                }
                let view = View::new(game, &state, &standing, state.table.seat_to_move());
                let mut valuation = Valuation::new(&view, &params, None, &mut rollout, &mut solvers);
                let worth = valuation.ended(&state).expect("few tricks are left");
                let mut search = Endgame::new(game, Payoff::new(game.layout().teams(), params.spite), u64::MAX);
                assert_eq!(Some(worth), search.worth(&state), "{}, deal {number}", self.0);
                let moves = valuation.solve_moves(&state).expect("few tricks are left");
                for (made, worth) in &moves {
                    let mut after = state;
                    game.play_unchecked(&mut after, *made);
                    assert_eq!(Some(*worth), search.worth(&after), "{}, deal {number}, {made:?}", self.0);
                }
                if let Some(best) = valuation.best(&state, &view, game.legal(&state), &mut rng) {
                    let seat = state.table.seat_to_move();
                    let worth = |wanted: Move| moves.iter().find(|(made, _)| *made == wanted).unwrap().1[seat];
                    assert!(moves.iter().all(|(made, _)| worth(*made) <= worth(best)), "{}, deal {number}", self.0);
                }
                found += 1;
            }
            found
        }
    }

    /// Leaves out Dummy Chameleon.
    ///
    /// The two hands of the declarer's opponent score separately there, which the solver does not know.
    #[test]
    fn the_solver_and_a_search_with_true_scores_agree_on_what_a_deal_for_two_is_worth() {
        for name in [
            "double-dummy",
            "humbug",
            "humbug-turn-up",
            "colour-blind-2",
            "colour-blind-2-last-card",
            "colour-blind-2-courts-last-card",
        ] {
            let endings = Variant::preset(name).unwrap().game.visit(Compare(name.to_owned()));
            assert!(endings >= 100, "{name}: {endings}");
        }
    }

    #[test]
    fn the_solver_and_a_search_with_true_scores_agree_on_what_a_deal_of_partners_is_worth() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/games/whist.toml");
        let whist = Variant::read(&file).unwrap_or_else(|error| panic!("{error}"));
        let endings = whist.game.visit(Compare("whist".to_owned()));
        assert!(endings >= 100, "{endings}");
    }
}
