//! Games won, tied and lost by each player.

use overtrick_ratings::{Entrant, GroupSum, Outcome};

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
        let by_group = Record::grouped(players, 1, outcomes, |entrant| entrant.player);
        by_group.into_iter().map(|groups| groups[0]).collect()
    }

    /// Returns records by the number of an entrant, then by group of deals.
    ///
    /// Groups are taken modulo their number. `key` returns the number of an entrant, which is below `keys`.
    pub fn grouped(
        keys: usize,
        groups: usize,
        outcomes: &[Outcome],
        key: impl Fn(&Entrant) -> usize,
    ) -> Vec<Vec<Record>> {
        let mut records = vec![vec![Record::default(); groups]; keys];
        for outcome in outcomes {
            let first = outcome.places.iter().filter(|&&place| place == 0).count();
            for (entrant, place) in outcome.entrants.iter().zip(&outcome.places) {
                for &(group, count) in &outcome.counts {
                    let record = &mut records[key(entrant)][group % groups];
                    match (place, first) {
                        (0, 1) => record.won += count,
                        (0, _) => record.tied += count,
                        _ => record.lost += count,
                    }
                }
            }
        }
        records
    }

    /// Returns the shares of games won, tied and lost, each with its interval, from the records of groups.
    ///
    /// At most `together` games share a number. `widen` returns the factor by which an interval is widened.
    pub fn shares(groups: &[Record], together: u64, widen: impl Fn(&[GroupSum]) -> f64) -> [Interval; 3] {
        let share = |part: fn(&Record) -> u64| {
            let cases: Vec<GroupSum> =
                groups.iter().map(|record| GroupSum::of_events(part(record), record.games())).collect();
            share_of(&cases, Cluster::of(together), widen(&cases)).into()
        };
        [share(|record| record.won), share(|record| record.tied), share(|record| record.lost)]
    }

    pub fn games(self) -> u64 {
        self.won + self.tied + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_won_alone_tied_in_first_place_or_lost_by_group() {
        let of = |places: [u8; 3], counts: &[(usize, u64)]| Outcome {
            entrants: [0, 1, 2].map(|player| Entrant { player, seat: None }).to_vec(),
            places: places.to_vec(),
            counts: counts.to_vec(),
        };
        let outcomes = [of([0, 1, 2], &[(0, 5), (1, 2)]), of([0, 0, 2], &[(1, 4), (3, 1)]), of([1, 2, 0], &[(2, 3)])];
        let found = Record::grouped(3, 2, &outcomes, |entrant| entrant.player);
        let found: Vec<Vec<[u64; 3]>> =
            found.iter().map(|groups| groups.iter().map(|one| [one.won, one.tied, one.lost]).collect()).collect();
        assert_eq!(found, [[[5, 0, 3], [2, 5, 0]], [[0, 0, 8], [0, 5, 2]], [[3, 0, 5], [0, 0, 7]]]);
        let all: Vec<u64> = Record::all(3, &outcomes).into_iter().map(Record::games).collect();
        assert_eq!(all, [15, 15, 15]);
    }
}
