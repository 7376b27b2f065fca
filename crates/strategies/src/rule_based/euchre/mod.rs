//! Euchre by rule.
//!
//! The strategy makes trumps if that is worth more than leaving them to others. It plays the card that is
//! best for its side in this trick and the next.

mod calls;
mod outlook;
mod trumps;

use overtrick_cards::Stream;
use overtrick_game::{FieldError, Move, Moves, Options, View};
use overtrick_games::euchre::{Euchre, Phase};
use overtrick_strategy::Strategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use outlook::Outlook;
use trumps::Trumps;

/// How the strategy plays Euchre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Tricks that its hand must promise for an even chance to make a contract, 0 to 5.
    pub courage: f32,
    /// Tricks that it must promise in addition if an opposing dealer gets the card turned up, -2 to 3.
    pub gift: f32,
    /// Tricks that an ace of another suit adds to a maker's hand, beyond the trick that it promises, 0 to 2.
    pub ace: f32,
    /// Chance that a low trump of the maker ruffs, 0 to 1. It is doubled for a defender, and lower with few void suits.
    pub ruff: f32,
    /// Share of the opponents' trumps that a trump lead by the maker is expected to draw, 0 to 1.
    pub draw: f32,
    /// Chance that a winning card of another suit gets to win a trick that another player leads, 0 to 1.
    pub idle: f32,
    /// Worth of a later trick relative to this trick, 0 to 2.
    pub thrift: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { courage: 2.1, gift: 0.3, ace: 0.7, ruff: 0.38, draw: 0.4, idle: 0.6, thrift: 0.85 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("euchre.courage", self.courage, 0.0..=5.0)?;
        FieldError::check("euchre.gift", self.gift, -2.0..=3.0)?;
        FieldError::check("euchre.ace", self.ace, 0.0..=2.0)?;
        FieldError::check("euchre.ruff", self.ruff, 0.0..=1.0)?;
        FieldError::check("euchre.draw", self.draw, 0.0..=1.0)?;
        FieldError::check("euchre.idle", self.idle, 0.0..=1.0)?;
        FieldError::check("euchre.thrift", self.thrift, 0.0..=2.0)
    }
}

/// The rule-based strategy for Euchre.
pub struct RuleBased {
    params: Params,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }
}

impl Strategy<Euchre> for RuleBased {
    fn choose(&mut self, view: &View<'_, Euchre>, legal: Moves, _rng: &mut Stream) -> Move {
        if legal.len() == 1 {
            return legal.iter().next().expect("there is a move");
        }
        let (making, params) = (view.public(), &self.params);
        let outlook = || {
            let maker = making.maker().expect("trumps are made");
            Outlook::new(view, params, Trumps::new(making.trump()), maker, outlook::was_taken(view))
        };
        match making.phase() {
            Phase::OrderUp => calls::order_up(view, params),
            Phase::Name => calls::name_suit(view, params, legal),
            Phase::Discard => Move::card(outlook().discard(view.own(), legal.card_set())),
            Phase::Play => Move::card(outlook().best(view, legal.card_set())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::changes_choices;
    use overtrick_game::Game;
    use overtrick_games::euchre::EuchreRules;

    #[test]
    fn every_parameter_changes_the_play() {
        let game = Euchre::new(EuchreRules::default()).unwrap();
        for (name, params) in [
            ("courage", Params { courage: 3.5, ..Params::default() }),
            ("gift", Params { gift: 1.5, ..Params::default() }),
            ("ace", Params { ace: 0.1, ..Params::default() }),
            ("ruff", Params { ruff: 0.9, ..Params::default() }),
            ("draw", Params { draw: 0.0, ..Params::default() }),
            ("idle", Params { idle: 0.1, ..Params::default() }),
            ("thrift", Params { thrift: 0.3, ..Params::default() }),
        ] {
            params.validate().unwrap();
            let (mut usual, mut other) = (RuleBased::new(Params::default()), RuleBased::new(params));
            assert!(changes_choices(&game, 600, &mut usual, &mut other), "{name} changes nothing");
        }
    }
}
