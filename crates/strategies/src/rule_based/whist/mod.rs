//! The whist family by rule.
//!
//! The strategy estimates the tricks of both sides, and bids and names by the estimate. It plays the card
//! after which its side may expect the most tricks.

mod bidding;
mod distinct;
mod estimate;
#[cfg(test)]
mod plain;
mod play;
mod position;
mod worth;

use overtrick_game::{FieldError, Move, Moves, Options, View};
use overtrick_games::whist::{DummyWhist, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule_based::processor::decide_by_processor;
use worth::Suits;

/// How the strategy plays the whist family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Least chance to make a bid at which it bids, 0 to 1.
    pub surety: f32,
    /// The cost of leaving the contract to another, in points, 0 to 20.
    pub envy: f32,
    /// Books that its hand must promise in its best contract to be kept in Humbug, 0 to 13.
    pub keep: f32,
    /// The same if trumps are turned up, 0 to 13.
    pub keep_turned: f32,
    /// The worth of a card that wins only once higher ones are gone, in tricks, 0 to 1.
    pub slow: f32,
    /// The worth of a card that wins only because its suit is longer than others', in tricks, 0 to 1.
    pub long: f32,
    /// The worth of a chance to ruff, in tricks, 0 to 1.
    pub ruff: f32,
    /// How far the side on lead is expected to take its quick tricks first, 0 to 1.
    pub haste: f32,
    /// Additional worth of this trick over a later one, in tricks, 0 to 2.
    pub tempo: f32,
    /// Worth of leading a suit for each card that the own side's longest hand there has more than the other side's, in
    /// tricks, 0 to 1.
    pub length: f32,
    /// The cost of leading from between the other side's cards where a partner plays, in tricks, 0 to 1.
    pub patience: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            surety: 0.36,
            envy: 3.0,
            keep: 8.3,
            keep_turned: 6.4,
            slow: 0.6,
            long: 0.6,
            ruff: 0.2,
            haste: 0.5,
            tempo: 0.3,
            length: 0.25,
            patience: 0.15,
        }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("dummy-whist.surety", self.surety, 0.0..=1.0)?;
        FieldError::check("dummy-whist.envy", self.envy, 0.0..=20.0)?;
        FieldError::check("dummy-whist.keep", self.keep, 0.0..=13.0)?;
        FieldError::check("dummy-whist.keep-turned", self.keep_turned, 0.0..=13.0)?;
        FieldError::check("dummy-whist.slow", self.slow, 0.0..=1.0)?;
        FieldError::check("dummy-whist.long", self.long, 0.0..=1.0)?;
        FieldError::check("dummy-whist.ruff", self.ruff, 0.0..=1.0)?;
        FieldError::check("dummy-whist.haste", self.haste, 0.0..=1.0)?;
        FieldError::check("dummy-whist.tempo", self.tempo, 0.0..=2.0)?;
        FieldError::check("dummy-whist.length", self.length, 0.0..=1.0)?;
        FieldError::check("dummy-whist.patience", self.patience, 0.0..=1.0)
    }
}

/// The rule-based strategy for the whist family.
pub struct RuleBased {
    params: Params,
    suits: Box<Suits>,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { suits: Suits::new(&params), params }
    }

    #[inline(always)]
    fn decide(&mut self, view: &View<'_, DummyWhist>, legal: Moves) -> Move {
        let RuleBased { params, suits } = self;
        if legal.len() == 1 {
            return legal.iter().next().expect("there is a move");
        }
        match view.public().phase() {
            Phase::Choice => bidding::keep(view, params, suits),
            Phase::Auction => bidding::bid(view, legal, params, suits),
            Phase::Discard => Move::card(bidding::discard(view, legal.card_set(), params, suits)),
            Phase::Declaration => bidding::declare(view, legal, params, suits),
            Phase::Play => Move::card(play::choose(view, legal.card_set(), params, suits)),
        }
    }
}

decide_by_processor!(RuleBased, DummyWhist);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::{changes_choices, watch};
    use overtrick_game::Game;
    use overtrick_games::whist::{Form, TrumpMethod, WhistRules};

    #[test]
    fn every_parameter_changes_the_play() {
        let humbug = WhistRules { form: Form::Humbug, ..WhistRules::default() };
        let turned_up = WhistRules { trump_method: TrumpMethod::TurnUp, ..humbug.clone() };
        let games = [WhistRules::default(), humbug, turned_up].map(|rules| DummyWhist::new(rules).unwrap());
        for (name, params) in [
            ("surety", Params { surety: 0.7, ..Params::default() }),
            ("envy", Params { envy: 0.0, ..Params::default() }),
            ("keep", Params { keep: 10.0, ..Params::default() }),
            ("keep_turned", Params { keep_turned: 9.0, ..Params::default() }),
            ("slow", Params { slow: 0.2, ..Params::default() }),
            ("long", Params { long: 0.2, ..Params::default() }),
            ("ruff", Params { ruff: 0.8, ..Params::default() }),
            ("haste", Params { haste: 0.0, ..Params::default() }),
            ("tempo", Params { tempo: 1.0, ..Params::default() }),
            ("length", Params { length: 0.0, ..Params::default() }),
            ("patience", Params { patience: 0.0, ..Params::default() }),
        ] {
            params.validate().unwrap();
            let changes = games.iter().any(|game| {
                let (mut usual, mut other) = (RuleBased::new(Params::default()), RuleBased::new(params.clone()));
                changes_choices(game, 200, &mut usual, &mut other)
            });
            assert!(changes, "{name} changes nothing");
        }
    }

    #[test]
    fn it_follows_suit_where_it_need_not() {
        let game = DummyWhist::new(WhistRules { allow_renege: true, ..WhistRules::default() }).unwrap();
        watch(&game, 50, &mut RuleBased::new(Params::default()), |view, legal, chosen| {
            if let (Phase::Play, Some(led), Some(order)) = (view.public().phase(), view.led(), view.order()) {
                let follow = legal.card_set() & order.follow(led);
                assert!(follow.is_empty() || follow.contains(chosen.to_card()));
            }
        });
    }
}
