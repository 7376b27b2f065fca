//! The report of a league: the answer, the bots and the pairs.

use overtrick_ratings::Estimate;
use serde::{Deserialize, Serialize};

/// The part of a bot in the answer, with the number of the round in which it was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BotStatus {
    /// The bot is certainly in the answer. For a ranking: its place is settled.
    In(u64),
    /// The bot is certainly not in the answer.
    Out(u64),
    /// Not settled.
    Open,
    /// The bot that the others are compared with.
    Reference,
}

/// The answer of a league so far.
#[derive(Clone, Debug, PartialEq)]
pub struct LeagueOutcome {
    /// Whether the question is answered. If it is not, `possible` says who may still be in the answer.
    pub is_answered: bool,
    /// The bots of the answer, best first; without an answer, the best guess.
    ///
    /// For [`LeagueQuestion::BetterThan`](crate::LeagueQuestion::BetterThan) these are the bots that are
    /// certainly better, and an answered question without any means that none is.
    pub bots: Vec<usize>,
    /// The bots that may be in the answer, best first: those that are in or open.
    pub possible: Vec<usize>,
    /// Whether the league ended by its limit of games with the question open.
    pub is_out_of_games: bool,
}

/// A bot in the table of a league.
#[derive(Clone, Debug, PartialEq)]
pub struct LeagueStanding {
    /// The index of the bot.
    pub bot: usize,
    /// Its part in the answer.
    pub status: BotStatus,
    /// The value in points a game, with a 95% interval, from the groups that measure all bots.
    pub rating: Estimate,
    /// The mean margin in points a game over the deals that compared the bot with others.
    ///
    /// For a bot that left early, this is how it looked when it left, so it has no honest interval.
    pub mean: f64,
    /// The number of deals that compared the bot with others.
    pub deals: u64,
}

/// The difference of the values of two bots.
///
/// The interval is that of the confidence sequence at the level of its pair. All intervals of the pairs that
/// the question relies on hold together and at every look, except with the error rate of the league.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMargin {
    /// The value of the one bot less that of the other, in points a game.
    pub margin: f64,
    /// Half the width of the interval; `None` with too few groups, or where too few of them differ.
    pub half_width: Option<f64>,
    /// The number of deals that compared the two bots.
    pub deals: u64,
}

/// A pair of bots of which one is better by the interval of the pair.
///
/// The error rate of the league is that of all pairs that the question relies on. Each other pair errs by itself, with
/// at most the probability [`League::pair_level`](crate::League::pair_level).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDecision {
    /// The index of the better bot.
    pub better: usize,
    /// The index of the other bot.
    pub worse: usize,
    /// The number of the round in which this was decided.
    pub round: u64,
    /// The difference of their values at that look.
    pub at_decision: PairMargin,
}

/// The deals and games of a league.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeagueSpent {
    /// The number of rounds.
    pub rounds: u64,
    /// The number of deal numbers.
    pub deals: u64,
    /// The number of line-ups, each counted once for every deal number that it played.
    pub line_ups: u64,
    /// The number of games.
    pub games: u64,
}
