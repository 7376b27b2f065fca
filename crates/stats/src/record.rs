//! Games won, tied and lost by each player.

use overtrick_ratings::{Entrant, Outcome};

use super::rows::Interval;
use super::share::{Cluster, share_of};

/// Games of one player by result, counted once for each seat.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    /// Alone in first place.
    pub won: u64,
    /// First place shared.
    pub tied: u64,
    /// Another player was better.
    pub lost: u64,
}

impl Record {
    /// Returns the records of players 0 to `players - 1` over all outcomes.
    pub fn all(players: usize, outcomes: &[Outcome]) -> Vec<Record> {
        let mut records = vec![Record::default(); players];
        for outcome in outcomes {
            let count: u64 = outcome.counts.iter().map(|&(_, count)| count).sum();
            each(outcome, |entrant, result| *records[entrant.player].of(result) += count);
        }
        records
    }

    /// Returns records by the number of an entrant, then by group of deals.
    ///
    /// `key` returns the number of an entrant, which is below `keys`.
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

    /// Returns the shares of games won, tied and lost, each with its interval, from the records of groups.
    ///
    /// At most `together` games share a number. `widen` returns the factor by which an interval is widened,
    /// from `(sum, count)` of each group.
    pub fn shares(groups: &[Record], together: u64, widen: impl Fn(&[(i64, u64)]) -> f64) -> [Interval; 3] {
        let share = |part: fn(&Record) -> u64| {
            let cases: Vec<(u64, u64)> = groups.iter().map(|record| (part(record), record.games())).collect();
            let sums: Vec<(i64, u64)> = cases.iter().map(|&(sum, games)| (sum as i64, games)).collect();
            share_of(cases, Cluster::of(together), widen(&sums)).into()
        };
        [share(|record| record.won), share(|record| record.tied), share(|record| record.lost)]
    }

    fn of(&mut self, result: GameResult) -> &mut u64 {
        match result {
            GameResult::Won => &mut self.won,
            GameResult::Tied => &mut self.tied,
            GameResult::Lost => &mut self.lost,
        }
    }

    pub fn games(self) -> u64 {
        self.won + self.tied + self.lost
    }
}

#[derive(Clone, Copy)]
enum GameResult {
    Won,
    Tied,
    Lost,
}

/// Passes each entrant of the game with its result to the closure.
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
