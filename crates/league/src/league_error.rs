//! The reasons why a league cannot go on.

/// The reason why settings, points or a saved league were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LeagueError {
    /// There are fewer than two bots, or more than the limit.
    #[error("a league has 2 to {most} bots, and this one has {bots}")]
    Bots {
        /// The number of bots.
        bots: usize,
        /// The most bots.
        most: usize,
    },
    /// The question asks for no bot, or for all bots or more.
    #[error("`top` is {top}, and must be at least 1 and below the number of bots, which is {bots}")]
    Top {
        /// The number of bots that were asked for.
        top: usize,
        /// The number of bots.
        bots: usize,
    },
    /// The bot to compare with is not in the league.
    #[error("bot {bot} is not one of the {bots} bots")]
    UnknownBot {
        /// The index of the bot.
        bot: usize,
        /// The number of bots.
        bots: usize,
    },
    /// The error rate is out of range.
    #[error("`error` is {error}, and must be above 0 and below 1")]
    Error {
        /// The error rate.
        error: f64,
    },
    /// The resolution is out of range.
    #[error("`resolution` is {resolution}, and must be 0 or more")]
    Resolution {
        /// The resolution.
        resolution: f64,
    },
    /// The line-ups do not fit the bots or the seats.
    #[error("line-ups of {size} bots need 2 to {most} bots, and each bot the same number of seats")]
    Shape {
        /// The number of bots of a line-up.
        size: usize,
        /// The most bots of a line-up.
        most: usize,
    },
    /// The groups have no deals, or more than the limit.
    #[error("a group has 1 to {most} deals, and not {deals}")]
    GroupDeals {
        /// The number of deals.
        deals: u64,
        /// The most deals of a group.
        most: u64,
    },
    /// The limit of games is below the games of the first group.
    #[error("{games} games are too few, because the first deals take {needed}")]
    Games {
        /// The limit of games.
        games: u64,
        /// The games of the first group.
        needed: u64,
    },
    /// The points are not those of the planned round.
    #[error("the points are not those of round {round}")]
    Points {
        /// The number of the planned round.
        round: u64,
    },
    /// A saved league has contents that no league has.
    #[error("the saved league is damaged: {what}")]
    Damaged {
        /// The part that is wrong.
        what: &'static str,
    },
}
