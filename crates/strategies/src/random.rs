//! `random`: any legal move, all with the same probability.

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_game::{FieldError, FullGame, Game, Move, Moves, Options, View};
use overtrick_strategy::{Batch, Strategy, pick};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BuildContext, StrategySpec};

/// `random` has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "any legal move, every one equally likely; plays every game";

    fn build<G: FullGame>(&self, _context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        Ok(Box::new(Random))
    }

    fn may_fault(&self) -> bool {
        false
    }
}

/// Uniform choice among the legal moves. It draws one number per decision, even with only one legal move.
pub struct Random;

impl<G: Game> Strategy<G> for Random {
    fn choose(&mut self, _view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        pick(legal, rng, Portable)
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = overtrick_cards::select::fast_pdep() {
            #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
            fn fast<G: Game>(batch: &mut Batch<'_, G>, pdep: overtrick_cards::select::Pdep) {
                batch.answer_each(|_, legal, rng| pick(legal, rng, pdep));
            }
            // SAFETY: `fast_pdep` saw these features on this processor.
            return unsafe { fast(batch, pdep) };
        }
        batch.answer_each(|_, legal, rng| pick(legal, rng, Portable));
    }
}
