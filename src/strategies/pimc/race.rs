//! Which of several moves is worth most on average, found without trying the hopeless ones in every world.

use crate::game::{Move, Moves};

/// Worlds that are tried before moves drop out, and between two times that some may.
const ROUND: usize = 10;
/// How many standard errors a move must be behind the best to drop out.
const BEHIND: f64 = 3.0;

/// Moves and what they were worth in each world so far.
#[derive(Default)]
pub(super) struct Race {
    /// Moves still in the race, with their worth by world; the memory of those that are not is kept.
    entries: Vec<Entry>,
    running: usize,
}

struct Entry {
    made: Move,
    worth: Vec<f32>,
    sum: f64,
    out: bool,
}

impl Race {
    /// Starts anew with `moves`.
    pub(super) fn start(&mut self, moves: Moves) {
        self.running = 0;
        for made in moves.iter() {
            if self.running == self.entries.len() {
                self.entries.push(Entry { made, worth: Vec::new(), sum: 0.0, out: false });
            }
            let entry = &mut self.entries[self.running];
            entry.made = made;
            entry.worth.clear();
            entry.sum = 0.0;
            self.running += 1;
        }
    }

    /// Whether one move only is left in the race.
    pub(super) fn is_decided(&self) -> bool {
        self.running == 1
    }

    /// Takes what every move that is still in the race is worth in one more world.
    pub(super) fn add(&mut self, mut worth: impl FnMut(Move) -> f32) {
        for entry in &mut self.entries[..self.running] {
            let worth = worth(entry.made);
            entry.worth.push(worth);
            entry.sum += f64::from(worth);
        }
        let worlds = self.entries[0].worth.len();
        if self.running > 1 && worlds.is_multiple_of(ROUND) {
            self.drop_out(worlds as f64);
        }
    }

    /// Drops the moves that are behind the best by more than chance allows.
    fn drop_out(&mut self, worlds: f64) {
        let best = self.best();
        for number in 0..self.running {
            let (one, other) = (&self.entries[best], &self.entries[number]);
            let lead = (one.sum - other.sum) / worlds;
            let squares: f64 =
                (one.worth.iter().zip(&other.worth)).map(|(one, other)| (f64::from(one - other) - lead).powi(2)).sum();
            let error = (squares / (worlds - 1.0) / worlds).sqrt();
            self.entries[number].out = lead > BEHIND * error;
        }
        self.entries[..self.running].sort_by_key(|entry| entry.out);
        self.running = self.entries[..self.running].partition_point(|entry| !entry.out);
    }

    fn best(&self) -> usize {
        let entries = &self.entries[..self.running];
        (0..entries.len())
            .reduce(|best, next| if entries[next].sum > entries[best].sum { next } else { best })
            .unwrap_or(0)
    }

    /// The moves that are worth most on average.
    pub(super) fn winners(&self) -> Moves {
        let most = self.entries[self.best()].sum;
        // Sums of the same worths in another order may differ in the last digits.
        let near = |sum: f64| most - sum <= 1e-6 * most.abs().max(1.0);
        let winners = self.entries[..self.running].iter().filter(|entry| near(entry.sum));
        winners.fold(Moves::NONE, |all, entry| all.with(entry.made))
    }
}
