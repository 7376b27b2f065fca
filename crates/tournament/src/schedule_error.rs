//! Errors in making a schedule.

use overtrick_strategy::ids::BotId;
use thiserror::Error;

/// The reason why bots have no schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// Too few bots for a round-robin.
    #[error(
        "a round-robin of a game for {seats} needs at least {needed} bots, and there {}; add bots, or use \
         format = \"duel\" (two bots) or \"mirror\" (one)",
        are(*.bots)
    )]
    RoundRobin {
        /// The number of players of a game.
        seats: usize,
        /// The number of bots of a game: one for each player, or for each side of partners.
        needed: usize,
        /// The number of bots.
        bots: usize,
    },
    /// Another number of bots than two for a duel.
    #[error("a duel needs exactly two bots, and there {}", are(*.0))]
    Duel(usize),
    /// Too few bots for a gauntlet.
    #[error("a gauntlet of a game for {seats} needs the candidate and at least {} others, and there {}", .needed - 1, are(*.bots))]
    Gauntlet {
        /// The number of players of a game.
        seats: usize,
        /// The number of bots of a game: one for each player, or for each side of partners.
        needed: usize,
        /// The number of bots.
        bots: usize,
    },
    /// A gauntlet without a candidate.
    #[error("a gauntlet needs `candidate`, the name of one of the bots")]
    NoCandidate,
    /// More bots than ids, with one id reserved for a substitute.
    #[error("{0} bots are too many; enter at most {most}", most = BotId::LAST)]
    TooManyBots(usize),
    /// More line-ups than can be counted.
    #[error(
        "{bots} bots make {line_ups} line-ups, and at most {most} can be counted; enter fewer bots, or choose a `format` with \
         fewer line-ups"
    )]
    TooManyLineUps {
        /// The number of bots.
        bots: usize,
        /// The number of line-ups.
        line_ups: u128,
        /// The most line-ups that a schedule may have.
        most: usize,
    },
    /// Line-ups with copies at a table of more than three.
    #[error("`copies` is for tables of up to three, and this game has {0} players; leave it out")]
    Copies(usize),
    /// No bots.
    #[error("a tournament needs bots")]
    NoBots,
    /// An empty list of line-ups.
    #[error("there is no line-up")]
    NoLineUp,
    /// A listed line-up that does not name a bot for every chair.
    #[error("line-up {line_up} names {bots} bots, and the game has {seats} chairs; name a bot for each")]
    Chairs {
        /// The number of the line-up in the list, from 1.
        line_up: usize,
        /// The number of bots that it names.
        bots: usize,
        /// The number of players of a game.
        seats: usize,
    },
    /// A listed line-up, by its number from 1, with different bots for partners.
    #[error("line-up {0} names different bots for partners; name one bot for each side")]
    Partners(usize),
}

fn are(bots: usize) -> String {
    match bots {
        0 => "is none".to_owned(),
        1 => "is 1".to_owned(),
        _ => format!("are {bots}"),
    }
}
