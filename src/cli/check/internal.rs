//! Tests strategies inside the process: faults, and moves that depend on hidden cards or on other deals.

use std::time::Instant;

use super::{Finding, again};
use crate::cards::{SeedSource, Stream};
use crate::game::{FullGame, Move, Setup, Standing, State, View};
use crate::games::{OpenGame, Variant};
use crate::protocol::Fault;
use crate::strategies::{AnySpec, BuildContext};
use crate::strategy::Strategy;

/// The number of times that the hidden cards are dealt again for each decision.
const REDEALS: u64 = 2;

/// Tests a strategy in a variant, or returns `None` if it does not play the variant.
pub fn check(spec: &AnySpec, variant: &Variant, deals: u64) -> Option<Finding> {
    let (variant, game) = variant.erased();
    let context = BuildContext::of(&variant);
    let table = Table::new(game.as_ref(), &variant.name);
    let mut finding = Finding::default();
    let mut strategy = spec.build::<OpenGame>(&context).ok()?;
    let first: Vec<Vec<Move>> = (0..deals).map(|deal| table.play(&mut *strategy, deal, &mut finding)).collect();
    let time = finding.clock.time;
    finding.pace = (first.iter().map(Vec::len).sum(), time);
    let mut fresh = spec.build::<OpenGame>(&context).ok()?;
    for deal in again(deals).rev() {
        let later = table.play(&mut *fresh, deal, &mut Finding::default());
        if let Some(number) = first[deal as usize].iter().zip(&later).position(|(one, other)| one != other) {
            finding.problems.push(format!("deal {deal}, move {number}: another choice after other deals"));
        }
    }
    Some(finding)
}

/// Deals with one strategy in every seat.
struct Table<'a, G: FullGame> {
    game: &'a G,
    cards: SeedSource,
    own: SeedSource,
    hidden: SeedSource,
}

impl<'a, G: FullGame> Table<'a, G> {
    fn new(game: &'a G, variant: &str) -> Table<'a, G> {
        let rng = |purpose| SeedSource::new(1, purpose, variant);
        Table { game, cards: rng("check cards"), own: rng("check strategy"), hidden: rng("check hidden") }
    }

    /// Plays a deal and returns the moves. Checks at each decision whether other hidden cards would change
    /// it.
    fn play(&self, strategy: &mut dyn Strategy<G>, deal: u64, finding: &mut Finding) -> Vec<Move> {
        let setup = Setup::single(self.game, deal, deal % 2 == 1);
        let mut state = self.game.deal(setup, &mut self.cards.stream(deal, 0));
        let mut moves = Vec::new();
        let mut hidden = self.hidden.stream(deal, 0);
        let mut own = self.own.stream(deal, 0);
        while !self.game.is_over(&state) {
            let before = own.clone();
            let start = Instant::now();
            let chosen = self.choose(strategy, &state, &mut own);
            finding.clock.note(start.elapsed(), 1);
            let chosen = match chosen {
                Ok(chosen) => chosen,
                Err(fault) => {
                    finding.problems.push(format!("deal {deal}, move {}: {fault}", moves.len()));
                    break;
                }
            };
            let seat = state.table.seat_to_move();
            let leaks = |_| self.choose(strategy, &state.redealt(seat, &mut hidden), &mut before.clone()) != Ok(chosen);
            if (0..REDEALS).any(leaks) {
                let problem = "another choice when only cards that it cannot see were others";
                finding.problems.push(format!("deal {deal}, move {}: {problem}", moves.len()));
            }
            let legal = self.game.legal(&state);
            if !legal.contains(chosen) && !self.game.renege_moves(&state).contains(chosen) {
                let why = self.game.why_not(&state, chosen);
                finding.problems.push(format!("deal {deal}, move {}: {why}", moves.len()));
                break;
            }
            self.game.play_unchecked(&mut state, chosen);
            moves.push(chosen);
        }
        moves
    }

    fn choose(
        &self,
        strategy: &mut dyn Strategy<G>,
        state: &State<G::Public>,
        rng: &mut Stream,
    ) -> Result<Move, Fault> {
        let standing = Standing::default();
        let view = View::new(self.game, state, &standing, state.table.seat_to_move());
        strategy.try_choose(&view, self.game.legal(state), rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Moves};
    use crate::games::dumbo::Dumbo;

    /// A strategy whose choices depend on the number of earlier choices.
    struct Moody(usize);

    impl<G: FullGame> Strategy<G> for Moody {
        fn choose(&mut self, _view: &View<'_, G>, legal: Moves, _luck: &mut Stream) -> Move {
            self.0 += 1;
            legal.iter().nth(self.0 % legal.len() as usize).expect("a legal move")
        }
    }

    /// A strategy that always plays the ace of spades.
    struct Stubborn;

    impl<G: FullGame> Strategy<G> for Stubborn {
        fn choose(&mut self, _view: &View<'_, G>, _legal: Moves, _luck: &mut Stream) -> Move {
            Move::card("AS".parse().expect("a card"))
        }
    }

    fn problems(strategy: &mut dyn Strategy<Dumbo>) -> String {
        let game = Dumbo::new(Default::default()).expect("default rules");
        let mut finding = Finding::default();
        Table::new(&game, "dumbo").play(strategy, 0, &mut finding);
        finding.problems.join("\n")
    }

    #[test]
    fn choices_that_views_do_not_explain_and_illegal_moves_are_told() {
        assert!(problems(&mut Moody(0)).contains("only cards that it cannot see"));
        let stubborn = problems(&mut Stubborn);
        assert!(stubborn.starts_with("deal 0, move ") && stubborn.contains("rule DU"), "{stubborn}");
    }
}
