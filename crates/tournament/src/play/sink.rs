//! The interface through which the results of deals go to their reader.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{ContractResult, FullGame, Standing, State};
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};

use crate::Seeds;

/// A game (a deal or a match) of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameId {
    /// The deal or match number: the same number is the same cards.
    pub number: u64,
    /// Who plays.
    pub line_up: LineUpId,
    /// Who sits where.
    pub seating: SeatingId,
}

/// A deal that is over.
#[non_exhaustive]
pub struct PlayedDeal<'a, G: FullGame> {
    /// The game that was played.
    pub game: &'a G,
    /// The deal as it ended.
    pub state: &'a State<G::Public>,
    /// Which game of the tournament it belongs to.
    pub id: GameId,
    /// By seat: the bots.
    pub bots: BySeat<BotId>,
    /// By seat: the scores.
    pub scores: BySeat<i32>,
    /// The result of the contract; `None` in games without contracts and in deals that a bot has forfeited.
    pub contract: Option<ContractResult>,
    /// Whether a bot has forfeited the deal, and another played on in its place.
    pub is_forfeited: bool,
    /// How its match ended, if it ended with this deal.
    pub match_end: Option<MatchEnd>,
    /// The totals of the match before it.
    pub standing: Standing,
    /// Where its cards come from.
    pub(super) seeds: &'a Seeds,
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchEnd {
    /// The dealer of its first deal.
    pub first_dealer: Seat,
    /// By seat: the place, 0 for the winner.
    pub places: BySeat<u8>,
    /// The number of its deals.
    pub deals: u32,
    /// By seat: the total after half of them, rounded down.
    pub half_time: BySeat<i32>,
    /// Whether it was stopped because it had too many deals.
    pub was_cut_off: bool,
}

/// Receives the results of deals, one call for each deal.
pub trait ResultSink {
    /// Called for each deal that is over.
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>);

    /// Called now and then between two deals: a good time to report progress.
    fn pause(&mut self) {}
}

impl<S: ResultSink> ResultSink for &mut S {
    #[inline]
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        S::add(self, deal);
    }

    fn pause(&mut self) {
        S::pause(self);
    }
}

/// The scores of a deal that is over, without its cards.
#[derive(Clone, Copy, Debug)]
pub struct DealScores<'a> {
    /// Which game of the tournament the deal belongs to.
    pub id: GameId,
    /// By seat: the bots.
    pub bots: &'a [BotId],
    /// By seat: the scores.
    pub scores: &'a [i32],
}

/// Receives the scores of deals, one call for each deal. Unlike a [`ResultSink`] it is not compiled for each game.
pub trait ScoreSink {
    /// Called for each deal that is over.
    fn add(&mut self, deal: DealScores<'_>);
}

/// A sink of scores as a sink of results.
pub(super) struct Scored<'a>(pub(super) &'a mut dyn ScoreSink);

impl ResultSink for Scored<'_> {
    fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
        let seats = deal.game.layout().seats;
        self.0.add(DealScores { id: deal.id, bots: deal.bots.of(seats), scores: deal.scores.of(seats) });
    }
}
