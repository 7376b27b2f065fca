//! `pimc`: perfect-information Monte-Carlo (Ginsberg 2001).
//!
//! It draws worlds that fit the view and values every legal move in each of them. Then it makes the move with
//! the best average.
//!
//! In a world, a move is valued by playing out the rest of the deal.

mod race;
mod valuation;

use overtrick_cards::Stream;
use overtrick_game::{FieldError, FullGame, Move, Moves, Options, View};
use overtrick_strategy::Strategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::belief::Belief;
use super::rollout::{Rollout, RolloutPolicy};
use super::{BuildContext, InnerBot, StrategySpec};
use race::Race;
use valuation::{Solvers, Valuation};

/// The parameters of `pimc`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Worlds drawn for each decision, 1 to 100000.
    pub worlds: u32,
    /// If at most this many worlds fit, values all of them instead of drawing some, 0 to 10000.
    pub few: u32,
    /// Last tricks to solve with two sides, or with two players and a prize for each trick, 0 to 13.
    pub solve: u8,
    /// Last tricks to solve with two sides if all worlds are valued, 0 to 13.
    pub solve_few: u8,
    /// Last tricks to search to the end in all other play, 0 to 13.
    pub endgame: u8,
    /// Last tricks to search at once, with none played out before, if all worlds are valued, 0 to 13.
    pub endgame_few: u8,
    /// The same as `endgame-few` with two players and a prize for each trick, 0 to 13.
    pub prizes_few: u8,
    /// Positions that one solution or search may look at, 0 to 1000000000. If they do not suffice, one more trick is
    /// played out. If all worlds are valued, they share the positions of the worlds that would be drawn.
    pub nodes: u32,
    /// Standard errors by which a move must look better than the rollout player's move to replace it, 0 to 10. Ignored
    /// if the game has no rollout player.
    pub caution: f32,
    /// Chance to draw a world again for each call in it that the rollout player would not make, 0 to 1. 0 ignores
    /// calls, and is required if the game has no rollout player.
    pub trust: f32,
    /// The same for the cards that the others have played. Above 0, worlds are weighted and not drawn again.
    pub trust_cards: f32,
    /// How deals are played out: "random", "rule-based-calls" (cards at random), "rule-based", or a bot: its name, its
    /// file or a table. The rollout player is that bot, and otherwise the rule-based strategy if it plays the game. If
    /// it does not, only "random" or a bot is allowed.
    pub rollout: RolloutPolicy,
    /// Cost of a point of the others' average, in own points, 0 (only the own score counts) to 2. 1 plays for the
    /// difference.
    pub spite: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            worlds: 20,
            few: 20,
            solve: 5,
            solve_few: 13,
            endgame: 3,
            endgame_few: 4,
            prizes_few: 7,
            nodes: 10_000,
            caution: 1.0,
            trust: 0.0,
            trust_cards: 0.0,
            rollout: RolloutPolicy::RuleBased,
            spite: 1.0,
        }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("worlds", self.worlds, 1..=100_000)?;
        FieldError::check("few", self.few, 0..=10_000)?;
        FieldError::check("solve", self.solve, 0..=13)?;
        FieldError::check("solve-few", self.solve_few, 0..=13)?;
        FieldError::check("endgame", self.endgame, 0..=13)?;
        FieldError::check("endgame-few", self.endgame_few, 0..=13)?;
        FieldError::check("prizes-few", self.prizes_few, 0..=13)?;
        FieldError::check("nodes", self.nodes, 0..=1_000_000_000)?;
        FieldError::check("caution", self.caution, 0.0..=10.0)?;
        FieldError::check("trust", self.trust, 0.0..=1.0)?;
        FieldError::check("trust-cards", self.trust_cards, 0.0..=1.0)?;
        FieldError::check("spite", self.spite, 0.0..=2.0)
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "pimc";
    const ABOUT: &'static str = "values each move in worlds drawn at random, all cards known; plays all games";
    const EFFORT: &'static [&'static str] =
        &["worlds", "few", "solve", "solve-few", "endgame", "endgame-few", "prizes-few", "nodes"];

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let rollout = Rollout::new(&self.rollout, context)?;
        for (key, trust) in [("trust", self.trust), ("trust-cards", self.trust_cards)] {
            rollout.check_trust(key, trust, context)?;
        }
        let (params, solvers, race) = (self.clone(), Solvers::default(), Race::default());
        Ok(Box::new(Pimc { params, rollout, solvers, race }))
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

/// The strategy for one game, with memory that it reuses.
struct Pimc<G: FullGame> {
    params: Params,
    rollout: Rollout<G>,
    solvers: Solvers,
    race: Race,
}

