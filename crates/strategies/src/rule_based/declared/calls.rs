//! Bids, trumps and discards.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Game, Move, Moves, View};
use overtrick_language::compile::ScoreFacts;
use overtrick_language::{DeclaredGame, TrumpOffer};

use super::forecast::{LaterTricks, WAYS};
use super::position::{facts_so_far, later_tricks};
use super::strength::Strengths;
use super::{GameTables, Params};
use crate::rule_based::choice::{best_by, best_card};

/// The share of all tricks that another player who makes trumps is expected to win.
const OF_ANOTHER: f32 = 0.65;

/// The bids that are kept, a power of two.
const KEPT: usize = 1 << 10;
/// The steps of expected tricks that count as different when a player bids, in a trick.
const STEPS: f32 = 4.0;

/// The bids that questions were answered with, kept under the questions.
///
/// A bid depends on the question alone, so it does not matter which are kept.
pub struct BidMemory {
    answers: Vec<(BidQuestion, Move)>,
}

/// Everything on which a bid depends in deals with the same number of tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BidQuestion {
    /// The expected tricks, the dealer, the seat and the bids.
    packed: u64,
    /// The points before the deal, in games whose score depends on them.
    totals: BySeat<i32>,
}

impl BidQuestion {
    /// A question that no player asks.
    const NONE: BidQuestion = BidQuestion { packed: u64::MAX, totals: BySeat::full([0; Place::HANDS]) };

    fn place(&self) -> usize {
        let mut hash = self.packed;
        for (_, total) in self.totals.iter() {
            hash = (hash ^ u64::from(total.cast_unsigned())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash >> 40) as usize % KEPT
    }
}

impl BidMemory {
    /// Returns a memory without bids.
    pub fn new() -> BidMemory {
        BidMemory { answers: Vec::new() }
    }

    /// Returns the answer to a question, from `decide` if it is not known.
    fn ask(&mut self, question: BidQuestion, decide: impl FnOnce() -> Move) -> Move {
        let place = question.place();
        if self.answers.is_empty() {
            self.answers = vec![(BidQuestion::NONE, Move::NONE); KEPT];
        }
        if self.answers[place].0 != question {
            self.answers[place] = (question, decide());
        }
        self.answers[place].1
    }
}

/// The player's own hand before the play.
pub struct CallingHand<'a> {
    view: &'a View<'a, DeclaredGame>,
    tables: &'a GameTables,
    params: &'a Params,
}

