//! Playing a deal out, as searching strategies do to see where a move leads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::random::pick;
use super::{Recipe, Scene, rule_based};
use crate::cards::Stream;
use crate::cards::select::Portable;
use crate::game::{FieldError, Game, Move, Moves, Standing, State, View};
use crate::strategy::Strategy;

/// How deals are played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rollout {
    /// Every legal move is as likely.
    Random,
    /// Calls and discards as the rule-based strategy makes them, cards at random.
    RuleBasedCalls,
    /// As the rule-based strategy plays with its default parameters.
    RuleBased,
}

/// Plays deals out.
pub struct Playout<G: Game> {
    rollout: Rollout,
    /// The rule-based player, if the game has one.
    player: Option<Box<dyn Strategy<G>>>,
}

impl<G: Game> Playout<G> {
    /// A player of this kind.
    ///
    /// # Errors
    /// If it is to play by rule, and the game has no rule-based player.
    pub fn new(rollout: Rollout) -> Result<Playout<G>, FieldError> {
        let player = rule_based::Params::default().build(&Scene::default()).ok();
        if player.is_none() && rollout != Rollout::Random {
            let problem = format!("asks for a rule-based player, and {} has none: write \"random\"", G::NAME);
            return Err(FieldError { key: "rollout", problem });
        }
        Ok(Playout { rollout, player })
    }

    /// Whether it can say what the rule-based strategy would do.
    pub fn knows_rules(&self) -> bool {
        self.player.is_some()
    }

    /// The move that is made in `state`, in which `legal` is not empty.
    #[inline]
    pub fn choose(
        &mut self,
        game: &G,
        state: &State<G::Public>,
        standing: &Standing,
        legal: Moves,
        luck: &mut Stream,
    ) -> Move {
        let by_rule = match self.rollout {
            Rollout::Random => false,
            Rollout::RuleBasedCalls => game.order(state).is_none(),
            Rollout::RuleBased => true,
        };
        if !by_rule {
            return pick(legal, luck, Portable);
        }
        self.by_rule(game, state, standing, legal, luck)
    }

    /// The move that the rule-based strategy makes in `state`.
    ///
    /// # Panics
    /// If the game has no rule-based player.
    pub fn by_rule(
        &mut self,
        game: &G,
        state: &State<G::Public>,
        standing: &Standing,
        legal: Moves,
        luck: &mut Stream,
    ) -> Move {
        let usual = self.usual(&View::new(game, state, standing, state.table.seat_to_move()), legal, luck);
        usual.expect("who asks has seen that there is a rule-based player")
    }

    /// The move that the rule-based strategy makes, if the game has a rule-based player.
    #[inline]
    pub fn usual(&mut self, view: &View<'_, G>, legal: Moves, luck: &mut Stream) -> Option<Move> {
        let player = self.player.as_mut()?;
        if legal.len() == 1 {
            return legal.iter().next();
        }
        Some(player.choose(view, legal, luck))
    }

    /// Plays on to the end of the deal.
    pub fn finish(&mut self, game: &G, state: &mut State<G::Public>, standing: &Standing, luck: &mut Stream) {
        while !game.is_over(state) {
            let chosen = self.choose(game, state, standing, game.legal(state), luck);
            game.apply(state, chosen);
        }
    }
}
