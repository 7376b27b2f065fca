//! The worlds that agree with the calls and plays of the others.

use overtrick_cards::Stream;
use overtrick_game::{FullGame, Move, State, View};
use overtrick_search::worlds::Worlds;

use crate::rollout::Rollout;

/// The maximum number of worlds drawn to find one that is believed.
const TRIES: usize = 20;
/// The unit of probabilities, which are counted in 1/65536.
const PARTS: u64 = 1 << 16;

/// The worlds that a seat believes possible.
pub(super) struct Belief<'v, G: FullGame> {
    view: &'v View<'v, G>,
    worlds: Worlds<'v, G>,
    /// The probability, in 1/65536, to reject a world for each call that the rollout player would not make.
    doubtful: u64,
    /// The same for each card that the rollout player would not play.
    doubtful_cards: u64,
}

impl<'v, G: FullGame> Belief<'v, G> {
    /// Returns the belief of the seat of `view`.
    ///
    /// `trust` and `trust_cards` are the probabilities to reject a world for a call or a card that the
    /// rollout player would not have chosen.
    pub(super) fn new(view: &'v View<'v, G>, trust: f32, trust_cards: f32) -> Belief<'v, G> {
        let calls = view.calls();
        let heard =
            calls.iter().any(|(seat, call)| *seat != view.seat() && call.is_none_or(|call| call.as_call().is_some()));
        let parts = |trust: f32, counts: bool| if counts { (PARTS as f32 * trust) as u64 } else { 0 };
        let doubtful_cards = parts(trust_cards, !view.plays().is_empty());
        Belief { view, worlds: Worlds::new(view), doubtful: parts(trust, heard), doubtful_cards }
    }

    /// Returns every world as a state to play on, with its weight, if there are at most `limit`.
    ///
    /// The weight is proportional to the probability of drawing the world.
    pub(super) fn enumerate_up_to(
        &self,
        limit: usize,
        rollout: &mut Rollout<G>,
        rng: &mut Stream,
    ) -> Option<Vec<(State<G::Public>, f64)>> {
        let worlds = self.worlds.enumerate_up_to(limit)?;
        let alone = worlds.len() == 1;
        let mut all = Vec::with_capacity(worlds.len());
        for world in &worlds {
            let state = self.view.imagine(world);
            let weight = if alone { 1.0 } else { self.weight(&state, rollout, rng) };
            all.push((state, weight));
        }
        if all.iter().all(|(_, weight)| *weight == 0.0) {
            all.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        }
        Some(all)
    }

    /// Draws a world as a state to play on.
    ///
    /// If no world drawn is believed, the result is the world whose doubted call came latest. If cards are
    /// believed too, hardly any world fits all of them. The world is then drawn by weight.
    pub(super) fn draw(&mut self, rollout: &mut Rollout<G>, rng: &mut Stream) -> State<G::Public> {
        if self.doubtful_cards > 0 {
            return self.draw_weighed(rollout, rng);
        }
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
        furthest.expect("at least one world was drawn").1
    }

    /// Draws several worlds, and one of them by weight.
    fn draw_weighed(&mut self, rollout: &mut Rollout<G>, rng: &mut Stream) -> State<G::Public> {
        let mut kept = self.view.imagine(&self.worlds.sample(rng));
        let mut total = self.weight(&kept, rollout, rng);
        for _ in 1..TRIES {
            let state = self.view.imagine(&self.worlds.sample(rng));
            let weight = self.weight(&state, rollout, rng);
            total += weight;
            // Each world so far is then the kept one with a probability proportional to its weight.
            if (rng.random_below(PARTS) as f64) < PARTS as f64 * (weight / total) {
                kept = state;
            }
        }
        kept
    }

    /// Returns the probability that a world is believed.
    fn weight(&self, state: &State<G::Public>, rollout: &mut Rollout<G>, rng: &mut Stream) -> f64 {
        let mut weight = 1.0;
        if self.doubtful > 0 || self.doubtful_cards > 0 {
            self.each_doubt(state, rollout, rng, |doubtful, _| {
                weight *= 1.0 - doubtful as f64 / PARTS as f64;
                false
            });
        }
        weight
    }

    /// Returns the number of the call or card at which this world is rejected, if there is one.
    ///
    /// If the state before the calls cannot be restored, every world is believed.
    fn doubt(&self, state: &State<G::Public>, rollout: &mut Rollout<G>, rng: &mut Stream) -> Option<usize> {
        self.each_doubt(state, rollout, rng, |doubtful, rng| rng.random_below(PARTS) < doubtful)
    }

    /// Calls `ends` with the rejection probability for each doubtful call or card, until it returns true.
    ///
    /// A call of another seat is doubtful if the rollout player would not have made it in this world. The
    /// same holds for cards if cards are believed. Returns the number of the call or card at which `ends`
    /// returned true.
    fn each_doubt(
        &self,
        state: &State<G::Public>,
        rollout: &mut Rollout<G>,
        rng: &mut Stream,
        mut ends: impl FnMut(u64, &mut Stream) -> bool,
    ) -> Option<usize> {
        let (game, standing) = (self.view.game(), self.view.standing());
        let mut past = game.opening(state, rng)?;
        let cards = if self.doubtful_cards > 0 { state.table.plays() } else { &[] };
        let calls = state.table.calls().iter().map(|&(_, call)| (call, self.doubtful));
        let cards = cards.iter().map(|&card| (Move::card(card), self.doubtful_cards));
        for (number, (made, doubtful)) in calls.chain(cards).enumerate() {
            // Discards are not seen, and a sole legal move proves nothing.
            let is_seen = made.as_call().is_some() || number >= state.table.calls().len();
            if past.table.seat_to_move() != self.view.seat() && is_seen && doubtful > 0 {
                let usual = rollout.by_player(game, &past, standing, game.legal(&past), rng);
                if usual != made && ends(doubtful, rng) {
                    return Some(number);
                }
            }
            game.play_unchecked(&mut past, made);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::{Rollout, RolloutPolicy};
    use overtrick_cards::SeedSource;
    use overtrick_cards::table::Seat;
    use overtrick_external::BuildContext;
    use overtrick_game::{Game, Setup, Standing};
    use overtrick_games::euchre::{Euchre, EuchreRules};

    /// Returns the number of worlds with a doubtful call, and of all worlds.
    ///
    /// The worlds are drawn for some deals, as seen by the seat that plays first.
    fn doubted(trust: f32) -> [usize; 2] {
        let game = Euchre::new(EuchreRules::default()).unwrap();
        let standing = Standing::default();
        let mut rollout = Rollout::new(&RolloutPolicy::RuleBased, &BuildContext::default()).unwrap();
        let mut found = [0, 0];
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "belief").stream(number, 0);
            let setup = Setup { dealer: Seat::new(number as usize % 3), ..Setup::default() };
            let mut state = game.deal(setup, &mut rng);
            while !game.is_over(&state) && game.order(&state).is_none() {
                let chosen = rollout.by_player(&game, &state, &standing, game.legal(&state), &mut rng);
                game.play_unchecked(&mut state, chosen);
            }
            if game.is_over(&state) {
                continue;
            }
            let view = View::new(&game, &state, &standing, state.table.seat_to_move());
            let mut belief = Belief::new(&view, trust, 0.0);
            let certain = Belief::new(&view, 1.0, 0.0);
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
        // If none of twenty worlds is believed, a world that is not believed is taken anyway.
        assert!(
            blind * 2 > all && trusting * 5 < all && trusting < half && half < blind,
            "{blind} {half} {trusting} of {all}"
        );
    }
}
