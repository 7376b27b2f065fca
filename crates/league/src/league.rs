//! The state of a league.

use serde::{Deserialize, Serialize};

use crate::{
    LeagueError, LeagueOutcome, LeagueSettings, LeagueSpent, LeagueStanding, PairDecision, PairMargin, RoundPlan,
    RoundPoints,
};

/// The state of a league: sums of integers, so that equal rounds lead to equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct League {
    settings: LeagueSettings,
    spent: LeagueSpent,
}

impl League {
    /// Starts a league.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(settings: LeagueSettings) -> Result<League, LeagueError> {
        settings.check()?;
        todo!()
    }

    /// Checks a league that was read from a file, so that no content causes a panic later.
    ///
    /// # Errors
    /// If its parts do not fit each other.
    pub fn check(&self) -> Result<(), LeagueError> {
        todo!()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &LeagueSettings {
        &self.settings
    }

    /// Returns the deals and games played so far.
    pub fn spent(&self) -> LeagueSpent {
        self.spent
    }

    /// Returns the next round; `None` if the question is answered or no more games may be played.
    pub fn plan(&self) -> Option<RoundPlan> {
        todo!()
    }

    /// Adds the points of the planned round, and decides what can be decided.
    ///
    /// # Errors
    /// If the points are not those of the planned round, or a group is missing. The league is then unchanged.
    pub fn add(&mut self, points: &RoundPoints) -> Result<(), LeagueError> {
        let _ = points;
        todo!()
    }

    /// Takes a bot out, for example after too many faults, and starts the league again without it.
    ///
    /// Values are against the bots of the league, so all change when a bot leaves. The games already played
    /// still count as spent.
    ///
    /// # Errors
    /// If too few bots are left for the question.
    pub fn withdraw(&mut self, bot: usize) -> Result<(), LeagueError> {
        let _ = bot;
        todo!()
    }

    /// Returns the answer so far.
    pub fn outcome(&self) -> LeagueOutcome {
        todo!()
    }

    /// Returns the table of the league, best first.
    pub fn standings(&self) -> Vec<LeagueStanding> {
        todo!()
    }

    /// Returns the pairs of which one bot is certainly better, by round, then by bots.
    pub fn decisions(&self) -> Vec<PairDecision> {
        todo!()
    }

    /// Returns the value of `one` less the value of `other`.
    ///
    /// # Panics
    /// If there is no such bot.
    pub fn pair(&self, one: usize, other: usize) -> PairMargin {
        let _ = (one, other);
        todo!()
    }
}
