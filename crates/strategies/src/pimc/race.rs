//! Finds the move with the best average, without valuing hopeless moves in every world.

use overtrick_game::{Move, Moves};

/// The number of worlds between two times at which moves may drop out.
const ROUND: usize = 10;
/// A move drops out if it is this number of standard errors behind the best move.
const BEHIND: f64 = 3.0;

/// Moves with their worth in each world so far.
#[derive(Default)]
pub(super) struct Race {
    /// The moves in the race, with their worth by world. Entries from `running` on only keep their memory for
    /// reuse.
    entries: Vec<RaceEntry>,
    running: usize,
    /// The weights of the worlds.
    weights: Vec<f64>,
}

struct RaceEntry {
    made: Move,
    worth: Vec<f32>,
    sum: f64,
    out: bool,
}

impl Race {
    /// Starts a new race among `moves`.
    pub(super) fn start(&mut self, moves: Moves) {
        self.running = 0;
        self.weights.clear();
        for made in moves.iter() {
            if self.running == self.entries.len() {
                self.entries.push(RaceEntry { made, worth: Vec::new(), sum: 0.0, out: false });
            }
            let entry = &mut self.entries[self.running];
            entry.made = made;
            entry.worth.clear();
            entry.sum = 0.0;
            self.running += 1;
        }
    }

    /// Returns whether only one move is left in the race.
    pub(super) fn is_decided(&self) -> bool {
        self.running == 1
    }

    /// Adds a world with its weight; `worth` values each move in the race in this world.
    pub(super) fn add(&mut self, weight: f64, mut worth: impl FnMut(Move) -> f32) {
        self.weights.push(weight);
        for entry in &mut self.entries[..self.running] {
            let worth = worth(entry.made);
            entry.worth.push(worth);
            entry.sum += weight * f64::from(worth);
        }
    }

    /// Drops the moves that are significantly behind the best, after every `ROUND` worlds.
    ///
    /// All worlds so far must be drawn worlds with equal weights.
    pub(super) fn drop_out(&mut self) {
        if self.running == 1 || !self.weights.len().is_multiple_of(ROUND) {
            return;
        }
        let best = self.best();
        for number in 0..self.running {
            self.entries[number].out = self.leads(best, number, BEHIND);
        }
        self.entries[..self.running].sort_by_key(|entry| entry.out);
        self.running = self.entries[..self.running].partition_point(|entry| !entry.out);
    }

    /// Returns whether move `one` leads move `other` by more than `errors` standard errors of the difference.
    fn leads(&self, one: usize, other: usize, errors: f64) -> bool {
        let (one, other) = (&self.entries[one], &self.entries[other]);
        let all: f64 = self.weights.iter().sum();
        let lead = (one.sum - other.sum) / all;
        let off = |(one, other): (&f32, &f32)| f64::from(one - other) - lead;
        let offs = one.worth.iter().zip(&other.worth).map(off);
        let squares: f64 = offs.zip(&self.weights).map(|(off, weight)| (weight * off).powi(2)).sum();
        let worlds = self.weights.len() as f64;
        let error = (squares * worlds / (worlds - 1.0).max(1.0)).sqrt() / all;
        // Sums of the same numbers in another order differ in the last digits.
        lead > errors * error + 1e-6 * (one.sum.abs() / all).max(1.0)
    }

    fn best(&self) -> usize {
        let entries = &self.entries[..self.running];
        (0..entries.len())
            .reduce(|best, next| if entries[next].sum > entries[best].sum { next } else { best })
            .unwrap_or(0)
    }

    /// Returns the move with the best average, or the `usual` move if that is not clearly worse.
    ///
    /// The usual move wins if it is in the race and not behind by more than `errors` standard errors.
    pub(super) fn winner(&self, usual: Option<Move>, errors: f64) -> Move {
        let best = self.best();
        let usual = self.entries[..self.running].iter().position(|entry| Some(entry.made) == usual);
        let winner = usual.filter(|&usual| !self.leads(best, usual, errors)).unwrap_or(best);
        self.entries[winner].made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: [Move; 3] = [Move::call(0), Move::call(1), Move::call(2)];

    /// Returns a race in which the worth of a move depends on the parity of the world.
    fn race(worlds: usize, worth: impl Fn(usize, usize) -> f32) -> Race {
        let mut race = Race::default();
        race.start(Moves::calls(0b111));
        for world in 0..worlds {
            race.add(1.0, |made| worth(MOVES.iter().position(|other| *other == made).unwrap(), world % 2));
            race.drop_out();
        }
        race
    }

    #[test]
    fn who_is_behind_by_more_than_chance_drops_out() {
        // The first is behind the second by 1.2 ± 1, and the third is far behind.
        let worth = |made: usize, odd: usize| [[0.0, 2.2, -90.0], [0.0, 0.2, -110.0]][odd][made];
        let going = race(ROUND - 1, worth);
        assert_eq!((going.running, going.is_decided()), (3, false));
        let going = race(ROUND, worth);
        assert_eq!(
            (going.running, going.is_decided()),
            (1, true),
            "over 10 worlds that is more than three standard errors"
        );
        let close = |made: usize, odd: usize| [[0.0, 1.5, -90.0], [0.0, -1.0, -110.0]][odd][made];
        assert_eq!(race(ROUND, close).running, 2);
    }

    #[test]
    fn the_usual_move_stays_unless_another_is_better_by_more_than_chance() {
        let worth = |made: usize, odd: usize| [[0.0, 1.5, 0.0], [0.0, -1.0, 0.0]][odd][made];
        // The lead is 0.25 with a standard error of about 1.25 / sqrt(9).
        let race = race(ROUND, worth);
        assert_eq!(race.winner(Some(MOVES[0]), 1.0), MOVES[0]);
        assert_eq!(race.winner(Some(MOVES[0]), 0.1), MOVES[1]);
        assert_eq!(race.winner(Some(MOVES[1]), 1.0), MOVES[1]);
        assert_eq!(race.winner(Some(Move::call(9)), 1.0), MOVES[1], "who is not in the race cannot win it");
        assert_eq!(race.winner(None, 1.0), MOVES[1]);
    }
}
