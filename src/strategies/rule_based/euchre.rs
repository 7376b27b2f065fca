//! Euchre by rule: makes trumps if the hand promises enough against two, discards what helps least, and plays for its side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sense::{Aim, Sense};
use crate::cards::{Card, CardSet, Stream, Suit};
use crate::game::{FieldError, Move, Moves, RuleSet, View};
use crate::games::euchre::{Euchre, ORDER_UP, PASS, Phase, left_bower, name};
use crate::strategy::Strategy;
use crate::table::{Place, Seat};

/// The rank of a jack.
const JACK: u8 = 9;

/// How the strategy plays Euchre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// What its hand must promise for it to make trumps, in tricks, 0 to 5.
    pub courage: f32,
    /// How much more it must promise where that gives the dealer, an opponent, the card turned up, in tricks, -2 to 3.
    pub gift: f32,
    /// What an ace of another suit is worth, in tricks, 0 to 1.
    pub ace: f32,
    /// What a suit it has none of is worth with trumps to ruff, in tricks, 0 to 1.
    pub void: f32,
    /// What it is worth to keep a card that cannot be beaten, in tricks, 0 to 2.
    pub thrift: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { courage: 2.1, gift: 0.3, ace: 0.6, void: 0.25, thrift: 0.6 }
    }
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("euchre.courage", self.courage, 0.0..=5.0)?;
        FieldError::check("euchre.gift", self.gift, -2.0..=3.0)?;
        FieldError::check("euchre.ace", self.ace, 0.0..=1.0)?;
        FieldError::check("euchre.void", self.void, 0.0..=1.0)?;
        FieldError::check("euchre.thrift", self.thrift, 0.0..=2.0)
    }
}

/// The strategy.
pub struct RuleBased {
    params: Params,
}

impl RuleBased {
    /// The strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }

    /// The tricks that a hand promises its owner as maker.
    fn promise(&self, hand: CardSet, trump: Suit) -> f32 {
        let left = left_bower(trump);
        let trumps = (hand & (CardSet::suit(trump) | CardSet::of(left))).len();
        let card = |card: Card| match card.rank() {
            Some(JACK) if card.suit() == Some(trump) => 1.0,
            _ if card == left => 0.9,
            Some(rank) if card.suit() == Some(trump) => match rank {
                12 => 0.8,
                11 => 0.65,
                10 => 0.55,
                _ => 0.45,
            },
            Some(12) => self.params.ace,
            Some(11) => 0.2,
            _ => 0.0,
        };
        let is_void = |suit: &Suit| *suit != trump && ((hand & CardSet::suit(*suit)) - CardSet::of(left)).is_empty();
        let voids = Suit::ALL.iter().filter(|&suit| is_void(suit)).count() as f32;
        let ruffs = if trumps > 0 { self.params.void * voids } else { 0.0 };
        hand.iter().map(card).sum::<f32>() + ruffs
    }

    /// The hand without the card that helps least among `from`.
    fn best_five(&self, hand: CardSet, from: CardSet, trump: Suit) -> (f32, Card) {
        let left = |card: Card| (self.promise(hand - CardSet::of(card), trump), card);
        let rank = |card: Card| card.rank().unwrap_or(0);
        // Of equals the lowest goes.
        from.iter()
            .map(left)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(rank(b.1).cmp(&rank(a.1))))
            .expect("there is a card to discard")
    }

    fn order_up(&self, view: &View<'_, Euchre>) -> Move {
        let (own, up_card, trump) = (view.own(), view.public().up_card(), view.public().trump());
        let promise = if view.seat() == view.dealer() {
            self.best_five(own | CardSet::of(up_card), own, trump).0
        } else {
            self.promise(own, trump) - self.params.gift
        };
        if promise >= self.params.courage { ORDER_UP } else { PASS }
    }

    fn name(&self, view: &View<'_, Euchre>, legal: Moves) -> Move {
        let suits = Suit::ALL.into_iter().filter(|&suit| legal.contains(name(suit)));
        let promises = suits.map(|suit| (self.promise(view.own(), suit), suit));
        let (promise, suit) = promises.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a suit can be named");
        if promise >= self.params.courage || !legal.contains(PASS) { name(suit) } else { PASS }
    }
}

impl Strategy<Euchre> for RuleBased {
    fn choose(&mut self, view: &View<'_, Euchre>, legal: Moves, _luck: &mut Stream) -> Move {
        let making = view.public();
        match making.phase() {
            Phase::OrderUp => self.order_up(view),
            Phase::Name => self.name(view, legal),
            Phase::Discard => Move::card(self.best_five(view.own(), legal.card_set(), making.trump()).1),
            Phase::Play => {
                let order = view.game().order_of(making.trump());
                let side = |seat: Seat| making.maker() == Some(seat);
                let mine = side(view.seat());
                let ours = std::array::from_fn(|hand| hand < 3 && side(view.decider(Place::ALL[hand])) == mine);
                Move::card(Sense::new(view, order, ours, self.params.thrift).choose(legal.card_set(), Aim::Win))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::strategies::rule_based::testing::changed_choices;

    #[test]
    fn every_parameter_changes_the_play() {
        let games = [Euchre::new(crate::games::euchre::EuchreRules::default()).unwrap()];
        for (name, params) in [
            ("courage", Params { courage: 3.5, ..Params::default() }),
            ("gift", Params { gift: 1.5, ..Params::default() }),
            ("ace", Params { ace: 0.1, ..Params::default() }),
            ("void", Params { void: 0.9, ..Params::default() }),
            ("thrift", Params { thrift: 0.1, ..Params::default() }),
        ] {
            params.validate().unwrap();
            let changed: usize = (games.iter())
                .map(|game| {
                    let (mut usual, mut other) = (RuleBased::new(Params::default()), RuleBased::new(params.clone()));
                    changed_choices(game, 600, &mut usual, &mut other)
                })
                .sum();
            assert!(changed > 0, "{name} changes nothing");
        }
    }
}