impl<G: FullGame> Strategy<G> for Pimc<G> {
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        if legal.len() == 1 {
            return legal.iter().next().expect("there is a move to choose");
        }
        let Pimc { params, rollout, solvers, race } = self;
        let mut belief = Belief::new(view, params.trust, params.trust_cards);
        let all = belief.enumerate_up_to(params.few as usize, rollout, rng);
        let mut valuation = Valuation::new(view, params, all.as_ref().map(Vec::len), rollout, solvers);
        race.start(legal);
        let mut caution = params.caution.into();
        if let Some([(state, _)]) = all.as_deref()
            && let Some(best) = valuation.best(state, view, legal, rng)
        {
            return best;
        }
        if let Some(worlds) = all {
            let mut is_exact = true;
            for (state, weight) in worlds {
                is_exact &= valuation.add_world(race, &state, weight, view.seat(), rng);
            }
            // All values are exact, so the usual move must be as good as the best.
            if is_exact {
                caution = 0.0;
            }
        } else {
            for _ in 0..params.worlds {
                let state = belief.draw(valuation.rollout(), rng);
                valuation.add_world(race, &state, 1.0, view.seat(), rng);
                race.drop_out();
                if race.is_decided() {
                    break;
                }
            }
        }
        let usual = rollout.usual(view, legal, rng);
        race.winner(usual, caution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::disagree;
    use overtrick_game::Game;
    use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules};
    use overtrick_games::dumbo::{Dumbo, DumboRules};
    use overtrick_games::euchre::{Euchre, EuchreRules};
    use overtrick_games::whist::{DummyWhist, Form, WhistRules};

    fn read<G: FullGame>(text: &str) -> Box<dyn Strategy<G>> {
        let params: Params = toml::from_str(text).unwrap();
        params.validate().unwrap();
        params.build(&BuildContext::default()).unwrap()
    }

    #[test]
    fn every_parameter_changes_the_play() {
        let euchre = Euchre::new(EuchreRules::default()).unwrap();
        let usual = "worlds = 8\nsolve = 4\nendgame = 2\ncaution = 0.5\ntrust = 0.5";
        assert!(!disagree(&euchre, 20, read(usual), read(usual)));
        for changed in [
            usual.replace("worlds = 8", "worlds = 4"),
            usual.replace("solve = 4", "solve = 1"),
            usual.replace("caution = 0.5", "caution = 2"),
            usual.replace("trust = 0.5", "trust = 0"),
            format!("{usual}\nnodes = 1"),
            format!("{usual}\nrollout = \"random\""),
            format!("{usual}\nrollout = \"rule-based-calls\""),
            format!("{usual}\nrollout = \"cautious\""),
            format!("{usual}\ntrust-cards = 0.9"),
            format!("{usual}\nspite = 0"),
        ] {
            assert!(disagree(&euchre, 150, read(usual), read(&changed)), "{changed}");
        }
        // Dumbo has no two sides.
        let dumbo = Dumbo::new(DumboRules::default()).unwrap();
        assert!(disagree(&dumbo, 2, read(usual), read(&usual.replace("endgame = 2", "endgame = 0"))));
        // The others' cards are known, or almost known.
        let pair = ColourBlind::new(ColourBlindRules { players: 2, ..ColourBlindRules::default() }).unwrap();
        let double = DummyWhist::new(WhistRules { form: Form::DoubleDummy, ..WhistRules::default() }).unwrap();
        let few = "worlds = 8\nfew = 20";
        for changed in ["few = 0", "few = 20\nprizes-few = 0"] {
            assert!(disagree(&pair, 5, read(few), read(&few.replace("few = 20", changed))), "{changed}");
        }
        let three = ColourBlind::new(ColourBlindRules::default()).unwrap();
        assert!(disagree(&three, 20, read(few), read(&format!("{few}\nendgame-few = 0"))));
        assert!(disagree(&double, 12, read(few), read(&format!("{few}\nsolve-few = 0"))));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for text in [
            "worlds = 0",
            "few = 10001",
            "solve = 14",
            "solve-few = 14",
            "endgame = 14",
            "endgame-few = 14",
            "prizes-few = 14",
            "nodes = 2000000000",
            "caution = -1",
            "trust = 1.5",
            "trust-cards = -0.5",
            "spite = nan",
        ] {
            let params: Params = toml::from_str(text).unwrap();
            assert_eq!(params.validate().unwrap_err().key, text.split_once(' ').unwrap().0);
        }
    }
}
