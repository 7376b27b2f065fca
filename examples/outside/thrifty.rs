//! `thrifty`: leads its best card, and wins a trick that others have begun with the worst card that does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use overtrick::cards::{Card, Stream};
use overtrick::game::{FieldError, Game, Move, Moves, Options, View};
use overtrick::strategies::{BuildContext, StrategySpec};
use overtrick::strategy::Strategy;

/// Chances are counted in such parts.
const PARTS: u64 = 1 << 16;

/// The parameters of `thrifty`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// How often it goes for a trick, as a share, 0 (it plays its worst card) to 1 (always).
    pub greed: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { greed: 0.9 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("greed", self.greed, 0.0..=1.0)
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "thrifty";
    const ABOUT: &'static str = "wins tricks as cheaply as it can; plays all games";

    fn build<G: Game>(&self, _context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        Ok(Box::new(Thrifty { greedy: (self.greed * PARTS as f32) as u64 }))
    }
}

/// The strategy.
struct Thrifty {
    /// The part of all cases in which it goes for the trick.
    greedy: u64,
}

impl<G: Game> Strategy<G> for Thrifty {
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        let Some(order) = view.order().filter(|_| legal.call_bits() == 0) else {
            // A call, or a discard while it is unknown which card beats which: any will do.
            let number = rng.random_below(legal.len().into()) as usize;
            return legal.iter().nth(number).expect("there is a legal move");
        };
        let cards = || legal.card_set().iter();
        let strength = |card: &Card| order.strength(view.led().unwrap_or(*card), *card);
        let worst = cards().min_by_key(strength).expect("there is a legal card");
        if rng.random_below(PARTS) >= self.greedy {
            return Move::card(worst);
        }
        Move::card(match view.winning() {
            None => cards().max_by_key(strength).expect("there is a legal card"),
            // Of equals the last played wins.
            Some((_, best)) => cards().filter(|card| strength(card) >= best).min_by_key(strength).unwrap_or(worst),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_refused() {
        let params: Params = toml::from_str("greed = 1.5").unwrap();
        assert_eq!(params.validate().unwrap_err().to_string(), "`greed` is 1.5, but must be 0 to 1");
    }
}
