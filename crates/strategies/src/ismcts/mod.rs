//! `ismcts`: single-observer information-set Monte-Carlo tree search (Cowling, Powley & Whitehouse 2012).
//!
//! Each iteration draws a world that fits the view and follows the tree as long as its moves are legal in
//! this world. It then adds a node, plays the deal out, and adds the scores to the nodes on its path.
//!
//! All worlds share the tree, which contains no hidden cards. So the seat's own later moves do not depend on
//! hidden cards, unlike those of `pimc`. The moves of the others are searched as if they saw the seat's cards
//! only. However, the tree first tries the move that the rule-based player would make with the cards of the
//! world.

mod tree;

use overtrick_cards::Stream;
use overtrick_game::{FieldError, FullGame, Move, Moves, Options, State, View};
use overtrick_search::Payoff;
use overtrick_strategy::Strategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::rollout::{Rollout, RolloutPolicy};
use super::{BuildContext, InnerBot, StrategySpec};
use tree::{NodeId, Tree};

/// The parameters of `ismcts`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Iterations for each decision, 1 to 1000000. Each is one path through the tree.
    pub iterations: u32,
    /// How eagerly moves of uncertain worth are tried, in standard deviations of the payoffs in this search, 0 to 10.
    pub exploration: f32,
    /// Initial bonus for the move of the rollout player, in standard deviations, 0 to 100. Ignored if the game has no
    /// rollout player.
    pub prior: f32,
    /// Standard errors by which a move must look better than the rollout player's move to replace it, 0 to 10. Ignored
    /// if the game has no rollout player.
    pub caution: f32,
    /// Chance to draw a world again for each call in it that the rollout player would not make, 0 to 1. 0 ignores
    /// calls, and is required if the game has no rollout player.
    pub trust: f32,
    /// How deals are played out beyond the tree: "random", "rule-based-calls" (cards at random), "rule-based", or a
    /// bot. The rollout player is that bot, and otherwise the rule-based strategy if it plays the game. If it does not,
    /// only "random" or a bot is allowed.
    pub rollout: RolloutPolicy,
    /// Cost of a point of the others' average, in own points, 0 (only the own score counts) to 2. 1 plays for the
    /// difference.
    pub spite: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            iterations: 1000,
            exploration: 1.0,
            prior: 4.0,
            caution: 1.0,
            trust: 0.0,
            rollout: RolloutPolicy::RuleBased,
            spite: 1.0,
        }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("iterations", self.iterations, 1..=1_000_000)?;
        FieldError::check("exploration", self.exploration, 0.0..=10.0)?;
        FieldError::check("prior", self.prior, 0.0..=100.0)?;
        FieldError::check("caution", self.caution, 0.0..=10.0)?;
        FieldError::check("trust", self.trust, 0.0..=1.0)?;
        FieldError::check("spite", self.spite, 0.0..=2.0)
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "ismcts";
    const ABOUT: &'static str = "searches one tree of moves over worlds drawn at random; plays all games";
    const EFFORT: &'static [&'static str] = &["iterations"];

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let rollout = Rollout::new(&self.rollout, context)?;
        rollout.check_trust("trust", self.trust, context)?;
        let tree = Tree::new(f64::from(self.exploration), f64::from(self.prior));
        Ok(Box::new(Ismcts { params: self.clone(), rollout, tree, path: Vec::new() }))
    }

    fn may_fault(&self) -> bool {
        false
    }

    fn inner(&self) -> Option<(&'static str, &InnerBot)> {
        self.rollout.bot().map(|bot| ("rollout", bot))
    }

    fn inner_mut(&mut self) -> Option<(&'static str, &mut InnerBot)> {
        self.rollout.bot_mut().map(|bot| ("rollout", bot))
    }
}

/// The strategy for one game.
struct Ismcts<G: FullGame> {
    params: Params,
    rollout: Rollout<G>,
    // Cleared before every decision, and kept only to reuse the memory.
    tree: Tree,
    path: Vec<NodeId>,
}

