//! Who won how often.

use super::ratings::Outcome;

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
    /// Of each of so many players.
    pub fn all(players: usize, outcomes: &[Outcome]) -> Vec<Record> {
        let mut records = vec![Record::default(); players];
        for outcome in outcomes {
            let count: u64 = outcome.counts.iter().map(|&(_, count)| count).sum();
            let first = outcome.places.iter().filter(|&&place| place == 0).count();
            for (entrant, place) in outcome.entrants.iter().zip(&outcome.places) {
                let record = &mut records[entrant.player];
                match (place, first) {
                    (0, 1) => record.won += count,
                    (0, _) => record.tied += count,
                    _ => record.lost += count,
                }
            }
        }
        records
    }

    /// How many games.
    pub fn games(self) -> u64 {
        self.won + self.tied + self.lost
    }
}
