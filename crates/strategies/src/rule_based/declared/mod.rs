//! Games from files by rule.
//!
//! The strategy knows no game. It estimates the winner of the trick for each card, and asks the score of the file
//! for the worth of the trick to each hand.

mod calls;
mod forecast;
mod hands;
mod play;
mod position;
mod stakes;
mod strength;
#[cfg(test)]
mod tests;
mod trick;

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{FieldError, Game, Move, Moves, Options, View};
use overtrick_language::compile::ScoreFacts;
use overtrick_language::{DeclaredGame, DeclaredPhase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::calls::{BidMemory, CallingHand};
use self::forecast::ScoreForecast;
use self::play::best_play;
use self::position::later_tricks;
use self::stakes::{Stakes, StakesMemory, TrickQuestion};
use self::strength::{DealShape, Strengths};
use super::processor::decide_by_processor;

/// The table of these parameters. Games from files have names that no table has.
pub const TABLE: &str = "declared";

/// How the strategy plays games from files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Weight of a card's chance to win a later trick, where that is good, against the trick in progress, 0 to 2.
    pub keep: f32,
    /// The same where it is bad to win later tricks, 0 to 2. With a high weight it gets rid of high cards early.
    pub shed: f32,
    /// How purposefully the others are expected to play to the trick, 0 (any card) to 1 (they win tricks that are worth
    /// it, and no others).
    pub respect: f32,
    /// Weight of the points that a card brings to the winner of the trick, 0 to 2.
    pub feed: f32,
    /// Chance that a trump wins a trick of a suit of which the hand is void, 0 to 1.
    pub ruff: f32,
    /// Tricks that it expects in addition when it bids or makes trumps, -3 to 3.
    pub courage: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { keep: 1.0, shed: 0.3, respect: 0.6, feed: 1.0, ruff: 0.4, courage: -0.2 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("declared.keep", self.keep, 0.0..=2.0)?;
        FieldError::check("declared.shed", self.shed, 0.0..=2.0)?;
        FieldError::check("declared.respect", self.respect, 0.0..=1.0)?;
        FieldError::check("declared.feed", self.feed, 0.0..=2.0)?;
        FieldError::check("declared.ruff", self.ruff, 0.0..=1.0)?;
        FieldError::check("declared.courage", self.courage, -3.0..=3.0)
    }
}

/// The tables of a game that its rule-based player needs.
struct GameTables {
    orders: Vec<Strengths>,
    forecast: ScoreForecast,
    /// Whether players avoid tricks from the start.
    shuns: bool,
}

impl GameTables {
    fn of(game: &DeclaredGame, tricks: usize) -> GameTables {
        let layout = game.layout();
        let hands = layout.hands.len();
        let against = if layout.partners { hands / 2 } else { hands - 1 };
        let shape = DealShape { deck: layout.deck.cards(), tricks, hands, against };
        let orders = game.orders().iter().map(|order| Strengths::of(order, &shape)).collect();
        let forecast = ScoreForecast::of(game, hands, tricks);
        let shuns = are_tricks_bad(game, &forecast);
        GameTables { orders, forecast, shuns }
    }

    /// Returns the strengths under the order in force, or under the one that is in force if no call changes it.
    #[inline(always)]
    fn strengths(&self, view: &View<'_, DeclaredGame>) -> &Strengths {
        &self.orders[view.public().order_number()]
    }

    /// Returns the tricks that a hand is expected to win.
    fn expected(&self, strengths: &Strengths, hand: CardSet, against: CardSet, ruff: f32) -> f32 {
        let ruff = ruff * strengths.shortness(hand, against);
        let mut sum = 0.0;
        for card in hand {
            sum += self.chance(strengths, card, hand, against, ruff);
        }
        sum
    }

    /// Returns the chance of a card of `hand` to win a later trick.
    #[inline(always)]
    fn chance(&self, strengths: &Strengths, card: Card, hand: CardSet, against: CardSet, ruff: f32) -> f32 {
        if self.shuns { strengths.danger(card, against, ruff) } else { strengths.chance(card, hand, against, ruff) }
    }
}

/// Returns whether the first trick is bad for the player who wins it, in games without calls.
fn are_tricks_bad(game: &DeclaredGame, forecast: &ScoreForecast) -> bool {
    if game.has_calls() || forecast.has_prizes {
        return false;
    }
    let facts = ScoreFacts::of(Seat::Seat0, [0; Place::HANDS]);
    let mut later = later_tricks(&facts, forecast, forecast.tricks);
    later.amounts = forecast.dealt;
    later.expected[0] = Some(forecast.tricks as f32 / forecast.hands as f32);
    let question = TrickQuestion { facts, hand: 0, later, prize: 0 };
    Stakes::of(forecast, &question, &|facts| game.scores_of(facts)).later[0] < 0.0
}

/// All that a player keeps from deal to deal, for deals with one number of tricks.
struct DealMind {
    tables: GameTables,
    stakes: StakesMemory,
    bids: BidMemory,
}

/// The rule-based strategy for games from files.
pub struct RuleBased {
    params: Params,
    /// By number of tricks of a deal. Each is made at the first decision in such a deal, since a strategy plays one
    /// game.
    by_tricks: Vec<Option<Box<DealMind>>>,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params, by_tricks: Vec::new() }
    }

    #[inline(always)]
    fn decide(&mut self, view: &View<'_, DeclaredGame>, legal: Moves) -> Move {
        if legal.len() == 1 {
            return legal.iter().next().expect("there is a move");
        }
        let tricks = view.public().tricks();
        if self.by_tricks.len() <= tricks {
            self.by_tricks.resize_with(tricks + 1, || None);
        }
        let mind = self.by_tricks[tricks].get_or_insert_with(|| {
            let tables = GameTables::of(view.game(), tricks);
            Box::new(DealMind { tables, stakes: StakesMemory::new(), bids: BidMemory::new() })
        });
        let tables = &mind.tables;
        match view.public().phase() {
            DeclaredPhase::Play => {
                Move::card(best_play(view, legal.card_set(), tables, &self.params, &mut mind.stakes))
            }
            DeclaredPhase::Pass => Move::card(CallingHand::new(view, tables, &self.params).pass(legal.card_set())),
            DeclaredPhase::Bid => CallingHand::new(view, tables, &self.params).bid(legal, &mut mind.bids),
            DeclaredPhase::Round => CallingHand::new(view, tables, &self.params).make_trumps(legal),
            DeclaredPhase::Discard => {
                Move::card(CallingHand::new(view, tables, &self.params).discard(legal.card_set()))
            }
        }
    }
}

decide_by_processor!(RuleBased, DeclaredGame);
