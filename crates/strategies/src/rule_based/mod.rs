//! `rule-based`: plays as a card player reasons, from the cards that the seat sees.
//!
//! It estimates the winner of the trick for each legal card, and weighs that with the worth of the tricks to
//! every player. It samples no worlds and searches nothing.
//!
//! Each game has separate play and a separate table of parameters. These types say what a seat knows:
//!
//! | type | content |
//! |---|---|
//! | `View` | all that the rules let the seat see |
//! | `Reading` | the unseen cards, and the chance of each hand to hold them |
//! | `SideView` (Chameleon) | a reading and the trick, seen by the declarer or by the opponents together |
//! | `SeenCards` (whist) | the cards of each hand, independent of trumps |
//! | `Knowledge` (whist) | the same with trumps: the cards of each suit from worst to best |
//! | `HandsInView` (games from files) | the unseen cards, and the chance of each hand to hold them, by any order |

pub mod chameleon;
mod choice;
pub mod colour_blind;
pub mod declared;
pub mod dumbo;
pub mod euchre;
mod processor;
mod reading;
#[cfg(test)]
mod testing;
pub mod whist;

use overtrick_game::{FieldError, FullGame, Options};
use overtrick_strategy::Strategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BuildContext, StrategySpec};

/// The parameters of `rule-based`, a table for each game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// How it plays Dumbo.
    pub dumbo: dumbo::Params,
    /// How it plays Colour-blind.
    pub colour_blind: colour_blind::Params,
    /// How it plays Euchre.
    pub euchre: euchre::Params,
    /// How it plays Dummy Whist, Double Dummy and Humbug.
    pub dummy_whist: whist::Params,
    /// How it plays Chameleon and Dummy Chameleon.
    pub chameleon: chameleon::Params,
    /// How it plays games from files.
    pub declared: declared::Params,
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        self.dumbo.validate()?;
        self.colour_blind.validate()?;
        self.euchre.validate()?;
        self.dummy_whist.validate()?;
        self.chameleon.validate()?;
        self.declared.validate()
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "rule-based";
    const ABOUT: &'static str = "estimates who wins the trick and what it is worth; plays all games";

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        context
            .only_for(dumbo::RuleBased::new(self.dumbo.clone()))
            .or_else(|| context.only_for(colour_blind::RuleBased::new(self.colour_blind.clone())))
            .or_else(|| context.only_for(euchre::RuleBased::new(self.euchre.clone())))
            .or_else(|| context.only_for(whist::RuleBased::new(self.dummy_whist.clone())))
            .or_else(|| context.only_for(chameleon::RuleBased::new(self.chameleon.clone())))
            .or_else(|| context.only_for(declared::RuleBased::new(self.declared.clone())))
            .ok_or_else(|| context.does_not_play::<G>())
    }

    fn may_fault(&self) -> bool {
        false
    }
}
