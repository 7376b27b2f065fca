//! The orders in which a game can end.

use overtrick_cards::table::{ByRole, MAX_SEATS, Role};

/// The order in which a game for two, three or four ended, by role: 3, 13 or 75 patterns.
///
/// A role is a place counted from the dealer: the dealer is 0, the left neighbour 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern(u8);

/// The comparisons of values in which a code has its digits, from the highest: each value with those before.
const COMPARISONS: [(usize, usize); 6] = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];

/// The number of comparisons of three values, and of four.
const OF_THREE: usize = 3;
const OF_FOUR: usize = 6;

/// By code: the pattern of three values, or `u8::MAX` if their comparisons contradict each other.
const PATTERNS_OF_THREE: [u8; 27] = patterns::<OF_THREE, 27>();

/// By code: the pattern of four values.
static PATTERNS_OF_FOUR: [u8; 729] = patterns::<OF_FOUR, 729>();

/// By pattern of three or four: a bit that is set if the best value is shared.
const TIES_OF_THREE: u16 = ties::<OF_THREE, 27>() as u16;
const TIES_OF_FOUR: u128 = ties::<OF_FOUR, 729>();

const fn compare(a: i32, b: i32) -> usize {
    (a > b) as usize + (a >= b) as usize
}

/// Returns the first `N` comparisons of values as digits in base 3: 0 less, 1 equal, 2 more.
#[inline(always)]
const fn code<const N: usize>(values: &[i32; MAX_SEATS]) -> usize {
    let (mut code, mut digit) = (0, 0);
    while digit < N {
        let (one, other) = COMPARISONS[digit];
        code = code * 3 + compare(values[one], values[other]);
        digit += 1;
    }
    code
}

/// Returns the four digits in base 4 of a number below 256, the lowest first.
const fn digits(number: i32) -> [i32; MAX_SEATS] {
    [number & 3, number >> 2 & 3, number >> 4 & 3, number >> 6]
}

/// Returns, by code of `N` comparisons, the numbers of the orders in which values can be, in order of code.
const fn patterns<const N: usize, const CODES: usize>() -> [u8; CODES] {
    let mut table = [u8::MAX; CODES];
    let mut values = 0;
    while values < 256 {
        table[code::<N>(&digits(values))] = 0;
        values += 1;
    }
    let (mut index, mut number) = (0, 0);
    while index < CODES {
        if table[index] == 0 {
            table[index] = number;
            number += 1;
        }
        index += 1;
    }
    table
}

/// Returns a bit for each pattern that is set if the best value is shared.
const fn ties<const N: usize, const CODES: usize>() -> u128 {
    let table = patterns::<N, CODES>();
    let (mut ties, mut number) = (0, 0);
    while number < 256 {
        let values = digits(number);
        let count = if N == OF_THREE { 3 } else { 4 };
        let (mut best, mut shared, mut at) = (-1, false, 0);
        while at < count {
            shared = values[at] == best || shared && values[at] < best;
            if values[at] > best {
                best = values[at];
            }
            at += 1;
        }
        if shared {
            ties |= 1 << table[code::<N>(&values)];
        }
        number += 1;
    }
    ties
}

impl Pattern {
    /// Returns the number of patterns in which a game for `seats` players can end.
    pub const fn count(seats: usize) -> usize {
        match seats {
            2 => 3,
            3 => 13,
            _ => 75,
        }
    }

    /// Returns the pattern of `values` by role, where more is better.
    #[inline]
    pub fn of(values: ByRole<i32>, seats: usize) -> Pattern {
        let values = values.into_array();
        Pattern(match seats {
            2 => compare(values[0], values[1]) as u8,
            3 => PATTERNS_OF_THREE[code::<OF_THREE>(&values)],
            _ => PATTERNS_OF_FOUR[code::<OF_FOUR>(&values)],
        })
    }

    /// Returns the index of the pattern, below [`Pattern::count`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns true if the best value is shared.
    #[inline]
    pub const fn is_tied(self, seats: usize) -> bool {
        match seats {
            2 => self.0 == 1,
            3 => TIES_OF_THREE >> self.0 & 1 == 1,
            _ => TIES_OF_FOUR >> self.0 & 1 == 1,
        }
    }

    /// Returns the places by role: 0 for the best. Equal places are shared, and no place is skipped after
    /// them.
    pub fn places(number: usize, seats: usize) -> ByRole<u8> {
        let mut all = (0..256).map(|number| ByRole::new(digits(number)));
        let fits = |values: &ByRole<i32>| Pattern::of(*values, seats).index() == number;
        let values = all.find(fits).expect("the number of a pattern");
        let mut places = ByRole::default();
        for role in Role::all(seats) {
            let mut better: Vec<i32> = values.of(seats).to_vec();
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
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn patterns_number_all_orders_of_two_three_and_four() {
        let places = |seats| -> Vec<[u8; 3]> {
            (0..Pattern::count(seats)).map(|number| Pattern::places(number, seats).into_array()).collect()
        };
        assert_eq!(places(2), [[1, 0, 0], [0, 0, 0], [0, 1, 0]]);
        // The numbers are in files.
        let text = |places: [u8; 3]| places.map(|place| place.to_string()).concat();
        let three: Vec<String> = places(3).into_iter().map(text).collect();
        assert_eq!(three.join(" "), "210 100 201 101 102 110 000 001 120 010 021 011 012");
    }

    /// Checks patterns against a slow sort of all values from 0 to 4.
    #[test]
    fn each_order_of_values_has_a_pattern_of_its_own() {
        for (seats, count) in [(2, 3), (3, 13), (4, 75)] {
            let mut numbers = BTreeMap::new();
            for number in 0..5_i32.pow(4) {
                let values = ByRole::new([1, 5, 25, 125].map(|power| number / power % 5 - 2));
                let own = values.of(seats);
                let mut levels = own.to_vec();
                levels.sort_unstable_by(|a, b| b.cmp(a));
                levels.dedup();
                let places: Vec<usize> =
                    own.iter().map(|value| levels.iter().position(|level| level == value).unwrap()).collect();
                let pattern = Pattern::of(values, seats);
                assert_eq!(*numbers.entry(places.clone()).or_insert(pattern.index()), pattern.index(), "{own:?}");
                let shown = Pattern::places(pattern.index(), seats);
                assert!(shown.of(seats).iter().map(|&place| usize::from(place)).eq(places.iter().copied()), "{own:?}");
                let best = places.iter().filter(|&&place| place == 0).count();
                assert_eq!(pattern.is_tied(seats), best > 1, "{own:?}");
            }
            let mut found: Vec<usize> = numbers.into_values().collect();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..count), "{seats} seats");
            assert_eq!(Pattern::count(seats), count);
        }
    }
}
