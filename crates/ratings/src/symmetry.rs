//! Finds players whose results are mirror images of each other.
//!
//! Identical bots in full rotation have equal strengths by symmetry. But arithmetic that sums their results
//! in different orders would separate them in the last bit. So the symmetry is found first, in the integer
//! counts, and strengths are projected onto it.
//!
//! The method is colour refinement. All players start in one class. Players of a class are separated if their
//! records, written with classes in place of names, differ. This is repeated until no class splits. Then
//! strengths that are equal within classes give scores that are equal within classes. So the maximum
//! restricted to such strengths is the (only) maximum without the restriction: members of a class have
//! *exactly* equal maximum likelihood strengths.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::records::Record;

/// A partition of the players.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// The class of each player.
    pub class_of: Vec<usize>,
    /// The number of players in each class.
    sizes: Vec<usize>,
}

/// The number of times that a player had each part.
type History = BTreeMap<Part, u64>;

/// One role in one kind of result, in one group.
///
/// Two roles of a pattern differ by place or seat; roles that differ in neither are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    pattern: usize,
    place: u8,
    seat: Option<usize>,
    group: usize,
}

impl Classes {
    /// Returns the classes of players with the same history over all groups together.
    ///
    /// They have equal strengths.
    pub fn of_totals(players: usize, records: &[Record]) -> Self {
        let everyone = Self { class_of: vec![0; players], sizes: vec![players] };
        everyone.refined(records, |record| vec![(0, record.total())])
    }

    /// Returns the classes of players with equal keys.
    pub fn by_key<K: Ord>(keys: Vec<K>) -> Self {
        let mut names = BTreeMap::new();
        let mut classes = Self { class_of: Vec::new(), sizes: Vec::new() };
        for key in keys {
            let fresh = names.len();
            let class = *names.entry(key).or_insert(fresh);
            if class == fresh {
                classes.sizes.push(0);
            }
            classes.sizes[class] += 1;
            classes.class_of.push(class);
        }
        classes
    }

    /// Splits classes until the members of each have the same history in every single group.
    ///
    /// The strengths of such members are equal and deviate from the truth in the same way, so their
    /// difference has no error at all.
    pub fn within_groups(&self, records: &[Record]) -> Self {
        self.clone().refined(records, |record| record.counts.clone())
    }

    /// Splits classes until all members of each have the same history.
    fn refined(mut self, records: &[Record], counts: impl Fn(&Record) -> Vec<(usize, u64)>) -> Self {
        while self.sizes.len() < self.class_of.len() {
            let histories = self.histories(records, &counts);
            let finer = Self::by_key(self.class_of.iter().zip(&histories).collect());
            let stable = finer.sizes.len() == self.sizes.len();
            self = finer;
            if stable {
                break;
            }
        }
        self
    }

    /// Returns the history of each player in terms of the present classes.
    ///
    /// It is empty for players who are already alone in their class.
    fn histories(&self, records: &[Record], counts: impl Fn(&Record) -> Vec<(usize, u64)>) -> Vec<History> {
        let mut patterns = BTreeMap::new();
        let mut histories = vec![History::new(); self.class_of.len()];
        for record in records {
            let mut pattern: Vec<_> =
                record.order.iter().map(|placed| (placed.place, self.class_of[placed.player], placed.seat)).collect();
            pattern.sort_unstable();
            let fresh = patterns.len();
            let pattern = *patterns.entry(pattern).or_insert(fresh);
            let counts = counts(record);
            for placed in &record.order {
                if self.sizes[self.class_of[placed.player]] == 1 {
                    continue;
                }
                for &(group, times) in &counts {
                    let part = Part { pattern, place: placed.place, seat: placed.seat, group };
                    *histories[placed.player].entry(part).or_default() += times;
                }
            }
        }
        histories
    }

