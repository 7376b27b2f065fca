//! How far each player is ahead of each other.

/// Copies of a player differ by less in every entry, over the largest entry.
const SAME: f64 = 1e-10;

/// The advantage of each player over each other, in any unit.
///
/// The advantage of the second over the first is that of the first over the second with its sign reversed.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTable {
    players: usize,
    /// By two players.
    advantages: Vec<f64>,
}

impl PairTable {
    /// Builds the table from the advantage of the first of two players, of which it has the lower number.
    ///
    /// # Panics
    /// If an advantage is not finite.
    pub fn new(players: usize, mut advantage: impl FnMut(usize, usize) -> f64) -> PairTable {
        let mut advantages = vec![0.0; players * players];
        for one in 0..players {
            for other in one + 1..players {
                let ahead = advantage(one, other);
                assert!(ahead.is_finite(), "{one} is ahead of {other} by {ahead}");
                advantages[one * players + other] = ahead;
                advantages[other * players + one] = -ahead;
            }
        }
        PairTable { players, advantages }
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns how far a player is ahead of another.
    pub fn advantage(&self, one: usize, other: usize) -> f64 {
        self.advantages[one * self.players + other]
    }

    /// Returns how far a player is ahead of a mix of players, which has a weight for each.
    pub fn against(&self, player: usize, mix: &[f64]) -> f64 {
        let own = &self.advantages[player * self.players..(player + 1) * self.players];
        own.iter().zip(mix).map(|(ahead, weight)| ahead * weight).sum()
    }

    /// Returns the largest advantage.
    pub(crate) fn largest(&self) -> f64 {
        self.advantages.iter().fold(0.0, |largest, ahead| ahead.abs().max(largest))
    }

    /// Returns the table of some of the players, in the given order.
    pub(crate) fn of(&self, which: &[usize]) -> PairTable {
        PairTable::new(which.len(), |one, other| self.advantage(which[one], which[other]))
    }

    /// Returns all advantages times a factor.
    pub(crate) fn times(&self, factor: f64) -> PairTable {
        PairTable::new(self.players, |one, other| factor * self.advantage(one, other))
    }

    /// Sorts the players into sets of copies.
    ///
    /// The copies in a set are ahead of each other player by the same.
    pub(crate) fn copies(&self) -> Vec<Vec<usize>> {
        let limit = SAME * self.largest();
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for player in 0..self.players {
            let is_copy = |set: &&mut Vec<usize>| {
                let differs = |other| (self.advantage(player, other) - self.advantage(set[0], other)).abs() > limit;
                !(0..self.players).any(differs)
            };
            match sets.iter_mut().find(is_copy) {
                Some(set) => set.push(player),
                None => sets.push(vec![player]),
            }
        }
        sets
    }

    /// Returns the smallest set of players that are ahead of all others, ascending.
    ///
    /// This is the top cycle (Smith 1973, "Aggregation of preferences with variable electorate",
    /// *Econometrica* 41).
    pub(crate) fn top_cycle(&self) -> Vec<usize> {
        let wins = |player: usize| -> i64 {
            let sign = |other| match self.advantage(player, other) {
                ahead if ahead > 0.0 => 1,
                ahead if ahead < 0.0 => -1,
                _ => 0,
            };
            (0..self.players).map(sign).sum()
        };
        let Some(first) = (0..self.players).max_by_key(|&player| wins(player)) else { return Vec::new() };
        // A player with most wins less losses is in the top cycle, and so is every player that one in it does
        // not beat.
        let (mut members, mut next) = (vec![first], 0);
        while next < members.len() {
            for other in 0..self.players {
                if self.advantage(members[next], other) <= 0.0 && !members.contains(&other) {
                    members.push(other);
                }
            }
            next += 1;
        }
        members.sort_unstable();
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_cycle_is_ahead_of_all_others() {
        // A circle of 1, 2 and 4; all of them beat 0 and 3.
        let circle = [1, 2, 4];
        let table =
            PairTable::new(5, |one, other| match [one, other].map(|own| circle.iter().position(|&at| at == own)) {
                [Some(one), Some(other)] if (one + 1) % 3 == other => 1.0,
                [Some(_), Some(_)] => -1.0,
                [Some(_), None] => 0.5,
                [None, Some(_)] => -0.5,
                _ => 3.0,
            });
        assert_eq!(table.top_cycle(), circle);
        // A player that no one beats, but that is level with one, is not alone.
        let table = PairTable::new(3, |one, other| if (one, other) == (0, 1) { 0.0 } else { 1.0 });
        assert_eq!(table.top_cycle(), [0, 1]);
        assert_eq!(PairTable::new(0, |_, _| 0.0).top_cycle(), []);
    }

    #[test]
    fn copies_are_found() {
        let strengths = [3.0, 1.0, 3.0, 2.0, 1.0];
        let table = PairTable::new(5, |one, other| strengths[one] - strengths[other]);
        assert_eq!(table.copies(), [vec![0, 2], vec![1, 4], vec![3]]);
    }
}
