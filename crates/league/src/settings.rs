//! The settings of a league, and their limits.

use serde::{Deserialize, Serialize};

use crate::{LeagueError, LeagueQuestion};

/// The line-ups of a league.
///
/// Three bots at a table of three are `size` 3, `seats` 3 and 6 games. Duels at the same table are `size` 2,
/// `seats` 3 and 6 games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineUpShape {
    /// The number of different bots of a line-up, at least 2.
    pub size: usize,
    /// The number of seats at the table. In all seatings together every bot takes equally many seats.
    pub seats: usize,
    /// The number of games that a line-up plays of each deal number: its seatings.
    pub games: usize,
}

/// The most bots of a league.
const MOST_BOTS: usize = 512;

/// The most seats at a table.
const MOST_SEATS: usize = 16;

/// The most games of a line-up for each deal number.
const MOST_GAMES: usize = 1_000_000;

/// The most deals of a group.
const MOST_GROUP_DEALS: u64 = 1024;

impl LineUpShape {
    /// Checks that line-ups of this shape can be made of `bots` bots.
    fn check(self, bots: usize) -> Result<(), LeagueError> {
        let (size, most) = (self.size, bots.min(self.seats));
        let is_sound = self.seats <= MOST_SEATS
            && (1..=MOST_GAMES).contains(&self.games)
            && (2..=most).contains(&size)
            && (self.games * self.seats).is_multiple_of(size);
        if is_sound { Ok(()) } else { Err(LeagueError::Shape { size, most }) }
    }

    /// Returns the number of seats that each bot of a line-up takes over all games of a deal number.
    pub fn seats_a_bot(&self) -> f64 {
        (self.games * self.seats) as f64 / self.size as f64
    }
}

/// The settings of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeagueSettings {
    /// The number of bots, at least 2.
    pub bots: usize,
    /// The line-ups.
    pub shape: LineUpShape,
    /// The question.
    pub question: LeagueQuestion,
    /// The difference of values, in points a game, up to which bots may stand for each other. 0 or more.
    pub resolution: f64,
    /// The probability that the answer may be wrong, above 0 and below 1.
    pub error: f64,
    /// The seed of the line-ups.
    pub seed: u64,
    /// The most games to play; `None` for no limit.
    ///
    /// Without a limit and without a resolution, a league of bots of equal value may not end.
    pub most_games: Option<u64>,
    /// The number of deals of a group, at least 1.
    pub group_deals: u64,
}

impl LeagueSettings {
    /// The probability of a wrong answer unless another is set.
    pub const ERROR: f64 = 0.05;
    /// The number of deals of a group unless another is set.
    pub const GROUP_DEALS: u64 = 4;

    /// Returns settings with the usual error rate, no resolution and no limit of games.
    pub fn new(bots: usize, shape: LineUpShape, question: LeagueQuestion, seed: u64) -> LeagueSettings {
        LeagueSettings {
            bots,
            shape,
            question,
            resolution: 0.0,
            error: Self::ERROR,
            seed,
            most_games: None,
            group_deals: Self::GROUP_DEALS,
        }
    }

    /// Checks that a league can be played with these settings.
    ///
    /// # Errors
    /// Returns a [`LeagueError`] that names the first setting out of its range.
    pub fn check(&self) -> Result<(), LeagueError> {
        let (bots, shape, deals) = (self.bots, self.shape, self.group_deals);
        if !(2..=MOST_BOTS).contains(&bots) {
            return Err(LeagueError::Bots { bots, most: MOST_BOTS });
        }
        match self.question {
            LeagueQuestion::Top(top) if top == 0 || top >= bots => return Err(LeagueError::Top { top, bots }),
            LeagueQuestion::BetterThan(bot) if bot >= bots => return Err(LeagueError::UnknownBot { bot, bots }),
            _ => {}
        }
        // Not a number is in no range.
        if !(self.error > 0.0 && self.error < 1.0) {
            return Err(LeagueError::Error { error: self.error });
        }
        if !(self.resolution >= 0.0 && self.resolution.is_finite()) {
            return Err(LeagueError::Resolution { resolution: self.resolution });
        }
        shape.check(bots)?;
        if !(1..=MOST_GROUP_DEALS).contains(&deals) {
            return Err(LeagueError::GroupDeals { deals, most: MOST_GROUP_DEALS });
        }
        let needed = self.group_games(bots.div_ceil(shape.size));
        match self.most_games {
            Some(games) if games < needed => Err(LeagueError::Games { games, needed }),
            _ => Ok(()),
        }
    }

    /// Returns the number of games that line-ups play of a group.
    pub(crate) fn group_games(&self, line_ups: usize) -> u64 {
        self.group_line_ups(line_ups * self.shape.games)
    }

    /// Returns how often line-ups play a deal of a group.
    pub(crate) fn group_line_ups(&self, line_ups: usize) -> u64 {
        u64::try_from(line_ups).expect("line-ups of a group are few") * self.group_deals
    }
}