impl<G: FullGame> Ismcts<G> {
    /// Runs one iteration and returns the state at the end of the deal.
    ///
    /// It starts in `state`, the state of a world, where the seat chooses among `first`.
    fn iterate(
        &mut self,
        view: &View<'_, G>,
        first: Moves,
        mut state: State<G::Public>,
        rng: &mut Stream,
    ) -> State<G::Public> {
        let (game, standing) = (view.game(), view.standing());
        let mut at = NodeId::ROOT;
        self.path.clear();
        while !game.is_over(&state) {
            let legal = if at == NodeId::ROOT { first } else { game.legal(&state) };
            let by = state.table.seat_to_move();
            if by != view.seat() && is_secret(game, &state, legal) {
                // The tree holds only moves that the seat sees.
                let chosen = self.rollout.choose(game, &state, standing, legal, rng);
                game.play_unchecked(&mut state, chosen);
                continue;
            }
            let has_prior = self.params.prior > 0.0 && self.rollout.has_player();
            let usual = has_prior.then(|| self.rollout.by_player(game, &state, standing, legal, rng));
            let is_new;
            (at, is_new) = self.tree.step(at, legal, by, usual, rng);
            self.path.push(at);
            game.play_unchecked(&mut state, self.tree.made(at));
            if is_new {
                self.rollout.finish(game, &mut state, standing, rng);
            }
        }
        state
    }
}

/// Returns whether the others do not see the move due in `state`: a discard or a sealed call.
fn is_secret<G: FullGame>(game: &G, state: &State<G::Public>, legal: Moves) -> bool {
    let discard = legal.call_bits() == 0 && game.order(state).is_none();
    discard || state.table.is_sealed(state.table.calls().len())
}

impl<G: FullGame> Strategy<G> for Ismcts<G> {
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        let first = legal.iter().next().expect("there is a move to choose");
        if legal.len() == 1 {
            return first;
        }
        let game = view.game();
        let usual = self.rollout.usual(view, legal, rng);
        let mut belief = Belief::new(view, self.params.trust, 0.0);
        let payoff = Payoff::new(game.layout().teams(), self.params.spite);
        let range = payoff.range(&game.score_range());
        let (low, width) = (f64::from(*range.start()), f64::from(range.end() - range.start()).max(1.0));
        self.tree.clear();
        for _ in 0..self.params.iterations {
            let state = belief.draw(&mut self.rollout, rng);
            let over = self.iterate(view, legal, state, rng);
            let worth = payoff.of(&game.scores(&over));
            let rewards = worth.map(|worth| (f64::from(worth) - low) / width);
            self.tree.reward(&self.path, &rewards);
        }
        self.tree.winner(usual, self.params.caution.into()).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::disagree;
    use overtrick_game::Game;
    use overtrick_games::euchre::{Euchre, EuchreRules};

    fn read(text: &str) -> Box<dyn Strategy<Euchre>> {
        let params: Params = toml::from_str(text).unwrap();
        params.validate().unwrap();
        params.build(&BuildContext::default()).unwrap()
    }

    #[test]
    fn every_parameter_changes_the_play() {
        let game = Euchre::new(EuchreRules::default()).unwrap();
        let usual = "iterations = 40";
        assert!(!disagree(&game, 20, read(usual), read(usual)));
        assert!(disagree(&game, 20, read(usual), read("iterations = 5")));
        for text in [
            "exploration = 4",
            "prior = 0",
            "caution = 10",
            "trust = 1",
            "rollout = \"random\"",
            "rollout = \"rule-based-calls\"",
            "spite = 0",
        ] {
            let changed = disagree(&game, 150, read(usual), read(&format!("{usual}\n{text}")));
            assert!(changed, "{text}");
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for text in ["iterations = 0", "exploration = -1", "prior = 101", "caution = -1", "trust = 1.5", "spite = nan"]
        {
            let params: Params = toml::from_str(text).unwrap();
            assert_eq!(params.validate().unwrap_err().key, text.split_once(' ').unwrap().0);
        }
    }
}