impl<'a> CallingHand<'a> {
    /// Returns the hand of a view.
    pub fn new(view: &'a View<'a, DeclaredGame>, tables: &'a GameTables, params: &'a Params) -> CallingHand<'a> {
        CallingHand { view, tables, params }
    }

    /// Returns the cards that other players may hold.
    fn against(&self) -> CardSet {
        let mut seen = CardSet::EMPTY;
        for place in Place::ALL.into_iter().take(self.tables.forecast.hands) {
            if place != Place::hand(self.view.seat()) {
                seen |= self.view.cards(place);
            }
        }
        self.view.unseen() | seen
    }

    /// Returns the mean lead of the seat over the ways in which tricks may fall.
    fn lead(&self, facts: &ScoreFacts, later: &LaterTricks) -> f32 {
        let forecast = &self.tables.forecast;
        let mut sum = 0.0;
        for way in 0..WAYS {
            let mut over = *facts;
            forecast.add_later(way, later, &mut over);
            sum += forecast.leads(&self.view.game().scores_of(&over))[self.view.seat().index()];
        }
        sum / WAYS as f32
    }

    /// Returns the facts before the play.
    fn facts(&self) -> ScoreFacts {
        facts_so_far(self.view, &self.tables.forecast, &self.view.game().prizes_by_trick(self.view.public()))
    }

    /// Returns the tricks of the deal, of which a seat is expected to win `expected`.
    fn all_tricks(&self, facts: &ScoreFacts, seat: Seat, expected: f32) -> LaterTricks {
        let forecast = &self.tables.forecast;
        let mut later = later_tricks(facts, forecast, forecast.tricks);
        later.expected[seat.index()] = Some(expected.clamp(0.0, forecast.tricks as f32));
        later.amounts = forecast.dealt;
        later.prizes = self.view.game().prizes_by_trick(self.view.public());
        later
    }

    /// Returns the tricks that a hand is expected to win.
    fn expected(&self, strengths: &Strengths, hand: CardSet, against: CardSet) -> f32 {
        self.tables.expected(strengths, hand, against, self.params.ruff)
    }

    /// Bids the number of tricks with the best forecast.
    pub fn bid(&self, legal: Moves, memory: &mut BidMemory) -> Move {
        let (seat, strengths) = (self.view.seat(), self.tables.strengths(self.view));
        let expected = self.expected(strengths, self.view.own(), self.against()) + self.params.courage;
        let steps = (expected * STEPS).round().max(0.0);
        let mut packed = steps as u64;
        for place in [self.view.dealer(), seat] {
            packed = packed * 4 + place.index() as u64;
        }
        for other in Seat::ALL {
            packed = packed * 256 + u64::from(self.view.public().bid(other).unwrap_or(u8::MAX));
        }
        let totals = if self.tables.forecast.counts_totals { self.view.public().totals() } else { BySeat::default() };
        memory.ask(BidQuestion { packed, totals }, || self.best_bid(legal, steps / STEPS))
    }

    /// Returns the bid with the best forecast for a hand that is expected to win this number of tricks.
    fn best_bid(&self, legal: Moves, expected: f32) -> Move {
        let (seat, forecast) = (self.view.seat(), &self.tables.forecast);
        let mut facts = self.facts();
        // Players who have not bid are expected to bid what is left to them.
        let others = (forecast.tricks as f32 - expected) / (forecast.hands - 1) as f32;
        for other in Seat::all(forecast.hands) {
            if facts.bids[other] < 0 {
                facts.bids[other] = others.round().max(0.0) as i8;
            }
        }
        let value = |bid: Move| {
            let mut facts = facts;
            facts.bids[seat] = bid.as_call().and_then(|call| i8::try_from(call).ok()).unwrap_or(0);
            self.lead(&facts, &self.all_tricks(&facts, seat, expected))
        };
        best_by(legal.iter(), value).unwrap_or(Move::NONE)
    }

    /// Makes trumps, or passes if that is expected to be better.
    pub fn make_trumps(&self, legal: Moves) -> Move {
        let (game, public, dealer) = (self.view.game(), self.view.public(), self.view.dealer());
        let value = |call: Move| match game.trump_offer(public, dealer, call) {
            Some(offer) => self.worth_of(offer),
            None => self.worth_of_pass(),
        };
        best_by(legal.iter(), value).unwrap_or(Move::NONE)
    }

    /// Returns the forecast if the seat makes these trumps.
    fn worth_of(&self, offer: TrumpOffer) -> f32 {
        let (seat, strengths) = (self.view.seat(), &self.tables.orders[offer.order]);
        let (mut hand, mut against) = (self.view.own(), self.against());
        let turned = self.view.public().turned().map_or(CardSet::EMPTY, CardSet::of);
        if offer.taker == Some(seat) {
            hand |= turned;
            hand = hand.without(self.worst(strengths, hand, hand, against));
        } else if offer.taker.is_some() {
            against |= turned;
        }
        let expected = self.expected(strengths, hand, against) + self.params.courage;
        let facts = ScoreFacts { declarer: Some(seat), ..self.facts() };
        self.lead(&facts, &self.all_tricks(&facts, seat, expected))
    }

    /// Returns the forecast if the seat passes: half of the forecast if the player on the left makes trumps.
    fn worth_of_pass(&self) -> f32 {
        let forecast = &self.tables.forecast;
        let other = self.view.seat().left(1, self.view.game().layout().seats);
        let facts = ScoreFacts { declarer: Some(other), ..self.facts() };
        0.5 * self.lead(&facts, &self.all_tricks(&facts, other, OF_ANOTHER * forecast.tricks as f32))
    }

    /// Returns the card of `cards` that the hand misses least.
    fn worst(&self, strengths: &Strengths, cards: CardSet, hand: CardSet, against: CardSet) -> Card {
        best_card(cards, |card| self.expected(strengths, hand.without(card), against))
    }

    /// Chooses the next of the cards to pass: those that the hand misses least, from the lowest index on.
    pub fn pass(&self, legal: CardSet) -> Card {
        let (strengths, against) = (self.tables.strengths(self.view), self.against());
        let sign = if self.tables.shuns { -1.0 } else { 1.0 };
        let worst = |cards: CardSet, hand: CardSet| {
            best_card(cards, |card| sign * self.expected(strengths, hand.without(card), against))
        };
        let (mut kept, mut passed) = (self.view.own(), CardSet::EMPTY);
        let count = self.view.game().cards_to_pass();
        for _ in 0..count {
            let card = worst(kept, kept);
            kept = kept.without(card);
            passed |= CardSet::of(card);
        }
        // The chosen cards stay in the hand until all have chosen, so the same cards come out at each choice. Another
        // bot may have chosen before.
        let chosen = self.view.calls().len() % count;
        match passed.iter().nth(chosen) {
            Some(card) if legal.contains(card) => card,
            _ => worst(legal, self.view.own()),
        }
    }

    /// Discards the card that the hand misses least.
    pub fn discard(&self, cards: CardSet) -> Card {
        self.worst(self.tables.strengths(self.view), cards, self.view.own(), self.against())
    }
}
