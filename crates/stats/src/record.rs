//! Games won, tied and lost by each player.

use overtrick_ratings::{Entrant, Outcome};

use super::rows::Figure;
use super::share::{Cluster, Share, share_of};

/// Games of one player by result, counted once for each seat.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    /// Alone in first place.
    pub won: u64,
    /// First place shared.
    pub tied: u64,
    /// Somebody was better.
    pub lost: u64,
}

impl Record {
    /// The records of players 0 to `players - 1` over all outcomes, by player.
    pub fn all(players: usize, outcomes: &[Outcome]) -> Vec<Record> {
        let mut records = vec![Record::default(); players];
        for outcome in outcomes {
            let count: u64 = outcome.counts.iter().map(|&(_, count)| count).sum();
            each(outcome, |entrant, result| *records[entrant.player].of(result) += count);
        }
        records
    }

    /// The records of entrants, by the number below `keys` that `key` gives an entrant, then by group of deals.
    pub fn grouped(
        keys: usize,
        groups: usize,
        outcomes: &[Outcome],
        key: impl Fn(&Entrant) -> usize,
    ) -> Vec<Vec<Record>> {
        let mut records = vec![vec![Record::default(); groups]; keys];
        for outcome in outcomes {
            each(outcome, |entrant, result| {
                for &(group, count) in &outcome.counts {
                    *records[key(entrant)][group].of(result) += count;
                }
            });
        }
        records
    }

    /// The shares of games won, tied and lost, each with its interval, from the records of groups; at most `together`
    /// games share a number. `widen` gives how many times wider an interval is to be, by the sum and count of groups.
    pub fn shares(groups: &[Record], together: u64, widen: impl Fn(&[(i64, u64)]) -> f64) -> [[Figure; 3]; 3] {
        let figures = |part: fn(&Record) -> u64| {
            let cases: Vec<(u64, u64)> = groups.iter().map(|record| (part(record), record.games())).collect();
            let sums: Vec<(i64, u64)> = cases.iter().map(|&(sum, games)| (sum as i64, games)).collect();
            Share::figures(share_of(cases, Cluster::of(together), widen(&sums)))
        };
        [figures(|record| record.won), figures(|record| record.tied), figures(|record| record.lost)]
    }

    fn of(&mut self, result: GameResult) -> &mut u64 {
        match result {
            GameResult::Won => &mut self.won,
            GameResult::Tied => &mut self.tied,
            GameResult::Lost => &mut self.lost,
        }
    }

    /// The number of games.
    pub fn games(self) -> u64 {
        self.won + self.tied + self.lost
    }
}

/// The result of a game for one player.
#[derive(Clone, Copy)]
enum GameResult {
    Won,
    Tied,
    Lost,
}

/// Calls `tell` for each entrant of the game with that entrant's result.
fn each(outcome: &Outcome, mut tell: impl FnMut(&Entrant, GameResult)) {
    let first = outcome.places.iter().filter(|&&place| place == 0).count();
    for (entrant, place) in outcome.entrants.iter().zip(&outcome.places) {
        let result = match (place, first) {
            (0, 1) => GameResult::Won,
            (0, _) => GameResult::Tied,
            _ => GameResult::Lost,
        };
        tell(entrant, result);
    }
}
