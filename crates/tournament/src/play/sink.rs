//! The interface that passes the results of deals to their reader.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{ContractResult, FullGame, Standing, State};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};

use crate::Seeds;

/// A game (a deal or a match) of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameId {
    /// The deal or match number. Deals with the same number have the same cards.
    pub number: u64,
    /// The line-up.
    pub line_up: LineUpId,
    /// The seating.
    pub seating: SeatingId,
}

/// A finished deal.
#[non_exhaustive]
pub struct PlayedDeal<'a, G: FullGame> {
    /// The game that was played.
    pub game: &'a G,
    /// The final state of the deal.
    pub state: &'a State<G::Public>,
    /// The game of the tournament that the deal belongs to.
    pub id: GameId,
    /// By seat: the bots.
    pub bots: BySeat<BotId>,
    /// By seat: the scores.
    pub scores: BySeat<i32>,
    /// The result of the contract; `None` in games without contracts and in forfeited deals.
    pub contract: Option<ContractResult>,
    /// Whether a bot forfeited the deal, and the substitute played on in its place.
    pub is_forfeited: bool,
    /// The end of its match, if the match ended with this deal.
    pub match_end: Option<MatchEnd>,
    /// The totals of the match before the deal.
    pub standing: Standing,
    /// The seeds of its cards.
    pub(super) seeds: &'a Seeds,
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchEnd {
    /// The dealer of its first deal.
    pub first_dealer: Seat,
    /// By seat: the place, 0 for the winner.
    pub places: BySeat<u8>,
    /// The number of deals in the match.
    pub deals: u32,
    /// By seat: the total after half of the deals, rounded down.
    pub half_time: BySeat<i32>,
    /// Whether the match was stopped because it had too many deals.
    pub was_cut_off: bool,
}

/// A receiver of the results of deals, with one call for each deal.
pub trait ResultSink {
    /// Receives a finished deal.
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>);

    /// Called now and then between two deals, to pass on counts that are collected.
    fn flush_progress(&mut self) {}
}

impl<S: ResultSink> ResultSink for &mut S {
    #[inline]
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        S::add(self, deal);
    }

    fn flush_progress(&mut self) {
        S::flush_progress(self);
    }
}

/// The scores of a finished deal, without its cards.
#[derive(Clone, Copy, Debug)]
pub struct DealScores<'a> {
    /// The game of the tournament that the deal belongs to.
    pub id: GameId,
    /// By seat: the bots. Where partners play, the first seat of each side stands for both.
    pub bots: &'a [BotId],
    /// By seat, as the bots: the scores.
    pub scores: &'a [i32],
}

/// A receiver of the scores of deals, with one call for each deal. Unlike a [`ResultSink`] it is not compiled
/// for each game.
pub trait ScoreSink {
    /// Receives the scores of a finished deal.
    fn add(&mut self, deal: DealScores<'_>);
}

/// An adapter from a sink of scores to a sink of results.
pub(super) struct Scored<'a>(pub(super) &'a mut dyn ScoreSink);

impl ResultSink for Scored<'_> {
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        let teams = deal.game.layout().teams().count();
        self.0.add(DealScores { id: deal.id, bots: deal.bots.of(teams), scores: deal.scores.of(teams) });
    }
}
