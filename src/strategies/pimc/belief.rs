//! The worlds that agree with what the others have called: drawn, or all of them where they are few.

use crate::cards::Stream;
use crate::game::{FullGame, State, View};
use crate::search::worlds::Worlds;
use crate::strategies::rollout::Rollout;

/// The most worlds that are drawn to find one that is believed.
const TRIES: usize = 20;
/// The unit of chances: they are counted in 1/65536.
const PARTS: u64 = 1 << 16;

/// The worlds that a seat believes in.
pub(super) struct Belief<'v, G: FullGame> {
    view: &'v View<'v, G>,
    worlds: Worlds<'v, G>,
    /// Probability, in 1/65536, of rejecting a world for each call that the rule-based strategy would not make.
    doubtful: u64,
}

impl<'v, G: FullGame> Belief<'v, G> {
    /// The belief of the seat of `view`; `trust` is the probability with which a call that is not by rule makes it
    /// reject a world.
    pub(super) fn new(view: &'v View<'v, G>, trust: f32) -> Belief<'v, G> {
        let calls = view.calls();
        let heard =
            calls.iter().any(|(seat, call)| *seat != view.seat() && call.is_none_or(|call| call.as_call().is_some()));
        let doubtful = if heard { (PARTS as f32 * trust) as u64 } else { 0 };
        Belief { view, worlds: Worlds::new(view), doubtful }
    }

    /// Every world as a deal to play on, if there are at most `most`, each with its weight: how likely it is to be
    /// drawn compared with the others.
    pub(super) fn all(
        &self,
        most: usize,
        rollout: &mut Rollout<G>,
        rng: &mut Stream,
    ) -> Option<Vec<(State<G::Public>, f64)>> {
        let worlds = self.worlds.few(most)?;
        let alone = worlds.len() == 1;
        let kept = 1.0 - self.doubtful as f64 / PARTS as f64;
        let mut all = Vec::with_capacity(worlds.len());
        for world in &worlds {
            let state = self.view.imagine(world);
            let mut weight = 1.0;
            if self.doubtful > 0 && !alone {
                self.each_doubt(&state, rollout, rng, |_| {
                    weight *= kept;
                    false
                });
            }
            all.push((state, weight));
        }
        if all.iter().all(|(_, weight)| *weight == 0.0) {
            all.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        }
        Some(all)
    }

    /// Draws a world, as a deal to play on. If none of those drawn is believed, it is the one whose doubtful call came
    /// latest.
    pub(super) fn draw(&mut self, rollout: &mut Rollout<G>, rng: &mut Stream) -> State<G::Public> {
        let mut furthest = None;
        for _ in 0..TRIES {
            let state = self.view.imagine(&self.worlds.sample(rng));
            if self.doubtful == 0 {
                return state;
            }
            let Some(doubted) = self.doubt(&state, rollout, rng) else {
                return state;
            };
            if furthest.as_ref().is_none_or(|(call, _)| doubted > *call) {
                furthest = Some((doubted, state));
            }
        }
        furthest.expect("one was drawn").1
    }

    /// The number of the call at which this world is no longer believed, if there is one. If the state before the calls
    /// cannot be found again, every world is believed.
    fn doubt(&self, state: &State<G::Public>, rollout: &mut Rollout<G>, rng: &mut Stream) -> Option<usize> {
        self.each_doubt(state, rollout, rng, |rng| rng.random_below(PARTS) < self.doubtful)
    }

    /// Calls `ends` for each call of another seat that the rule-based strategy would not have made in this world, until
    /// it is true, and gives the number of that one.
    fn each_doubt(
        &self,
        state: &State<G::Public>,
        rollout: &mut Rollout<G>,
        rng: &mut Stream,
        mut ends: impl FnMut(&mut Stream) -> bool,
    ) -> Option<usize> {
        let (game, standing) = (self.view.game(), self.view.standing());
        let mut past = game.opening(state, rng)?;
        for (number, &(seat, call)) in state.table.calls().iter().enumerate() {
            debug_assert_eq!(past.table.seat_to_move(), seat, "calls are made in turn");
            if seat != self.view.seat() && call.as_call().is_some() {
                let usual = rollout.by_rule(game, &past, standing, game.legal(&past), rng);
                if usual != call && ends(rng) {
                    return Some(number);
                }
            }
            game.play_unchecked(&mut past, call);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::SeedSource;
    use crate::game::{Game, Setup, Standing};
    use crate::games::euchre::{Euchre, EuchreRules};
    use crate::strategies::BuildContext;
    use crate::strategies::rollout::{Rollout, RolloutPolicy};
    use crate::table::Seat;

    /// For worlds of some deals, seen by the seat that plays first: how many have a call that is not by rule, and how
    /// many there are.
    fn doubted(trust: f32) -> [usize; 2] {
        let game = Euchre::new(EuchreRules::default()).unwrap();
        let standing = Standing::default();
        let mut rollout = Rollout::new(RolloutPolicy::RuleBased, &BuildContext::default()).unwrap();
        let mut found = [0, 0];
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "belief").stream(number, 0);
            let setup = Setup { dealer: Seat::new(number as usize % 3), last_deal: false };
            let mut state = game.deal(setup, &mut rng);
            while !game.is_over(&state) && game.order(&state).is_none() {
                let chosen = rollout.by_rule(&game, &state, &standing, game.legal(&state), &mut rng);
                game.play_unchecked(&mut state, chosen);
            }
            if game.is_over(&state) {
                continue;
            }
            let view = View::new(&game, &state, &standing, state.table.seat_to_move());
            let mut belief = Belief::new(&view, trust);
            let certain = Belief { doubtful: PARTS, ..Belief::new(&view, 1.0) };
            for _ in 0..10 {
                let world = belief.draw(&mut rollout, &mut rng);
                found[0] += usize::from(certain.doubt(&world, &mut rollout, &mut rng).is_some());
                found[1] += 1;
            }
        }
        found
    }

    #[test]
    fn who_trusts_the_calls_seldom_draws_a_world_in_which_they_would_not_be_made() {
        let [[blind, all], [half, _], [trusting, _]] = [0.0, 0.5, 1.0].map(doubted);
        // If none of twenty worlds is believed, one that is not is taken all the same.
        assert!(
            blind * 2 > all && trusting * 5 < all && trusting < half && half < blind,
            "{blind} {half} {trusting} of {all}"
        );
    }
}
