//! `pimc`: perfect-information Monte-Carlo (Ginsberg 2001). Worlds that fit the view are drawn, what every legal move is worth is
//! found out in each, and the move is made that is worth most on average.
//!
//! In a world, a move is valued by playing the deal out after it.

mod race;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::playout::{Playout, Rollout};
use super::{Recipe, Scene};
use crate::cards::Stream;
use crate::game::{FieldError, Game, Move, Moves, RuleSet, Standing, State, View};
use crate::search::worlds::Worlds;
use crate::search::{Endgame, Payoff};
use crate::strategy::Strategy;
use crate::table::{BySeat, Place};
use race::Race;

/// The parameters of `pimc`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Worlds drawn for each decision, 1 to 100000.
    pub worlds: u32,
    /// The last tricks that are searched to the end rather than played out, 0 to 13.
    pub endgame: u8,
    /// Positions that the search of one endgame may look at, 0 to 1000000000; if they do not suffice, a card more is played out.
    pub nodes: u32,
    /// How deals are played out: "random", "rule-based-calls" (cards at random) or "rule-based".
    pub rollout: Rollout,
    /// What a point of the others' average costs, in own points, 0 (only the own score counts) to 2; 1 plays for the difference.
    pub spite: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { worlds: 20, endgame: 3, nodes: 1000, rollout: Rollout::RuleBased, spite: 1.0 }
    }
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("worlds", self.worlds, 1..=100_000)?;
        FieldError::check("endgame", self.endgame, 0..=13)?;
        FieldError::check("nodes", self.nodes, 0..=1_000_000_000)?;
        FieldError::check("spite", self.spite, 0.0..=2.0)
    }
}

impl Recipe for Params {
    const NAME: &'static str = "pimc";
    const ABOUT: &'static str = "values each move in worlds drawn at random, all cards known; plays all games";

    fn build<G: Game>(&self, _scene: &Scene) -> Option<Box<dyn Strategy<G>>> {
        let playout = Playout::new(self.rollout)?;
        Some(Box::new(Pimc { params: self.clone(), playout, race: Race::default() }))
    }
}

/// The strategy.
struct Pimc<G: Game> {
    params: Params,
    playout: Playout<G>,
    race: Race,
}

impl<G: Game> Pimc<G> {
    /// By seat: what the deal is worth that has come to `state`.
    fn worth(
        params: &Params,
        playout: &mut Playout<G>,
        game: &G,
        payoff: Payoff,
        mut state: State<G::Public>,
        standing: &Standing,
        luck: &mut Stream,
    ) -> BySeat<f32> {
        while !game.is_over(&state) {
            let legal = game.legal(&state);
            if is_near_the_end(game, &state, params.endgame)
                && state.table.trick_length() == 0
                && let Some(worth) = Endgame::new(game, payoff, params.nodes.into()).worth(&state)
            {
                return worth;
            }
            let chosen = playout.choose(game, &state, standing, legal, luck);
            game.apply(&mut state, chosen);
        }
        payoff.of(&game.scores(&state))
    }
}

/// Whether cards are played and no more than so many tricks are to come.
fn is_near_the_end<G: Game>(game: &G, state: &State<G::Public>, tricks: u8) -> bool {
    game.order(state).is_some() && state.table.at(state.table.hand_to_move()).len() <= u32::from(tricks)
}

impl<G: Game> Strategy<G> for Pimc<G> {
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, luck: &mut Stream) -> Move {
        let first = legal.iter().next().expect("there is a move to choose");
        if legal.len() == 1 {
            return first;
        }
        let game = view.game();
        let payoff = Payoff::new(game.layout().seats, self.params.spite);
        let worlds = Worlds::new(view);
        let Pimc { params, playout, race } = self;
        race.start(legal);
        for _ in 0..params.worlds {
            let state = view.imagine(&worlds.sample(luck));
            race.add(|made| {
                let mut after = state;
                game.apply(&mut after, made);
                Self::worth(params, playout, game, payoff, after, view.standing(), luck)[view.seat()]
            });
            if race.is_decided() {
                break;
            }
        }
        let mut best = Moves::NONE;
        race.winners().for_each(|made| best = best.with(made));
        if best.len() == 1 {
            return best.iter().next().expect("there is one");
        }
        playout.prefer(view, legal, best, luck)
    }
}
