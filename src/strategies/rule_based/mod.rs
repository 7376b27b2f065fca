//! `rule-based`: plays as a card player reasons, from what the seat sees. It estimates who will win the trick with each card that it
//! may play, and weighs that with what the tricks are worth to everybody. No worlds are sampled and nothing is searched.
//!
//! Each game has its own play and its own table of parameters.

pub mod colour_blind;
pub mod dumbo;
mod reading;
#[cfg(test)]
mod testing;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Recipe, only_for};
use crate::game::{FieldError, Game, RuleSet};
use crate::strategy::Strategy;

/// The parameters of `rule-based`, a table for each game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// How it plays Dumbo.
    pub dumbo: dumbo::Params,
    /// How it plays Colour-blind.
    pub colour_blind: colour_blind::Params,
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        self.dumbo.validate()?;
        self.colour_blind.validate()
    }
}

impl Recipe for Params {
    const NAME: &'static str = "rule-based";
    const ABOUT: &'static str = "estimates who wins the trick and what it is worth; plays Dumbo and Colour-blind";

    fn build<G: Game>(&self) -> Option<Box<dyn Strategy<G>>> {
        let dumbo = dumbo::RuleBased::new(self.dumbo.clone());
        let colour_blind = colour_blind::RuleBased::new(self.colour_blind.clone());
        only_for(dumbo).or_else(|| only_for(colour_blind))
    }
}
