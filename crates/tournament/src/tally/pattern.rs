//! The orders in which a game can end.

use overtrick_cards::table::{ByRole, Role};

/// The order in which a game for two or three ended, by role: 3 or 13 patterns.
///
/// A role is a place counted from the dealer: the dealer is 0, the left neighbour 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern(u8);

/// The pattern of three values a, b and c by their comparisons: `u8::MAX` if these contradict each other.
///
/// The index is a with b, a with c and b with c as digits in base 3: 0 less, 1 equal, 2 more.
const PATTERNS_OF_THREE: [u8; 27] = {
    let mut table = [u8::MAX; 27];
    let mut index = 0;
    let mut number = 0;
    while index < 27 {
        // Values from 0 to 2 that compare in this way, if there are any.
        let mut values = 0;
        while values < 27 {
            let (a, b, c) = (values / 9, values / 3 % 3, values % 3);
            if code(a, b, c) == index && table[index] == u8::MAX {
                table[index] = number;
                number += 1;
            }
            values += 1;
        }
        index += 1;
    }
    table
};

/// By pattern of three: a bit that is set if the best value is shared.
const TIES_OF_THREE: u16 = {
    let (mut ties, mut values) = (0, 0);
    while values < 27 {
        let (a, b, c) = (values / 9, values / 3 % 3, values % 3);
        if a == b && a >= c || a == c && a >= b || b == c && b >= a {
            ties |= 1 << PATTERNS_OF_THREE[code(a, b, c)];
        }
        values += 1;
    }
    ties
};

const fn compare(a: i32, b: i32) -> usize {
    (a > b) as usize + (a >= b) as usize
}

/// Returns the index of three values in [`PATTERNS_OF_THREE`].
const fn code(a: i32, b: i32, c: i32) -> usize {
    compare(a, b) * 9 + compare(a, c) * 3 + compare(b, c)
}

impl Pattern {
    /// Returns the number of patterns in which a game for `seats` players can end.
    pub const fn count(seats: usize) -> usize {
        if seats == 2 { 3 } else { 13 }
    }

    /// Returns the pattern of `values` by role, where more is better.
    #[inline]
    pub fn of(values: ByRole<i32>, seats: usize) -> Pattern {
        let [a, b, c] = values.into_array();
        if seats == 2 { Pattern(compare(a, b) as u8) } else { Pattern(PATTERNS_OF_THREE[code(a, b, c)]) }
    }

    /// Returns the index of the pattern, below [`Pattern::count`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns true if the best value is shared.
    #[inline]
    pub const fn is_tied(self, seats: usize) -> bool {
        let ties = if seats == 2 { 1 << 1 } else { TIES_OF_THREE };
        ties >> self.index() & 1 == 1
    }

    /// Returns the places by role: 0 for the best. Equal places are shared, and no place is skipped after
    /// them.
    pub fn places(number: usize, seats: usize) -> ByRole<u8> {
        let mut all = (0..27).map(|code| ByRole::new([code / 9, code / 3 % 3, code % 3]));
        let fits = |values: &ByRole<i32>| Pattern::of(*values, seats).index() == number;
        let values = all.find(fits).expect("the number of a pattern");
        let mut places = ByRole::default();
        for role in Role::all(seats) {
            let mut better: Vec<i32> = values.into_array()[..seats].to_vec();
            better.retain(|&other| other > values[role]);
            better.sort_unstable();
            better.dedup();
            places[role] = better.len() as u8;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_number_all_orders_of_two_and_three() {
        let places = |seats| -> Vec<[u8; 3]> {
            (0..Pattern::count(seats)).map(|number| Pattern::places(number, seats).into_array()).collect()
        };
        assert_eq!(places(2), [[1, 0, 0], [0, 0, 0], [0, 1, 0]]);
        let three = places(3);
        assert_eq!(three.len(), 13);
        for (i, order) in three.iter().enumerate() {
            assert!(!three[..i].contains(order), "{order:?} twice");
            let value = order.map(|place| -i32::from(place));
            assert_eq!(Pattern::of(ByRole::new(value), 3), Pattern(i as u8));
        }
        for seats in [2, 3] {
            for number in 0..Pattern::count(seats) {
                let places = Pattern::places(number, seats).into_array();
                let first = places[..seats].iter().filter(|&&place| place == 0).count();
                assert_eq!(Pattern(number as u8).is_tied(seats), first > 1, "{places:?}");
            }
        }
    }
}