    /// Sets the values of all members of a class to their mean; there is one value for each player.
    pub fn average(&self, values: &mut [f64]) {
        let mut sums = vec![0.0; self.sizes.len()];
        for (&class, &value) in self.class_of.iter().zip(&*values) {
            sums[class] += value;
        }
        for (&class, value) in self.class_of.iter().zip(values) {
            *value = sums[class] / self.sizes[class] as f64;
        }
    }

    /// Sets all entries of a players by players matrix that belong to the same pair of classes to their mean.
    ///
    /// The result is the covariance of class averages.
    pub fn average_blocks(&self, matrix: DMatrix<f64>) -> DMatrix<f64> {
        let mut sums = DMatrix::<f64>::zeros(self.sizes.len(), self.sizes.len());
        for (i, &a) in self.class_of.iter().enumerate() {
            for (j, &b) in self.class_of.iter().enumerate() {
                sums[(a, b)] += matrix[(i, j)];
            }
        }
        DMatrix::from_fn(self.class_of.len(), self.class_of.len(), |i, j| {
            let (a, b) = (self.class_of[i], self.class_of[j]);
            sums[(a, b)] / (self.sizes[a] * self.sizes[b]) as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::Placed;
    use super::*;

    /// Builds the record of wins of `winner` against `loser` in the given groups.
    fn win(winner: usize, loser: usize, counts: &[(usize, u64)]) -> Record {
        let placed = |place, player| Placed { place, player, seat: None };
        Record { order: vec![placed(0, winner), placed(1, loser)], counts: counts.to_vec() }
    }

    #[test]
    fn rotations_count_as_symmetry() {
        let cycle = [win(0, 1, &[(0, 5)]), win(1, 2, &[(0, 5)]), win(2, 0, &[(0, 5)])];
        assert_eq!(Classes::of_totals(3, &cycle).class_of, [0, 0, 0]);
    }

    #[test]
    fn equal_tallies_against_different_opponents_are_no_symmetry() {
        // 0 and 1 have one win and one loss each, but 0 lost to the stronger player.
        let wins = [win(0, 2, &[(0, 1)]), win(3, 0, &[(0, 1)]), win(1, 2, &[(0, 1)]), win(2, 1, &[(0, 1)])];
        let classes = Classes::of_totals(4, &wins);
        assert_eq!(classes.sizes, [1, 1, 1, 1]);
    }

    #[test]
    fn groups_can_break_the_symmetry_of_totals() {
        let wins = [win(0, 1, &[(0, 2), (1, 1)]), win(1, 0, &[(0, 1), (1, 2)])];
        let classes = Classes::of_totals(2, &wins);
        assert_eq!(classes.class_of, [0, 0]);
        assert_eq!(classes.within_groups(&wins).class_of, [0, 1]);
        let even = [win(0, 1, &[(0, 2), (1, 1)]), win(1, 0, &[(0, 2), (1, 1)])];
        assert_eq!(classes.within_groups(&even).class_of, [0, 0]);
    }

    #[test]
    fn members_of_a_class_get_bitwise_equal_values() {
        let classes = Classes { class_of: vec![0, 1, 0, 0], sizes: vec![3, 1] };
        let mut values = [0.1, 0.7, 0.2, 0.3];
        classes.average(&mut values);
        assert_eq!(values[1], 0.7);
        assert!(values[0] == values[2] && values[2] == values[3]);
        assert!((values[0] - 0.2).abs() < 1e-15);
        let blocks = classes.average_blocks(DMatrix::from_fn(4, 4, |i, j| (i * 4 + j) as f64));
        // Rows and columns 0, 2 and 3 hold 0, 2, 3, 8, 10, 11, 12, 14 and 15.
        assert_eq!(blocks[(0, 0)], 75.0 / 9.0);
        assert_eq!(blocks[(0, 0)], blocks[(2, 3)]);
        assert_eq!((blocks[(1, 1)], blocks[(1, 3)]), (5.0, 17.0 / 3.0));
    }
}
