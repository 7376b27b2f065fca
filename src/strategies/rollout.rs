//! Plays a deal out, as searching strategies do to see where a move leads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::random::pick;
use super::{BuildContext, StrategySpec, rule_based};
use crate::cards::Stream;
use crate::cards::select::Portable;
use crate::game::{FieldError, FullGame, Move, Moves, Standing, State, View};
use crate::strategy::Strategy;

/// How deals are played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RolloutPolicy {
    /// Every legal move is equally likely.
    Random,
    /// Calls and discards as the rule-based strategy makes them, cards at random.
    RuleBasedCalls,
    /// As the rule-based strategy plays with its default parameters.
    RuleBased,
}

/// Plays deals out.
pub struct Rollout<G: FullGame> {
    policy: RolloutPolicy,
    /// The rule-based player, if the game has one.
    player: Option<Box<dyn Strategy<G>>>,
}

impl<G: FullGame> Rollout<G> {
    /// A player of this kind.
    ///
    /// # Errors
    /// If `policy` needs the rule-based player and the game has none.
    pub fn new(policy: RolloutPolicy, context: &BuildContext) -> Result<Rollout<G>, FieldError> {
        let player = rule_based::Params::default().build(context).ok();
        if player.is_none() && policy != RolloutPolicy::Random {
            let game = context.game_name::<G>();
            let problem = format!("asks for a rule-based player, and {game} has none: write \"random\"");
            return Err(FieldError { key: "rollout", problem });
        }
        Ok(Rollout { policy, player })
    }

    /// Whether the game has a rule-based player.
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
        rng: &mut Stream,
    ) -> Move {
        let by_rule = match self.policy {
            RolloutPolicy::Random => false,
            RolloutPolicy::RuleBasedCalls => game.order(state).is_none(),
            RolloutPolicy::RuleBased => true,
        };
        if !by_rule {
            return pick(legal, rng, Portable);
        }
        self.by_rule(game, state, standing, legal, rng)
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
        rng: &mut Stream,
    ) -> Move {
        let usual = self.usual(&View::new(game, state, standing, state.table.seat_to_move()), legal, rng);
        usual.expect("who asks has seen that there is a rule-based player")
    }

    /// The move that the rule-based strategy makes, if the game has a rule-based player.
    #[inline]
    pub fn usual(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Option<Move> {
        let player = self.player.as_mut()?;
        if legal.len() == 1 {
            return legal.iter().next();
        }
        Some(player.choose(view, legal, rng))
    }

    /// Plays on to the end of the deal.
    pub fn finish(&mut self, game: &G, state: &mut State<G::Public>, standing: &Standing, rng: &mut Stream) {
        game.play_out(state, |state| self.choose(game, state, standing, game.legal(state), rng));
    }
}
