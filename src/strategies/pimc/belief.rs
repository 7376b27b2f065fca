//! Worlds that agree with what the others have called.

use crate::cards::Stream;
use crate::game::{Game, State, View};
use crate::search::worlds::Worlds;
use crate::strategies::playout::Playout;

/// How many worlds are drawn at most to find one that is believed.
const TRIES: usize = 20;
/// The parts that chances are counted in.
const PARTS: u64 = 1 << 16;

/// What a seat believes of the hidden cards.
pub(super) struct Belief<'v, G: Game> {
    view: &'v View<'v, G>,
    worlds: Worlds<'v, G>,
    /// In so many parts of all cases a world is dropped for a call that is not made by rule.
    doubtful: u64,
}

impl<'v, G: Game> Belief<'v, G> {
    /// What the seat of `view` believes if it trusts so far that the others call by rule.
    pub(super) fn new(view: &'v View<'v, G>, trust: f32) -> Belief<'v, G> {
        let calls = view.calls();
        let heard =
            calls.iter().any(|(seat, call)| *seat != view.seat() && call.is_none_or(|call| call.as_call().is_some()));
        let doubtful = if heard { (PARTS as f32 * trust) as u64 } else { 0 };
        Belief { view, worlds: Worlds::new(view), doubtful }
    }

    /// A world, as a deal to play on. If none of those drawn was believed, the one that was doubted last.
    pub(super) fn draw(&mut self, playout: &mut Playout<G>, luck: &mut Stream) -> State<G::Public> {
        let mut furthest = None;
        for _ in 0..TRIES {
            let state = self.view.imagine(&self.worlds.sample(luck));
            if self.doubtful == 0 {
                return state;
            }
            let Some(doubted) = self.doubt(&state, playout, luck) else {
                return state;
            };
            if furthest.as_ref().is_none_or(|(call, _)| doubted > *call) {
                furthest = Some((doubted, state));
            }
        }
        furthest.expect("one was drawn").1
    }

    /// The number of the call at which this world is no longer believed, if there is one. Any world is believed if the calls cannot be
    /// looked back on.
    fn doubt(&self, state: &State<G::Public>, playout: &mut Playout<G>, luck: &mut Stream) -> Option<usize> {
        let (game, standing) = (self.view.game(), self.view.standing());
        let mut past = game.opening(state, luck)?;
        for (number, &(seat, call)) in state.table.calls().iter().enumerate() {
            debug_assert_eq!(past.table.seat_to_move(), seat, "calls are made in turn");
            if seat != self.view.seat() && call.as_call().is_some() {
                let usual = playout.by_rule(game, &past, standing, game.legal(&past), luck);
                if usual != call && luck.below(PARTS) < self.doubtful {
                    return Some(number);
                }
            }
            game.apply(&mut past, call);
        }
        None
    }
}
