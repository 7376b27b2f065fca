//! Bots that tuning has not met, and the number of deals on which the result meets them.

use overtrick_stats::ratings::freedom::FEWEST_SCORES;
use overtrick_tournament::one_against;

use super::constants::{MOST_UNSEEN_DEALS, UNSEEN_SHARE};
use super::field::{Chair, FieldTable, games_a_number};
use super::plan::TunePlan;

impl TunePlan {
    /// Returns the number of games in all, including those with unseen bots.
    ///
    /// Tuning itself has the budget `tuning`.
    pub fn budget(&self, tuning: u64) -> u64 {
        self.games.unwrap_or_else(|| tuning + self.games_with_unseen(tuning, 0))
    }

    /// Returns by variant the number of deals on which the result meets each unseen bot.
    ///
    /// It is 0 if a tenth of the games does not pay for the deals that an interval takes.
    pub fn deals_with_unseen(&self, tuning: u64) -> Vec<u64> {
        match self.games {
            Some(games) => self.deals(games, self.least_games(&self.task())),
            None => self.deals(tuning, 0),
        }
    }

    /// Returns the number of games with unseen bots.
    ///
    /// There are `games` for everything, of which `least` must be left.
    pub(super) fn games_with_unseen(&self, games: u64, least: u64) -> u64 {
        self.games_of(&self.deals(games, least))
    }

    fn deals(&self, games: u64, least: u64) -> Vec<u64> {
        let meetings = (self.unseen.len() * self.variants.len()).max(1) as u64;
        let share = (games as f64 * UNSEEN_SHARE) as u64 / meetings;
        let mut deals = Vec::new();
        for variant in 0..self.variants.len() {
            let own = (share / self.games_of_meeting(variant)).min(MOST_UNSEEN_DEALS);
            deals.push(if own < FEWEST_SCORES { 0 } else { own });
        }
        if games < least + self.games_of(&deals) {
            deals.fill(0);
        }
        deals
    }

    /// Returns the number of games on `deals` deals, by variant, with each unseen bot.
    fn games_of(&self, deals: &[u64]) -> u64 {
        let games = |(variant, deals): (usize, &u64)| self.games_of_meeting(variant) * deals;
        self.unseen.len() as u64 * deals.iter().enumerate().map(games).sum::<u64>()
    }

    /// Returns the games for each deal number when the result meets bots of one kind.
    pub(super) fn games_of_meeting(&self, variant: usize) -> u64 {
        games_a_number(&self.meeting(variant), 1)
    }

    /// Returns the table of a variant at which one candidate meets bots of one kind.
    pub(super) fn meeting(&self, variant: usize) -> Vec<FieldTable> {
        let teams = self.variants[variant].game.layout().teams();
        let chairs = one_against(Chair::Candidate, Chair::Other(0), teams);
        vec![FieldTable { variant, chairs, weight: 1.0 }]
    }
}
